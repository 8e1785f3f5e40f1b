// Set the marks that every renderer owes, on widgets that know nothing of them.
import { fieldOf, offered, ready, run, textOf } from "./run.js";

const TYPED = "input:not([type=hidden]):not([type=file]):not([aria-hidden=true]), textarea";
const CONTROLS = {
  "drop-down": "select, .sd-dropdown, .ant-select, [role=combobox]",
  date: `.ant-picker, ${TYPED}`,
};
const DRAWN = ".sd-dropdown input, .ant-picker input";
const LATEST = "9999-12-31";
const OPTIONS = "[role=option], .ant-select-item-option, .sv-list__item";

function set(node, name, value) {
  if (node && value === undefined) {
    delete node.dataset[name];
  } else if (node && node.dataset[name] !== value) {
    node.dataset[name] = value;
  }
}

function frame(nodes) {
  let node = nodes[0]?.parentElement;
  while (node && !nodes.every((entry) => node.contains(entry))) {
    node = node.parentElement;
  }
  return node;
}

// The label of a tick box, with the box; where they stand side by side, what holds both.
function choice(input) {
  return input.closest(".form-check") ?? input.closest("label") ?? input.parentElement;
}

function markChoices(root, field, options) {
  const inputs = [...root.querySelectorAll("input[type=radio], input[type=checkbox]")];
  const labels = inputs.map(choice);
  labels.forEach((label, at) => set(label, "option", options[at]?.value));
  set(frame(labels), "control", field.id);
}

function markField(root, values) {
  const field = fieldOf(root.dataset.field);
  const options = offered(field, values);
  if (field.kind === "radio" || field.kind === "multi-choice") {
    markChoices(root, field, options);
  } else if (field.kind === "checkbox") {
    const input = root.querySelector("input[type=checkbox]");
    set(input && choice(input), "control", field.id);
    // Some libraries leave the box's own value empty, and so say nothing by ticking it.
    set(root, "value", textOf(values[field.id]));
  } else if (field.kind === "file") {
    set(root.querySelector("[data-pick], .sd-file__choose-btn"), "control", field.id);
    set(root, "value", textOf(values[field.id]));
  } else {
    const control = root.querySelector(CONTROLS[field.kind] ?? TYPED);
    set(control, "control", field.id);
    // A change makes Chromium draw it anew, which it first did before it knew the page's language.
    if (control?.type === "date" && control.max !== LATEST) {
      control.lang = run.language;
      control.max = LATEST;
    }
  }
  if (field.kind === "drop-down") {
    markNative(root.querySelector("select"), options);
  }
  const drawn = root.querySelector(DRAWN);
  if (field.kind === "drop-down" || drawn) {
    set(root, "value", textOf(values[field.id]));
  }
  // What stands there searches options or shows a date; it is not the value that is sent.
  if (drawn && drawn.type !== "search") {
    drawn.type = "search";
  }
}

function markNative(select, options) {
  for (const node of select?.options ?? []) {
    const option = options.find((entry) => entry.value === node.value);
    if (option) {
      set(node, "option", option.value);
    }
  }
}

function owner(option) {
  const inside = option.closest("[data-field]");
  if (inside) {
    return inside.dataset.field;
  }
  for (let node = option; node; node = node.parentElement) {
    const opener = node.id && document.querySelector(`[data-field] [aria-controls~="${CSS.escape(node.id)}"]`);
    if (opener) {
      return opener.closest("[data-field]").dataset.field;
    }
  }
  return document.querySelector('[data-field] [aria-expanded="true"]')?.closest("[data-field]")
    .dataset.field;
}

function markPopups(values) {
  for (const node of document.querySelectorAll(OPTIONS)) {
    const field = fieldOf(owner(node));
    const text = node.textContent.trim();
    const options = field ? offered(field, values) : [];
    set(node, "option", options.find((entry) => entry.label === text)?.value);
  }
}

// Mark the page now and after each of its changes; ``current`` returns all values.
export function keepMarked(current) {
  let asked = false;
  const mark = () => {
    asked = false;
    const values = current();
    document.querySelectorAll("[data-field]").forEach((root) => markField(root, values));
    markPopups(values);
  };
  const soon = () => {
    if (!asked) {
      asked = true;
      queueMicrotask(mark);
    }
  };
  const watched = { childList: true, subtree: true, attributes: true, attributeFilter: ["aria-expanded", "aria-controls"] };
  new MutationObserver(soon).observe(document.body, watched);
  mark();
  ready();
  return soon;
}
