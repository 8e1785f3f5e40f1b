// What came and could not be drawn: pictures and fonts, by address or family.
(() => {
  "use strict";
  const surefoot = globalThis.surefoot;
  const { dom } = surefoot;

  surefoot.unreadable = () => {
    const found = [];
    for (const root of surefoot.roots()) {
      for (const image of dom.querySelectorAll(root, "img")) {
        const address = image.currentSrc || image.src;
        if (address && image.complete && image.naturalWidth === 0 && image.naturalHeight === 0) {
          found.push([address, "no picture"]);
        }
      }
      if (dom.nodeType(root) !== 9) continue;
      for (const face of dom.fonts(root)) {
        if (face.status === "error") found.push([`font:${face.family}`, "no font"]);
      }
    }
    return found;
  };
})();
