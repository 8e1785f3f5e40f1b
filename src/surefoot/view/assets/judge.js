// Judging: a verdict is noted at once and sent in turn, each acknowledged before the next is sent.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const AGAIN_MS = 1000;
const area = document.querySelector(".judging");
const [words, about, stage, picture, further, standing, note, failed, why, truth, size, first, letters] = [
  "words", "about", "stage", "picture", "further", "standing", "note", "failed", "why", "truth", "size", "first", "letters",
].map((id) => document.getElementById(id));
const verdictKeys = { y: "yes", n: "no", i: "unclear" };
const columns = [...document.querySelectorAll("[data-column]")];
const waiting = []; // what is not saved yet: a sample, a column and what now stands there
let samples = [];
let at = 0;
let asked = 0; // the place of the column that a key answers
let sending = false;

function shape(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function frame([left, top, right, bottom]) {
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function isDone(sample) {
  return sample.columns.every((column) => sample.said[column]);
}

function tell() {
  const saved = waiting.length ? `${waiting.length} not saved yet` : "all saved";
  const [here, all, done] = [at + 1, samples.length, samples.filter(isDone).length].map((count) => count.toLocaleString("en"));
  standing.textContent = samples.length ? `Sample ${here} of ${all}; ${done} judged, ${saved}.` : "There is nothing to judge.";
}

function drawn(sample) {
  const marks = shape("g", { class: "truth" });
  if (sample.landmark) marks.append(shape("rect", { class: "landmark", ...frame(sample.landmark) }));
  for (const box of sample.boxes) marks.append(shape("rect", { class: "target", ...frame(box) }));
  if (sample.polygon.length) marks.append(shape("polygon", { class: "target", points: sample.polygon.map((corner) => corner.join(",")).join(" ") }));
  const image = sample.crop ? [shape("image", { href: sample.crop, ...frame(sample.view) })] : [];
  return [...image, marks];
}

function show() {
  const sample = samples[at];
  tell();
  if (!sample) return;
  words.textContent = sample.words;
  words.lang = sample.language;
  about.textContent = [`Shown as: ${sample.variant}`, sample.expected && `expected: ${sample.expected}`, sample.landmark && "target in green, landmark in blue"].filter(Boolean).join("; ");
  picture.setAttribute("viewBox", [0, 0, sample.view[2], sample.view[3]].join(" "));
  picture.setAttribute("width", sample.view[2]);
  picture.setAttribute("height", sample.view[3]);
  picture.replaceChildren(...drawn(sample));
  further.replaceChildren(...sample.further.map((src, at) => Object.assign(new Image(), { src, alt: `Picture ${at + 2} of ${sample.further.length + 1}` })));
  stage.scrollTo(0, 0);
  showTruth(!first.checked);
  mark();
  const open = sample.columns.findIndex((column) => !sample.said[column]);
  ask(open < 0 ? 0 : open);
  words.focus({ preventScroll: true });
}

// Put what was said of the sample into the form.
function mark() {
  const sample = samples[at];
  note.value = sample.said.note ?? "";
  for (const part of columns) {
    part.hidden = !sample.columns.includes(part.dataset.column);
    for (const radio of part.querySelectorAll("input")) radio.checked = radio.value === sample.said[part.dataset.column];
  }
}

function ask(place) {
  asked = place;
  for (const part of columns) {
    if (part.dataset.column === samples[at].columns[place]) part.setAttribute("aria-current", "true");
    else part.removeAttribute("aria-current");
  }
}

function radiosOf(column) {
  return [...document.querySelectorAll(`[data-column="${column}"] input`)];
}

// A reader of the screen says what is asked where the focus goes.
function askAloud(place) {
  ask(place);
  const radios = radiosOf(samples[at].columns[place]);
  (radios.find((radio) => radio.checked) ?? radios[0])?.focus();
}

function showTruth(shown) {
  document.body.classList.toggle("hide-truth", !shown);
  truth.setAttribute("aria-pressed", String(shown));
}

function showTrueSize(shown) {
  picture.classList.toggle("true", shown);
  const target = picture.querySelector(".target");
  if (shown && target && !document.body.classList.contains("hide-truth")) {
    const { x, y, width, height } = target.getBBox();
    stage.scrollTo(x + (width - stage.clientWidth) / 2, y + (height - stage.clientHeight) / 2);
  }
  size.setAttribute("aria-pressed", String(shown));
}

function go(by) {
  at = Math.max(0, Math.min(samples.length - 1, at + by));
  show();
}

function say(column, value) {
  const sample = samples[at];
  if (!sample || (sample.said[column] ?? "") === value) return;
  sample.said[column] = value;
  waiting.push({ sample, column, value });
  send();
}

// A key answers what is asked, and goes on to the next.
function judge(value) {
  const sample = samples[at];
  if (!sample?.columns[asked]) return;
  say("note", note.value);
  say(sample.columns[asked], value);
  mark();
  tell();
  if (!value) return;
  if (asked + 1 < sample.columns.length) askAloud(asked + 1);
  else if (at + 1 < samples.length) go(1);
}

async function send() {
  if (sending) return;
  sending = true;
  while (waiting.length) {
    const { sample, column, value } = waiting[0];
    const body = JSON.stringify({ row: sample.row, column, value });
    const reply = await fetch("/judge", { method: "POST", headers: { "Content-Type": "application/json" }, body }).catch(() => null);
    failed.hidden = Boolean(reply?.ok);
    if (reply?.ok) {
      waiting.shift();
      const said = await reply.json().catch(() => sample.said);
      // Another window may have said more of this sample.
      if (!waiting.some((other) => other.sample === sample)) sample.said = said;
      if (sample === samples[at] && document.activeElement !== note) mark();
    } else {
      why.textContent = (await reply?.text().catch(() => "")) || "the server does not answer.";
      await new Promise((wake) => setTimeout(wake, AGAIN_MS));
    }
    tell();
  }
  sending = false;
}

note.addEventListener("change", () => say("note", note.value));
note.addEventListener("keydown", (event) => {
  if (event.key === "Enter" || event.key === "Escape") words.focus();
});
for (const part of columns) {
  part.addEventListener("change", (event) => {
    say(part.dataset.column, event.target.value);
    tell();
  });
  part.addEventListener("focusin", () => ask(samples[at].columns.indexOf(part.dataset.column)));
}
for (const button of document.querySelectorAll("[data-step]")) button.addEventListener("click", () => go(Number(button.dataset.step)));
truth.addEventListener("click", () => showTruth(document.body.classList.contains("hide-truth")));
size.addEventListener("click", () => showTrueSize(!picture.classList.contains("true")));
for (const box of [first, letters]) {
  box.checked = (localStorage.getItem(`surefoot-${box.id}`) ?? String(box.checked)) === "true";
  box.addEventListener("change", () => localStorage.setItem(`surefoot-${box.id}`, String(box.checked)));
}
first.addEventListener("change", () => showTruth(!first.checked));

const otherKeys = {
  j: () => go(1),
  k: () => go(-1),
  m: () => note.focus(),
  t: () => truth.click(),
  z: () => size.click(),
  Delete: () => judge(""),
};

// These keys come before those of other pages.
document.addEventListener("keydown", (event) => {
  const dialog = document.querySelector("dialog");
  if (event.target === note || dialog.open || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key.length === 1 && event.key !== " " && !letters.checked) return event.stopImmediatePropagation();
  if (Object.hasOwn(verdictKeys, event.key)) judge(verdictKeys[event.key]);
  else if (Object.hasOwn(otherKeys, event.key)) otherKeys[event.key]();
  else if (/^[1-9]$/.test(event.key) && samples.length) {
    const place = samples[at].columns.indexOf(columns[event.key - 1]?.dataset.column);
    if (place >= 0) askAloud(place);
  } else return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

addEventListener("beforeunload", (event) => {
  if (waiting.length) event.preventDefault();
});

// Work goes on behind what was judged last.
fetch(area.dataset.samples).then((reply) => reply.json()).then((found) => {
  samples = found;
  const last = Math.max(0, samples.findIndex((sample) => sample.last));
  const places = samples.map((sample, place) => (last + place) % samples.length);
  const open = places.find((place) => !isDone(samples[place]));
  at = open ?? last;
  show();
});
