// A question's page in an agent's own browser: brought to rest as a capture brings it, changed by
// the same edits, and listened to.
(() => {
  "use strict";
  const given = GIVEN;
  const KEY = Symbol.for("surefoot.live");
  const surefoot = globalThis.surefoot;
  delete globalThis.surefoot;
  const { dom } = surefoot;
  document.currentScript?.remove();
  const clock = makeClock(given.moment);
  const { native } = clock;
  const Request = XMLHttpRequest;
  const beacon = navigator.sendBeacon.bind(navigator);
  const fetched = fetch.bind(globalThis);
  const closedRoots = [];
  const heard = { click: new Set(), hover: new Set() };
  const load = performance.timeOrigin;
  const isTop = window === top;
  const isHome = isTop && location.pathname + location.search === given.home;
  const RUN_MS = 5000;
  const RERUN_MS = 1000;
  const TICK_MS = 16;
  const RERUNS = 20;
  const PATIENCE_MS = 20_000;
  const POLL_MS = 20;
  const CLICKS = new Set(["click", "mousedown", "mouseup", "pointerdown", "pointerup"]);
  const HOVERS = new Set(["mouseenter", "mouseover", "pointerenter", "pointerover"]);
  let ready = false;
  let cover = null;
  let count = 0;

  const later = (milliseconds) => new Promise((done) => native.setTimeout(done, milliseconds));

  function replace(owner, name, make) {
    const was = owner[name];
    Object.defineProperty(owner, name, { value: make(was), writable: true, configurable: true });
  }

  replace(EventTarget.prototype, "addEventListener", (was) => function addEventListener(type, ...rest) {
    if (this instanceof Node) {
      if (CLICKS.has(type)) heard.click.add(this);
      if (HOVERS.has(type)) heard.hover.add(this);
    }
    return was.call(this, type, ...rest);
  });
  replace(Element.prototype, "attachShadow", (was) => function attachShadow(options) {
    const root = was.call(this, options);
    if (options?.mode === "closed") closedRoots.push(root);
    return root;
  });

  // Every window of this page that a script of its origin may look into.
  const windows = () =>
    surefoot.roots().filter((root) => dom.nodeType(root) === 9).map((root) => dom.defaultView(root));
  const clocks = () => windows().map((view) => view[KEY]?.clock).filter(Boolean);

  // Events name the host of a closed root; what is in it is found by the place or the focus.
  function inmost(event) {
    let node = event.composedPath()[0];
    for (let root = surefoot.shadowOf(node); root; root = surefoot.shadowOf(node)) {
      const inner = "clientX" in event && event.detail + event.clientX + event.clientY
        ? root.elementFromPoint(event.clientX, event.clientY) : root.activeElement;
      if (!inner || inner === node) break;
      node = inner;
    }
    return node.nodeType === 1 ? node : document.body;
  }

  // From what was activated upwards: ids, those of what a node stands for, and a label's control.
  function chainOf(node, stoodFor) {
    const found = [];
    for (let step = node; step; step = surefoot.composedParent(step)) {
      if (dom.nodeType(step) !== 1) continue;
      found.push(surefoot.idOf(step), ...(stoodFor.get(step) ?? []));
      const control = dom.localName(step) === "label" && dom.control(step);
      if (control) found.push(surefoot.idOf(control));
    }
    return found.filter(Boolean);
  }

  // Where an event was, in CSS pixels of the page as it stood at rest.
  function placeOf(event) {
    if (!("clientX" in event) || !event.isTrusted || !event.detail && event.type === "click") return null;
    let [x, y] = [event.clientX, event.clientY];
    let view = event.view ?? window;
    for (; view !== window && view.frameElement; view = view.parent) {
      const frame = view.frameElement;
      const { left, top } = frame.getBoundingClientRect();
      [x, y] = [x + left + frame.clientLeft, y + top + frame.clientTop];
    }
    return [x + window.scrollX, y + window.scrollY];
  }

  let stoodFor = new Map();

  function tell(kind, node, event) {
    count += 1;
    const report = JSON.stringify({
      number: count,
      kind,
      home: isHome,
      chain: isHome ? chainOf(node, stoodFor) : [],
      place: placeOf(event),
      what: `${dom.localName(node)} ${(dom.textContent(node) || "").trim().replace(/\s+/g, " ").slice(0, 60)}`,
      width: innerWidth,
      height: innerHeight,
      scroll: [scrollX, scrollY],
    });
    if (event.type === "pagehide") {
      beacon(given.heard, report);
      return;
    }
    // Nothing goes on until it is kept: neither the page, which may leave, nor who asks the score.
    try {
      const request = new Request();
      request.open("POST", given.heard, false);
      request.send(report);
    } catch {
      beacon(given.heard, report);
    }
  }

  const isReady = () => (isTop ? ready : Boolean(top[KEY]?.isReady()));
  const wake = () => {
    for (const one of clocks()) one.release();
  };
  const listen = (view) => listenIn(view, { native, tell, address: given.script, isReady, wake, inmost });

  function share(value) {
    Object.defineProperty(window, KEY, { value });
  }

  if (!isTop) {
    // The top window knows all ids: what is heard here is told there.
    share({ clock, closedRoots, heard });
    const up = () => top[KEY];
    if (!up() || up().isReady()) clock.release();
    listenIn(window, {
      native,
      tell: (...words) => up()?.tell(...words),
      address: given.script,
      isReady,
      wake: () => up()?.wake(),
      inmost: (event) => (up() ? up().inmost(event) : event.target),
    });
    return;
  }
  share({ clock, closedRoots, heard, isReady, tell, wake, inmost });
  listen(window);

  function veil() {
    cover = new CSSStyleSheet();
    cover.replaceSync("html{opacity:0!important}");
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, cover];
  }

  function unveil() {
    document.adoptedStyleSheets = [...document.adoptedStyleSheets].filter((sheet) => sheet !== cover);
  }

  const asked = async () => (await fetched(given.pending)).json();
  const frame = () =>
    new Promise((done) => {
      native.requestAnimationFrame(() => native.setTimeout(done, 0));
      native.setTimeout(done, 500);
    });

  async function loads(deadline) {
    for (;;) {
      const rest = surefoot.rest(false);
      const { pending, total } = await asked();
      if ((!pending && !rest.loading) || deadline < native.now()) {
        return { ...rest, total };
      }
      await later(POLL_MS);
    }
  }

  async function run(milliseconds) {
    await frame();
    for (const one of clocks()) await one.advance(milliseconds);
  }

  async function settle(first) {
    const deadline = native.now() + PATIENCE_MS;
    let last = first ? await loads(deadline) : { total: (await asked()).total };
    await run(first ? RUN_MS : RERUN_MS);
    for (let times = 0; times <= RERUNS; times += 1) {
      const now = await loads(deadline);
      const same = now.total === last.total;
      last = now;
      if (same) break;
      await run(RERUN_MS);
    }
    surefoot.openRoots(windows().flatMap((view) => view[KEY]?.closedRoots ?? []));
    while (native.now() < deadline) {
      await run(TICK_MS);
      const now = await loads(deadline);
      if (!now.moved && now.layout === last.layout) return;
      last = now;
    }
  }

  const APPLIED = {
    "add-style": ({ css, top_only: topOnly }) => surefoot.addStyle(css, Boolean(topOnly)),
    "enforce-contrast": ({ minimum }) => surefoot.enforceContrast(minimum),
    "scale-text": ({ factor, floor }) => surefoot.scaleText(factor, floor ?? 0),
    reorder: ({ group, order }) => surefoot.reorder(group, order),
    hide: ({ elements }) => surefoot.hide(elements),
  };

  // What listens for clicks: a script's listeners, and what stands in properties.
  function hearNodes() {
    const clicks = new Set();
    const hovers = new Set();
    for (const view of windows()) {
      for (const node of view[KEY]?.heard.click ?? []) clicks.add(node);
      for (const node of view[KEY]?.heard.hover ?? []) hovers.add(node);
    }
    for (const root of surefoot.roots()) {
      for (const node of dom.querySelectorAll(root, "*")) {
        if ([...CLICKS].some((type) => typeof node[`on${type}`] === "function")) clicks.add(node);
        if ([...HOVERS].some((type) => typeof node[`on${type}`] === "function")) hovers.add(node);
      }
    }
    surefoot.listening([...clicks]);
    surefoot.hovering([...hovers]);
  }

  function change() {
    const edits = isHome ? given.edits : given.edits.filter(({ type }) => type !== "reorder" && type !== "hide");
    for (const edit of edits) {
      const done = APPLIED[edit.type](edit);
      if (done.error) return done.error;
    }
    // A browser of another width than was told shows the page as large by its own zoom.
    if (given.zoom !== 1 && Math.abs(innerWidth - given.width) > 1) {
      surefoot.addStyle(`:root{zoom:${given.zoom}}`, true);
    }
    return "";
  }

  async function prepare() {
    await settle(true);
    hearNodes();
    unveil();
    surefoot.outline();
    const error = change();
    await settle(false);
    const { elements } = surefoot.collect({ scale: 1, hits: true, full: false, height: 0 });
    stoodFor = new Map();
    for (const { id } of elements) {
      for (const shown of surefoot.shownFor(id)) {
        if (surefoot.idOf(shown) !== id) stoodFor.set(shown, [...(stoodFor.get(shown) ?? []), id]);
      }
    }
    // Frames without a document of their own have had no script of ours.
    for (const view of windows()) if (!view[KEY]) listen(view);
    return { error, width: innerWidth, height: innerHeight, elements: elements.map(({ id, box }) => ({ id, box })) };
  }

  async function begin() {
    let state = { error: "", width: innerWidth, height: innerHeight, elements: [] };
    try {
      if (isHome) {
        state = await prepare();
      } else {
        await settle(true);
        change();
        unveil();
      }
    } catch (error) {
      unveil();
      state.error = String(error);
    }
    for (const one of clocks()) one.stand();
    ready = true;
    if (isHome) await fetched(`${given.ready}?${load}`, { method: "POST", body: JSON.stringify(state) });
    if (!isHome) wake();
  }

  veil();
  // Whoever waits for the network to be idle waits until the page is ready.
  if (isHome) fetched(`${given.idle}?${load}`).catch(() => {});
  window.addEventListener("load", () => native.setTimeout(begin, 0));
})();
