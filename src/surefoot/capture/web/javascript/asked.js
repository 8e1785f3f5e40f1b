// Facts by which a page is told from the sign-in page, or the error, that came in its place.
(() => {
  "use strict";
  const surefoot = globalThis.surefoot;
  const { dom } = surefoot;
  const LINES = new Set(["text", "email", "tel", "password", "number", "url", "search"]);
  const MOST_FIELDS = 3;
  const LONGEST = 200;

  const seen = (node) => {
    const { width, height } = dom.getBoundingClientRect(node);
    return width > 0 && height > 0 && surefoot.shown(node);
  };
  const filled = (node) => dom.getAttribute(node, "autocomplete") || "";

  // One password that is not a new one, beside a field for who it is: nothing else asks for so little.
  function asksWho(fields) {
    const secret = fields.filter((node) => dom.type(node) === "password");
    const others = fields.filter((node) => !secret.includes(node) && dom.type(node) !== "search");
    const few = secret.length === 1 && others.length >= 1 && others.length < MOST_FIELDS;
    return few && !/new-password/.test(filled(secret[0]));
  }

  // Where the links that are seen lead to, with their words.
  surefoot.links = () =>
    surefoot.roots().flatMap((root) =>
      [...dom.querySelectorAll(root, "a[href]")].filter(seen).map((node) =>
        [String(node.href), String(dom.textContent(node) || "").trim().slice(0, LONGEST)]),
    );

  // What scripts have kept by now; a page without an origin of its own has no such place.
  surefoot.stored = () => {
    const kept = [];
    for (const read of [() => localStorage, () => sessionStorage]) {
      try {
        kept.push(...Object.entries(read()).map(([name, value]) => [name, String(value)]));
      } catch {
        continue;
      }
    }
    return kept;
  };

  surefoot.facts = (selectors) => {
    const roots = surefoot.roots();
    const all = (selector) => roots.flatMap((root) => [...dom.querySelectorAll(root, selector)]);
    const forms = new Map();
    for (const node of all("input")) {
      if (!LINES.has(dom.type(node)) || !seen(node)) continue;
      const form = dom.closest(node, "form,[role=form],dialog,[role=dialog]") || dom.getRootNode(node);
      forms.set(form, [...(forms.get(form) || []), node]);
    }
    const heads = all("h1,h2,[role=alert],[role=heading]").filter(seen);
    const lacking = [];
    for (const selector of selectors) {
      try {
        if (!all(selector).some(seen)) lacking.push(selector);
      } catch {
        lacking.push(selector);
      }
    }
    return {
      sign_in: [...forms.values()].some(asksWho),
      heads: [dom.title(document), ...heads.map((node) => dom.textContent(node))].map((text) =>
        String(text || "").trim().slice(0, LONGEST)),
      lacking,
    };
  };
})();
