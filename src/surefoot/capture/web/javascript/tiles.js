// Full pages are shot as tiles of the viewport: scroll, and let nothing repeat.
(() => {
  "use strict";
  const surefoot = globalThis.surefoot;
  const { dom } = surefoot;
  let changed = [];

  function set(node, name, value) {
    const style = dom.style(node);
    changed.push([node, name, style.getPropertyValue(name), style.getPropertyPriority(name)]);
    style.setProperty(name, value, "important");
  }

  function positioned(kind) {
    const found = [];
    for (const node of dom.querySelectorAll(document, "*")) {
      if (dom.style(node) && getComputedStyle(node).position === kind) found.push(node);
    }
    return found;
  }

  // Sticky boxes lie where the page without scrolling has them.
  surefoot.unstick = () => {
    const found = positioned("sticky");
    for (const node of found) {
      set(node, "position", "relative");
      for (const side of ["top", "right", "bottom", "left"]) set(node, side, "auto");
    }
    return found.length;
  };

  // Fixed boxes stand in the first tile alone; out of the flow, none moves another.
  surefoot.hideFixed = () => {
    const found = positioned("fixed");
    for (const node of found) set(node, "display", "none");
    return found.length;
  };

  surefoot.restoreTiles = () => {
    for (const [node, name, value, priority] of changed.reverse()) {
      if (value) dom.style(node).setProperty(name, value, priority);
      else dom.style(node).removeProperty(name);
    }
    changed = [];
    return true;
  };

  surefoot.scrollTo = (top) => {
    window.scrollTo({ left: 0, top, behavior: "instant" });
    return window.scrollY;
  };
})();
