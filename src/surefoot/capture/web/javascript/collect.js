// The one pass: every element that a person could find, in document order.
(() => {
  "use strict";
  const surefoot = globalThis.surefoot;
  const { area, attribute, dom, overlap, styleOf, tidy } = surefoot;

  const ALL_TEXT = new Set([...surefoot.FROM_CONTENT, "paragraph", "caption", "alert", "status"]);
  // Inside these a piece of text is a part of the whole, not a thing of its own.
  const CLOSED = new Set(
    `button checkbox heading link menuitem menuitemcheckbox menuitemradio option radio switch
    tab tooltip`.split(/\s+/),
  );
  const TEXTUAL = new Set(
    `text strong emphasis code mark time deletion insertion subscript superscript`.split(/\s+/),
  );
  // Nobody clicks what only holds others, and hit tests are what costs most.
  const CONTAINERS = new Set(
    `banner complementary contentinfo document feed figure form grid group list main menu
    menubar navigation radiogroup region row rowgroup search separator table tablist toolbar
    tree treegrid`.split(/\s+/),
  );
  // What has one of these roles is nothing but what it does, if it does something.
  const PLAIN = new Set([...TEXTUAL, "paragraph", "img"]);
  const UNSEEN = new Set(
    "script style noscript template head defs symbol clipPath mask pattern marker".split(" "),
  );
  // What these hold is what is clicked, each for itself.
  const HOLDERS = new Set(
    "list listbox menu row rowgroup table tablist toolbar tree grid treegrid".split(" "),
  );
  const SMALLEST_BUTTON = 16; // square pixels
  const LARGEST_BUTTON = 0.25; // of the viewport; what is larger only holds others
  const LEAST_THING_PX = 12; // what is smaller is a dot of a picture
  const ICON_PX = 48; // the longer side of an icon
  const INNER_SHARE = 0.5; // of a control's box, at most, is a control within it
  const LEAST_LEFT = 0.3; // of a control's box, that controls within it leave to it
  // Controls that hold more than their own words.
  const HOLDING = new Set("menuitem option tab treeitem".split(" "));
  // Fields and lists are theirs to the edge, whatever lies in them.
  const ENTIRE = new Set("combobox listbox searchbox slider spinbutton textbox".split(" "));
  const AS_HIGH = 1.5; // things alike are at most so many times as high as each other
  const OPENS = /(arrow|caret|chevron|disclos|switch|toggle|twist|(collapse|expand)(?!ed))/i;
  const CLOSES = /(close|dismiss|remove)(?!d)/i; // what does it, not what has been done
  const ITEMS = "[role=tab],[role=treeitem],[role=option]";
  const BESIDE_STEPS = 2; // up, from what stands beside an item to what holds both
  const CHOSEN = /(?<!in|de|un)(active|checked|chosen|current|selected)$/i; // how such classes end
  const ALIKE = 3; // children of one kind, from which on they are the things, not their parent

  const PROBED = [0.05, 0.5, 0.95]; // along a line of text, where a cover is looked for

  let pass = null;
  let described = [];
  let seen = null;

  const round = (value) => Math.round(value * 1000) / 1000;

  function spelledBox(rect) {
    const { scale, shift } = pass;
    const left = round(rect[0] * scale);
    const top = round((rect[1] + shift) * scale);
    return [
      "box", left, top,
      Math.max(left, round(rect[2] * scale)), Math.max(top, round((rect[3] + shift) * scale)),
    ];
  }

  function transformed(text, style) {
    switch (style.textTransform) {
      case "uppercase":
        return text.toUpperCase();
      case "lowercase":
        return text.toLowerCase();
      case "capitalize":
        return text.replace(/(^|[^\p{L}\p{N}'])(\p{L})/gu, (_, gap, first) => gap + first.toUpperCase());
      default:
        return text;
    }
  }

  // A line counts as whole where clipping takes at most a hair of it.
  function keeps(rect, kept) {
    const width = rect[2] - rect[0];
    const height = rect[3] - rect[1];
    const lost = width - (kept[2] - kept[0]);
    return lost <= Math.max(2, 0.03 * width) && kept[3] - kept[1] >= 0.6 * height;
  }

  function addPiece(node, text, rects, around, host = dom.parentNode(node)) {
    const seen = { node, text, lines: [], whole: true, block: around.block, atom: around.atom, host };
    let total = 0;
    let left = 0;
    for (const rect of rects) {
      const clipped = overlap(rect, around.clips.flow);
      total += area(rect);
      left += area(clipped);
      const kept = overlap(clipped, pass.view);
      if (!keeps(rect, kept)) seen.whole = false;
      if (area(kept) > 0) seen.lines.push(kept);
    }
    if (total <= 0 || left < 0.1 * total) return;
    seen.gap = pass.gap;
    pass.gap = 0;
    if (node) pass.byText.set(node, seen);
    pass.pieces.push(seen);
  }

  function visitText(node, style, around) {
    if (!/\S/.test(node.data) || style.visibility !== "visible" || around.opacity < 0.02) return;
    if (!surefoot.letters(style, dom.parentNode(node))) return;
    pass.range.selectNodeContents(node);
    const rects = [];
    for (const rect of pass.range.getClientRects()) {
      if (rect.width > 0) rects.push(surefoot.toTop(around.frame, rect));
    }
    addPiece(node, transformed(node.data, style), rects, around);
  }

  function joined(pieces) {
    let text = "";
    let last = null;
    for (const piece of pieces) {
      if (last && (piece.gap || piece.atom !== last.atom)) text += " ";
      text += piece.text;
      last = piece;
    }
    return tidy(text);
  }

  function boxOf(node, style, frame) {
    if (style.display !== "contents") return surefoot.toTop(frame, dom.getBoundingClientRect(node));
    pass.range.selectNodeContents(node);
    return surefoot.toTop(frame, pass.range.getBoundingClientRect());
  }

  // An inline box is as high as a line of text, whatever stands in it: what is clicked is
  // the pictures and blocks inside, and its words where it has any.
  function inlineBox(node, box, frame) {
    const rects = [];
    for (const part of dom.querySelectorAll(node, "*")) {
      const style = styleOf(part);
      if (/^(inline|contents|none)$/.test(style.display) && !surefoot.paints(part)) continue;
      // What is taken out of the flow hangs beside the link, unless it is all there is of it.
      if (area(box) > 0 && /^(absolute|fixed)$/.test(style.position)) continue;
      if (!surefoot.shown(part)) continue;
      const rect = surefoot.toTop(frame, dom.getBoundingClientRect(part));
      if (area(rect) > 0) rects.push(rect);
    }
    if (!rects.length) return box;
    if (area(box) > 0 && surefoot.wordsIn(node)) rects.push(box);
    return [0, 1, 2, 3].map((side) =>
      (side < 2 ? Math.min : Math.max)(...rects.map((rect) => rect[side])),
    );
  }

  function stepInto(node, style, box, above) {
    const { own, here } = surefoot.clipsOf(node, style, box, above.clips);
    const inline = /^(inline|contents|ruby)/.test(style.display);
    const grown = style.transform !== "none" && dom.offsetWidth(node) > 0;
    return {
      own,
      around: {
        ...above,
        clips: here,
        opacity: above.opacity * Number(style.opacity),
        block: inline ? above.block : node,
        atom: style.display === "inline" || style.display === "contents" ? above.atom : node,
        unit: grown ? (box[2] - box[0]) / dom.offsetWidth(node) : above.unit,
        floating: above.floating || (style.position === "fixed" ? surefoot.idOf(node) : ""),
      },
    };
  }

  function enterFrame(node, style, box, around) {
    const frame = surefoot.frameInside(around.frame, node, style);
    const view = [
      frame.x, frame.y,
      frame.x + dom.clientWidth(node) * frame.sx, frame.y + dom.clientHeight(node) * frame.sy,
    ];
    const inside = overlap(around.clips.flow, view);
    return { ...around, frame, clips: { flow: inside, absolute: inside, fixed: inside } };
  }

  function ownText(node) {
    for (let child = dom.firstChild(node); child; child = dom.nextSibling(child)) {
      if (dom.nodeType(child) === 3 && /\S/.test(child.data)) return true;
    }
    return false;
  }

  function recordedRole(node, style, around) {
    if (style.visibility !== "visible") return "";
    let role = surefoot.roleOf(node);
    if (role === "" || role === "none") {
      role = ownText(node) && !surefoot.isFrame(node) ? "text" : "";
    }
    const within = around.flow !== null && around.flow === around.block;
    if (TEXTUAL.has(role) && (around.closed || within)) return "";
    return role === "document" && dom.localName(node) === "html" ? "" : role;
  }

  function holdsControls(node) {
    for (const child of surefoot.flatChildren(node)) {
      if (dom.nodeType(child) !== 1 || !dom.checkVisibility(child)) continue;
      if (surefoot.interactive(surefoot.roleOf(child)) || holdsControls(child)) return true;
    }
    return false;
  }

  function holdsThingsAlike(node) {
    const parts = [...dom.children(node)];
    const kinds = parts.map((part) => `${dom.localName(part)} ${dom.classList(part)[0] || ""}`);
    if (kinds.length < ALIKE || new Set(kinds).size > 1) return false;
    return parts.every((part) => {
      const { width, height } = dom.getBoundingClientRect(part);
      if (Math.min(width, height) < LEAST_THING_PX) return false;
      return surefoot.paints(part) || surefoot.wordsIn(part);
    });
  }

  // What has a listener of its own, or takes the focus, and is nothing but a small picture is an
  // icon to click, whether it shows the hand or not: a slider's handle is one.
  function isIcon(node, box) {
    if (Math.max(box[2] - box[0], box[3] - box[1]) > ICON_PX) return false;
    const focusable = /^\d+$/.test(surefoot.attribute(node, "tabindex"));
    if (!focusable && !surefoot.listens(node)) return false;
    return !surefoot.wordsIn(node) && surefoot.marksIn(node).length > 0;
  }

  const isCalled = (node, test) => dom.hasAttribute(node, "class") && [...dom.classList(node)].some(test);

  const calledChosen = (node) => isCalled(node, (name) => CHOSEN.test(name));

  const calledHandle = (node) => isCalled(node, (name) => CLOSES.test(name) || OPENS.test(name));

  // What is chosen of a row of things alike often shows no hand, and nobody listens to it: a person
  // takes it for one of them all the same.
  function isChosen(node) {
    const parent = dom.parentElement(node);
    if (!parent || styleOf(parent).cursor === "pointer" || !calledChosen(node)) return false;
    const shared = new Set(dom.classList(node));
    const others = [...dom.children(parent)].filter((other) => other !== node && surefoot.shown(other));
    const { height } = dom.getBoundingClientRect(node);
    return others.length >= ALIKE - 1 && others.every((other) => {
      const alike = dom.localName(other) === dom.localName(node) &&
        [...dom.classList(other)].some((name) => shared.has(name));
      const ratio = dom.getBoundingClientRect(other).height / height;
      return alike && ratio > 1 / AS_HIGH && ratio < AS_HIGH && styleOf(other).cursor === "pointer" &&
        surefoot.isHeard(other);
    });
  }

  // The small picture that closes a tab or opens an item, in it or beside it: where only an
  // ancestor listens and no hand is shown, what it is called tells it from the item's icon.
  function isHandle(node, item) {
    if (!calledHandle(node)) return false;
    const { width, height } = dom.getBoundingClientRect(node);
    if (!item || width > ICON_PX || height > ICON_PX || surefoot.wordsIn(node)) return false;
    if (!/^(option|tab|treeitem)$/.test(surefoot.roleOf(item))) return false;
    const opens = dom.hasAttribute(item, "aria-expanded");
    const called = (name) => CLOSES.test(name) || (opens && OPENS.test(name));
    return [...dom.classList(node)].some(called) && surefoot.marksIn(node).length > 0;
  }

  // Where no item is near, the picture that opens a row of a grid is called so, too.
  function opensAlone(node) {
    const { width, height } = dom.getBoundingClientRect(node);
    if (width > ICON_PX || height > ICON_PX || surefoot.wordsIn(node)) return false;
    const called = [...dom.classList(node)].some((name) => OPENS.test(name));
    return called && !itemBeside(node) && surefoot.marksIn(node).length > 0;
  }

  // Whether a node is one thing to the eye: of its parts one at most has words, or shows the hand,
  // and where none has words it is a single picture.
  function isOneThing(node) {
    let [hands, worded] = [0, ownText(node) ? 1 : 0];
    for (const part of dom.querySelectorAll(node, "*")) {
      if (!surefoot.shown(part)) continue;
      const above = styleOf(dom.parentElement(part)).cursor;
      if (styleOf(part).cursor === "pointer" && above !== "pointer") hands += 1;
      if (ownText(part)) worded += 1;
      if (hands > 1 || worded > 1) return false;
    }
    return worded === 1 || surefoot.marksIn(node).length <= 2;
  }

  // The one item that a node stands beside, in the same small holder.
  function itemBeside(node) {
    for (let step = dom.parentElement(node), up = 0; step && up < BESIDE_STEPS; up += 1) {
      const found = [...dom.querySelectorAll(step, ITEMS)];
      if (found.length) return found.length === 1 && !dom.contains(found[0], node) ? found[0] : null;
      step = dom.parentElement(step);
    }
    return null;
  }

  // What lies in a control is another one where it has a listener of its own, or begins to show
  // the hand inside what only holds others, and is a part of the control.
  function actsInside(node, style, box, control) {
    const listens = surefoot.listens(node);
    const begins = HOLDING.has(control.role) && style.cursor === "pointer" &&
      styleOf(control.shown).cursor !== "pointer";
    const handle = isHandle(node, control.node);
    return (listens || begins || handle) && area(box) <= INNER_SHARE * area(control.box);
  }

  // What a script makes clickable has no role. Where the hand begins to show and somebody
  // listens, or a handler is written into the page, a person takes the thing for a button.
  function acts(node, role, style, box, above) {
    if (surefoot.interactive(role) || /^(html|body|label)$/.test(dom.localName(node))) return false;
    if (above.control) {
      if (!actsInside(node, style, box, above.control)) return false;
    } else if (!isChosen(node)) {
      const points = !above.pointing && surefoot.pointsAt(node);
      const hinted = points || dom.hasAttribute(node, "onclick") ||
        (surefoot.responds(node) && isOneThing(node));
      // What a picture is called is asked first: it costs least, and few are called so.
      const small = () => isIcon(node, box) ||
        (calledHandle(node) && (isHandle(node, itemBeside(node)) || opensAlone(node)));
      if (!hinted && !small()) return false;
      if (!surefoot.isHeard(node)) return false;
    }
    if (dom.ownerSVGElement(node) || !surefoot.shown(node)) return false;
    if (area(box) < SMALLEST_BUTTON || area(box) > LARGEST_BUTTON * innerWidth * innerHeight) {
      return false;
    }
    if (holdsControls(node) || HOLDERS.has(role) || holdsThingsAlike(node)) return false;
    return surefoot.wordsIn(node) || surefoot.marksIn(node).length > 0;
  }

  // Where a holder of many shows the hand, it shows it for each of them.
  function handsOn(node, role, style) {
    return style.cursor === "pointer" && (HOLDERS.has(role) || holdsThingsAlike(node));
  }

  // The entries that one node stands for: itself, and what it does where that is another thing.
  function entriesOf(node, style, box, around, above) {
    const standIn = pass.standIns.get(node);
    if (standIn) {
      const { control, marks } = standIn;
      const marked = Boolean(marks) || control === node;
      const own = surefoot.standInBox(standIn, box, above.frame);
      const role = standIn.role || surefoot.roleOf(control);
      return [{ node: control, role, box: own, marked, standIn, acting: Boolean(standIn.role) }];
    }
    if (pass.stoodFor.has(node)) return [];
    const role = recordedRole(node, style, around);
    const acting = acts(node, role, style, box, above);
    if (acting && (!role || PLAIN.has(role))) return [{ node, role: "button", box, acting }];
    if (!role) return [];
    const inline = style.display === "inline" && surefoot.interactive(role);
    const entry = { node, role, box: inline ? inlineBox(node, box, above.frame) : box };
    if (!acting) return [entry];
    return [entry, { node, role: "button", box, acting, id: surefoot.actionId(node), paired: true }];
  }

  function enter(entry, around) {
    const { role } = entry;
    const flow = TEXTUAL.has(role) || role === "paragraph" ? around.block : around.flow;
    const control = surefoot.interactive(role);
    if (control) pass.controls.set(entry.node, entry);
    entry.start = pass.pieces.length;
    pass.entries.push(entry);
    return {
      ...around,
      parent: entry,
      flow,
      closed: around.closed || (CLOSED.has(role) && !entry.marked),
      control: control ? entry : around.control,
    };
  }

  function visit(node, above) {
    const tag = dom.localName(node);
    if (UNSEEN.has(tag)) return;
    if (tag === "br") {
      pass.gap = 1;
      return;
    }
    const style = styleOf(node);
    if (!dom.checkVisibility(node) && style.display !== "contents") return;
    const box = boxOf(node, style, above.frame);
    let { own, around } = stepInto(node, style, box, above);
    const entries = entriesOf(node, style, box, around, above);
    for (const entry of entries) {
      const veiled = entry.standIn && entry.node === node;
      const seen = veiled ? { ...around, opacity: above.opacity } : around;
      Object.assign(entry, { id: entry.id || surefoot.idOf(entry.node), shown: node, style, own });
      Object.assign(entry, { around: seen, parent: around.parent });
      around = enter(entry, around);
    }
    if (surefoot.isFrame(node)) around = enterFrame(node, style, box, around);
    const hand = style.cursor === "pointer";
    around.pointing = hand && !handsOn(node, entries.length ? entries[0].role : "", style);
    visitInside(node, style, box, around);
    for (const entry of entries) entry.end = entry.marked ? entry.start : pass.pieces.length;
  }

  function visitInside(node, style, box, around) {
    if (/^(input|select|textarea)$/.test(dom.localName(node))) {
      if (!pass.stoodFor.has(node)) visitControl(node, style, box, around);
      if (dom.localName(node) !== "select") return;
    }
    for (const child of surefoot.flatChildren(node)) {
      if (dom.nodeType(child) === 3) visitText(child, style, around);
      else if (dom.nodeType(child) === 1) visit(child, around);
    }
  }

  function visitControl(node, style, box, around) {
    if (style.visibility !== "visible" || around.opacity < 0.02) return;
    if (!surefoot.paintedText(node)) return;
    const painted = surefoot.paintedBox(node, box);
    const before = pass.pieces.length;
    addPiece(null, painted.text, [painted.rect], around, node);
    const piece = pass.pieces[before];
    if (!piece) return;
    piece.whole = piece.whole && painted.whole;
    pass.byText.set(node, piece);
  }

  function textPieces(entry) {
    const inside = pass.pieces.slice(entry.start, entry.end);
    if (ALL_TEXT.has(entry.role)) return inside;
    const inline = /^(inline|contents|ruby)/.test(entry.style.display);
    const block = inline ? entry.around.block : entry.shown;
    if (TEXTUAL.has(entry.role) || surefoot.interactive(entry.role)) {
      return inside.filter((piece) => piece.block === block);
    }
    return inside.filter((piece) => piece.node && dom.parentNode(piece.node) === entry.node);
  }

  const linesOf = (pieces) => pieces.flatMap((piece) => piece.lines.map(spelledBox));

  function painter(top) {
    const style = styleOf(top);
    if (/^(img|video|canvas|iframe|object|embed)$/.test(dom.localName(top))) return true;
    return style.backgroundImage !== "none" || surefoot.colorOf(style.backgroundColor)[3] > 0.1;
  }

  // A text line is covered where something painted that is no relation of it lies on top.
  function covered(piece) {
    piece.covered ??= isCovered(piece);
    return piece.covered;
  }

  function isCovered(piece) {
    const { host } = piece;
    if (!host || dom.nodeType(host) !== 1 || styleOf(host).pointerEvents === "none") return false;
    return piece.lines.some(([left, upper, right, lower]) =>
      PROBED.some((share) => {
        const top = surefoot.topmost(left + share * (right - left), (upper + lower) / 2);
        if (!top || dom.contains(top, host) || surefoot.reaches(top, host, new Map())) return false;
        return painter(top);
      }),
    );
  }

  function spelling(entry, named, text, pieces) {
    if (entry.role === "text") return pieces;
    const sources = named.shown ? [named.shown] : named.texts;
    if (named.whole && sources.length) return sources.map((node) => pass.byText.get(node));
    const same = named.name && named.name.toLowerCase() === text.toLowerCase();
    return same ? pieces : [];
  }

  function nameBoxes(found) {
    const usable = found.length && found.every((piece) => piece && piece.whole);
    if (!usable || (pass.hits && found.some(covered))) return [];
    return linesOf(found);
  }

  function hitsFor(entry, fraction) {
    if (CONTAINERS.has(entry.role) || !pass.hits) return [];
    if (fraction === 0) return [false, false, false, false, false];
    return surefoot.hitsOf(entry, pass.band, pass.controls);
  }

  function nameOf(entry, text) {
    if (entry.role === "text") return { name: text, from: text ? "content" : "" };
    const named = surefoot.nameOf(entry.node, entry.role);
    // Where all of what is shown stands for a control, its words are the control's own.
    const own = entry.standIn && !entry.marked && text;
    if (!own || (named.name && !/^(value|label)$/.test(named.from))) return named;
    return { name: text, from: "content" };
  }

  function describe(entry) {
    const { node, role, style, box, own } = entry;
    const { around } = entry;
    entry.hidden = around.opacity < 0.02;
    const pieces = textPieces(entry);
    const text = joined(pieces);
    const named = nameOf(entry, text);
    const found = entry.hidden ? [] : spelling(entry, named, text, pieces);
    const kept = overlap(own, pass.view);
    const fraction = entry.hidden ? 0 : surefoot.fraction(box, kept);
    const attributes = surefoot.attributesOf(node, role, style);
    const section = pass.sections.get(node);
    if (section) attributes.section = section;
    if (around.floating) attributes.floating = around.floating;
    if (entry.acting) attributes.clickable = "true";
    const icons = surefoot.interactive(role) && pass.hits ? surefoot.iconsOf(node) : "";
    if (icons) attributes.icons = icons;
    if (named.from === "label" && found.length && found.every(Boolean)) attributes.labelled = "true";
    return {
      id: entry.id,
      role,
      box: spelledBox(box),
      name: named.name,
      name_from: named.from,
      name_boxes: nameBoxes(found),
      text,
      text_boxes: entry.hidden ? [] : linesOf(pieces),
      font_px: round(
        Number.parseFloat(style.fontSize) * (dom.currentCSSZoom(node) || 1) * around.unit * pass.scale,
      ),
      parent: entry.parent ? entry.parent.id : "",
      states: surefoot.statesOf(node, role),
      visible_fraction: round(fraction),
      hits: hitsFor(entry, fraction),
      group: pass.groups.get(node) || "",
      attributes,
    };
  }

  function begin(options) {
    surefoot.forgetStyles();
    surefoot.forgetPoints();
    const shift = options.full ? window.scrollY : 0;
    const wide = dom.clientWidth(dom.documentElement(document)) || innerWidth;
    const bottom = options.full ? options.height - shift : innerHeight;
    pass = {
      scale: options.scale,
      shift,
      hits: options.hits,
      view: seen ? [0, -shift, seen.width, seen.height] : [0, -shift, Math.max(wide, innerWidth), bottom],
      band: options.band || [0, 0, innerWidth, innerHeight],
      range: dom.createRange(document),
      entries: [],
      controls: new Map(),
      pieces: [],
      byText: new Map(),
      groups: new Map(),
      sections: new Map(),
      standIns: new Map(),
      stoodFor: new Map(),
      gap: 0,
    };
    const everywhere = surefoot.EVERYWHERE;
    return {
      clips: { flow: everywhere, absolute: everywhere, fixed: everywhere },
      opacity: 1,
      block: null,
      atom: null,
      unit: 1,
      parent: null,
      closed: false,
      control: null,
      pointing: false,
      floating: "",
      flow: null,
      frame: surefoot.TOP,
    };
  }

  const around = (boxes) =>
    [0, 1, 2, 3].map((side) => (side < 2 ? Math.min : Math.max)(...boxes.map((box) => box[side])));

  // The largest rectangle of a box that another one leaves free.
  function rest(box, taken) {
    const [left, top, right, bottom] = overlap(box, taken);
    const strips = [
      [box[0], box[1], left, box[3]], [right, box[1], box[2], box[3]],
      [box[0], box[1], box[2], top], [box[0], bottom, box[2], box[3]],
    ];
    return strips.reduce((best, strip) => (area(strip) > area(best) ? strip : best));
  }

  // A click on a control within another one is none on the other: its box is what is left.
  // Items of a tree lie in the item above them, all together below its own line.
  function leaveRoom() {
    const inside = new Map();
    for (const entry of pass.entries) {
      const outer = entry.around.control;
      if (!outer || ENTIRE.has(outer.role) || !surefoot.interactive(entry.role)) continue;
      if (area(overlap(entry.box, entry.own)) <= 0) continue;
      if (!surefoot.shown(entry.shown) || area(overlap(entry.box, outer.box)) <= 0) continue;
      if (!inside.has(outer)) inside.set(outer, []);
      inside.get(outer).push(entry);
    }
    for (const [outer, inner] of inside) {
      const alike = inner.filter((entry) => entry.role === outer.role).map((entry) => entry.box);
      const own = alike.length ? rest(outer.box, around(alike)) : outer.box;
      let left = own;
      for (const entry of inner) {
        if (entry.role !== outer.role && area(overlap(left, entry.box)) > 0) left = rest(left, entry.box);
      }
      const kept = area(left) >= LEAST_LEFT * area(own) ? left : own;
      if (area(kept) >= SMALLEST_BUTTON) outer.free = kept;
    }
    for (const outer of inside.keys()) outer.box = outer.free || outer.box;
  }

  function walk(options) {
    const above = begin(options);
    pass.standIns = surefoot.standIns();
    for (const { control, shown } of pass.standIns.values()) pass.stoodFor.set(control, shown);
    visit(dom.documentElement(document), above);
    leaveRoom();
    pass.groups = surefoot.groupsOf(pass.controls);
  }

  // options: scale (image pixels per CSS pixel), hits, full, height and band of a tile.
  surefoot.collect = (options) => {
    surefoot.assignIds();
    walk(options);
    pass.sections = surefoot.sectionsOf(pass.entries);
    const elements = pass.entries.map(describe);
    described = pass.entries.map((entry, at) => [entry.shown, elements[at]]);
    return { title: dom.title(document), signature: signature(), elements };
  };

  // What was measured, without names and hits: ids, roles, places and texts.
  function signature() {
    const entries = pass.entries.map((item) => [
      item.id, item.role, item.box, item.around.opacity,
    ]);
    return surefoot.hashed(JSON.stringify([entries, pass.pieces.map((item) => [item.text, item.lines])]));
  }

  // What was walked last, and how to take an earlier walk of the same page for it.
  surefoot.walked = () => ({ pass, slots: surefoot.slots() });
  surefoot.walkedBefore = (walk) => {
    pass = walk.pass;
    surefoot.takeSlots(walk.slots);
    surefoot.forgetStyles();
  };

  surefoot.signature = (options) => {
    walk(options);
    return signature();
  };

  // A phone lays a page out in another width than it shows of it: what it shows, in CSS pixels.
  surefoot.seen = () => {
    const { width, height, scale } = visualViewport;
    seen = { width, height };
    return { width, height, scale };
  };

  // Ids, roles and names alone: what must agree between two loads of one page.
  surefoot.outline = () => {
    surefoot.assignIds();
    walk({ scale: 1, hits: false });
    return pass.entries.map((entry) => {
      const spoken = entry.role === "text" || entry.standIn;
      const text = spoken ? joined(textPieces(entry)) : "";
      return [entry.id, entry.role, nameOf(entry, text).name];
    });
  };

  // What has to go with an element: itself, and what stands for it.
  surefoot.shownFor = (id) => {
    const node = surefoot.nodeOf(id);
    const shown = pass?.stoodFor.get(node);
    return shown && shown !== node ? [node, shown] : [node];
  };

  surefoot.recordedNodes = () => pass.entries.map((entry) => entry.node);
  surefoot.recordedPieces = () => pass.pieces;
  surefoot.recordedView = () => pass.view;

  // What each recorded node is called, in lower case.
  surefoot.recordedNames = () =>
    new Map(described.map(([node, { name }]) => [node, name.toLowerCase()]));
})();
