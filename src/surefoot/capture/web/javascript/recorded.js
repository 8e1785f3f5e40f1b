// What the nodes of one tag say of themselves, so that a recorded one can be found again.
(() => {
  "use strict";
  const surefoot = globalThis.surefoot;
  const { dom } = surefoot;
  const LONGEST = 500;
  const cut = (text) => text.slice(0, LONGEST);
  const tidy = (text) => cut(text.replace(/\s+/g, " ").trim());

  function attributesOf(node) {
    const found = { __proto__: null };
    for (const { name, value } of dom.attributes(node)) found[cut(name)] = cut(value);
    return found;
  }

  // Boxes are in image pixels of the whole page; those in frames are the frame's own, so
  // none is given there.
  function boxOf(node, scale) {
    if (dom.ownerDocument(node) !== document) return null;
    const { left, top, right, bottom } = dom.getBoundingClientRect(node);
    const across = [left, right].map((side) => (side + scrollX) * scale);
    const down = [top, bottom].map((side) => (side + scrollY) * scale);
    return ["box", across[0], down[0], across[1], down[1]];
  }

  surefoot.nodesOf = (tag, scale, most) => {
    surefoot.assignIds();
    const found = [];
    for (const root of surefoot.roots()) {
      for (const node of dom.querySelectorAll(root, "*")) {
        if (dom.localName(node) !== tag) continue;
        if (found.length === most) return found;
        const words = tidy(dom.textContent(node) || "");
        const box = boxOf(node, scale);
        found.push({ id: surefoot.idOf(node), attributes: attributesOf(node), words, box });
      }
    }
    return found;
  };
})();
