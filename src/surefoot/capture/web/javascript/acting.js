// What is done to a page without the mouse. Each returns {}, or {error: what it would have needed}.
(() => {
  "use strict";
  const surefoot = globalThis.surefoot;
  const { dom } = surefoot;

  // The browser's own bubble over a field that is not valid fades in and out by the true clock.
  globalThis.addEventListener("invalid", (event) => event.preventDefault(), true);

  surefoot.focusOn = (id) => {
    const node = surefoot.nodeOf(id);
    if (!node) return { error: "the element on the page" };
    dom.focus(node);
    return dom.activeElement(dom.getRootNode(node)) === node ? {} : { error: "an element that takes the focus" };
  };

  // What a field for dates takes as keys differs by language, and its value never does.
  surefoot.enter = (id, value) => {
    const node = surefoot.nodeOf(id);
    if (!node || dom.localName(node) !== "input") return { error: "a field" };
    dom.focus(node);
    dom.set(node, "value", value);
    for (const type of ["input", "change"]) dom.dispatchEvent(node, new Event(type, { bubbles: true }));
    return dom.value(node) === value ? {} : { error: `a field that takes ${value}` };
  };

  // A list that drops down is drawn by the browser, beside the page: no mouse of ours gets there.
  surefoot.choose = (id, number) => {
    const node = surefoot.nodeOf(id);
    if (!node || dom.localName(node) !== "select" || dom.disabled(node)) {
      return { error: "a list that drops down" };
    }
    const option = dom.options(node)[Number(number)];
    if (!option || dom.disabled(option)) return { error: `an option of the number ${number}` };
    dom.focus(node);
    dom.set(node, "selectedIndex", Number(number));
    for (const type of ["input", "change"]) dom.dispatchEvent(node, new Event(type, { bubbles: true }));
    return {};
  };
})();
