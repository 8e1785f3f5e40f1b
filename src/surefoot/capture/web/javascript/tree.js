// The composed tree (open shadow roots and same-origin frames included), and node ids.
(() => {
  "use strict";
  const surefoot = (globalThis.surefoot = globalThis.surefoot || {});
  const FRAMES = new Set(["iframe", "frame"]);
  const ids = new Map();
  const nodes = new Map();

  const isElement = (node) => node.nodeType === 1;
  const isFrame = (node) => FRAMES.has(node.localName);

  function frameDocument(node) {
    try {
      return isFrame(node) ? node.contentDocument : null;
    } catch {
      return null;
    }
  }

  // Children as they are painted: a host shows its shadow root, a slot what is assigned.
  function flatChildren(node) {
    if (node.shadowRoot) return node.shadowRoot.childNodes;
    if (node.localName === "slot" && node.assignedNodes) {
      const assigned = node.assignedNodes();
      if (assigned.length) return assigned;
    }
    const inner = frameDocument(node);
    if (inner) return inner.documentElement ? [inner.documentElement] : [];
    return node.childNodes;
  }

  function composedParent(node) {
    const parent = node.assignedSlot || node.parentNode;
    if (!parent) return null;
    if (parent.nodeType === 11) return parent.host || null;
    if (parent.nodeType === 9) return parent.defaultView ? parent.defaultView.frameElement : null;
    return parent;
  }

  // Every document and open shadow root that this page may style.
  function roots() {
    const found = [document];
    for (let index = 0; index < found.length; index += 1) {
      for (const node of found[index].querySelectorAll("*")) {
        if (node.shadowRoot) found.push(node.shadowRoot);
        const inner = frameDocument(node);
        if (inner) found.push(inner);
      }
    }
    return found;
  }

  // Two FNV-1a states side by side: 48 bits are ample for the nodes of one page.
  function mix(state, text) {
    let [high, low] = state;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      high = Math.imul(high ^ code, 0x01000193) >>> 0;
      low = Math.imul(low ^ (code + 0x9e), 0x01000193) >>> 0;
    }
    return [high, low];
  }

  const spell = ([high, low]) =>
    high.toString(16).padStart(8, "0") + (low >>> 16).toString(16).padStart(4, "0");

  function give(node, state) {
    const base = `${node.localName.slice(0, 16)}-${spell(state)}`;
    let name = base;
    for (let twin = 2; nodes.has(name); twin += 1) name = `${base}~${twin}`;
    ids.set(node, name);
    nodes.set(name, node);
  }

  function numberChildren(list, state, pending) {
    const seen = new Map();
    for (const child of list) {
      if (!isElement(child)) continue;
      const place = (seen.get(child.localName) || 0) + 1;
      seen.set(child.localName, place);
      pending.push([child, mix(state, `/${child.localName}:${place}`)]);
    }
  }

  // Ids come from structural position alone and are kept beside the page, where neither
  // its style sheets nor its scripts can see them; a node that has one keeps it.
  surefoot.assignIds = () => {
    const pending = [];
    numberChildren([document.documentElement], [0x811c9dc5, 0x1000193], pending);
    for (let index = 0; index < pending.length; index += 1) {
      const [node, state] = pending[index];
      if (!ids.has(node)) give(node, state);
      numberChildren(node.children, state, pending);
      if (node.shadowRoot) numberChildren(node.shadowRoot.children, mix(state, "#"), pending);
      const inner = frameDocument(node);
      if (inner) numberChildren(inner.children, mix(state, "@"), pending);
    }
    return pending.length;
  };

  // A node that is one thing and does another (a header that sorts) is two elements.
  surefoot.actionId = (node) => {
    const id = `${ids.get(node)}~act`;
    nodes.set(id, node);
    return id;
  };

  surefoot.nodeCount = () => {
    let count = 0;
    for (const root of roots()) count += root.querySelectorAll("*").length;
    return count;
  };

  Object.assign(surefoot, {
    hashed: (text) => spell(mix([0x811c9dc5, 0x1000193], text)),
    idOf: (node) => ids.get(node) || "",
    nodeOf: (id) => nodes.get(id) || null,
    flatChildren,
    composedParent,
    frameDocument,
    isElement,
    isFrame,
    roots,
  });
})();
