// Tell the server of every change of a field: on each change at once, on typing after each
// pause, and at the start of what was changed before this script ran. A page is answered and
// sent without it; only the history of its fields would be missing then.
import { sender } from "./sender.js";

const PAUSE = 150;
const AT_ONCE = ["checkbox", "radio", "file"];

const server = sender(document.body.dataset.base);
const waiting = new Map();
const page = Number(document.querySelector("[data-page]").dataset.page);
let sent = false;

function texts(control) {
  if (control.type === "checkbox" || control.type === "radio") {
    const named = [...document.getElementsByName(control.name)];
    return named.filter((item) => item.checked).map((item) => item.value);
  }
  if (control.type === "file") {
    return [...control.files].map((file) => file.name);
  }
  return control.value === "" ? [] : [control.value];
}

function touched(control) {
  if (control.type === "checkbox" || control.type === "radio") {
    return control.checked !== control.defaultChecked;
  }
  if (control.type === "file") {
    return control.files.length > 0;
  }
  if (control.type === "select-one") {
    const options = [...control.options];
    const drawn = options.find((item) => item.defaultSelected) ?? options[0];
    return control.value !== drawn.value;
  }
  return control.value !== control.defaultValue;
}

function push(control, kind) {
  clearTimeout(waiting.get(control));
  waiting.delete(control);
  const held = texts(control);
  const filled = control.type === "file" ? "upload" : kind;
  server.report(page, control.name, held.length > 0 ? filled : "clear", held.join(","));
}

function settle() {
  for (const control of [...waiting.keys()]) {
    push(control, "input");
  }
}

document.addEventListener("input", ({ target }) => {
  if (target.name && target.form && !AT_ONCE.includes(target.type)) {
    clearTimeout(waiting.get(target));
    waiting.set(
      target,
      setTimeout(() => push(target, "input"), PAUSE),
    );
  }
});
document.addEventListener("change", ({ target }) => {
  if (target.name && target.form) {
    push(target, "change");
  }
});
// A second press of a button, before the first is answered, sends nothing.
document.addEventListener("submit", (event) => {
  if (sent) {
    event.preventDefault();
  }
  sent = true;
  settle();
});
window.addEventListener("pageshow", () => {
  sent = false;
});
window.addEventListener("pagehide", () => {
  settle();
  server.leave();
});

// A page that is opened anew holds no more than what was posted of it.
server.report(page, "", "open", "");
// Several boxes of one name are one field.
const early = [...document.querySelectorAll("input, select, textarea")].filter(touched);
for (const control of new Map(early.map((item) => [item.name, item])).values()) {
  push(control, "change");
}
