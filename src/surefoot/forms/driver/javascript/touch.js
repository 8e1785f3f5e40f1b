// What hands outside of the browser must know: whether their events have come to the page,
// and which drop-down the browser has opened a list of its own for.
(() => {
  "use strict";
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
    const select = document.activeElement;
    const field = select?.closest("[data-field]")?.dataset.field;
    if (!field || !select.matches("select") || select.multiple || select.size > 1) return null;
    if (getComputedStyle(select).appearance === "base-select") return null;
    const rect = select.getBoundingClientRect();
    return {
      field,
      box: [rect.left, rect.top, rect.right, rect.bottom],
      values: [...select.options].map((item) => item.value),
      chosen: select.selectedIndex,
    };
  };
})();
