// Bring a page to rest: nothing moves, blinks, loads or has the focus.
(() => {
  "use strict";
  const surefoot = globalThis.surefoot;
  const { dom } = surefoot;
  // Parts that the browser itself puts into controls and boxes. "*" does not match them and no
  // list of animations names theirs. A rule for each: an unknown name spoils only its own.
  const PARTS = [
    "placeholder", "file-selector-button", "marker", "backdrop", "details-content", "checkmark",
    "picker-icon", "picker(select)", "-webkit-slider-thumb", "-webkit-slider-runnable-track",
    "-webkit-progress-bar", "-webkit-progress-value", "-webkit-meter-bar",
    "-webkit-meter-inner-element", "-webkit-meter-optimum-value",
    "-webkit-meter-suboptimum-value", "-webkit-meter-even-less-good-value",
    "-webkit-search-cancel-button", "-webkit-inner-spin-button",
    "-webkit-calendar-picker-indicator", "-webkit-color-swatch", "-webkit-datetime-edit",
    "-webkit-scrollbar", "-webkit-scrollbar-thumb", "-webkit-scrollbar-track",
  ];
  const QUIET =
    "*, *::before, *::after { caret-color: transparent !important;" +
    " transition: none !important; scroll-behavior: auto !important; }" +
    // The browser moves the native look of a bar without a value; its beginning is an empty bar.
    " progress:indeterminate { appearance: none !important; }" +
    " :where(progress:indeterminate)::-webkit-progress-bar { background-color: #efefef; }" +
    PARTS.map(
      (part) =>
        `*::${part} { transition: none !important;` +
        " animation-duration: 0s !important; animation-delay: 0s !important; }",
    ).join("");
  const quiet = new Map();

  function windowOf(root) {
    return dom.defaultView(dom.nodeType(root) === 9 ? root : dom.ownerDocument(root));
  }

  // Adopted sheets come last in the cascade, need no node of the page and obey no CSP.
  function adopt(root, css) {
    const view = windowOf(root);
    const sheet = new view.CSSStyleSheet();
    sheet.replaceSync(css);
    dom.set(root, "adoptedStyleSheets", [...dom.adoptedStyleSheets(root), sheet]);
    return sheet;
  }

  function silence(roots) {
    for (const root of roots) {
      const sheet = quiet.get(root);
      if (!sheet || !dom.adoptedStyleSheets(root).includes(sheet)) quiet.set(root, adopt(root, QUIET));
    }
  }

  // Whether a sheet is our own, also one that another world of ours has adopted.
  const textOf = (sheet) => [...sheet.cssRules].map((rule) => rule.cssText).join();
  surefoot.isQuiet = (root, sheet) => quiet.has(root) && textOf(quiet.get(root)) === textOf(sheet);

  // Finite motion goes to its end, endless motion to its beginning.
  let stopped = 0;
  function freeze(roots) {
    let moved = 0;
    for (const root of roots) {
      for (const animation of dom.getAnimations(root)) {
        const endless = !Number.isFinite(animation.effect?.getComputedTiming().endTime);
        if (!endless && animation.playState !== "finished") {
          animation.finish();
          moved += 1;
        } else if (endless && !(animation.playState === "paused" && animation.currentTime === 0)) {
          animation.pause();
          animation.currentTime = 0;
          moved += 1;
        }
      }
      // The browser moves these by animations that no script can take hold of.
      for (const marquee of dom.querySelectorAll(root, "marquee")) {
        if (marquee.scrollAmount > 0 && marquee.getClientRects().length) moved += 1;
      }
    }
    stopped += moved;
    return moved;
  }

  function stopMedia(roots) {
    for (const root of roots) {
      for (const media of dom.querySelectorAll(root, "video, audio")) {
        media.autoplay = false;
        if (!media.paused) media.pause();
        if (media.currentTime !== 0) media.currentTime = 0;
      }
    }
  }

  // Frames are not clipped to tiles, so their windows are reset like the page's own.
  function reset(roots, acted) {
    for (const root of roots) {
      const active = dom.activeElement(root);
      if (!acted && active && active !== dom.body(root)) dom.blur(active);
      if (dom.nodeType(root) === 9) dom.defaultView(root).scrollTo({ left: 0, top: 0, behavior: "instant" });
    }
    if (acted || !dom.hasFocus(document)) return;
    const chosen = getSelection();
    if (chosen && chosen.rangeCount) chosen.removeAllRanges();
  }

  function loading(roots) {
    let count = 0;
    for (const root of roots) {
      if (dom.nodeType(root) === 9 && dom.fonts(root).status !== "loaded") count += 1;
      for (const image of dom.querySelectorAll(root, "img")) {
        // Once: a page may watch its attributes, and what writes none tells who else does.
        if (dom.getAttribute(image, "decoding") !== "sync") image.decoding = "sync";
        if (!image.complete && image.loading !== "lazy") count += 1;
      }
    }
    return count;
  }

  function mixNumber(hash, value) {
    return Math.imul(hash ^ Math.round(value * 64), 0x01000193) >>> 0;
  }

  function mixText(hash, text) {
    let mixed = hash;
    for (let index = 0; index < text.length; index += 1) {
      mixed = Math.imul(mixed ^ text.charCodeAt(index), 0x01000193) >>> 0;
    }
    return mixed;
  }

  // Where everything lies and what it says, in one number.
  function fingerprint(roots) {
    let hash = 0x811c9dc5;
    for (const root of roots) {
      for (const node of dom.querySelectorAll(root, "*")) {
        const rect = dom.getBoundingClientRect(node);
        hash = mixNumber(mixNumber(hash, rect.left), rect.top);
        hash = mixNumber(mixNumber(hash, rect.width), rect.height);
        if (dom.childElementCount(node) === 0) hash = mixText(hash, dom.textContent(node).slice(0, 200));
      }
    }
    return hash;
  }

  surefoot.layout = () => fingerprint(surefoot.roots());

  // Whether something that is seen says that more is to come.
  const WAITING = "[aria-busy=true],[role=progressbar]:not([aria-valuenow]),progress:not([value])";
  const WAITING_CLASS = /(^|[-_])(spinner|loading|loader|skeleton|shimmer|placeholder-glow)([-_]|$)/i;
  surefoot.isBusy = () =>
    surefoot.roots().some((root) =>
      [...dom.querySelectorAll(root, "*")].some((node) => {
        const waits = dom.matches(node, WAITING) || [...dom.classList(node)].some((name) => WAITING_CLASS.test(name));
        const { width, height } = waits ? dom.getBoundingClientRect(node) : { width: 0, height: 0 };
        return width > 0 && height > 0 && surefoot.shown(node);
      }),
    );

  // One look: what is still loading, how much motion was stopped, and the layout.
  surefoot.rest = (acted) => {
    const roots = surefoot.roots();
    silence(roots);
    stopMedia(roots);
    reset(roots, acted);
    const moved = freeze(roots);
    return { loading: loading(roots), moved, layout: fingerprint(roots) };
  };

  // A task after a frame comes after that frame's resize and intersection observers. These
  // are the browser's own frames and timers: the page's clock stands still.
  const LONGEST_FRAME_MS = 500;
  const LONGEST_IDLE_MS = 100;
  surefoot.nextFrame = () =>
    new Promise((done) => {
      requestAnimationFrame(() => setTimeout(done, 0));
      setTimeout(done, LONGEST_FRAME_MS);
    }).then(() => "");

  // Do something after a frame, once scripts have nothing more to do: messages that they send
  // themselves come first.
  surefoot.afterFrame = (work) =>
    surefoot.nextFrame()
      .then(() => new Promise((done) => requestIdleCallback(done, { timeout: LONGEST_IDLE_MS })))
      .then(work);

  surefoot.freeze = () => freeze(surefoot.roots());

  // How much motion was ever stopped: the page hears of its end.
  surefoot.stopped = () => stopped;

  // In quirks mode it is the body that scrolls.
  function quirkyHeight() {
    const body = dom.body(document);
    return body && dom.compatMode(document) === "BackCompat" ? dom.scrollHeight(body) : 0;
  }

  surefoot.size = () => ({
    width: innerWidth,
    height: innerHeight,
    wide: dom.scrollWidth(dom.documentElement(document)),
    tall: Math.max(dom.scrollHeight(dom.documentElement(document)), quirkyHeight()),
    top: window.scrollY,
  });

  Object.assign(surefoot, { adopt, windowOf });
})();
