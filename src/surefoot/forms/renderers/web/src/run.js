// What every renderer with a script shares: the form as data, telling, uploading, submitting.
import { sender } from "../../shared/sender.js";

const PAUSE = 150;
const CHOSEN = ["drop-down", "radio", "multi-choice", "checkbox", "file"];

export const run = JSON.parse(document.getElementById("form-data").textContent);
export const words = run.words;
export const nonce = document.querySelector("meta[name=style-nonce]")?.content;

// Whoever asks for less motion gets none; the driver's browser asks for it.
export const still = matchMedia("(prefers-reduced-motion: reduce)").matches;

const server = sender(run.base);
const typed = new Map();
const held = new Map(Object.entries(run.values));
const underway = new Set();
const fields = new Map();
let asking = false;
run.pages.forEach((page, number) => {
  for (const field of page.fields) {
    fields.set(field.id, { ...field, page: number });
  }
});

export const fieldOf = (id) => fields.get(id);

// A value as the text that a plain control would hold.
export function textOf(value) {
  if (value === undefined || value === null || value === false) {
    return "";
  }
  if (value === true) {
    return "yes";
  }
  if (Array.isArray(value)) {
    return value.join(",");
  }
  return typeof value === "object" ? (value.name ?? "") : String(value);
}

function tell(id, kind, value) {
  const text = textOf(value);
  server.report(fieldOf(id).page, id, text === "" && kind !== "reset" ? "clear" : kind, text);
}

// A field holds another value while all hold these: choices are told at once, typing after
// each pause and once more when the field is left or another changes.
export function changed(id, value, values) {
  const field = fieldOf(id);
  const gone = taken(field, held.get(id), values);
  // A library may change a list where it stands.
  held.set(id, Array.isArray(value) ? [...value] : value);
  settle(id);
  if (CHOSEN.includes(field.kind)) {
    tell(id, gone ? "reset" : field.kind === "file" ? "upload" : "change", value);
    return;
  }
  clearTimeout(typed.get(id)?.timer);
  typed.set(id, { value, timer: setTimeout(() => tell(id, "input", value), PAUSE) });
}

function settle(but) {
  for (const [id, { value, timer }] of typed) {
    if (id !== but) {
      clearTimeout(timer);
      tell(id, "change", value);
      typed.delete(id);
    }
  }
}

document.addEventListener("focusout", () => settle());
window.addEventListener("pagehide", () => {
  settle();
  server.leave();
});

// Send one file, and return how the server knows it; throws what it says against it.
export async function upload(id, file) {
  const body = new FormData();
  body.append("file", file);
  const reply = await fetch(`${run.base}upload/${id}`, { method: "POST", body });
  const said = await reply.json();
  if (!reply.ok) {
    throw new Error(said.errors?.[id] ?? words["problem-title"]);
  }
  return { name: said.name, sha256: said.sha256 };
}

function sent(value) {
  if (Array.isArray(value)) {
    return value.map(String);
  }
  return typeof value === "object" ? value : textOf(value);
}

// Note what a field holds only once this has come to its end, such as an upload.
export function waitFor(work) {
  underway.add(work);
  work.finally(() => underway.delete(work));
}

export const atRest = () => Promise.allSettled(underway);

// Have a page judged before it is turned, or all at the end, once nothing is under way;
// return the server's messages by field, none where it accepted. A second press of a button
// comes to nothing, and so does one that the server does not answer: undefined.
export async function judged(current, page) {
  if (asking) {
    return undefined;
  }
  asking = true;
  try {
    await atRest();
    settle();
    const filled = Object.entries(current()).filter(([, value]) => textOf(value) !== "");
    const last = page === run.pages.length - 1;
    const reply = await fetch(`${run.base}${last ? "submit" : `turn/${page}`}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(Object.fromEntries(filled.map(([id, value]) => [id, sent(value)]))),
    });
    const said = await reply.json();
    return reply.ok ? {} : said.errors;
  } catch {
    return undefined;
  } finally {
    asking = false;
  }
}

// Which options a field offers while others hold these values.
export function offered(field, values) {
  const holds = (value, wanted) => [value].flat().some((item) => wanted.includes(item));
  return field.options.filter((option) =>
    Object.entries(option.when).every(([name, wanted]) => holds(values[name], wanted)),
  );
}

// What is left of a value once the options are gone that are no longer offered.
export function left(field, value, values) {
  const open = offered(field, values).map((option) => option.value);
  if (field.options.length === 0 || value === undefined) {
    return value;
  }
  return Array.isArray(value)
    ? value.filter((item) => open.includes(item))
    : open.includes(value)
      ? value
      : undefined;
}

const taken = (field, value, values) => textOf(left(field, value, values)) !== textOf(value);

// A page that is opened anew holds no more than what was sent of it.
if (!run.done) {
  server.report(0, "", "open", "");
}

// Until then the page is blank: scripts and libraries of widgets are still on their way.
export function ready() {
  document.getElementById("form").removeAttribute("aria-busy");
}

export function thank(root) {
  const section = document.createElement("section");
  section.className = "thanks";
  section.setAttribute("role", "status");
  const title = document.createElement("h2");
  title.textContent = words["done-title"];
  const text = document.createElement("p");
  text.textContent = words.done;
  section.append(title, text);
  root.replaceChildren(section);
  root.removeAttribute("data-page");
  ready();
  document.body.dataset.state = "done";
}
