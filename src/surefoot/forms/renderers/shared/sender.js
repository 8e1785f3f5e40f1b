// Send what happens to fields to the server, in the order in which it happened: in batches,
// again where a batch did not arrive, and by a beacon when the page is left.

const RETRY = 400;
const TRIES = 5;
const MOST = 100;
// A browser sends at most 64 KiB for a page that is gone (Fetch, "inflight keep-alive bytes").
const KEPT_ALIVE = 60_000;

export function sender(base) {
  let queue = [];
  let most = MOST;
  let sending = false;

  const written = (batch) => new Blob([JSON.stringify(batch)], { type: "application/json" });

  // What became of a batch: "kept", "refused" by the server for good, or "lost" on the way.
  async function posted(batch) {
    const body = written(batch);
    try {
      const reply = await fetch(`${base}events`, {
        method: "POST",
        keepalive: body.size <= KEPT_ALIVE,
        // Nothing that is shown waits for this: RFC 9218, the least urgency.
        headers: { "Content-Type": "application/json", Priority: "u=7" },
        body,
      });
      const refused = reply.status >= 400 && reply.status < 500;
      return reply.ok ? "kept" : refused ? "refused" : "lost";
    } catch {
      return "lost";
    }
  }

  // One refused event must not take its neighbours along: they are sent one by one, without it.
  async function send() {
    if (sending) {
      return;
    }
    sending = true;
    let failures = 0;
    while (queue.length > 0 && failures < TRIES) {
      const batch = queue.splice(0, most);
      const outcome = await posted(batch);
      if (outcome === "kept") {
        most = MOST;
      } else if (outcome === "refused") {
        queue = batch.length > 1 ? [...batch, ...queue] : queue;
        most = 1;
      } else {
        queue = [...batch, ...queue];
        failures += 1;
        await new Promise((resolve) => setTimeout(resolve, RETRY));
      }
    }
    sending = false;
  }

  return {
    report(page, field, kind, value) {
      queue.push({ field, page, kind, value, at: Math.round(performance.now()) });
      send();
    },
    leave() {
      const told = (batch) => navigator.sendBeacon(`${base}events`, written(batch));
      while (queue.length > 0 && told(queue.slice(0, most))) {
        queue = queue.slice(most);
      }
    },
  };
}
