// Custom elements count as defined, as they did before their scripts were left out.
(document.documentElement.getAttribute("data-surefoot-defined") || "").split(" ").forEach((name) => {
  if (name && !customElements.get(name)) customElements.define(name, class extends HTMLElement {});
});
