// Slots: sibling places that can trade their controls, labels and all.
(() => {
  "use strict";
  const surefoot = globalThis.surefoot;
  const { attribute, composedParent, dom } = surefoot;
  const slotLists = new Map();

  function counted(controls) {
    const counts = new Map();
    for (const node of controls.keys()) {
      for (let step = node; step; step = composedParent(step)) {
        counts.set(step, (counts.get(step) || 0) + 1);
      }
    }
    return counts;
  }

  // The topmost ancestor, within the same tree, that holds this one control.
  function slotOf(node, counts) {
    if (counts.get(node) > 1) return null;
    let slot = node;
    while (dom.parentElement(slot) && counts.get(dom.parentElement(slot)) === 1) slot = dom.parentElement(slot);
    return dom.parentElement(slot) ? slot : null;
  }

  function labelled(node) {
    const labels = dom.labels(node) ? [...dom.labels(node)] : [];
    const root = dom.getRootNode(node);
    for (const id of attribute(node, "aria-labelledby").split(/\s+/).filter(Boolean)) {
      const label = dom.getElementById(root, id);
      if (label) labels.push(label);
    }
    return labels;
  }

  function hasText(parent) {
    return [...dom.childNodes(parent)].some((child) => dom.nodeType(child) === 3 && /\S/.test(child.data));
  }

  function gather(controls) {
    const counts = counted(controls);
    const found = new Map();
    for (const [node, entry] of controls) {
      const slot = slotOf(node, counts);
      if (!slot || hasText(dom.parentElement(slot))) continue;
      if (labelled(node).some((label) => label !== node && !dom.contains(slot, label))) continue;
      if (entry.paired || !dom.contains(slot, entry.shown)) continue;
      const key = `${surefoot.idOf(dom.parentElement(slot))}:${entry.role}`;
      if (!found.has(key)) found.set(key, []);
      found.get(key).push({ node, slot });
    }
    return found;
  }

  surefoot.groupsOf = (controls) => {
    slotLists.clear();
    const groups = new Map();
    for (const [key, members] of gather(controls)) {
      if (members.length < 2) continue;
      slotLists.set(key, members);
      for (const { node } of members) groups.set(node, key);
    }
    return groups;
  };

  surefoot.slots = () => new Map(slotLists);
  surefoot.takeSlots = (slots) => {
    slotLists.clear();
    for (const [key, members] of slots) slotLists.set(key, members);
  };

  surefoot.slotsOf = (group) => slotLists.get(group) || null;
})();
