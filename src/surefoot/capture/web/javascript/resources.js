// What came and could not be drawn: pictures and fonts, by address or family.
(() => {
  "use strict";
  const surefoot = globalThis.surefoot;

  surefoot.unreadable = () => {
    const found = [];
    for (const root of surefoot.roots()) {
      for (const image of root.querySelectorAll("img")) {
        const address = image.currentSrc || image.src;
        if (address && image.complete && image.naturalWidth === 0 && image.naturalHeight === 0) {
          found.push([address, "no picture"]);
        }
      }
      if (root.nodeType !== 9) continue;
      for (const face of root.fonts) {
        if (face.status === "error") found.push([`font:${face.family}`, "no font"]);
      }
    }
    return found;
  };
})();
