// What tells an element from its siblings in every language: where it leads, what it is sent as.
(() => {
  "use strict";
  const surefoot = globalThis.surefoot;
  const { attribute, dom } = surefoot;
  const SENT = /^(input|select|textarea|button)$/;
  const WORDED = /^(submit|button|reset|text|search)$/; // their value is what a person reads

  function address(text) {
    try {
      const { origin, pathname, search } = new URL(text, location.href);
      const here = origin === location.origin ? "" : origin;
      return `${here}${pathname}\n${search}`;
    } catch {
      return "";
    }
  }

  // Words that are read never stand in it: it is compared between languages.
  function keyOf(node) {
    const tag = dom.localName(node);
    if (/^(a|area)$/.test(tag)) {
      const target = attribute(node, "href");
      return target && !target.startsWith("#") ? address(target) : "";
    }
    if (/^(img|iframe|frame|video|audio|source)$/.test(tag)) {
      const shown = attribute(node, "src");
      return shown && !shown.startsWith("data:") ? address(shown) : "";
    }
    if (tag === "option") return dom.hasAttribute(node, "value") ? `=${attribute(node, "value")}` : "";
    if (!SENT.test(tag)) return "";
    const value = WORDED.test(attribute(node, "type") || "text") ? "" : attribute(node, "value");
    const name = attribute(node, "name");
    return name ? `${name}\n${/^(select|textarea)$/.test(tag) ? "" : value}` : "";
  }

  // The tags beside a node and beside all above it: where they are the same, so is its position.
  function surroundingsOf(node, known) {
    const above = dom.parentNode(node);
    if (!above) return "";
    if (!known.has(above)) {
      const holder = surefoot.composedParent(node);
      const higher = holder ? surroundingsOf(holder, known) : "";
      const tags = [...dom.children(above)].map((child) => dom.localName(child));
      known.set(above, surefoot.hashed(`${higher} ${tags.join(" ")}`));
    }
    return known.get(above);
  }

  // Of the elements that were last collected, by id; keys without those that nothing tells apart.
  surefoot.structure = () => {
    const keys = { __proto__: null };
    const surroundings = { __proto__: null };
    const known = new Map();
    for (const node of surefoot.recordedNodes()) {
      const id = surefoot.idOf(node);
      const key = keyOf(node);
      if (key) keys[id] = key;
      surroundings[id] = surroundingsOf(node, known);
    }
    return { language: attribute(dom.documentElement(document), "lang"), keys, surroundings };
  };
})();
