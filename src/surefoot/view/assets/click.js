// A person answers: one answer is sent, and acknowledged, before the next question is shown.
"use strict";

const AGAIN_MS = 1000;
const STEP = 16;
const TASKS = {
  place: "Click the one element that this instruction is about.",
  box: "Draw a box around the one element that this instruction is about, from corner to corner.",
  option: "Choose the one right option.",
  words: "Answer with as few words as the picture itself uses.",
};
const [standing, words, form, options, typed, answer, refuse, size, failed, elsewhere, stage, picture, cross, frame, further, done] = [
  "standing", "words", "reply", "options", "typed", "answer", "refuse", "size", "failed", "elsewhere", "stage", "picture", "cross", "frame", "further", "done",
].map((id) => document.getElementById(id));
let shown = null; // the question that can be answered now, null while none can
let since = 0;
let place = { x: 0, y: 0 }; // of the cross, in pixels of the picture
let corner = null; // where a box begins, in pixels of the picture
let released = null; // where the pointer last went up, which is told in finer steps than a click

async function show(question) {
  shown = null;
  delete stage.dataset.ready;
  cross.hidden = true;
  setCorner(null);
  words.textContent = "";
  options.replaceChildren();
  if (question.number === question.total) {
    standing.textContent = "";
    for (const part of [stage, size, form]) part.hidden = true;
    done.hidden = false;
    return;
  }
  picture.src = question.picture;
  further.replaceChildren(...question.further.map(furtherPicture));
  await Promise.all([picture, ...further.children].map((image) => image.decode().catch(() => null)));
  picture.width = question.width;
  picture.height = question.height;
  stage.scrollTo(0, 0);
  standing.textContent = `${question.number + 1} of ${question.total}. ${TASKS[question.asks]}`;
  words.textContent = question.words;
  words.lang = question.language;
  options.replaceChildren(...question.options.map((label) => optionButton(label, question.options)));
  typed.hidden = question.asks !== "words";
  answer.value = "";
  refuse.hidden = !question.refusable;
  refuse.lastElementChild.textContent = ["place", "box"].includes(question.asks) ? "There is no such element" : "The picture does not tell";
  const located = ["place", "box"].includes(question.asks);
  form.hidden = located && !question.refusable;
  stage.classList.toggle("place", located);
  stage.classList.toggle("box", question.asks === "box");
  place = { x: question.width / 2, y: question.height / 2 };
  if (question.asks === "words") answer.focus();
  requestAnimationFrame(() => {
    shown = question;
    stage.dataset.ready = "";
    since = performance.now();
  });
}

function furtherPicture(address, at, all) {
  const image = document.createElement("img");
  image.alt = `Picture ${at + 2} of ${all.length + 1}`;
  image.src = address;
  return image;
}

function optionButton(label, all) {
  const button = document.createElement("button");
  const key = document.createElement("kbd");
  key.textContent = keyOf(label, all);
  button.type = "button";
  button.append(key, ` ${label}`);
  button.addEventListener("click", () => say(["choice", label]));
  return button;
}

// The key of an option is its first letter where that tells it from the others, else its number.
function keyOf(label, all) {
  const firsts = all.map((other) => other[0].toLowerCase());
  const plain = firsts.every((first) => /^[a-z]$/.test(first) && !"rz".includes(first));
  return plain && new Set(firsts).size === all.length ? label[0].toLowerCase() : String(all.indexOf(label) + 1);
}

async function say(said) {
  if (!shown) return;
  const seconds = (performance.now() - since) / 1000;
  const body = JSON.stringify({ number: shown.number, seconds, said });
  shown = null;
  elsewhere.hidden = true;
  for (;;) {
    const reply = await fetch("/answer", { method: "POST", headers: { "Content-Type": "application/json" }, body }).catch(() => null);
    const heard = reply?.ok || reply?.status === 409 ? await reply.json().catch(() => null) : null;
    failed.hidden = Boolean(heard);
    if (heard) {
      elsewhere.hidden = reply.ok;
      await show(heard);
      return;
    }
    await new Promise((wake) => setTimeout(wake, AGAIN_MS));
  }
}

// However large the picture is drawn, a place is in its own pixels.
function placeOf({ clientX, clientY }) {
  const drawn = picture.getBoundingClientRect();
  const along = (at, start, length, pixels) => Math.min(pixels, Math.max(0, ((at - start) / length) * pixels));
  return {
    x: along(clientX, drawn.left, drawn.width, shown.width),
    y: along(clientY, drawn.top, drawn.height, shown.height),
  };
}

function sayPlace({ x, y }) {
  if (shown?.asks === "place") say(["point", x, y]);
}

function setCorner(point) {
  corner = point;
  frame.hidden = true;
}

function boxTo({ x, y }) {
  return [Math.min(corner.x, x), Math.min(corner.y, y), Math.max(corner.x, x), Math.max(corner.y, y)];
}

function drawFrame(point) {
  const [left, top, right, bottom] = boxTo(point);
  const [across, down] = [picture.clientWidth / shown.width, picture.clientHeight / shown.height];
  frame.hidden = false;
  frame.style.left = `${left * across}px`;
  frame.style.top = `${top * down}px`;
  frame.style.width = `${(right - left) * across}px`;
  frame.style.height = `${(bottom - top) * down}px`;
}

function sayBox(point) {
  const box = boxTo(point);
  setCorner(null);
  if (box[2] - box[0] >= 1 && box[3] - box[1] >= 1) say(["box", ...box]);
}

function chooseAtCross() {
  if (shown.asks === "place") sayPlace(place);
  else if (corner) sayBox(place);
  else setCorner({ ...place });
}

function drawCross() {
  cross.hidden = false;
  cross.style.left = `${(place.x / shown.width) * picture.clientWidth}px`;
  cross.style.top = `${(place.y / shown.height) * picture.clientHeight}px`;
  cross.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function moveCross(across, down, fine) {
  if (!shown || !stage.classList.contains("place")) return;
  const step = cross.hidden ? 0 : fine ? 1 : STEP;
  place.x = Math.min(shown.width, Math.max(0, place.x + across * step));
  place.y = Math.min(shown.height, Math.max(0, place.y + down * step));
  drawCross();
  if (corner) drawFrame(place);
}

function toggleSize() {
  const large = stage.classList.toggle("true");
  size.setAttribute("aria-pressed", String(large));
  if (shown && !cross.hidden) drawCross();
}

picture.addEventListener("pointerdown", (event) => {
  if (shown?.asks !== "box" || event.button) return;
  picture.setPointerCapture(event.pointerId);
  setCorner(placeOf(event));
});
picture.addEventListener("pointermove", (event) => {
  if (shown && corner && picture.hasPointerCapture(event.pointerId)) drawFrame(placeOf(event));
});
picture.addEventListener("pointercancel", () => setCorner(null));
picture.addEventListener("pointerup", (event) => {
  if (shown && corner && picture.hasPointerCapture(event.pointerId)) sayBox(placeOf(event));
  released = { clientX: event.clientX, clientY: event.clientY };
});
picture.addEventListener("click", (event) => {
  const near = released && Math.abs(released.clientX - event.clientX) <= 1 && Math.abs(released.clientY - event.clientY) <= 1;
  if (shown) sayPlace(placeOf(near ? released : event));
  released = null;
});
refuse.addEventListener("click", () => say(["refusal", refuse.lastElementChild.textContent]));
size.addEventListener("click", toggleSize);
addEventListener("resize", () => {
  if (shown && !cross.hidden) drawCross();
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (shown?.asks === "words" && answer.value.trim()) say(["text", answer.value.trim()]);
});

const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input")) return;
  const at = shown?.options.findIndex((label) => keyOf(label, shown.options) === event.key.toLowerCase()) ?? -1;
  if (at >= 0 && !event.repeat) say(["choice", shown.options[at]]);
  else if (event.key === "r" && shown?.refusable && !event.repeat) refuse.click();
  else if (event.key === "z") toggleSize();
  else if (Object.hasOwn(arrows, event.key)) moveCross(...arrows[event.key], event.shiftKey);
  else if (event.key === "Enter" && !event.repeat && shown && !cross.hidden && !event.target.closest("button")) chooseAtCross();
  else if (event.key === "Escape") setCorner(null);
  else return;
  event.preventDefault();
});

fetch("/question").then((reply) => reply.json()).then(show);
