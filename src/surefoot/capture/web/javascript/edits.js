// Edits of style, text size, order and visibility. Each returns what it did, or {error: why not}.
(() => {
  "use strict";
  const surefoot = globalThis.surefoot;
  const { dom, styleOf } = surefoot;
  const UNSEEN = new Set(["script", "style", "noscript", "template", "head", "title", "meta", "link"]);
  const CONTROLS = /^(input|textarea|select|button)$/;
  let added = []; // [root, sheet] of every style sheet that an edit has added

  surefoot.addSheet = (root, css) => {
    const sheet = surefoot.adopt(root, css);
    added.push([root, sheet]);
    return sheet;
  };

  surefoot.addStyle = (css, topOnly) => {
    if (css.includes("font-family")) surefoot.keepIconFonts();
    let rules = 0;
    const onTop = (root) => root === document || dom.ownerDocument(root) === document;
    const roots = surefoot.roots().filter((root) => !topOnly || onTop(root));
    for (const root of roots) rules += surefoot.addSheet(root, css).cssRules.length;
    surefoot.freeze();
    return rules ? { rules } : { error: "a style sheet without a valid rule" };
  };

  function bearsText(node) {
    if (CONTROLS.test(dom.localName(node))) return true;
    for (let child = dom.firstChild(node); child; child = dom.nextSibling(child)) {
      if (dom.nodeType(child) === 3 && /\S/.test(child.data)) return true;
    }
    return false;
  }

  function bearers() {
    const found = [];
    for (const root of surefoot.roots()) {
      for (const node of dom.querySelectorAll(root, "*")) {
        if (!UNSEEN.has(dom.localName(node)) && dom.style(node) && bearsText(node)) found.push(node);
      }
    }
    return found;
  }

  surefoot.textBearers = bearers;

  // All sizes are read before the first is written: a text in a text is scaled once.
  surefoot.scaleText = (factor, floor) => {
    surefoot.forgetStyles();
    const plans = bearers().map((node) => {
      const size = Number.parseFloat(styleOf(node).fontSize);
      const target = factor * size;
      return [node, factor < 1 ? Math.min(size, Math.max(target, floor)) : target];
    });
    for (const [node, size] of plans) dom.style(node).setProperty("font-size", `${size}px`, "important");
    surefoot.freeze();
    return { texts: plans.length };
  };

  function sorted(members) {
    return [...members].sort((one, other) =>
      dom.compareDocumentPosition(one.slot, other.slot) & 4 ? -1 : 1,
    );
  }

  function move(parent, node, before) {
    const isMove = dom.isConnected(node) && dom.isConnected(parent);
    if (isMove && dom.has(parent, "moveBefore")) dom.moveBefore(parent, node, before);
    else dom.insertBefore(parent, node, before);
  }

  surefoot.move = move;

  // Chromium does not tell all siblings of what moveBefore moves that they are no more, or now,
  // the first or the last: their styles are as before, until something asks for all of them anew.
  // A rule that matches everything and changes nothing does, when it comes and when it goes.
  const ALL_ANEW = ":where(*) { --surefoot-anew: initial; }";
  const anew = new WeakMap();

  function styleAnew(root) {
    const others = [...dom.adoptedStyleSheets(root)].filter((sheet) => sheet !== anew.get(root));
    dom.set(root, "adoptedStyleSheets", others);
    anew.set(root, surefoot.adopt(root, ALL_ANEW));
  }

  // Slots change places; what stands between them (text, dividers) stays where it is.
  surefoot.reorder = (group, order) => {
    const members = surefoot.slotsOf(group);
    if (!members) return { error: `no group '${group}'` };
    const byId = new Map(members.map((item) => [surefoot.idOf(item.node), item]));
    const unknown = order.find((id) => !byId.has(id));
    if (unknown !== undefined) return { error: `'${unknown}' not in group '${group}'` };
    if (order.length !== byId.size || new Set(order).size !== order.length) {
      return { error: `${order.length} ids for the ${byId.size} elements of group '${group}'` };
    }
    const parent = dom.parentElement(members[0].slot);
    if (!parent || members.some(({ slot }) => dom.parentElement(slot) !== parent || !dom.isConnected(slot))) {
      return { error: `group '${group}' no longer together: the page has moved its elements` };
    }
    const places = sorted(members).map(({ slot }) => {
      const mark = dom.createComment(dom.ownerDocument(slot), "");
      dom.insertBefore(parent, mark, slot);
      return mark;
    });
    order.forEach((id, index) => move(parent, byId.get(id).slot, places[index]));
    for (const mark of places) dom.remove(mark);
    styleAnew(dom.getRootNode(parent));
    return { moved: order.length };
  };

  // A node's own style beats every rule of the page; what it holds may say "visible" of
  // itself, and what it generates (::before, ...) is reached by a rule alone.
  const GENERATED = ["", "::before", "::after", "::marker", "::placeholder", "::backdrop"];
  const MARK = "data-surefoot-hidden";
  const UNPAINTED = GENERATED.map((item) => `[${MARK}]${item}`).join(",");

  function held(node) {
    const found = [node];
    for (let index = 0; index < found.length; index += 1) {
      for (const child of surefoot.flatChildren(found[index])) {
        if (dom.nodeType(child) === 1) found.push(child);
      }
    }
    return found;
  }

  surefoot.heldBy = held;

  surefoot.hide = (ids) => {
    const unknown = ids.find((id) => {
      const node = surefoot.nodeOf(id);
      return !node || !dom.isConnected(node);
    });
    if (unknown !== undefined) return { error: `no element '${unknown}'` };
    if (!ids.length) return { error: "no element to hide" };
    const nodes = new Set(ids.flatMap((id) => surefoot.shownFor(id).flatMap(held)));
    const roots = new Set([...nodes].map((node) => dom.getRootNode(node)));
    for (const root of roots) surefoot.addSheet(root, `${UNPAINTED}{visibility:hidden!important}`);
    for (const node of nodes) {
      dom.setAttribute(node, MARK, "");
      dom.style(node)?.setProperty("visibility", "hidden", "important");
    }
    surefoot.freeze();
    return { hidden: nodes.size };
  };

  // Apply edits, each a name and its arguments, in one task: nothing of the page runs between
  // two of them. Returns what the last of them did, or the place of the first that failed.
  surefoot.applyEdits = (edits) => {
    let outcome = {};
    let isMoved = false;
    for (const [at, [name, ...given]] of edits.entries()) {
      if (isMoved && name !== "reorder") surefoot.freeze();
      isMoved = name === "reorder";
      outcome = surefoot[name](...given);
      if (outcome.error) return { ...outcome, at };
    }
    if (isMoved) surefoot.freeze();
    return outcome;
  };

  // Whether the page has left every style sheet of the edits where it was added.
  surefoot.keepsSheets = () => added.every(([root, sheet]) =>
    !dom.isConnected(root) || !surefoot.windowOf(root) || dom.adoptedStyleSheets(root).includes(sheet));

  surefoot.forgetSheets = () => {
    added = [];
  };
})();
