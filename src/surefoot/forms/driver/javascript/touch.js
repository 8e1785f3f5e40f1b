// What hands outside of the browser must know: whether their events have come to the page,
// and which drop-down the browser has opened a list of its own for.
(() => {
  "use strict";
  const { dom } = globalThis.surefoot;
  const look = globalThis.surefootLook;
  const felt = { world: Math.random(), down: 0, up: 0, keys: 0, wheel: 0 };
  const MODIFIERS = ["Alt", "Control", "Meta", "Shift"];

  addEventListener("mousedown", () => { felt.down += 1; }, true);
  addEventListener("mouseup", () => { felt.up += 1; }, true);
  addEventListener("wheel", () => { felt.wheel += 1; }, { capture: true, passive: true });
  addEventListener("keyup", (event) => {
    if (!MODIFIERS.includes(event.key)) felt.keys += 1;
  }, true);

  look.felt = () => felt;

  look.copy = (text) => navigator.clipboard.writeText(text).then(() => true);

  look.dropdown = () => {
    const select = dom.activeElement(document);
    if (!select || !dom.matches(select, "select")) return null;
    const marked = dom.closest(select, "[data-field]");
    const field = marked && dom.getAttribute(marked, "data-field");
    if (!field || dom.multiple(select) || dom.size(select) > 1) return null;
    if (getComputedStyle(select).appearance === "base-select") return null;
    const rect = dom.getBoundingClientRect(select);
    return {
      field,
      box: [rect.left, rect.top, rect.right, rect.bottom],
      values: [...dom.options(select)].map((item) => item.value),
      chosen: dom.selectedIndex(select),
    };
  };
})();
