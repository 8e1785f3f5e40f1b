// What no markup says of a frozen document, brought back from the marks that freeze.js left in it.
(() => {
  "use strict";
  const surefoot = globalThis.surefoot;
  const { attribute, dom } = surefoot;
  const MARK = "data-surefoot-";

  function* marked(name) {
    for (const root of surefoot.roots()) yield* dom.querySelectorAll(root, `[${MARK}${name}]`);
  }

  const markOf = (node, name) => attribute(node, MARK + name);

  // What was put back may hold more of its kind.
  function putBack() {
    for (let [node] = marked("kept"); node; [node] = marked("kept")) {
      const top = dom.documentElement(dom.ownerDocument(node));
      const away = markOf(node, "kept") === "html";
      dom.insertBefore(away ? top : dom.parentNode(node), node.content, away ? null : node);
      dom.remove(node);
    }
  }

  function adoptSheets() {
    for (const node of [...marked("adopted")]) {
      if (!node.media) surefoot.adopt(dom.getRootNode(node), dom.textContent(node));
      dom.remove(node);
    }
  }

  async function draw(canvas) {
    const picture = new Image();
    picture.src = markOf(canvas, "canvas");
    await picture.decode();
    canvas.getContext("2d").drawImage(picture, 0, 0);
  }

  function scroll() {
    for (const node of marked("scroll")) {
      const [left, top] = markOf(node, "scroll").split(" ").map(Number);
      node.scrollTo({ left, top, behavior: "instant" });
    }
  }

  // Tells whether something had the focus, which it then keeps.
  surefoot.thaw = async () => {
    putBack();
    adoptSheets();
    for (const node of marked("canvas")) await draw(node).catch(() => {});
    for (const node of marked("mixed")) dom.set(node, "indeterminate", true);
    for (const node of marked("modal")) {
      dom.removeAttribute(node, "open");
      node.showModal();
    }
    for (const node of marked("popover")) node.showPopover();
    const [focused] = marked("focus");
    if (focused) dom.focus(focused, { preventScroll: true, focusVisible: markOf(focused, "focus") === "seen" });
    scroll();
    return Boolean(focused);
  };

  // The words that scripts wrote on a canvas, null of one that was never frozen.
  const written = new Map();
  surefoot.drawnBefore = (canvas) => written.get(canvas) || null;

  // Who listened, what is not to be asked for, and what only the browser knew of elements.
  surefoot.recall = () => {
    const heard = { __proto__: null, click: [], hover: [] };
    for (const node of marked("heard")) {
      for (const kind of markOf(node, "heard").split(" ")) {
        if (kind === "document") heard.click.push(dom.ownerDocument(node));
        else heard[kind]?.push(node);
      }
    }
    for (const node of marked("id")) surefoot.recallId(node, markOf(node, "id"));
    surefoot.listening(heard.click);
    surefoot.hovering(heard.hover);
    surefoot.recallTree([...marked("accessible")].map((node) => {
      const [role, name] = JSON.parse(markOf(node, "accessible"));
      return [node, { role, name }];
    }));
    for (const node of marked("words")) written.set(node, JSON.parse(markOf(node, "words")));
    scroll();
    return true;
  };

  surefoot.ignored = () => surefoot.idsWithin(new Set(marked("ignored")));

  // The ids of nodes and of all that lies in them.
  surefoot.idsWithin = (nodes) => {
    const found = new Set();
    const pending = [...nodes];
    while (pending.length) {
      const node = pending.pop();
      if (dom.nodeType(node) !== 1) continue;
      found.add(surefoot.idOf(node));
      pending.push(...surefoot.flatChildren(node));
    }
    return [...found].filter(Boolean).sort();
  };
})();
