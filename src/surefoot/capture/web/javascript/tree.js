// The composed tree (shadow roots and same-origin frames included), and node ids.
(() => {
  "use strict";
  const surefoot = globalThis.surefoot;
  const { dom } = surefoot;
  const FRAMES = new Set(["iframe", "frame", "object"]);
  const closed = new WeakMap();
  let accessible = new Map();
  let recalled = new Map();
  const ids = new Map();
  const nodes = new Map();

  const isElement = (node) => dom.nodeType(node) === 1;

  function frameDocument(node) {
    try {
      return FRAMES.has(dom.localName(node)) ? dom.contentDocument(node) : null;
    } catch {
      return null;
    }
  }

  const isFrame = (node) => Boolean(frameDocument(node)) || /^i?frame$/.test(dom.localName(node));

  // No script can ask a host for its closed root; the browser's protocol hands it over.
  const shadowOf = (node) => dom.shadowRoot(node) || closed.get(node) || null;

  surefoot.openRoots = (roots) => {
    for (const root of roots) closed.set(dom.host(root), root);
  };

  // Every element of this document in the protocol's order: a shadow root before the children.
  function protocolOrder() {
    const found = [];
    const pending = [dom.documentElement(document)];
    while (pending.length) {
      const node = pending.pop();
      found.push(node);
      const root = shadowOf(node);
      const inside = [...(root ? dom.children(root) : []), ...dom.children(node)];
      pending.push(...inside.reverse());
    }
    return found;
  }

  // What the browser's accessibility tree says of elements, by their place in that order, and
  // whom scripts listen to, beside those that were told already.
  surefoot.readTree = (count, rows, heard) => {
    const found = protocolOrder();
    if (found.length !== count) return false;
    accessible = new Map(rows.map(([place, role, name]) => [found[place], { role, name }]));
    for (const [name, places] of Object.entries(heard)) surefoot[name](places.map((place) => found[place]), true);
    return true;
  };

  // What it said of elements whose scripts are gone since.
  surefoot.recallTree = (pairs) => {
    recalled = new Map(pairs);
  };

  // Children as they are painted: a host shows its shadow root, a slot what is assigned.
  function flatChildren(node) {
    if (shadowOf(node)) return dom.childNodes(shadowOf(node));
    if (dom.localName(node) === "slot") {
      const assigned = dom.assignedNodes(node);
      if (assigned?.length) return assigned;
    }
    const inner = frameDocument(node);
    if (inner) return dom.documentElement(inner) ? [dom.documentElement(inner)] : [];
    return dom.childNodes(node);
  }

  function composedParent(node) {
    const parent = dom.assignedSlot(node) || dom.parentNode(node);
    if (!parent) return null;
    if (dom.nodeType(parent) === 11) return dom.host(parent) || null;
    if (dom.nodeType(parent) === 9) return dom.defaultView(parent)?.frameElement || null;
    return parent;
  }

  // Every document and shadow root that this page may style.
  function roots() {
    const found = [document];
    for (let index = 0; index < found.length; index += 1) {
      for (const node of dom.querySelectorAll(found[index], "*")) {
        if (shadowOf(node)) found.push(shadowOf(node));
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

  function give(node, state, known, taken) {
    const base = `${dom.localName(node).slice(0, 16)}-${spell(state)}`;
    let name = base;
    for (let twin = 2; taken.has(name); twin += 1) name = `${base}~${twin}`;
    known.set(node, name);
    taken.set(name, node);
  }

  function numberChildren(list, state, pending) {
    const seen = new Map();
    for (const child of list) {
      if (!isElement(child)) continue;
      const place = (seen.get(dom.localName(child)) || 0) + 1;
      seen.set(dom.localName(child), place);
      pending.push([child, mix(state, `/${dom.localName(child)}:${place}`)]);
    }
  }

  // Ids come from structural position alone and are kept beside the page, where neither
  // its style sheets nor its scripts can see them; a node that has one keeps it.
  function assign(known, taken) {
    const pending = [];
    numberChildren([dom.documentElement(document)], [0x811c9dc5, 0x1000193], pending);
    for (let index = 0; index < pending.length; index += 1) {
      const [node, state] = pending[index];
      if (!known.has(node)) give(node, state, known, taken);
      numberChildren(dom.children(node), state, pending);
      if (shadowOf(node)) numberChildren(dom.children(shadowOf(node)), mix(state, "#"), pending);
      const inner = frameDocument(node);
      if (inner) numberChildren(dom.children(inner), mix(state, "@"), pending);
    }
    return pending.length;
  }

  surefoot.assignIds = () => assign(ids, nodes);

  // Nodes that a fresh look at the page would call otherwise: an action moved or brought them.
  surefoot.displaced = () => {
    const fresh = new Map();
    assign(fresh, new Map());
    return new Set([...ids.keys()].filter((node) => fresh.has(node) && fresh.get(node) !== ids.get(node)));
  };

  // They are called in a recording what they were called when it was made.
  surefoot.recallId = (node, id) => {
    if (ids.has(node) || nodes.has(id)) return;
    ids.set(node, id);
    nodes.set(id, node);
  };

  // A node that is one thing and does another (a header that sorts) is two elements.
  surefoot.actionId = (node) => {
    const id = `${ids.get(node)}~act`;
    nodes.set(id, node);
    return id;
  };

  // What is learned of nodes from here on can be forgotten again.
  let known = null;
  surefoot.bookmark = () => {
    const named = [...accessible.values(), ...recalled.values()].filter((item) => "instead" in item);
    known = { ids: new Set(ids.keys()), nodes: new Set(nodes.keys()), named: new Set(named) };
  };

  surefoot.forgetSince = () => {
    for (const node of ids.keys()) if (!known.ids.has(node)) ids.delete(node);
    for (const name of nodes.keys()) if (!known.nodes.has(name)) nodes.delete(name);
    for (const item of [...accessible.values(), ...recalled.values()]) {
      if (!known.named.has(item)) delete item.instead;
    }
    surefoot.forgetChanges();
  };

  Object.assign(surefoot, {
    hashed: (text) => spell(mix([0x811c9dc5, 0x1000193], text)),
    accessibleOf: (node) => recalled.get(node) || accessible.get(node) || null,
    idOf: (node) => ids.get(node) || "",
    nodeOf: (id) => nodes.get(id) || null,
    flatChildren,
    composedParent,
    frameDocument,
    shadowOf,
    isElement,
    isFrame,
    roots,
  });
})();
