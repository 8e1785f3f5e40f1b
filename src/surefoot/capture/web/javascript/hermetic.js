// Runs in every window before the page's own scripts, and makes each load the same: what is
// random is drawn from the seed, what tells the time tells the page's own clock, and realms that
// no script of ours comes before (workers, worklets) do not begin. WebRTC is gone, whose UDP
// would go round the proxy that holds the page.
(() => {
  let state = SEED >>> 0;
  const drawInteger = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const fillBytes = (bytes) => {
    for (let index = 0; index < bytes.length; index += 1) bytes[index] = drawInteger() & 0xff;
    return bytes;
  };
  const drawUuid = () => {
    const bytes = fillBytes(new Uint8Array(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  };

  // Interfaces differ from one Chromium and one kind of page to the next.
  const prototypeOf = (name) => globalThis[name]?.prototype;
  const replaceMethod = (prototype, name, make) => {
    const native = prototype && Object.getOwnPropertyDescriptor(prototype, name);
    if (native) Object.defineProperty(prototype, name, { ...native, value: make(native.value) });
  };
  const replaceGetter = (prototype, name, make) => {
    const native = prototype && Object.getOwnPropertyDescriptor(prototype, name)?.get;
    if (!native) return;
    const own = make(native);
    const get = function () { return own(this); };
    Object.defineProperty(prototype, name, { get, configurable: true, enumerable: true });
  };
  // For attributes that may be set: what sets them stays.
  const replaceRead = (prototype, name, make) => {
    const native = prototype && Object.getOwnPropertyDescriptor(prototype, name);
    if (!native?.get) return;
    const own = make(native.get);
    Object.defineProperty(prototype, name, { ...native, get() { return own(this); } });
  };
  const refuse = (what, why) => {
    console.error(`surefoot refuses ${what}: ${why}`);
    return new DOMException(`${what}: ${why}`, "NotSupportedError");
  };

  Object.defineProperty(Math, "random", {
    value: () => drawInteger() / 4294967296, writable: true, configurable: true,
  });
  sealCrypto();
  sealIds();
  sealClocks();
  sealConstructors();
  sealEntries();
  sealAnimations();
  sealMachine();
  refuseRealms();
  rememberWords();
  countDoings();
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "WebTransport"]) {
    delete globalThis[name];
  }

  function sealCrypto() {
    // The native function goes first: it refuses what cannot be filled.
    replaceMethod(prototypeOf("Crypto"), "getRandomValues", (native) => function getRandomValues(array) {
      native.call(this, array);
      fillBytes(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
      return array;
    });
    replaceMethod(prototypeOf("Crypto"), "randomUUID", () => function randomUUID() { return drawUuid(); });
    const subtle = prototypeOf("SubtleCrypto");
    if (!subtle) return;
    const nameOf = (algorithm) => String(algorithm?.name ?? algorithm).toUpperCase();
    const secret = "a random number that no seed gives";
    const generate = async (algorithm, extractable, usages) => {
      const name = nameOf(algorithm);
      const blocks = { "SHA-1": 512, "SHA-256": 512, "SHA-384": 1024, "SHA-512": 1024 };
      const length = algorithm.length ?? blocks[nameOf(algorithm.hash)];
      if (!/^(AES-|HMAC)/.test(name) || !(length > 0 && length <= 65_536)) {
        throw refuse(`a key of ${name}`, secret);
      }
      const bytes = fillBytes(new Uint8Array(Math.ceil(length / 8)));
      return crypto.subtle.importKey("raw", bytes, { ...algorithm, name }, extractable, usages);
    };
    replaceMethod(subtle, "generateKey", () => function generateKey(...given) { return generate(...given); });
    // What draws a nonce, a salt or a padding by itself.
    const drawing = {
      encrypt: /^RSA/, wrapKey: /^RSA/, sign: /^(ECDSA|RSA-PSS|ML-DSA)/,
      encapsulateKey: /./, encapsulateBits: /./,
    };
    for (const [method, names] of Object.entries(drawing)) {
      replaceMethod(subtle, method, (native) => async function (...given) {
        const name = nameOf(given[method === "wrapKey" ? 3 : 0]);
        if (names.test(name)) throw refuse(`${method} with ${name}`, secret);
        return native.apply(this, given);
      });
    }
  }

  // Identifiers that the browser draws: one of ours for each of its own.
  function sealIds() {
    const ours = new Map();
    const sealed = (id) => {
      if (id && !ours.has(id)) ours.set(id, drawUuid());
      return ours.get(id) ?? id;
    };
    for (const [type, name] of [
      ["MediaStream", "id"], ["MediaStreamTrack", "id"],
      ["NavigationHistoryEntry", "id"], ["NavigationHistoryEntry", "key"],
    ]) {
      replaceGetter(prototypeOf(type), name, (native) => (owner) => sealed(native.call(owner)));
    }
    replaceMethod(prototypeOf("Navigation"), "traverseTo", (native) => function traverseTo(key, ...rest) {
      const known = [...ours].find(([, own]) => own === key);
      return native.call(this, known ? known[0] : key, ...rest);
    });
  }

  // The page's clock is in place before its first script, but not yet here: it is asked late.
  function sealClocks() {
    const padded = (number) => String(number).padStart(2, "0");
    const joined = (separator, numbers) => numbers.map(padded).join(separator);
    replaceGetter(prototypeOf("Document"), "lastModified", () => () => {
      const now = new Date();
      const day = joined("/", [now.getMonth() + 1, now.getDate(), now.getFullYear()]);
      return `${day} ${joined(":", [now.getHours(), now.getMinutes(), now.getSeconds()])}`;
    });
    const { File, DocumentTimeline } = globalThis;
    globalThis.File = File.prototype.constructor = new Proxy(File, {
      construct: (target, [bits, name, options, ...rest], as) =>
        Reflect.construct(target, [bits, name, { lastModified: Date.now(), ...options }, ...rest], as),
    });
    replaceGetter(prototypeOf("AnimationTimeline"), "currentTime", (native) => (timeline) =>
      timeline instanceof DocumentTimeline ? performance.now() : native.call(timeline));
    AbortSignal.timeout = (milliseconds) => {
      const controller = new AbortController();
      const late = () => controller.abort(new DOMException("signal timed out", "TimeoutError"));
      setTimeout(late, milliseconds);
      return controller.signal;
    };
    replaceMethod(prototypeOf("Scheduler"), "postTask", (native) => function postTask(task, options = {}) {
      const { delay = 0, ...others } = options;
      if (!(delay > 0)) return native.call(this, task, others);
      return new Promise((resolve) => setTimeout(resolve, delay)).then(() => native.call(this, task, others));
    });
  }

  // What is written on a canvas stands in no node: it is remembered until the canvas is cleared.
  function rememberWords() {
    const written = new WeakMap();
    const drawing = prototypeOf("CanvasRenderingContext2D");
    for (const name of ["fillText", "strokeText"]) {
      replaceMethod(drawing, name, (native) => function (text, ...place) {
        native.call(this, text, ...place);
        const words = written.get(this.canvas) ?? new Set();
        if (words.size < 200) words.add(String(text).slice(0, 200));
        written.set(this.canvas, words);
      });
    }
    replaceMethod(drawing, "clearRect", (native) => function (x, y, width, height) {
      native.call(this, x, y, width, height);
      const all = x <= 0 && y <= 0 && width >= this.canvas.width && height >= this.canvas.height;
      if (all) written.delete(this.canvas);
    });
    const found = () => [...document.querySelectorAll("canvas")].map((canvas) => [...(written.get(canvas) ?? [])]);
    Object.defineProperty(globalThis, Symbol.for("surefoot.canvases"), { value: found });
  }

  // How often a script heard of what was changed, gave a node a shadow, and asked to hear of sizes
  // and places: who edits the page has to know. Functions of the browser's own stay what they are
  // to whoever looks at them.
  function countDoings() {
    const counts = { called: 0, attached: 0, watched: 0 };
    const counting = (what) => (native) => new Proxy(native, {
      apply(target, self, given) {
        counts[what] += 1;
        return Reflect.apply(target, self, given);
      },
    });
    replaceMethod(prototypeOf("Element"), "attachShadow", counting("attached"));
    for (const name of ["ResizeObserver", "IntersectionObserver"]) {
      replaceMethod(prototypeOf(name), "observe", counting("watched"));
    }
    const { MutationObserver } = globalThis;
    const hearing = (callback) => typeof callback !== "function" ? callback : function (...given) {
      counts.called += 1;
      return Reflect.apply(callback, this, given);
    };
    globalThis.MutationObserver = MutationObserver.prototype.constructor = new Proxy(MutationObserver, {
      construct: (target, [callback, ...rest], as) => Reflect.construct(target, [hearing(callback), ...rest], as),
    });
    Object.defineProperty(globalThis, Symbol.for("surefoot.counts"), { value: counts });
  }

  // The page's clock puts its own in the place of these, but not of what a prototype names.
  function sealConstructors() {
    const named = { Date: () => globalThis.Date, DateTimeFormat: () => globalThis.Intl.DateTimeFormat };
    for (const [name, current] of Object.entries(named)) {
      const prototype = current().prototype;
      let given = null;
      Object.defineProperty(prototype, "constructor", {
        get: () => given ?? current(),
        set(own) {
          if (this === prototype) given = own;
          else Object.defineProperty(this, "constructor", { value: own, writable: true, configurable: true, enumerable: true });
        },
        configurable: true,
      });
    }
  }

  // Entries tell by the real clock when the browser did what, and how many there are depends on
  // how fast it was. The page's own performance has none, so that no observer hears of any.
  function sealEntries() {
    const prototypes = Object.getOwnPropertyNames(globalThis)
      .filter((name) => /^[A-Z]/.test(name))
      .map((name) => Object.getOwnPropertyDescriptor(globalThis, name)?.value?.prototype);
    const entry = prototypeOf("PerformanceEntry");
    for (const prototype of prototypes) {
      const timed = prototype && entry && (prototype === entry || entry.isPrototypeOf(prototype));
      for (const name of timed ? Object.getOwnPropertyNames(prototype) : []) {
        replaceGetter(prototype, name, (native) => (owner) => {
          const value = native.call(owner);
          return typeof value === "number" ? 0 : value;
        });
      }
    }
    replaceMethod(entry, "toJSON", () => function toJSON() {
      return { name: this.name, entryType: this.entryType, startTime: 0, duration: 0 };
    });
    for (const name of ["PerformanceObserver", "ReportingObserver"]) {
      replaceMethod(prototypeOf(name), "observe", () => function observe() {});
      replaceMethod(prototypeOf(name), "takeRecords", () => function takeRecords() { return []; });
    }
    replaceMethod(prototypeOf("PressureObserver"), "observe", () => async function observe() {});
    replaceGetter(prototypeOf("IntersectionObserverEntry"), "time", () => () => performance.now());
  }

  // An animation runs by the browser's clock; scripts are told how far it is by the page's.
  function sealAnimations() {
    const begun = new WeakMap();
    const now = () => performance.now();
    const isRunning = (animation) =>
      animation.playState === "running" && !(animation.timeline && animation.timeline !== document.timeline);
    const since = (animation) => {
      if (!begun.has(animation)) begun.set(animation, now());
      return begun.get(animation);
    };
    const prototype = prototypeOf("Animation");
    replaceRead(prototype, "startTime", (native) => (animation) => {
      const value = native.call(animation);
      return value !== null && isRunning(animation) ? since(animation) : value;
    });
    replaceRead(prototype, "currentTime", (native) => (animation) => {
      const value = native.call(animation);
      if (value === null || !isRunning(animation)) return value;
      return (now() - since(animation)) * animation.playbackRate;
    });
  }

  // What describes the machine is the same on every machine.
  function sealMachine() {
    const fixed = {
      NetworkInformation: { rtt: 0, downlink: 10, effectiveType: "4g", saveData: false },
      Navigator: { hardwareConcurrency: 8, deviceMemory: 8, cpuPerformance: 0 },
      BatteryManager: { charging: true, chargingTime: 0, dischargingTime: Infinity, level: 1 },
      AudioContext: { baseLatency: 0.01, outputLatency: 0 },
      Gamepad: { timestamp: 0 },
    };
    for (const [type, values] of Object.entries(fixed)) {
      for (const [name, value] of Object.entries(values)) {
        replaceGetter(prototypeOf(type), name, () => () => value);
      }
    }
    const heap = { jsHeapSizeLimit: 4294705152, totalJSHeapSize: 10000000, usedJSHeapSize: 10000000 };
    Object.defineProperty(console, "memory", { get: () => ({ ...heap }), configurable: true });
    const answers = {
      MediaDevices: { enumerateDevices: () => [] },
      StorageManager: { estimate: () => ({ quota: 10737418240, usage: 0, usageDetails: {} }) },
      Keyboard: { getLayoutMap: () => new Map() },
    };
    for (const [type, methods] of Object.entries(answers)) {
      for (const [name, answer] of Object.entries(methods)) {
        replaceMethod(prototypeOf(type), name, () => async () => answer());
      }
    }
    replaceMethod(prototypeOf("SpeechSynthesis"), "getVoices", () => function getVoices() { return []; });
    replaceMethod(prototypeOf("MediaCapabilities"), "decodingInfo", (native) => async function (given) {
      const found = await native.call(this, given);
      return { ...found, powerEfficient: false, smooth: false };
    });
    replaceMethod(prototypeOf("NavigatorUAData"), "getHighEntropyValues", (native) => async function (hints) {
      const found = await native.call(this, hints);
      return "platformVersion" in found ? { ...found, platformVersion: "" } : found;
    });
  }

  // A worker that is refused fails as one does whose script does not load.
  function refuseRealms() {
    const why = "its clock and its randomness are not the page's";
    const refuseWorker = (target, what) => {
      refuse(what, why);
      setTimeout(() => target.dispatchEvent(new ErrorEvent("error", { message: `${what} refused` })), 0);
    };
    const handler = (target, type, name) => {
      let current = null;
      const relay = (event) => current?.call(target, event);
      Object.defineProperty(target, name, {
        get: () => current, set: (given) => { current = typeof given === "function" ? given : null; },
      });
      target.addEventListener(type, relay);
    };
    class Worker extends EventTarget {
      constructor() {
        super();
        for (const type of ["error", "message", "messageerror"]) handler(this, type, `on${type}`);
        refuseWorker(this, "a worker");
      }
      postMessage() {}
      terminate() {}
    }
    class SharedWorker extends EventTarget {
      constructor() {
        super();
        handler(this, "error", "onerror");
        this.port = new MessageChannel().port1;
        refuseWorker(this, "a shared worker");
      }
    }
    for (const own of [Worker, SharedWorker]) {
      const native = globalThis[own.name];
      if (!native) continue;
      native.prototype.constructor = own;
      Object.defineProperty(globalThis, own.name, { value: own, writable: true, configurable: true });
    }
    const refused = (what) => () => async () => { throw refuse(what, why); };
    replaceMethod(prototypeOf("Worklet"), "addModule", refused("a worklet"));
    replaceMethod(prototypeOf("ServiceWorkerContainer"), "register", refused("a service worker"));
    for (const name of ["joinAdInterestGroup", "runAdAuction"]) {
      replaceMethod(prototypeOf("Navigator"), name, refused("an auction"));
    }
  }
})();
