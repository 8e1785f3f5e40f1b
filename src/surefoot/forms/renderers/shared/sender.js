// Send what happens to fields to the server, in the order in which it happened: in batches,
// again where a batch did not arrive, and by a beacon when the page is left.

const RETRY = 400;
const TRIES = 5;

export function sender(base) {
  let queue = [];
  let sending = false;

  async function delivered(batch) {
    try {
      const reply = await fetch(`${base}events`, {
        method: "POST",
        keepalive: true,
        // Nothing that is shown waits for this: RFC 9218, the least urgency.
        headers: { "Content-Type": "application/json", Priority: "u=7" },
        body: JSON.stringify(batch),
      });
      return reply.ok;
    } catch {
      return false;
    }
  }

  async function send() {
    if (sending) {
      return;
    }
    sending = true;
    let failures = 0;
    while (queue.length > 0 && failures < TRIES) {
      const batch = queue;
      queue = [];
      if (!(await delivered(batch))) {
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
      if (queue.length > 0) {
        const rest = new Blob([JSON.stringify(queue)], { type: "application/json" });
        if (navigator.sendBeacon(`${base}events`, rest)) {
          queue = [];
        }
      }
    },
  };
}
