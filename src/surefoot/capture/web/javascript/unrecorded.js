// What is painted and belongs to no element that was recorded: words of style sheets, of drawings
// that are used again and of canvases, and frames that nobody may look into.
(() => {
  "use strict";
  const surefoot = globalThis.surefoot;
  const { dom, overlap, area, styleOf, tidy } = surefoot;
  const FRAMES = "iframe,frame,object,embed";
  const WORD = /[\p{L}\p{N}]/u;
  const LEAST_PX = 4;

  const boxOf = (node) => {
    const { left, top, right, bottom } = dom.getBoundingClientRect(node);
    return [left, top, right, bottom];
  };

  // In frames that were walked, boxes are not the window's: their words are left out.
  function inView(node) {
    if (dom.ownerDocument(node) !== document) return null;
    const box = overlap(boxOf(node), surefoot.recordedView());
    return box[2] - box[0] < LEAST_PX || box[3] - box[1] < LEAST_PX ? null : box;
  }

  function seen(node, box) {
    if (!surefoot.shown(node)) return null;
    const top = surefoot.topmost((box[0] + box[2]) / 2, (box[1] + box[3]) / 2);
    const bare = !top || dom.contains(top, node) || surefoot.reaches(top, node, new Map());
    return bare ? box : null;
  }

  // The element around a node that is called so holds the words.
  function held(node, words, named) {
    const wanted = words.toLowerCase();
    for (let step = node; step; step = surefoot.composedParent(step)) {
      if (named.get(step)?.includes(wanted)) return true;
    }
    return false;
  }

  function written(node, which) {
    const style = getComputedStyle(node, which);
    if (!/^"|^\S+ "/.test(style.content) || style.display === "none") return "";
    if (style.visibility !== "visible" || Number(style.opacity) < 0.02) return "";
    if (!surefoot.letters(style, node)) return "";
    const parts = style.content.split(" / ")[0].matchAll(/"((?:[^"\\]|\\.)*)"/g);
    return tidy([...parts].map(([, part]) => part.replace(/\\(.)/g, "$1")).join(""));
  }

  function usedAgain(node) {
    const id = (dom.getAttribute(node, "href") || dom.getAttribute(node, "xlink:href") || "").slice(1);
    const drawing = id && dom.getElementById(dom.getRootNode(node), id);
    return drawing ? tidy(dom.textContent(drawing)) : "";
  }

  function wordsOf(node, canvases) {
    const tag = dom.localName(node);
    if (tag === "use") return [usedAgain(node)];
    if (tag === "canvas") return canvases.get(node) || [];
    const parts = styleOf(node).display.includes("list-item") ? ["::before", "::marker", "::after"] : ["::before", "::after"];
    return parts.map((which) => written(node, which));
  }

  // Of what was last collected: letters without a font, pictures and fonts that could not be
  // drawn, and what is painted beside it, null where a script may have written on a canvas.
  surefoot.inspected = () => ({
    undrawn: surefoot.undrawn(),
    unreadable: surefoot.unreadable(),
    unrecorded: dom.querySelector(document, "canvas") ? null : surefoot.unrecorded([]),
  });

  // ``drawn`` are the words that scripts wrote on each canvas of the document, in its order.
  surefoot.unrecorded = (drawn) => {
    surefoot.forgetPoints();
    const canvases = new Map();
    [...dom.querySelectorAll(document, "canvas")].forEach((node, at) => canvases.set(node, surefoot.drawnBefore(node) || drawn[at]));
    const named = surefoot.recordedNames();
    const [words, frames] = [[], []];
    for (const root of surefoot.roots()) {
      for (const node of dom.querySelectorAll(root, "*")) {
        const inside = inView(node);
        if (!inside) continue;
        const unseen = dom.matches(node, FRAMES) && !surefoot.frameDocument(node);
        const found = wordsOf(node, canvases)
          .filter((text) => WORD.test(text) && !held(node, text, named));
        const box = unseen || found.length ? seen(node, inside) : null;
        if (!box) continue;
        for (const text of found) words.push([text, box]);
        if (unseen && area(box) > 0) frames.push(box);
      }
    }
    return { words, frames, width: boxOf(dom.documentElement(document))[2] };
  };
})();
