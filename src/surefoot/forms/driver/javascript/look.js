// The driver's eyes: where the marked things of a form lie, what its fields hold, what lies
// under a point, and whether the page has come to rest. Nothing here changes the page.
(() => {
  "use strict";
  const { dom } = globalThis.surefoot;
  const look = {};
  let leaving = false;

  // A document that is on its way out is no place to measure or to click.
  globalThis.navigation?.addEventListener("navigate", (event) => {
    if (!event.destination.sameDocument && event.downloadRequest === null) leaving = true;
  });
  globalThis.navigation?.addEventListener("navigateerror", () => {
    leaving = false;
  });
  addEventListener("pageshow", () => {
    leaving = false;
  });

  const quoted = (name) => CSS.escape(name);
  const all = (selector, root = document) => [...dom.querySelectorAll(root, selector)];
  const one = (selector, root = document) => dom.querySelector(root, selector);
  const textOf = (node) => (node ? dom.textContent(node).trim() : "");
  const markOf = (node, mark) => dom.getAttribute(node, `data-${mark}`) ?? "";

  // The marked thing that a node is, or that encloses it.
  const marked = (node, mark) => (node ? dom.closest(node, `[data-${mark}]`) : null);

  function markAround(node, mark) {
    const found = marked(node, mark);
    return found ? markOf(found, mark) : "";
  }

  function rectOf(nodes) {
    const rects = nodes
      .map((node) => dom.getBoundingClientRect(node))
      .filter((rect) => rect.width > 0 && rect.height > 0);
    if (rects.length === 0) return null;
    return [
      Math.min(...rects.map((rect) => rect.left)),
      Math.min(...rects.map((rect) => rect.top)),
      Math.max(...rects.map((rect) => rect.right)),
      Math.max(...rects.map((rect) => rect.bottom)),
    ];
  }

  function visible(node) {
    return dom.checkVisibility(node, { visibilityProperty: true }) && rectOf([node]) !== null;
  }

  const field = (id) => one(`[data-field="${quoted(id)}"]`);
  const controlsOf = (id) => all(`[data-control="${quoted(id)}"]`);

  // Whether a click in the middle would meet it: not scrolled away in a list, not covered.
  function reachable(node) {
    const [left, top, right, bottom] = rectOf([node]);
    const met = dom.elementFromPoint(document, (left + right) / 2, (top + bottom) / 2);
    return met !== null && (dom.contains(node, met) || dom.contains(met, node));
  }

  // Options of a popup may hang at the end of the body, far from their field.
  function ownerOf(option) {
    const inside = marked(option, "field");
    if (inside) return markOf(inside, "field");
    for (let node = option; node; node = dom.parentElement(node)) {
      const id = quoted(dom.getAttribute(node, "id") ?? "");
      const opener = id && one(`[aria-controls~="${id}"], [aria-owns~="${id}"]`);
      if (opener) return markAround(opener, "field");
    }
    return markAround(one('[data-field] [aria-expanded="true"]'), "field");
  }

  function textsOf(control) {
    if (dom.matches(control, "select")) return [...dom.selectedOptions(control)].map((item) => item.value);
    if (dom.type(control) === "checkbox" || dom.type(control) === "radio") {
      const own = dom.getAttribute(control, "value") || "yes";
      const option = marked(control, "option");
      const named = option ? markOf(option, "option") : own === "on" ? "yes" : own;
      return dom.checked(control) ? [named] : [];
    }
    if (dom.type(control) === "file") return [...dom.files(control)].map((file) => file.name);
    return [dom.value(control)];
  }

  const WIDGETS = '[aria-checked="true"], [aria-selected="true"][data-option]';
  const IGNORED =
    'input[type="hidden"], input[type="search"], input[aria-hidden="true"], textarea[aria-hidden="true"]';

  const nativesOf = (root) =>
    all("input, select, textarea", root).filter((item) => !dom.matches(item, IGNORED));

  function valueOf(root) {
    const texts = nativesOf(root).flatMap(textsOf);
    const named = (item) => (marked(item, "option") ? markAround(item, "option") : textOf(item));
    const drawn = all(WIDGETS, root).map(named);
    const received = markOf(root, "value");
    return [...new Set([...texts, ...drawn, received])].filter((item) => item !== "");
  }

  function inputOf(root) {
    const [native] = nativesOf(root);
    if (!native) return "";
    return dom.matches(native, "input") ? dom.type(native) : dom.localName(native);
  }

  // The parts of an option that a click reaches: of a row, its mark and its label.
  function partsOf(option) {
    if (dom.matches(option, "label, option, [role], button")) return [option];
    const parts = all("input, label, button", option).filter(visible);
    return parts.length > 0 ? parts : [option];
  }

  function chosen(option) {
    const native = dom.matches(option, "option") ? option : one("input", option);
    if (native) return Boolean(dom.selected(native) || dom.checked(native));
    return dom.matches(option, '[aria-checked="true"], [aria-selected="true"]');
  }

  function options() {
    const found = { __proto__: null };
    for (const node of all("[data-option]")) {
      const owner = ownerOf(node);
      if (!owner || !visible(node) || !reachable(node)) continue;
      (found[owner] ??= []).push({
        value: markOf(node, "option"),
        box: rectOf(partsOf(node)),
        chosen: chosen(node),
      });
    }
    return found;
  }

  look.fields = () => {
    const offered = options();
    return all("[data-field]")
      .filter(visible)
      .map((root) => ({
        id: markOf(root, "field"),
        box: rectOf(controlsOf(markOf(root, "field"))) ?? rectOf([root]),
        value: valueOf(root),
        input: inputOf(root),
        options: offered[markOf(root, "field")] ?? [],
        error: textOf(one("[data-error]", root)),
        rtl: getComputedStyle(root).direction === "rtl",
      }));
  };

  look.buttons = () =>
    Object.fromEntries(
      all("[data-action]").filter(visible).map((node) => [markOf(node, "action"), rectOf([node])]),
    );

  look.state = () => ({
    page: Number(markAround(one("[data-page]"), "page") || -1),
    done: one('body[data-state="done"]') !== null,
    values: Object.fromEntries(
      all("[data-field]").map((root) => [markOf(root, "field"), valueOf(root)]),
    ),
    focus: focused(),
    wide: Math.ceil(dom.scrollWidth(dom.documentElement(document))),
    tall: Math.ceil(dom.scrollHeight(dom.documentElement(document))),
    errors: all("[data-error]").filter(visible).map((node) => markOf(node, "error")),
  });

  function focused() {
    const active = dom.activeElement(document);
    if (!active || active === dom.body(document)) return "";
    return markAround(active, "field");
  }

  // What a click at this point of the window would meet.
  look.hit = (x, y) => {
    const node = dom.elementFromPoint(document, x, y);
    const row = marked(node, "option");
    const option = row && partsOf(row).some((part) => dom.contains(part, node)) ? row : null;
    const owner = row ? ownerOf(row) : markAround(node, "field");
    return {
      found: node !== null,
      field: owner,
      option: option ? markOf(option, "option") : "",
      action: markAround(node, "action"),
      control: Boolean(owner && dom.closest(node, `[data-control="${quoted(owner)}"]`)),
      box: owner && field(owner) ? rectOf(controlsOf(owner)) : null,
    };
  };

  // Anything by its selector, for pages that are not ours and bear no marks.
  look.things = (selector) =>
    all(selector)
      .filter(visible)
      .map((node) => ({
        text: textOf(node),
        value: String(dom.value(node) ?? ""),
        checked: Boolean(dom.checked(node)),
        box: rectOf([node]),
      }));

  // Scripts that fade or move things do it by inline styles, frame by frame.
  function layout() {
    const parts = [];
    for (const node of dom.querySelectorAll(document, "*")) {
      const rect = dom.getBoundingClientRect(node);
      for (const item of [rect.left, rect.top, rect.width, rect.height]) {
        parts.push(Math.round(item * 8));
      }
      parts.push(dom.getAttribute(node, "style") ?? "");
    }
    return parts.join(",");
  }

  function moving() {
    return dom.getAnimations(document).some((animation) => {
      const endless = !Number.isFinite(animation.effect?.getComputedTiming().endTime);
      return animation.playState === "running" && !endless;
    });
  }

  // A script that has yet to draw its page says so.
  look.busy = () => dom.querySelector(document, '[aria-busy="true"]') !== null;

  function loading() {
    if (leaving || dom.readyState(document) !== "complete") return true;
    if (look.busy()) return true;
    return dom.fonts(document).status !== "loaded" || all("img").some((item) => !item.complete);
  }

  const LONGEST_FRAME = 250;
  function frame() {
    return new Promise((done) => {
      requestAnimationFrame(() => setTimeout(done, 0));
      setTimeout(done, LONGEST_FRAME);
    });
  }

  // Resolve once so many frames in a row are laid out alike and nothing moves or loads, or
  // when the time, in milliseconds, is over; say which.
  look.rest = async (limit, frames) => {
    const end = performance.now() + limit;
    let last = layout();
    let alike = 0;
    while (performance.now() < end) {
      await frame();
      const now = layout();
      alike = now === last && !moving() && !loading() ? alike + 1 : 0;
      if (alike >= frames) return true;
      last = now;
    }
    return false;
  };

  globalThis.surefootLook = look;
})();
