// The clock of a page that is served to an agent: it stands still from before the page's first
// script, is moved by us until the page has come to rest, and stands again until somebody acts,
// so that whoever thinks for a minute sees what the picture of the question shows. Then it runs.
const makeClock = (moment) => {
  const native = {};
  for (const name of ["setTimeout", "clearTimeout", "setInterval", "clearInterval",
    "requestAnimationFrame", "cancelAnimationFrame", "requestIdleCallback", "cancelIdleCallback"]) {
    native[name] = globalThis[name].bind(globalThis);
  }
  const realNow = performance.now.bind(performance);
  native.now = realNow;
  const RealDate = Date;
  const FRAME_MS = 16;
  const FIRST = 1_000_000_000; // numbers of our timers, none of the browser's
  const waiting = new Map();
  const given = new Map();
  let now = 0;
  let number = FIRST;
  let holds = true; // new timers wait for us
  let released = null;

  const time = () => (released === null ? now : now + realNow() - released);
  const called = (work, rest) => () => {
    if (typeof work === "function") return work(...rest);
    return (0, eval)(String(work));
  };

  function wait(work, delay, every, kind) {
    number += 1;
    // Never at once: what begins itself anew would hold the time where it is.
    waiting.set(number, { at: now + Math.max(1, Number(delay) || 0), work, every, kind, number });
    return number;
  }

  function begin(kind, every = false) {
    return (work, delay = 0, ...rest) => {
      if (holds) return wait(called(work, rest), delay, every ? Math.max(1, Number(delay) || 0) : 0, kind);
      return native[kind](called(work, rest), delay);
    };
  }

  function end(stop) {
    return (timer) => {
      waiting.delete(Number(timer));
      const later = given.get(Number(timer));
      if (later) native[later[0]](later[1]);
      given.delete(Number(timer));
      if (!(Number(timer) >= FIRST)) native[stop](timer);
    };
  }

  globalThis.setTimeout = begin("setTimeout");
  globalThis.setInterval = begin("setInterval", true);
  globalThis.requestAnimationFrame = (work) =>
    holds ? wait(() => work(time()), FRAME_MS - (now % FRAME_MS), 0, "requestAnimationFrame")
      : native.requestAnimationFrame(() => work(time()));
  globalThis.requestIdleCallback = (work, options) => {
    const idle = { didTimeout: false, timeRemaining: () => 50 };
    return holds ? wait(() => work(idle), 1, 0, "setTimeout") : native.requestIdleCallback(work, options);
  };
  for (const stop of ["clearTimeout", "clearInterval", "cancelAnimationFrame", "cancelIdleCallback"]) {
    globalThis[stop] = end(stop);
  }
  performance.now = time;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, rest, as) => Reflect.construct(target, rest.length ? rest : [moment + time()], as),
    apply: () => new RealDate(moment + time()).toString(),
    get: (target, name) => (name === "now" ? () => Math.floor(moment + time()) : Reflect.get(target, name)),
  });

  // A turn of the browser's own loop, in which promises are kept and messages arrive.
  const turn = () =>
    new Promise((done) => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => done(channel.port1.close());
      channel.port2.postMessage(0);
    });

  const due = (until) =>
    [...waiting.values()].filter((one) => one.at <= until)
      .sort((one, other) => one.at - other.at || one.number - other.number)[0];

  function run(one) {
    waiting.delete(one.number);
    if (one.every) waiting.set(one.number, { ...one, at: one.at + one.every });
    try {
      one.work();
    } catch (error) {
      reportError(error);
    }
  }

  return {
    native,
    turn,
    // Move on by so many milliseconds, a timer at a time.
    async advance(milliseconds) {
      const until = now + milliseconds;
      for (let one = due(until); one; one = due(until)) {
        now = Math.max(now, one.at);
        run(one);
        await turn();
      }
      now = until;
    },
    // What an agent's own scripts begin now runs at once; what waits, waits.
    stand() {
      holds = false;
    },
    // Run as any clock does, from where it stands.
    release() {
      if (released !== null) return;
      holds = false;
      released = realNow();
      for (const one of waiting.values()) {
        const left = Math.max(0, one.at - now);
        const kind = one.every ? "setInterval" : "setTimeout";
        const later = () => {
          given.delete(one.number);
          one.work();
          if (one.every) given.set(one.number, ["clearInterval", native.setInterval(one.work, one.every)]);
        };
        given.set(one.number, ["clearTimeout", native.setTimeout(later, left)]);
      }
      waiting.clear();
    },
  };
};
