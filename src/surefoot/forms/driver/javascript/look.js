// The driver's eyes: where the marked things of a form lie, what its fields hold, what lies
// under a point, and whether the page has come to rest. Nothing here changes the page.
(() => {
  "use strict";
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
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  function rectOf(nodes) {
    const rects = nodes
      .map((node) => node.getBoundingClientRect())
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
    return node.checkVisibility({ visibilityProperty: true }) && rectOf([node]) !== null;
  }

  const field = (id) => document.querySelector(`[data-field="${quoted(id)}"]`);
  const controlsOf = (id) => all(`[data-control="${quoted(id)}"]`);

  // Whether a click in the middle would meet it: not scrolled away in a list, not covered.
  function reachable(node) {
    const [left, top, right, bottom] = rectOf([node]);
    const met = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return met !== null && (node.contains(met) || met.contains(node));
  }

  // Options of a popup may hang at the end of the body, far from their field.
  function ownerOf(option) {
    const inside = option.closest("[data-field]");
    if (inside) return inside.dataset.field;
    for (let node = option; node; node = node.parentElement) {
      const opener =
        node.id &&
        document.querySelector(`[aria-controls~="${quoted(node.id)}"], [aria-owns~="${quoted(node.id)}"]`);
      if (opener) return opener.closest("[data-field]")?.dataset.field ?? "";
    }
    const open = document.querySelector('[data-field] [aria-expanded="true"]');
    return open?.closest("[data-field]").dataset.field ?? "";
  }

  function textsOf(control) {
    if (control.matches("select")) return [...control.selectedOptions].map((item) => item.value);
    if (control.type === "checkbox" || control.type === "radio") {
      const own = control.getAttribute("value") || "yes";
      const named = control.closest("[data-option]")?.dataset.option ?? (own === "on" ? "yes" : own);
      return control.checked ? [named] : [];
    }
    if (control.type === "file") return [...control.files].map((file) => file.name);
    return [control.value];
  }

  const WIDGETS = '[aria-checked="true"], [aria-selected="true"][data-option]';
  const IGNORED =
    'input[type="hidden"], input[type="search"], input[aria-hidden="true"], textarea[aria-hidden="true"]';

  function valueOf(root) {
    const native = all("input, select, textarea", root).filter((item) => !item.matches(IGNORED));
    const texts = native.flatMap(textsOf);
    const named = (item) => item.dataset.option ?? item.closest("[data-option]")?.dataset.option;
    const drawn = all(WIDGETS, root).map((item) => named(item) ?? item.textContent.trim());
    const received = root.dataset.value === undefined ? [] : [root.dataset.value];
    return [...new Set([...texts, ...drawn, ...received])].filter((item) => item !== "");
  }

  function inputOf(root) {
    const native = all("input, select, textarea", root).find((item) => !item.matches(IGNORED));
    if (!native) return "";
    return native.matches("input") ? native.type : native.localName;
  }

  function chosen(option) {
    const native = option.matches("option") ? option : option.querySelector("input");
    if (native) return Boolean(native.selected ?? native.checked) || native.checked === true;
    return option.matches('[aria-checked="true"], [aria-selected="true"]');
  }

  function options() {
    const found = {};
    for (const node of all("[data-option]")) {
      const owner = ownerOf(node);
      if (!owner || !visible(node) || !reachable(node)) continue;
      (found[owner] ??= []).push({
        value: node.dataset.option,
        box: rectOf([node]),
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
        id: root.dataset.field,
        box: rectOf(controlsOf(root.dataset.field)) ?? rectOf([root]),
        value: valueOf(root),
        input: inputOf(root),
        options: offered[root.dataset.field] ?? [],
        error: root.querySelector("[data-error]")?.textContent.trim() ?? "",
        rtl: getComputedStyle(root).direction === "rtl",
      }));
  };

  look.buttons = () =>
    Object.fromEntries(
      all("[data-action]").filter(visible).map((node) => [node.dataset.action, rectOf([node])]),
    );

  look.state = () => ({
    page: Number(document.querySelector("[data-page]")?.dataset.page ?? -1),
    done: document.body?.dataset.state === "done",
    values: Object.fromEntries(
      all("[data-field]").map((root) => [root.dataset.field, valueOf(root)]),
    ),
    focus: focused(),
    wide: Math.ceil(document.documentElement.scrollWidth),
    tall: Math.ceil(document.documentElement.scrollHeight),
    errors: all("[data-error]").filter(visible).map((node) => node.dataset.error),
  });

  function focused() {
    const active = document.activeElement;
    if (!active || active === document.body) return "";
    return active.closest("[data-field]")?.dataset.field ?? "";
  }

  // What a click at this point of the window would meet.
  look.hit = (x, y) => {
    const node = document.elementFromPoint(x, y);
    const option = node?.closest("[data-option]") ?? null;
    const owner = option ? ownerOf(option) : (node?.closest("[data-field]")?.dataset.field ?? "");
    return {
      found: node !== null,
      field: owner,
      option: option?.dataset.option ?? "",
      action: node?.closest("[data-action]")?.dataset.action ?? "",
      control: Boolean(owner && node.closest(`[data-control="${quoted(owner)}"]`)),
      box: owner && field(owner) ? rectOf(controlsOf(owner)) : null,
    };
  };

  // Anything by its selector, for pages that are not ours and bear no marks.
  look.things = (selector) =>
    all(selector)
      .filter(visible)
      .map((node) => ({
        text: node.textContent.trim(),
        value: String(node.value ?? ""),
        checked: Boolean(node.checked),
        box: rectOf([node]),
      }));

  // Scripts that fade or move things do it by inline styles, frame by frame.
  function layout() {
    const parts = [];
    for (const node of document.querySelectorAll("*")) {
      const rect = node.getBoundingClientRect();
      for (const item of [rect.left, rect.top, rect.width, rect.height]) {
        parts.push(Math.round(item * 8));
      }
      parts.push(node.getAttribute("style") ?? "");
    }
    return parts.join(",");
  }

  function moving() {
    return document.getAnimations().some((animation) => {
      const endless = !Number.isFinite(animation.effect?.getComputedTiming().endTime);
      return animation.playState === "running" && !endless;
    });
  }

  // A script that has yet to draw its page says so.
  look.busy = () => document.querySelector('[aria-busy="true"]') !== null;

  function loading() {
    if (leaving || document.readyState !== "complete") return true;
    if (look.busy()) return true;
    return document.fonts.status !== "loaded" || all("img").some((item) => !item.complete);
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
