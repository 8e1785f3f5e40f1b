// Note the page's clock, of the driver's own making, so that it can be asked what has run since,
// and be put back. Evaluates to an object, null where there is no such clock.
(() => {
  const TICK_MS = 16; // what a page at rest runs once more
  const clock = globalThis.__pwClock?.controller;
  if (!(clock?._timers instanceof Map) || !Number.isFinite(clock._now?.ticks) || clock._realTime) return null;
  const now = { ...clock._now };
  const timers = [...clock._timers.values()].map((timer) => [timer, timer.callAt]);
  let next = clock._uniqueTimerId;
  if (!Number.isFinite(next)) return null;
  const counts = globalThis[Symbol.for("surefoot.counts")];
  if (!counts) return null;
  const isSame = ([timer]) => clock._timers.get(timer.id) === timer;
  // Whether a timer or a frame of the page has run or was asked for, or would at the next tick;
  // whether all that waits now has waited then, and the other way round; how often observers of
  // its own were called, shadow roots attached, and sizes or places watched.
  const state = () => ({
    ran: clock._uniqueTimerId !== next || !timers.every((pair) => isSame(pair) && pair[0].callAt === pair[1]),
    due: [...clock._timers.values()].some(({ callAt }) => !(callAt > clock._now.ticks + TICK_MS)),
    waits: [...clock._timers].length === timers.length && timers.every(isSame),
    called: counts.called,
    attached: counts.attached,
    watched: counts.watched,
  });
  return {
    state,
    // Numbers of timers are not given out twice: a script may still want to clear one.
    rewind: () => {
      clock._now = { ...now };
      clock._timers.clear();
      for (const [timer, at] of timers) {
        timer.callAt = at;
        clock._timers.set(timer.id, timer);
      }
      next = clock._uniqueTimerId;
      return state();
    },
  };
})()
