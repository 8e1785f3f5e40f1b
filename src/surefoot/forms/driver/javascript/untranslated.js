// A browser that shows itself offers to translate a page, over the page: it is asked not to.
addEventListener("DOMContentLoaded", () => {
  const meta = document.createElement("meta");
  meta.name = "google";
  meta.content = "notranslate";
  document.head.append(meta);
});
