// Tell the server of every change of a field: on each change at once, on typing after each
// pause. A page is answered and sent without this script; only the history of its fields
// would be missing then.
(() => {
  "use strict";

  const PAUSE = 150;
  const RETRY = 400;
  const TRIES = 5;

  const base = document.body.dataset.base;
  const waiting = new Map();
  let queue = [];
  let sending = false;

  const shell = () => document.querySelector("[data-page]");

  function texts(control) {
    if (control.type === "checkbox" || control.type === "radio") {
      const named = [...document.getElementsByName(control.name)];
      return named.filter((each) => each.checked).map((each) => each.value);
    }
    if (control.type === "file") {
      return [...control.files].map((file) => file.name);
    }
    return control.value === "" ? [] : [control.value];
  }

  function push(control, kind) {
    clearTimeout(waiting.get(control));
    waiting.delete(control);
    const held = texts(control);
    const filled = control.type === "file" ? "upload" : kind;
    report(control.name, held.length > 0 ? filled : "clear", held.join(","));
  }

  function report(field, kind, value) {
    const page = Number(shell()?.dataset.page ?? 0);
    queue.push({ field, page, kind, value, at: Math.round(performance.now()) });
    send();
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

  async function delivered(batch) {
    try {
      const reply = await fetch(`${base}events`, {
        method: "POST",
        keepalive: true,
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(batch),
      });
      return reply.ok;
    } catch {
      return false;
    }
  }

  function settle() {
    for (const control of [...waiting.keys()]) {
      push(control, "input");
    }
  }

  function leave() {
    settle();
    if (queue.length > 0) {
      const rest = new Blob([JSON.stringify(queue)], { type: "application/json" });
      if (navigator.sendBeacon(`${base}events`, rest)) {
        queue = [];
      }
    }
  }

  document.addEventListener("input", (event) => {
    const control = event.target;
    if (!control.name || !control.form || ["checkbox", "radio", "file"].includes(control.type)) {
      return;
    }
    clearTimeout(waiting.get(control));
    waiting.set(control, setTimeout(() => push(control, "input"), PAUSE));
  });
  document.addEventListener("change", (event) => {
    if (event.target.name && event.target.form) {
      push(event.target, "change");
    }
  });
  document.addEventListener("submit", settle);
  window.addEventListener("pagehide", leave);
})();
