// Judging: a key is noted at once and sent in turn, each verdict acknowledged before the next is sent.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const AGAIN_MS = 1000;
const area = document.querySelector(".judging");
const [words, picture, further, standing, note, failed] = ["words", "picture", "further", "standing", "note", "failed"].map((id) => document.getElementById(id));
const verdictKeys = { y: "right", n: "wrong", i: "unclear" };
const waiting = [];
let samples = [];
let at = 0;
let sending = false;

function shape(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function frame([left, top, right, bottom]) {
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function tell() {
  const judged = samples.filter((sample) => sample.verdict).length;
  const saved = waiting.length ? `${waiting.length} not saved yet` : "all saved";
  const [here, all, done] = [at + 1, samples.length, judged].map((count) => count.toLocaleString("en"));
  standing.textContent = samples.length ? `Sample ${here} of ${all}; ${done} judged, ${saved}.` : "There is nothing to judge.";
}

function show() {
  const sample = samples[at];
  tell();
  if (!sample) return;
  words.textContent = sample.words;
  picture.setAttribute("viewBox", [sample.view[0], sample.view[1], sample.view[2] - sample.view[0], sample.view[3] - sample.view[1]].join(" "));
  const parts = sample.crop ? [shape("image", { href: sample.crop, ...frame(sample.view) })] : [];
  for (const box of sample.boxes) parts.push(shape("rect", { class: "target", ...frame(box) }));
  if (sample.polygon.length) parts.push(shape("polygon", { class: "target", points: sample.polygon.map((corner) => corner.join(",")).join(" ") }));
  picture.replaceChildren(...parts);
  further.replaceChildren(...sample.further.map((src, at) => Object.assign(new Image(), { src, alt: `Picture ${at + 2} of ${sample.further.length + 1}` })));
  note.value = sample.note;
  for (const button of document.querySelectorAll("[data-verdict]")) {
    button.setAttribute("aria-pressed", String(button.dataset.verdict === sample.verdict));
  }
}

function go(by) {
  at = Math.max(0, Math.min(samples.length - 1, at + by));
  show();
}

function enqueue(sample) {
  const { bench, question, verdict } = sample;
  waiting.push({ stamp: crypto.randomUUID(), bench, question, verdict, note: sample.note });
  send();
}

function judge(verdict) {
  const sample = samples[at];
  if (!sample) return;
  sample.verdict = verdict;
  sample.note = note.value;
  enqueue(sample);
  if (at + 1 < samples.length) go(1);
  else show();
}

async function send() {
  if (sending) return;
  sending = true;
  while (waiting.length) {
    const body = JSON.stringify(waiting[0]);
    const reply = await fetch("/judge", { method: "POST", headers: { "Content-Type": "application/json" }, body }).catch(() => null);
    failed.hidden = Boolean(reply?.ok);
    if (reply?.ok) waiting.shift();
    else await new Promise((wake) => setTimeout(wake, AGAIN_MS));
    tell();
  }
  sending = false;
}

note.addEventListener("change", () => {
  const sample = samples[at];
  if (!sample) return;
  sample.note = note.value;
  if (sample.verdict) enqueue(sample);
});
note.addEventListener("keydown", (event) => {
  if (event.key === "Enter") note.blur();
});
for (const button of document.querySelectorAll("[data-verdict]")) button.addEventListener("click", () => judge(button.dataset.verdict));
for (const button of document.querySelectorAll("[data-step]")) button.addEventListener("click", () => go(Number(button.dataset.step)));

// These keys come before those of other pages.
document.addEventListener("keydown", (event) => {
  const dialog = document.querySelector("dialog");
  if (event.target.closest("input") || dialog.open || event.ctrlKey || event.metaKey || event.altKey) return;
  if (Object.hasOwn(verdictKeys, event.key)) judge(verdictKeys[event.key]);
  else if (event.key === "j") go(1);
  else if (event.key === "k") go(-1);
  else if (event.key === "m") note.focus();
  else return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

addEventListener("beforeunload", (event) => {
  if (waiting.length) event.preventDefault();
});

fetch(area.dataset.samples).then((reply) => reply.json()).then((found) => {
  samples = found;
  const open = samples.findIndex((sample) => !sample.verdict);
  at = open < 0 ? 0 : open;
  show();
});
