// Put a page back as it was before edits, and tell whether everything is as it was.
//
// What the edits touched is known from an observer of our own, which is read within the call that
// edits: what it hears at any other time was done by the page. Nodes that edits touched get back
// their attributes, texts and children; the rest is only compared.
(() => {
  "use strict";
  const surefoot = globalThis.surefoot;
  const { dom } = surefoot;
  const EDITS = [
    "addStyle", "enforceContrast", "hide", "raiseContrast", "relabel", "reorder", "restyle", "scaleText",
  ];
  const WATCHED = { subtree: true, childList: true, attributes: true, characterData: true };
  const LAYERS = [":modal", ":popover-open", ":fullscreen"];
  let observer = null;
  let touched = new Set();
  let restored = new Set();
  let moved = new Set();
  let lost = new Set();
  let foreign = 0;
  let grown = false;
  let before = null;
  let measured = null;
  let edited = null;

  const isElement = (node) => dom.nodeType(node) === 1;

  // Attributes in their order, and the declarations that a style attribute came to.
  function attributesOf(node) {
    const found = [];
    for (const { name, value } of dom.attributes(node)) {
      found.push(name, value);
      if (name === "style" && dom.style(node)) found.push(dom.style(node).cssText);
    }
    return found;
  }

  // What no attribute says of a field, a dialog or a scrolled box.
  function stateOf(node) {
    const tag = dom.localName(node);
    const found = [dom.scrollTop(node), dom.scrollLeft(node)];
    if (/^(input|textarea|select|option)$/.test(tag)) {
      found.push(dom.value(node), dom.checked(node), dom.indeterminate(node), dom.selected(node), dom.disabled(node));
    }
    if (tag === "dialog" || dom.hasAttribute(node, "popover")) {
      for (const layer of LAYERS) found.push(dom.matches(node, layer));
    }
    return found;
  }

  function rulesOf(sheet) {
    try {
      return sheet.cssRules.length;
    } catch {
      return -1; // a sheet of another origin keeps its rules to itself
    }
  }

  const isOff = ({ disabled }) => disabled;

  function sheetsOf(root) {
    const linked = [...(dom.styleSheets(root) || [])];
    return [...linked, ...dom.adoptedStyleSheets(root)].flatMap((sheet) => [sheet, isOff(sheet), rulesOf(sheet)]);
  }

  function markupOf(node) {
    const inside = [...dom.childNodes(node)];
    const texts = inside.map((child) => (isElement(child) ? "" : child.data));
    return isElement(node) ? { inside, texts, written: attributesOf(node) } : { inside, texts };
  }

  // Everything, or the markup of some nodes alone.
  function snapshot(some = null) {
    const roots = surefoot.roots();
    const nodes = new Map();
    const note = (node) => {
      const markup = !some || some.has(node) ? markupOf(node) : {};
      nodes.set(node, isElement(node) ? { ...markup, state: stateOf(node) } : markup);
    };
    for (const root of roots) {
      note(root);
      for (const node of dom.querySelectorAll(root, "*")) note(node);
    }
    const sheets = roots.map(sheetsOf);
    const active = roots.map((root) => dom.activeElement(root));
    return { roots, nodes, sheets, active, adopted: roots.map((root) => [...dom.adoptedStyleSheets(root)]) };
  }

  const same = (one, other) => one.length === other.length && one.every((item, at) => item === other[at]);

  function heardOf(records, ours) {
    if (!ours) {
      foreign += records.length;
      grown ||= records.some((record) => [...record.addedNodes].some(isElement));
      for (const { removedNodes } of records) for (const node of removedNodes) lost.add(node);
      return;
    }
    for (const { target, addedNodes, removedNodes } of records) {
      touched.add(dom.nodeType(target) === 3 ? dom.parentNode(target) : target);
      for (const node of [...addedNodes, ...removedNodes]) moved.add(node);
    }
  }

  // An edit within an edit is heard of twice at most.
  for (const name of EDITS) {
    const edit = surefoot[name];
    surefoot[name] = (...given) => {
      if (!before) return edit(...given);
      heardOf(observer.takeRecords(), false);
      const outcome = edit(...given);
      heardOf(observer.takeRecords(), true);
      return outcome;
    };
  }

  // Where everything lies as soon as it is edited, before the page does anything.
  const applyEdits = surefoot.applyEdits;
  surefoot.applyEdits = (edits) => {
    const outcome = applyEdits(edits);
    edited = before ? surefoot.layout() : null;
    return outcome;
  };

  // Note everything of a page at rest. Returns what of it no undo of ours reaches, "" if nothing.
  surefoot.remember = () => {
    const frames = "iframe,frame,object,embed";
    if (surefoot.roots().some((root) => dom.querySelector(root, frames))) return "a frame";
    before = snapshot();
    observer = new MutationObserver((records) => heardOf(records, false));
    for (const root of before.roots) observer.observe(root, WATCHED);
    surefoot.bookmark();
    before.layout = surefoot.layout();
    before.walk = surefoot.walked();
    before.stopped = surefoot.stopped();
    before.scrolled = [...before.nodes.values()].some(({ state }) => state && (state[0] || state[1]));
    return "";
  };

  // Whether a frame may do more to the page than draw it, where nothing of its own watches sizes or
  // places: tell of boxes that scroll or of motion, or load what comes into view.
  surefoot.stirs = () =>
    before.scrolled || surefoot.stopped() !== before.stopped ||
    before.roots.some((root) => dom.querySelector(root, "[loading=lazy]") || dom.getAnimations(root).length);

  const custom = (node) => isElement(node) &&
    (dom.localName(node).includes("-") || [...dom.querySelectorAll(node, "*")].some((part) => dom.localName(part).includes("-")));

  // What the page has done since: how much it wrote, whether elements were among it, and how many
  // elements with scripts of their own were taken out and put in again.
  surefoot.doings = () => {
    heardOf(observer.takeRecords(), false);
    return { wrote: foreign, grown, moved: [...moved].filter(custom).length };
  };

  // The same, with the layout as edits have left it, which is said once.
  surefoot.sinceEdits = () => {
    const layout = edited;
    edited = null;
    return { ...surefoot.doings(), layout };
  };

  const FIELDS = "input,textarea,select";
  const values = () =>
    before.roots.flatMap((root) => [...dom.querySelectorAll(root, FIELDS)].flatMap((field) => [dom.value(field), dom.checked(field)]));

  // Nothing is told apart twice: where the page wrote nothing since it was measured, its layout
  // and its fields say whether it is still the same.
  const collect = surefoot.collect;
  const stateNow = () => {
    heardOf(observer.takeRecords(), false);
    return { foreign, layout: surefoot.layout(), values: values() };
  };
  surefoot.collect = (options) => {
    const found = collect(options);
    if (before) measured = stateNow();
    return found;
  };

  // Collect while the browser encodes a picture, for which it has drawn a frame: the first may have
  // been due before, so it is the second that is waited for. False for a page that nobody watches.
  let collecting = null;
  surefoot.collectSoon = (options) => {
    if (!before) return false;
    measured = stateNow();
    collecting = surefoot.nextFrame().then(surefoot.nextFrame).then(() => collect(options));
    return true;
  };

  // What was collected so, and what else is seen, null where the page has moved since.
  surefoot.collectedSoon = () => collecting.then((collected) => ({ collected, ...surefoot.inspectedUnmoved() }));

  surefoot.unmoved = () => {
    if (!measured) return false;
    const now = stateNow();
    return measured.foreign === now.foreign && measured.layout === now.layout && same(measured.values, now.values);
  };

  // What else is seen of a page that was not moved, null of any other.
  surefoot.inspectedUnmoved = () => ({ inspected: surefoot.unmoved() ? surefoot.inspected() : null });

  function restoreAttributes(node, wanted) {
    const names = new Set();
    for (let at = 0; at < wanted.length; at += 2) {
      const [name, value] = [wanted[at], wanted[at + 1]];
      names.add(name);
      if (dom.getAttribute(node, name) !== value) dom.setAttribute(node, name, value);
      if (name === "style" && dom.style(node)) at += 1;
    }
    for (const { name } of [...dom.attributes(node)]) if (!names.has(name)) dom.removeAttribute(node, name);
  }

  function restoreChildren(node, { inside, texts }) {
    const kept = new Set(inside);
    for (const child of [...dom.childNodes(node)]) if (!kept.has(child)) dom.remove(child);
    let next = null;
    for (let at = inside.length - 1; at >= 0; at -= 1) {
      const child = inside[at];
      if (lost.has(child) && !dom.isConnected(child)) continue; // the page has taken it out
      if (dom.parentNode(child) !== node || dom.nextSibling(child) !== next) surefoot.move(node, child, next);
      if (!isElement(child) && child.data !== texts[at]) child.data = texts[at];
      next = child;
    }
  }

  // Take the edits back.
  surefoot.restore = () => {
    heardOf(observer.takeRecords(), false);
    for (const node of touched) {
      const was = before.nodes.get(node);
      if (!was) continue; // an edit has made it, and it goes with its parent's children
      restoreChildren(node, was);
      if (was.written) restoreAttributes(node, was.written);
    }
    before.roots.forEach((root, at) => {
      if (!same(dom.adoptedStyleSheets(root), before.adopted[at])) dom.set(root, "adoptedStyleSheets", before.adopted[at]);
    });
    for (const [node, was] of before.nodes) {
      if (was.state && dom.scrollTop(node) !== was.state[0]) dom.set(node, "scrollTop", was.state[0]);
      if (was.state && dom.scrollLeft(node) !== was.state[1]) dom.set(node, "scrollLeft", was.state[1]);
    }
    heardOf(observer.takeRecords(), true);
    restored = touched;
    touched = new Set();
    moved = new Set();
    lost = new Set();
    edited = null;
    surefoot.forgetSheets();
    surefoot.forgetSince();
    return true;
  };

  // Take the edits back unless the page may remember them where no node shows it: where it wrote
  // something and observers of its own were ``called``, or elements with scripts were moved.
  surefoot.takeBack = (called) => {
    const done = surefoot.doings();
    const remembers = done.moved > 0 || (done.wrote > 0 && called);
    if (!remembers) surefoot.restore();
    return done;
  };

  function difference(now) {
    if (!same(now.roots, before.roots)) return "other shadow roots or frames";
    if (!now.sheets.every((sheets, at) => same(sheets, before.sheets[at]))) return "other style sheets";
    if (!same(now.active, before.active)) return "another focus";
    if (now.nodes.size !== before.nodes.size) return "other nodes";
    for (const [node, is] of now.nodes) {
      const was = before.nodes.get(node);
      if (!was || (is.inside && !same(is.inside, was.inside))) return "other nodes";
      if (is.texts && !same(is.texts, was.texts)) return "other texts";
      if (is.written && !same(is.written, was.written)) return "other attributes";
      if (was.state && !same(is.state, was.state)) return "another state of a field or a scrolled box";
    }
    return "";
  }

  // What the page has done since, and whether everything is as it was.
  surefoot.sinceTaken = () => {
    const done = surefoot.doings();
    return { ...done, changed: surefoot.changedSince() };
  };

  // What is not as it was when it was noted, "" if everything is. Where the page wrote nothing, the
  // markup of what no edit touched is what it was.
  surefoot.changedSince = () => {
    const found = difference(snapshot(foreign ? null : restored));
    if (found) return found;
    if (surefoot.layout() !== before.layout) return "other places";
    foreign = 0;
    grown = false;
    measured = null;
    surefoot.walkedBefore(before.walk);
    return "";
  };
})();
