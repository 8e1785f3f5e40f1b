// Keys for everything, and filters that apply as they are chosen; without a script both work by links and buttons.
"use strict";

const dialog = document.getElementById("keys");
const tiles = [...document.querySelectorAll(".tile")];

function follow(selector) {
  const link = document.querySelector(selector);
  if (link) link.click();
}

function toggleHelp() {
  if (dialog.open) dialog.close();
  else dialog.showModal();
}

function step(by) {
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
  const variants = tiles.filter((tile) => "variant" in tile.dataset);
  const at = variants.findIndex((tile) => tile.hasAttribute("aria-current"));
  if (variants.length) variants[(at + 1) % variants.length].click();
}

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

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, select, textarea");
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (typing) {
    if (event.key === "Escape") typing.blur();
    return;
  }
  if (dialog.open && event.key !== "?") return;
  if (Object.hasOwn(keys, event.key)) keys[event.key]();
  else if (/^[1-9]$/.test(event.key)) toggleClick(event.key);
  else if (/^[a-z]$/.test(event.key) && document.querySelector(`[data-key=${event.key}]`)) follow(`[data-key=${event.key}]`);
  else return;
  event.preventDefault();
});

document.querySelector("[data-help]").addEventListener("click", toggleHelp);

// An address has only what was chosen.
for (const form of document.querySelectorAll(".filters")) {
  form.addEventListener("submit", () => {
    for (const field of form.elements) {
      if (field.name && !field.value) field.disabled = true;
    }
  });
  for (const select of form.querySelectorAll("select")) {
    select.addEventListener("change", () => form.requestSubmit());
  }
  // On a narrow page the pictures come first.
  if (matchMedia("(max-width: 60rem)").matches) form.querySelector("details").open = false;
}
