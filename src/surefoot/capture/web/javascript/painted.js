// What is painted: whether text shows, whether a box shows, and where ::before and ::after lie.
(() => {
  "use strict";
  const surefoot = globalThis.surefoot;
  const { colorOf, composedParent, dom, styleOf } = surefoot;
  const FAINT = 0.05; // alpha below which nobody sees a colour
  const LEAST_FONT_PX = 1;
  const MEDIA = /^(img|svg|canvas|video|iframe|object|embed)$/;
  const PSEUDOS = ["::before", "::after"];
  const SIDES = ["Top", "Right", "Bottom", "Left"];

  const pixels = (text) => Number.parseFloat(text) || 0;
  const seen = (color) => colorOf(color)[3] > FAINT;

  // A gradient may fill the letters of whatever lies inside it.
  function filledFromBehind(node) {
    for (let step = node; step; step = composedParent(step)) {
      if (dom.nodeType(step) === 1 && /text/.test(styleOf(step).backgroundClip)) return true;
    }
    return false;
  }

  // Whether letters in this style leave a mark: by fill, outline or shadow.
  function letters(style, node) {
    if (pixels(style.fontSize) < LEAST_FONT_PX) return false;
    if (seen(style.webkitTextFillColor)) return true;
    if (pixels(style.webkitTextStrokeWidth) > 0 && seen(style.webkitTextStrokeColor)) return true;
    const shadow = /^(rgba?\([^)]*\)|[a-z]+\([^)]*\))/.exec(style.textShadow);
    if (shadow && seen(shadow[1])) return true;
    return filledFromBehind(node);
  }

  const edge = (style, side) =>
    pixels(style[`border${side}Width`]) > 0 &&
    !/^(none|hidden)$/.test(style[`border${side}Style`]) &&
    seen(style[`border${side}Color`]);

  const filled = (style) => style.backgroundImage !== "none" || seen(style.backgroundColor);

  const surfaced = (style) => filled(style) || SIDES.some((side) => edge(style, side));

  // Filled, or framed all round: an arrow is drawn by two borders, a box by four.
  const boxed = (style) => filled(style) || SIDES.every((side) => edge(style, side));

  const shown = (node) =>
    dom.checkVisibility(node, { opacityProperty: true, visibilityProperty: true });

  // Whether the element itself leaves a mark on the page, text apart.
  function paints(node) {
    return shown(node) && (MEDIA.test(dom.localName(node)) || surfaced(styleOf(node)));
  }

  function pseudoStyle(node, which) {
    const style = getComputedStyle(node, which);
    if (style.content === "none" || style.content === "normal" || style.display === "none") {
      return null;
    }
    const hidden = style.visibility !== "visible" || Number(style.opacity) < FAINT;
    return hidden ? null : style;
  }

  function containingBlock(node, frame) {
    for (let step = node; step && dom.nodeType(step) === 1; step = composedParent(step)) {
      if (styleOf(step).position !== "static") {
        const box = surefoot.toTop(frame, dom.getBoundingClientRect(step));
        return [box[0] + dom.clientLeft(step), box[1] + dom.clientTop(step), box[2], box[3]];
      }
    }
    return null;
  }

  const sizeOf = (style, side, edges) =>
    pixels(style[side]) +
    (style.boxSizing === "border-box"
      ? 0
      : edges.reduce(
          (sum, edge) => sum + pixels(style[`padding${edge}`]) + pixels(style[`border${edge}Width`]),
          0,
        ));

  // An inline box tells no size: its glyphs are measured.
  function glyphSize(style) {
    const glyphs = /^"((?:[^"\\]|\\.)*)"/.exec(style.content);
    if (!glyphs || !glyphs[1].trim()) return [0, 0];
    const text = glyphs[1].replace(/\\(.)/g, "$1");
    return [surefoot.measure(style, text), pixels(style.lineHeight) || pixels(style.fontSize)];
  }

  function pseudoSize(style) {
    const [wide, high] = glyphSize(style);
    const width = style.width === "auto" ? wide : sizeOf(style, "width", ["Left", "Right"]);
    const height = style.height === "auto" ? high : sizeOf(style, "height", ["Top", "Bottom"]);
    return [width, height];
  }

  // No interface tells where a pseudo-element lies: its used offsets do, if it is positioned,
  // and the start or the end of its element's content if it is not.
  function pseudoBox(node, which, style, frame) {
    const [width, height] = pseudoSize(style);
    if (!(width > 0 && height > 0)) return null;
    if (style.position === "absolute") {
      const block = containingBlock(node, frame);
      if (!block) return null;
      const moved = style.transform === "none" ? [0, 0] : shift(style.transform);
      const left = block[0] + pixels(style.left) + pixels(style.marginLeft) + moved[0];
      const top = block[1] + pixels(style.top) + pixels(style.marginTop) + moved[1];
      return [left, top, left + width, top + height];
    }
    if (style.position === "fixed") return null;
    const host = styleOf(node);
    const box = surefoot.toTop(frame, dom.getBoundingClientRect(node));
    const start = box[0] + pixels(host.borderLeftWidth) + pixels(host.paddingLeft) +
      pixels(style.marginLeft);
    const end = which === "::after" ? endOf(node, frame) : null;
    const left = end === null ? start : end + pixels(style.marginLeft);
    const middle = (box[1] + box[3]) / 2;
    return [left, middle - height / 2, left + width, middle + height / 2];
  }

  // Where the last child of a node ends, null without any.
  function endOf(node, frame) {
    if (!dom.firstChild(node)) return null;
    const range = dom.createRange(dom.ownerDocument(node));
    range.selectNodeContents(node);
    const rect = range.getBoundingClientRect();
    return rect.width > 0 ? surefoot.toTop(frame, rect)[2] : null;
  }

  function shift(transform) {
    const parts = /^matrix\(([^)]*)\)$/.exec(transform);
    const numbers = parts ? parts[1].split(",").map(Number) : [];
    return numbers.length === 6 ? numbers.slice(4) : [0, 0];
  }

  // The boxes that an element paints through ::before and ::after; without glyphs if told.
  function generatedBoxes(node, frame, framed = false) {
    const found = [];
    for (const which of PSEUDOS) {
      const style = pseudoStyle(node, which);
      if (!style) continue;
      const glyph = /^"[^"]/.test(style.content) && letters(style, node);
      const drawn = framed ? boxed(style) : surfaced(style) || glyph;
      const box = drawn ? pseudoBox(node, which, style, frame) : null;
      if (box) found.push(box);
    }
    return found;
  }

  Object.assign(surefoot, { boxed, generatedBoxes, letters, paints, shown, surfaced });
})();
