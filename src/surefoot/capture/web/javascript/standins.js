// Stand-ins: what is painted and clicked where a native control itself is not drawn.
(() => {
  "use strict";
  const surefoot = globalThis.surefoot;
  const { boxed, dom, generatedBoxes, letters, paints, shown, styleOf, surfaced } = surefoot;
  const CLICKED = "input[type=checkbox],input[type=radio],input[type=file],input[type=range]," +
    "input[type=color],select";
  const TICKED = /^(checkbox|radio)$/;
  const LABELLED = /^(checkbox|radio|file|color)$/;
  const CONTROLS = "a[href],button,input:not([type=hidden]),select,textarea";
  const WALLS = /^(td|th|tr|li|form|body|main|section|article)$/;
  const LEAST_PX = 4;
  // A tick box or a switch is hardly larger; what is, holds one.
  const MARK_PX = [96, 64];

  const sized = ({ width, height }) => width >= LEAST_PX && height >= LEAST_PX;

  function around(rects) {
    return {
      left: Math.min(...rects.map((rect) => rect.left)),
      top: Math.min(...rects.map((rect) => rect.top)),
      right: Math.max(...rects.map((rect) => rect.right)),
      bottom: Math.max(...rects.map((rect) => rect.bottom)),
    };
  }

  const rectOf = ([left, top, right, bottom]) => ({ left, top, right, bottom });

  // Whether a native control is itself on the page for all to see.
  function drawn(control) {
    if (!shown(control)) return false;
    const style = styleOf(control);
    const rect = dom.getBoundingClientRect(control);
    if (!sized(rect) || /^(rect\(0|rect\(1px, 1px)/.test(style.clip)) return false;
    if (rect.right + scrollX <= 0 || rect.bottom + scrollY <= 0) return false;
    for (let step = control; step; step = surefoot.composedParent(step)) {
      if (dom.nodeType(step) === 1 && Number(styleOf(step).opacity) < 0.02) return false;
    }
    if (style.appearance !== "none" || !TICKED.test(dom.type(control))) return true;
    return surfaced(style) || generatedBoxes(control, surefoot.TOP).length > 0;
  }

  function wordsIn(node) {
    const walker = dom.createTreeWalker(document, node, NodeFilter.SHOW_TEXT);
    const range = dom.createRange(document);
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      const host = dom.parentElement(text);
      if (!/\S/.test(text.data) || !host || !shown(host) || !letters(styleOf(host), host)) continue;
      if (/^(option|optgroup|script|style)$/.test(dom.localName(host))) continue;
      range.selectNodeContents(text);
      const box = dom.getBoundingClientRect(host);
      if (sized(range.getBoundingClientRect()) && (box.width > 1 || box.height > 1)) return true;
    }
    return false;
  }

  // The wordless painted parts of a node, itself included, as rectangles of its document:
  // all of them, or those that are filled or framed as a tick box is.
  function marksIn(node, control = null, framed = false) {
    const found = [];
    for (const part of [node, ...dom.querySelectorAll(node, "*")]) {
      if (part === control || !shown(part)) continue;
      if (part !== node && dom.closest(dom.parentElement(part), "svg")) continue;
      const drawn = framed ? boxed(styleOf(part)) : paints(part);
      if (drawn && !wordsIn(part)) found.push(dom.getBoundingClientRect(part));
      found.push(...generatedBoxes(part, surefoot.TOP, framed).map(rectOf));
    }
    return found.filter(
      (rect) => rect.right - rect.left >= LEAST_PX && rect.bottom - rect.top >= LEAST_PX,
    );
  }

  const small = (rect) => rect.right - rect.left <= MARK_PX[0] && rect.bottom - rect.top <= MARK_PX[1];

  function sole(node, control) {
    const inside = dom.querySelectorAll(node, CONTROLS);
    return [...inside].every((found) => found === control);
  }

  // Whether a click at the middle of a box reaches the control; out of the window, where
  // nothing can be hit, whether nothing speaks against it.
  function onTop(control, box = control) {
    if (!dom.checkVisibility(control, { visibilityProperty: true })) return false;
    const rect = dom.getBoundingClientRect(box);
    if (!sized(dom.getBoundingClientRect(control)) || !sized(rect)) return false;
    const [x, y] = [(rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2];
    const top = dom.elementFromPoint(dom.getRootNode(control), x, y);
    if (top) return top === control;
    const style = styleOf(control);
    return style.pointerEvents !== "none" && !(Number(style.zIndex) < 0);
  }

  function takesClicks(node, control) {
    const label = dom.closest(node, "label");
    if (label && dom.control(label) === control) return true;
    return styleOf(node).cursor === "pointer" || onTop(control);
  }

  // The largest wordless wrapper of this one control in which something is painted.
  function wrapped(control) {
    let best = null;
    for (let step = dom.parentElement(control); step; step = dom.parentElement(step)) {
      if (WALLS.test(dom.localName(step)) || !sole(step, control) || wordsIn(step)) break;
      if (best && !small(dom.getBoundingClientRect(step))) break;
      const marks = marksIn(step, control);
      if (!marks.length || (TICKED.test(dom.type(control)) && !small(around(marks)))) continue;
      best = step;
    }
    return best && takesClicks(best, control) ? { shown: best, marks: () => marksIn(best, control) } : null;
  }

  function squarish(rect) {
    const [width, height] = [rect.right - rect.left, rect.bottom - rect.top];
    return small(rect) && width <= 3 * height && height <= 2 * width;
  }

  // A label that acts: its tick box, where it draws one, or all of it.
  function labelled(control) {
    if (!LABELLED.test(dom.type(control))) return null;
    for (const label of dom.labels(control) || []) {
      if (!shown(label) || !sized(dom.getBoundingClientRect(label))) continue;
      const button = surfaced(styleOf(label)) && wordsIn(label);
      const marks = () => marksIn(label, control, true).filter(squarish);
      if (TICKED.test(dom.type(control)) && !button && marks().length) return { shown: label, marks };
      // Plain words beside a control that is gone are words; a tick box may be a picture
      // behind the words, and where there is none at all the label looks like a button.
      if (button || styleOf(label).cursor === "pointer" || paints(label)) {
        const ticked = styleOf(label).backgroundImage !== "none";
        return { shown: label, marks: null, role: ticked ? "" : "button" };
      }
    }
    return null;
  }

  function beside(control) {
    for (const sibling of [dom.nextElementSibling(control), dom.previousElementSibling(control)]) {
      if (!sibling || surefoot.interactive(surefoot.roleOf(sibling)) || wordsIn(sibling)) continue;
      if (!sole(sibling, control) || !takesClicks(sibling, control)) continue;
      const marks = () => marksIn(sibling, control);
      if (marks().length && small(around(marks()))) return { shown: sibling, marks };
    }
    return null;
  }

  // What an invisible file field or list lies over, words and all.
  function under(control) {
    if (dom.type(control) !== "file") return null;
    for (let step = dom.parentElement(control); step; step = dom.parentElement(step)) {
      if (WALLS.test(dom.localName(step)) || !sole(step, control)) return null;
      if (paints(step)) return onTop(control, step) ? { shown: step, marks: null } : null;
    }
    return null;
  }

  function standInFor(control) {
    const found = wrapped(control) || labelled(control) || beside(control) || under(control);
    if (found && surefoot.interactive(surefoot.roleOf(found.shown))) return null;
    return found || (onTop(control) ? { shown: control, marks: null } : null);
  }

  // Maps what is shown to { control, shown, marks, role }; marks() are rectangles of its
  // document, null where all of it stands for the control, and the role is that of its looks
  // where it differs from the control's.
  surefoot.standIns = () => {
    const found = new Map();
    for (const root of surefoot.roots()) {
      for (const control of dom.querySelectorAll(root, CLICKED)) {
        if (drawn(control)) continue;
        const standIn = standInFor(control);
        if (standIn && !found.has(standIn.shown)) found.set(standIn.shown, { ...standIn, control });
      }
    }
    return found;
  };

  surefoot.standInBox = (standIn, box, frame) => {
    if (!standIn.marks) return box;
    const rects = standIn.marks();
    return rects.length ? surefoot.toTop(frame, around(rects)) : box;
  };

  Object.assign(surefoot, { marksIn, wordsIn });
})();
