// What can be seen and hit: clipping by ancestors, visible fractions, hit tests.
// All rectangles are [left, top, right, bottom] in CSS pixels of the top viewport.
(() => {
  "use strict";
  const surefoot = globalThis.surefoot;
  const { dom } = surefoot;
  const EVERYWHERE = [-1e7, -1e7, 1e7, 1e7];

  function overlap(a, b) {
    return [
      Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3]),
    ];
  }

  const area = (rect) => Math.max(0, rect[2] - rect[0]) * Math.max(0, rect[3] - rect[1]);

  // A frame maps its own viewport's coordinates to the top's: shift, then scale.
  const TOP = { x: 0, y: 0, sx: 1, sy: 1 };

  function toTop(frame, rect) {
    return [
      frame.x + rect.left * frame.sx,
      frame.y + rect.top * frame.sy,
      frame.x + rect.right * frame.sx,
      frame.y + rect.bottom * frame.sy,
    ];
  }

  const number = (text) => Number.parseFloat(text) || 0;

  function frameInside(frame, node, style) {
    const rect = toTop(frame, dom.getBoundingClientRect(node));
    const sx = dom.offsetWidth(node) ? (rect[2] - rect[0]) / dom.offsetWidth(node) : frame.sx;
    const sy = dom.offsetHeight(node) ? (rect[3] - rect[1]) / dom.offsetHeight(node) : frame.sy;
    return {
      x: rect[0] + (dom.clientLeft(node) + number(style.paddingLeft)) * sx,
      y: rect[1] + (dom.clientTop(node) + number(style.paddingTop)) * sy,
      sx,
      sy,
    };
  }

  // The rectangle around what a clip path leaves; all of the box for shapes unknown here.
  function shapeRect(text, box) {
    const parts = /^(inset|polygon|circle|ellipse)\(([^)]*)\)/.exec(text);
    if (!parts) return box;
    const size = [box[2] - box[0], box[3] - box[1]];
    const length = (item, axis) =>
      item.endsWith("%") ? (number(item) / 100) * size[axis] : number(item);
    const [, shape, inside] = parts;
    if (shape === "polygon") return polygonRect(inside, box, length);
    if (shape !== "inset") return ovalRect(inside, box, length);
    const sides = inside.split(" round ")[0].trim().split(/\s+/);
    const [top, right = top, bottom = top, left = right] = sides;
    return [
      box[0] + length(left, 0), box[1] + length(top, 1),
      box[2] - length(right, 0), box[3] - length(bottom, 1),
    ];
  }

  function polygonRect(inside, box, length) {
    const points = inside.replace(/^\s*(nonzero|evenodd)\s*,/, "").split(",");
    const pairs = points.map((item) => item.trim().split(/\s+/));
    const along = (axis) => pairs.map((pair) => box[axis] + length(pair[axis] || "0", axis));
    const [across, down] = [along(0), along(1)];
    return [Math.min(...across), Math.min(...down), Math.max(...across), Math.max(...down)];
  }

  // Radii other than lengths and percentages (closest-side, ...) leave the box as it is.
  function ovalRect(inside, box, length) {
    const [radii, centre = "50% 50%"] = inside.split(/\s*\bat\b\s*/);
    const [first, second = first] = radii.trim().split(/\s+/);
    if (!/^[\d.]/.test(first) || !/^[\d.]/.test(second)) return box;
    const [x, y] = centre.trim().split(/\s+/).map((item, axis) => box[axis] + length(item, axis));
    const [wide, high] = [length(first, 0), length(second, 1)];
    return [x - wide, y - high, x + wide, y + high];
  }

  function clipRect(text, box) {
    const inside = /^rect\(([^)]*)\)/.exec(text);
    if (!inside) return box;
    const [top, right, bottom, left] = inside[1].split(/[\s,]+/);
    const length = (side, fallback) => (side === "auto" ? fallback : number(side));
    return [
      box[0] + length(left, 0), box[1] + length(top, 0),
      box[0] + length(right, box[2] - box[0]), box[1] + length(bottom, box[3] - box[1]),
    ];
  }

  function paddingBox(node, style, box, contained) {
    const width = dom.offsetWidth(node) || box[2] - box[0];
    const height = dom.offsetHeight(node) || box[3] - box[1];
    const sx = width ? (box[2] - box[0]) / width : 1;
    const sy = height ? (box[3] - box[1]) / height : 1;
    const [openX, openY] = [style.overflowX, style.overflowY].map(
      (item) => item === "visible" && !contained,
    );
    return [
      openX ? -1e7 : box[0] + number(style.borderLeftWidth) * sx,
      openY ? -1e7 : box[1] + number(style.borderTopWidth) * sy,
      openX ? 1e7 : box[2] - number(style.borderRightWidth) * sx,
      openY ? 1e7 : box[3] - number(style.borderBottomWidth) * sy,
    ];
  }

  // The overflow of the root, and of a body whose root has none, clips at the viewport.
  function propagates(node) {
    if (node === dom.documentElement(dom.ownerDocument(node))) return true;
    if (node !== dom.body(dom.ownerDocument(node))) return false;
    return surefoot.styleOf(dom.documentElement(dom.ownerDocument(node))).overflowX === "visible";
  }

  const holdsFixed = (style) =>
    style.transform !== "none" || style.filter !== "none" || style.perspective !== "none" ||
    style.backdropFilter !== "none" || /paint|layout|strict|content/.test(style.contain) ||
    /transform|filter|perspective/.test(style.willChange);

  // The clips that hold a node and those it hands to its children, as painting has it:
  // overflow clips flow content, positioned content only through its containing block.
  function clipsOf(node, style, box, above) {
    const position = style.position;
    let own = above.flow;
    if (position === "absolute") {
      own = above.absolute;
      if (style.clip !== "auto") own = overlap(own, clipRect(style.clip, box));
    } else if (position === "fixed") {
      own = above.fixed;
      if (style.clip !== "auto") own = overlap(own, clipRect(style.clip, box));
    }
    if (style.clipPath !== "none") own = overlap(own, shapeRect(style.clipPath, box));
    let flow = own;
    const clips = style.overflowX !== "visible" || style.overflowY !== "visible";
    const contained = /paint|strict|content/.test(style.contain);
    if ((clips || contained) && style.display !== "inline" && !propagates(node)) {
      flow = overlap(own, paddingBox(node, style, box, contained));
    }
    const contains = holdsFixed(style);
    const here = {
      flow,
      absolute: contains || position !== "static" ? flow : above.absolute,
      fixed: contains ? flow : above.fixed,
    };
    if (style.clipPath !== "none") {
      here.absolute = overlap(here.absolute, own);
      here.fixed = overlap(here.fixed, own);
    }
    return { own, here };
  }

  function fraction(box, clip) {
    const whole = area(box);
    return whole > 0 ? Math.min(1, area(overlap(box, clip)) / whole) : 0;
  }

  // As long as a page is measured, nothing on it moves: a point is asked for once.
  let asked = new Map();
  surefoot.forgetPoints = () => {
    asked = new Map();
  };

  function topmost(x, y) {
    if (!asked.has(x)) asked.set(x, new Map());
    const column = asked.get(x);
    if (!column.has(y)) column.set(y, seek(x, y));
    return column.get(y);
  }

  // The topmost element at a point, through shadow roots and same-origin frames.
  function seek(x, y) {
    let root = document;
    let found = null;
    for (;;) {
      const node = dom.elementFromPoint(root, x, y);
      if (!node || node === found) return found;
      found = node;
      const inner = surefoot.frameDocument(node);
      if (inner) {
        const frame = frameInside(TOP, node, surefoot.styleOf(node));
        [x, y] = [(x - frame.x) / frame.sx, (y - frame.y) / frame.sy];
        root = inner;
      } else if (surefoot.shadowOf(node)) {
        root = surefoot.shadowOf(node);
      } else {
        return found;
      }
    }
  }

  // A hit is the element, what is shown for it, a part of either that is no control of its
  // own, or a label that hands the click on to it.
  function reaches(top, node, controls, shown = node) {
    const guarded = controls.has(node);
    for (let step = top; step; step = surefoot.composedParent(step)) {
      if (step === node || step === shown) return true;
      if (guarded && controls.has(step)) return false;
      if (dom.localName(step) === "label" && dom.control(step) === node) return true;
    }
    return false;
  }

  function hitsOf({ node, shown, box }, view, controls) {
    const [left, top, right, bottom] = box;
    const [width, height] = [right - left, bottom - top];
    return [[0.5, 0.5], [0.25, 0.25], [0.75, 0.25], [0.25, 0.75], [0.75, 0.75]].map(([fx, fy]) => {
      const [x, y] = [left + fx * width, top + fy * height];
      if (x < view[0] || y < view[1] || x >= view[2] || y >= view[3]) return false;
      const found = topmost(x, y);
      return Boolean(found) && reaches(found, node, controls, shown);
    });
  }

  Object.assign(surefoot, {
    EVERYWHERE, TOP, area, clipsOf, fraction, frameInside, hitsOf, overlap, reaches, toTop, topmost,
  });
})();
