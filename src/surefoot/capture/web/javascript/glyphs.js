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

  // What a font draws is the same as long as no other font has loaded.
  let drawn = new Map();
  let fonts = "";

  const loadedFonts = () => [...dom.fonts(document)].map((face) => `${face.family} ${face.status}`).join();

  // A text of which a font draws everything is not looked into again.
  function undrawnIn(context, font, texts) {
    if (!drawn.has(font)) drawn.set(font, { known: new Map(), whole: new Set() });
    const { known, whole } = drawn.get(font);
    const others = [...texts].filter((text) => !whole.has(text));
    const characters = [...new Set(others.flatMap((text) => [...text]))].filter((character) => !UNDRAWN.test(character));
    const asked = characters.filter((character) => !known.has(character));
    const without = new Set(asked.length ? lacking(context, font, asked) : []);
    for (const character of asked) known.set(character, without.has(character));
    const found = characters.filter((character) => known.get(character));
    if (!found.length) for (const text of others) whole.add(text);
    return found;
  }

  // Of the texts that were last collected, as code points, sorted.
  surefoot.undrawn = () => {
    if (fonts !== (fonts = loadedFonts())) drawn = new Map();
    const wanted = new Map();
    for (const { node, host } of surefoot.recordedPieces()) {
      if (!host || dom.nodeType(host) !== 1) continue;
      const text = node ? node.data : surefoot.paintedText(host);
      const font = fontOf(styleOf(host));
      if (!wanted.has(font)) wanted.set(font, new Set());
      wanted.get(font).add(text);
    }
    const context = pen();
    const found = new Set();
    for (const [font, texts] of wanted) {
      for (const character of undrawnIn(context, font, texts)) {
        found.add(character.codePointAt(0));
      }
    }
    return [...found].sort((one, other) => one - other).slice(0, MOST);
  };
})();

// Which nodes draw icons with a font of their own, and keep it whatever a theme says.
(() => {
  "use strict";
  const surefoot = globalThis.surefoot;
  const { dom, styleOf } = surefoot;
  const PRIVATE = /[\ue000-\uf8ff]|[\udb80-\udbff][\udc00-\udfff]/;
  const LIGATURE = /^[a-z][a-z0-9_]{2,39}$/;
  const SHORTEST_TEXT = 3;
  const NARROW = 0.75; // of the width that letters take in any font, from which on it is a glyph

  const familyOf = (style) => style.fontFamily.split(",")[0].trim().replace(/^["']|["']$/g, "");

  // The families that the page brings along.
  function ownFamilies(node) {
    const names = new Set();
    for (const face of dom.fonts(dom.ownerDocument(node)) || []) names.add(face.family.replace(/^["']|["']$/g, ""));
    return names;
  }

  // A ligature font shows one glyph for a whole word, which is narrower than its letters.
  function isLigature(text, style, width) {
    if (!LIGATURE.test(text) || !(width > 0)) return false;
    const spelled = surefoot.measure({ ...plain(style), fontFamily: "sans-serif" }, text);
    return width < NARROW * spelled && width <= 1.6 * Number.parseFloat(style.fontSize);
  }

  const plain = ({ fontStyle, fontWeight, fontSize }) =>
    ({ fontStyle, fontWeight, fontSize, letterSpacing: "0" });

  // A glyph without a letter, a glyph for a word, or a letter or two in a font that the page
  // brings along and does not write with.
  function isGlyph(text, style, width, node) {
    if (!text) return false;
    if (PRIVATE.test(text) || isLigature(text, style, width)) return true;
    const family = familyOf(style);
    const body = dom.body(dom.ownerDocument(node));
    return text.length < SHORTEST_TEXT && ownFamilies(node).has(family) &&
      body && familyOf(styleOf(body)) !== family;
  }

  function textOf(node) {
    const texts = [...dom.childNodes(node)].filter((child) => dom.nodeType(child) === 3);
    return texts.map((child) => child.data).join("").trim();
  }

  function drawsIcon(node) {
    const text = textOf(node);
    if (text && isGlyph(text, styleOf(node), dom.getBoundingClientRect(node).width, node)) return true;
    return surefoot.glyphsOf(node).some(({ style, text }) =>
      familyOf(style) === familyOf(styleOf(node)) && isGlyph(text, style, 0, node));
  }

  // What ::before and ::after of a node draw that is text.
  surefoot.glyphsOf = (node) => {
    const found = [];
    for (const which of ["::before", "::after"]) {
      const style = getComputedStyle(node, which);
      const parts = /^"((?:[^"\\]|\\.)*)"/.exec(style.content);
      const text = parts ? parts[1].replace(/\\(.)/g, "$1").trim() : "";
      if (text && style.display !== "none") found.push({ which, style, text });
    }
    return found;
  };

  // Class names of icon sets: "fa-bell", "icon-bell", "icon-tabler-bell".
  const SET = /^(?:fa[srlb]?|bi|mdi|zmdi|ti|ni|fe|ik|la|ri|bx[sl]?|pi|cil|icons?|glyphicon|feather|lucide|ion(?:-ios|-md)?|icon-tabler|octicon|dashicons)-([a-z0-9-]+)$/;
  const MOST_PARTS = 30;
  const ICON_PX = { least: 6, most: 96 };
  const UNNAMED = "?";

  const namesIn = (texts) => texts.map((text) => String(text || "").trim().toLowerCase()
    .replace(/^.*[#/]/, "").replace(/\.[a-z]+$/, "").replace(/[\s_]+/g, "-")).filter(Boolean);

  const classesOf = (node) => [...dom.classList(node)].map((name) => SET.exec(name)?.[1]).filter(Boolean);

  function namesOfSvg(node) {
    const within = [...dom.querySelectorAll(node, "use, title")].map((part) =>
      dom.localName(part) === "title" ? dom.textContent(part)
        : dom.getAttribute(part, "href") || dom.getAttribute(part, "xlink:href"));
    const own = ["data-icon", "data-lucide", "data-feather", "aria-label"];
    return [...classesOf(node), ...namesIn([...own.map((name) => dom.getAttribute(node, name)), ...within])];
  }

  const isLoaded = (node, family) => [...(dom.fonts(dom.ownerDocument(node)) || [])].some((face) =>
    face.status === "loaded" && face.family.replace(/^["']|["']$/g, "") === family);

  // The names of the icon that a node draws itself, null where it draws none.
  function namesOf(node) {
    const style = styleOf(node);
    if (dom.localName(node) === "svg") return namesOfSvg(node);
    if (dom.localName(node) === "img") return namesIn([dom.getAttribute(node, "src")]).map((name) => `file:${name}`);
    const text = textOf(node);
    if (isLigature(text, style, dom.getBoundingClientRect(node).width)) return namesIn([text]);
    const drawn = surefoot.glyphsOf(node).filter(({ text: sign, style: own }) => isGlyph(sign, own, 0, node));
    if (drawn.length) return drawn.every(({ style: own }) => isLoaded(node, familyOf(own))) ? classesOf(node) : [];
    return PRIVATE.test(text) || style.backgroundImage.startsWith("url") ? [] : null;
  }

  // What sets of icons call the pictures in a control, "?" for what has no name there.
  surefoot.iconsOf = (node) => {
    const parts = [node, ...dom.querySelectorAll(node, "*")];
    if (parts.length > MOST_PARTS) return UNNAMED;
    const found = new Set();
    for (const part of parts) {
      if (dom.ownerSVGElement(part)) continue;
      const { width, height } = dom.getBoundingClientRect(part);
      const [shorter, longer] = [Math.min(width, height), Math.max(width, height)];
      const { visibility, opacity } = styleOf(part);
      if (shorter < ICON_PX.least || visibility !== "visible" || opacity === "0") continue;
      const names = namesOf(part);
      if (names && (part !== node || longer <= ICON_PX.most || names.length)) {
        for (const name of names.length ? names : [UNNAMED]) found.add(name);
      }
    }
    return [...found].join(" ");
  };

  // An inline declaration that is important stands above every layer.
  surefoot.keepIconFonts = () => {
    const kept = [];
    for (const root of surefoot.roots()) {
      for (const node of dom.querySelectorAll(root, "*")) {
        if (dom.style(node) && drawsIcon(node)) kept.push([node, styleOf(node).fontFamily]);
      }
    }
    for (const [node, family] of kept) dom.style(node).setProperty("font-family", family, "important");
    return kept.length;
  };
})();
