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
const fields = new Map();
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
  server.report(fieldOf(id).page, id, text === "" ? "clear" : kind, text);
}

// A field holds another value: choices are told at once, typing after each pause and once
// more when the field is left.
export function changed(id, value) {
  const { kind } = fieldOf(id);
  if (CHOSEN.includes(kind)) {
    tell(id, kind === "file" ? "upload" : "change", value);
    return;
  }
  clearTimeout(typed.get(id)?.timer);
  typed.set(id, { value, timer: setTimeout(() => tell(id, "input", value), PAUSE) });
}

function settle() {
  for (const [id, { value, timer }] of typed) {
    clearTimeout(timer);
    tell(id, "change", value);
  }
  typed.clear();
}

document.addEventListener("focusout", settle);
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

// Send all values once; return the server's messages by field, none where it accepted.
export async function submit(values) {
  settle();
  const filled = Object.entries(values).filter(([, value]) => textOf(value) !== "");
  const reply = await fetch(`${run.base}submit`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(Object.fromEntries(filled.map(([id, value]) => [id, sent(value)]))),
  });
  const said = await reply.json();
  return reply.ok ? {} : said.errors;
}

// Which options a field offers while others hold these values.
export function offered(field, values) {
  const holds = (value, wanted) => [value].flat().some((item) => wanted.includes(item));
  return field.options.filter((option) =>
    Object.entries(option.when).every(([name, wanted]) => holds(values[name], wanted)),
  );
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
