// Bring a page to rest: nothing moves, blinks, loads or has the focus.
(() => {
  "use strict";
  const surefoot = globalThis.surefoot;
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
    PARTS.map(
      (part) =>
        `*::${part} { transition: none !important;` +
        " animation-duration: 0s !important; animation-delay: 0s !important; }",
    ).join("");
  const quiet = new Map();

  function windowOf(root) {
    return (root.nodeType === 9 ? root : root.ownerDocument).defaultView;
  }

  // Adopted sheets come last in the cascade, need no node of the page and obey no CSP.
  function adopt(root, css) {
    const view = windowOf(root);
    const sheet = new view.CSSStyleSheet();
    sheet.replaceSync(css);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    return sheet;
  }

  function silence(roots) {
    for (const root of roots) {
      const sheet = quiet.get(root);
      if (!sheet || !root.adoptedStyleSheets.includes(sheet)) quiet.set(root, adopt(root, QUIET));
    }
  }

  // Finite motion goes to its end, endless motion to its beginning.
  function freeze(roots) {
    let moved = 0;
    for (const root of roots) {
      for (const animation of root.getAnimations()) {
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
    }
    return moved;
  }

  function stopMedia(roots) {
    for (const root of roots) {
      for (const media of root.querySelectorAll("video, audio")) {
        media.autoplay = false;
        if (!media.paused) media.pause();
        if (media.currentTime !== 0) media.currentTime = 0;
      }
    }
  }

  // Frames are not clipped to tiles, so their windows are reset like the page's own.
  function reset(roots) {
    for (const root of roots) {
      const active = root.activeElement;
      if (active && active !== root.body && active.blur) active.blur();
      if (root.nodeType === 9) root.defaultView.scrollTo({ left: 0, top: 0, behavior: "instant" });
    }
    if (!document.hasFocus()) return;
    const chosen = getSelection();
    if (chosen && chosen.rangeCount) chosen.removeAllRanges();
  }

  function loading(roots) {
    let count = 0;
    for (const root of roots) {
      if (root.nodeType === 9 && root.fonts.status !== "loaded") count += 1;
      for (const image of root.querySelectorAll("img")) {
        image.decoding = "sync";
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
      for (const node of root.querySelectorAll("*")) {
        const rect = node.getBoundingClientRect();
        hash = mixNumber(mixNumber(hash, rect.left), rect.top);
        hash = mixNumber(mixNumber(hash, rect.width), rect.height);
        if (node.childElementCount === 0) hash = mixText(hash, node.textContent.slice(0, 200));
      }
    }
    return hash;
  }

  // One look: what is still loading, how much motion was stopped, and the layout.
  surefoot.rest = () => {
    const roots = surefoot.roots();
    silence(roots);
    stopMedia(roots);
    reset(roots);
    const moved = freeze(roots);
    return { loading: loading(roots), moved, layout: fingerprint(roots), nodes: surefoot.nodeCount() };
  };

  // A task after a frame comes after that frame's resize and intersection observers. These
  // are the browser's own frames and timers: the page's clock stands still.
  const LONGEST_FRAME_MS = 500;
  surefoot.nextFrame = () =>
    new Promise((done) => {
      requestAnimationFrame(() => setTimeout(done, 0));
      setTimeout(done, LONGEST_FRAME_MS);
    }).then(() => "");

  surefoot.freeze = () => freeze(surefoot.roots());

  surefoot.size = () => ({
    width: innerWidth,
    height: innerHeight,
    wide: document.documentElement.scrollWidth,
    tall: Math.max(
      document.documentElement.scrollHeight,
      document.body ? document.body.scrollHeight * (document.compatMode === "BackCompat") : 0,
    ),
    top: window.scrollY,
  });

  Object.assign(surefoot, { adopt });
})();
