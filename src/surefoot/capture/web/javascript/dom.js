// Reads what belongs to the page: dom.children(node), dom.closest(node, selector).
//
// A form answers to the names of its fields before it answers to its own properties, as does a
// document to those of its forms, pictures and frames: <input name=children> hides form.children.
// Their prototypes know no such names, and in our world no script of the page can change them:
// whatever may be a form or a document is read through these functions alone.
(() => {
  "use strict";
  const surefoot = {};
  // A plain assignment could meet an element of the page that has this id.
  Object.defineProperty(globalThis, "surefoot", { value: surefoot, configurable: true });
  const dom = { __proto__: null };
  const words = (text) => text.trim().split(/\s+/);

  // What every node and every element has is read most: by the accessor itself.
  const OF_NODES = words(`childNodes compareDocumentPosition contains firstChild getRootNode
    insertBefore isConnected nextSibling nodeType ownerDocument parentElement parentNode
    textContent`);
  const OF_ELEMENTS = words(`attributes classList clientHeight clientLeft clientTop clientWidth
    currentCSSZoom checkVisibility closest getAttribute getBoundingClientRect hasAttribute
    localName matches nextElementSibling outerHTML previousElementSibling removeAttribute
    scrollHeight scrollWidth setAttribute shadowRoot`);
  for (const [type, names] of [[Node, OF_NODES], [Element, OF_ELEMENTS]]) {
    for (const name of names) {
      const { get, value } = Object.getOwnPropertyDescriptor(type.prototype, name);
      dom[name] = Function.prototype.call.bind(get || value);
    }
  }

  // What only some kinds have, or each has of its own; undefined for the others.
  const OF_SOME = words(`activeElement adoptedStyleSheets assignedNodes assignedSlot blur body
    cellIndex cells checked childElementCount children compatMode contentDocument contentEditable
    control createComment createElement createRange createTreeWalker defaultView disabled
    scrollingElement
    dispatchEvent documentElement
    elementFromPoint elementsFromPoint files focus fonts getAnimations getElementById hasFocus host
    indeterminate isContentEditable label labels moveBefore multiple offsetHeight offsetWidth open
    options ownerSVGElement querySelector querySelectorAll readOnly readyState remove required scrollLeft
    scrollTop selected selectedIndex selectedOptions size style styleSheets title type value`);
  // Looked up once for each prototype, of which our world has its own.
  const accessorOf = (prototype, name) => {
    for (let owner = prototype; owner; owner = Object.getPrototypeOf(owner)) {
      const found = Object.getOwnPropertyDescriptor(owner, name);
      if (!found) continue;
      if (found.get || typeof found.value === "function") return Function.prototype.call.bind(found.get || found.value);
      return () => found.value;
    }
    return () => undefined;
  };
  for (const name of OF_SOME) {
    const known = new Map();
    dom[name] = (object, ...given) => {
      const prototype = Object.getPrototypeOf(object);
      let accessor = known.get(prototype);
      if (!accessor) known.set(prototype, (accessor = accessorOf(prototype, name)));
      // Most are read without arguments, and a list of them costs as much as the reading.
      return given.length ? accessor(object, ...given) : accessor(object);
    };
  }

  dom.has = (object, name) => name in Object.getPrototypeOf(object);
  dom.set = (object, name, value) => Reflect.set(Object.getPrototypeOf(object), name, value, object);
  surefoot.dom = Object.freeze(dom);
})();
