// Keys for everything, and filters that apply as they are chosen; without a script both work by links and buttons.
// It listens before the page can be seen, so that nothing pressed or chosen is lost, and acts once the page is whole.
"use strict";

const whole = new Promise((done) => document.addEventListener("DOMContentLoaded", done));
const theTiles = () => [...document.querySelectorAll(".tile")];

function follow(selector) {
  const link = document.querySelector(selector);
  if (link) link.click();
}

function toggleHelp() {
  const dialog = document.getElementById("keys");
  if (dialog.open) dialog.close();
  else dialog.showModal();
}

function step(by) {
  const tiles = theTiles();
  const onward = document.querySelector(`.steps a[rel=${by > 0 ? "next" : "prev"}]`);
  if (document.querySelector(".steps")) {
    if (onward) onward.click();
  } else if (tiles.length) {
    const at = tiles.indexOf(document.activeElement);
    const to = at < 0 ? 0 : Math.min(tiles.length - 1, Math.max(0, at + by));
    tiles[to].focus();
  }
}

function toggleClick(number) {
  for (const mark of document.querySelectorAll(`.click[data-model="${number}"]`)) {
    mark.classList.toggle("hidden");
  }
}

function nextVariant() {
  const variants = theTiles().filter((tile) => "variant" in tile.dataset);
  const at = variants.findIndex((tile) => tile.hasAttribute("aria-current"));
  if (variants.length) variants[(at + 1) % variants.length].click();
}

const arrows = { ArrowLeft: -1, ArrowRight: 1 };
const keys = {
  "?": toggleHelp,
  "/": () => (document.querySelector("[data-search]") ?? { focus: () => follow("[data-key=q]") }).focus(),
  j: () => step(1),
  k: () => step(-1),
  n: () => follow(".pages a[rel=next]"),
  p: () => follow(".pages a[rel=prev]"),
  t: () => document.body.classList.toggle("hide-truth"),
  v: nextVariant,
};

function act(key) {
  if (key in arrows) step(arrows[key]);
  else if (Object.hasOwn(keys, key)) keys[key]();
  else if (/^[1-9]$/.test(key)) toggleClick(key);
  else if (/^[a-z]$/.test(key)) follow(`[data-key=${key}]`);
}

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, select, textarea");
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (typing) {
    if (event.key === "Escape") typing.blur();
    return;
  }
  if (document.querySelector("dialog[open]") && event.key !== "?") return;
  const plays = event.key in arrows && document.querySelector(".player");
  if (!plays && !/^[?/1-9a-z]$/.test(event.key)) return;
  event.preventDefault();
  whole.then(() => act(event.key));
});

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-help]")) whole.then(toggleHelp);
});

document.addEventListener("change", (event) => {
  const select = event.target.closest(".filters select");
  if (select) whole.then(() => select.form.requestSubmit());
});

// An address has only what was chosen.
document.addEventListener("formdata", (event) => {
  for (const [name, value] of [...event.formData]) {
    if (!value) event.formData.delete(name);
  }
});

// On a narrow page the pictures come first.
whole.then(() => {
  if (!matchMedia("(max-width: 60rem)").matches) return;
  for (const details of document.querySelectorAll(".filters details")) details.open = false;
});
