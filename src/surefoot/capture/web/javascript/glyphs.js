// The characters that no font draws, found by drawing them beside one that no font has.
(() => {
  "use strict";
  const surefoot = globalThis.surefoot;
  const { dom, styleOf } = surefoot;
  const UNDRAWN = /[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Cc}\p{Cs}\p{M}]/u;
  const NOWHERE = "\u{10FFFE}"; // a noncharacter: never in a font
  const SIZE = 24;
  const EDGE = 64;
  const MOST = 100;

  const pen = () => {
    const canvas = new OffscreenCanvas(EDGE, EDGE);
    return canvas.getContext("2d", { willReadFrequently: true });
  };

  const fontOf = (style) => `${style.fontStyle} ${style.fontWeight} ${SIZE}px ${style.fontFamily}`;

  function inkOf(context, character) {
    context.clearRect(0, 0, EDGE, EDGE);
    context.fillText(character, 8, 44);
    return context.getImageData(0, 0, EDGE, EDGE).data.join();
  }

  // The widths of all are compared first: only what is as wide as the sign of nothing is drawn.
  function lacking(context, font, characters) {
    context.font = font;
    const width = context.measureText(NOWHERE).width;
    let nothing = null;
    return characters.filter((character) => {
      if (context.measureText(character).width !== width) return false;
      nothing ??= inkOf(context, NOWHERE);
      return inkOf(context, character) === nothing;
    });
  }

  // Of the texts that were last collected, as code points, sorted.
  surefoot.undrawn = () => {
    const wanted = new Map();
    for (const { node, host } of surefoot.recordedPieces()) {
      if (!host || dom.nodeType(host) !== 1) continue;
      const text = node ? node.data : surefoot.paintedText(host);
      const font = fontOf(styleOf(host));
      const known = wanted.get(font) || wanted.set(font, new Set()).get(font);
      for (const character of text) if (!UNDRAWN.test(character)) known.add(character);
    }
    const context = pen();
    const found = new Set();
    for (const [font, characters] of wanted) {
      for (const character of lacking(context, font, [...characters])) {
        found.add(character.codePointAt(0));
      }
    }
    return [...found].sort((one, other) => one - other).slice(0, MOST);
  };
})();
