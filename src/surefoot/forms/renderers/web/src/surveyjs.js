// A form drawn by SurveyJS: its own pages, progress, required marks and messages.
import "survey-core/survey-core.fontless.css";
import "survey-core/i18n/arabic";
import "survey-core/i18n/french";
import "survey-core/i18n/japanese";
import "survey-core/i18n/russian";
import "survey-core/i18n/simplified-chinese";
import "survey-core/i18n/thai";
import "./surveyjs.css";
import { Model, settings, surveyLocalization } from "survey-core";
import "survey-js-ui";
import { changed, fieldOf, judged, run, still, thank, upload, waitFor, words } from "./run.js";
import { keepMarked } from "./marks.js";
import { themes } from "./themes/surveyjs.js";

// Its own Arabic sets the count of pages before the words, and runs from right to left always.
surveyLocalization.locales.ar.progressText = "صفحة {0} من {1}";
surveyLocalization.localeDirections.ar = run.direction;

const LOCALES = { zh: "zh-cn" };
const INPUTS = {
  string: "text",
  email: "email",
  telephone: "tel",
  url: "url",
  password: "password",
  number: "number",
  date: "date",
};
const COLUMNS = { "one-column": 1, table: 1, "two-columns": 2, dense: 3 };
const columns = COLUMNS[run.look.layout];

function choices(field) {
  return field.options.map((option) => ({
    value: option.value,
    text: option.label,
    visibleIf: Object.entries(option.when)
      .map(([name, wanted]) => `{${name}} anyof ${JSON.stringify(wanted)}`)
      .join(" and "),
  }));
}

function kindOf(field) {
  switch (field.kind) {
    case "description":
      return { type: "comment", rows: 4 };
    case "drop-down":
      return { type: "dropdown", choices: choices(field), placeholder: words.choose };
    case "radio":
      return { type: "radiogroup", choices: choices(field) };
    case "multi-choice":
      return { type: "checkbox", choices: choices(field) };
    case "checkbox":
      return {
        type: "checkbox",
        choices: [{ value: "yes", text: field.required ? `${field.label} *` : field.label }],
        titleLocation: "hidden",
      };
    case "file":
      return { type: "file", storeDataAsText: false, allowImagesPreview: false };
    default:
      return { type: "text", inputType: INPUTS[field.kind], autocomplete: "off" };
  }
}

function element(field, at) {
  return {
    name: field.id,
    title: field.label,
    description: field.hints.join(" \u00b7 "),
    descriptionLocation: "underInput",
    isRequired: field.required,
    startWithNewLine: columns === 1 || at % columns === 0 || field.kind === "description",
    ...kindOf(field),
  };
}

const model = new Model({
  title: run.title,
  description: run.introduction,
  pages: run.pages.map((page, number) => ({
    name: `page${number}`,
    title: page.title,
    questionTitleWidth: "240px",
    elements: page.fields.map(element),
  })),
  showProgressBar: run.pages.length > 1,
  progressBarType: "pages",
  progressBarLocation: "top",
  showQuestionNumbers: "off",
  questionTitleLocation: run.look.layout === "table" ? "left" : "top",
  widthMode: "static",
  width: columns === 1 ? "820px" : "1080px",
  focusFirstQuestionAutomatic: false,
  focusOnFirstError: false,
  textUpdateMode: "onTyping",
  completeText: words.submit,
  pageNextText: words.next,
  pagePrevText: words.back,
});
// The server alone judges; what it said stands until it is asked again, as on every page.
model.validationEnabled = false;
model.validateQuestionOnValueChanged = () => {};
model.locale = LOCALES[run.language] ?? run.language;

// SurveyJS keeps a text of each file; what the server said of it is looked up by that.
const received = new Map();
function keep(file) {
  received.set(file.sha256, file);
  return file.sha256;
}

const held = (question) => {
  const { kind } = fieldOf(question.name);
  if (kind === "checkbox") {
    return question.value?.includes("yes") ? true : undefined;
  }
  return kind === "file" ? received.get(question.value?.[0]?.content) : question.value;
};
const current = () =>
  Object.fromEntries(model.getAllQuestions().map((question) => [question.name, held(question)]));

function restore() {
  for (const [id, value] of Object.entries(run.values)) {
    const { kind } = fieldOf(id);
    if (kind === "file") {
      model.setValue(id, [{ name: value.name, type: "", content: keep(value) }]);
    } else {
      model.setValue(id, kind === "checkbox" ? (value ? ["yes"] : []) : value);
    }
  }
}

function refuse(errors) {
  const [first] = model.getAllQuestions().filter((question) => errors[question.name]);
  if (first) {
    model.currentPage = first.page;
    first.focus();
  }
}

const root = document.getElementById("form");
model.onServerValidateQuestions.add((_, options) => {
  const last = model.isLastPage;
  judged(current, model.currentPageNo).then((errors) => {
    if (errors === undefined) {
      model.setIsValidatingOnServer(false);
      return;
    }
    model.getAllQuestions().forEach((question) => question.clearErrors());
    if (last && Object.keys(errors).length === 0) {
      thank(root);
      return;
    }
    Object.assign(options.errors, errors);
    options.complete();
    refuse(errors);
  });
});
model.onUploadFiles.add((_, options) => {
  const sending = Promise.all(options.files.map((file) => upload(options.name, file))).then(
    (files) =>
      options.callback(options.files.map((file, at) => ({ file, content: keep(files[at]) }))),
    (error) => options.callback([], [error.message]),
  );
  waitFor(sending);
});
// Without content it would show neither the file nor its name.
model.onDownloadFile.add((_, options) => options.callback("success", "data:,"));

const ACTIONS = {
  next: ".sd-navigation__next-btn",
  back: ".sd-navigation__prev-btn",
  submit: ".sd-navigation__complete-btn",
};

function markShell() {
  root.dataset.page = model.currentPageNo;
  for (const [action, selector] of Object.entries(ACTIONS)) {
    const button = root.querySelector(selector);
    if (button && button.dataset.action !== action) {
      button.dataset.action = action;
    }
  }
  for (const question of root.querySelectorAll("[data-name]")) {
    if (fieldOf(question.dataset.name) && question.dataset.field === undefined) {
      question.dataset.field = question.dataset.name;
    }
    const error = question.querySelector(".sd-question__erbox");
    if (error && error.dataset.error === undefined) {
      error.dataset.error = question.dataset.name;
    }
  }
}

const STILL = { "--sjs-transition-duration": "0s" };
const DENSE = { "--sjs-base-unit": "5.5px", "--sjs-font-size": "13px" };

// The theme with the run's accent and corners; what is made for contrast keeps its colours.
function themed() {
  const theme = structuredClone(themes[run.look.theme]);
  theme.cssVariables["--sjs-corner-radius"] = `${run.look.corner * 4}px`;
  if (!run.look.theme.startsWith("contrast")) {
    Object.assign(theme.cssVariables, {
      "--sjs-primary-backcolor": run.accent,
      "--sjs-primary-backcolor-light": `color-mix(in srgb, ${run.accent} 12%, transparent)`,
      "--sjs-primary-backcolor-dark": `color-mix(in srgb, ${run.accent} 85%, black)`,
    });
  }
  if (run.look.layout === "dense") {
    Object.assign(theme.cssVariables, DENSE);
  }
  if (still) {
    Object.assign(theme.cssVariables, STILL);
  }
  return theme;
}

settings.animationEnabled = !still;

function start() {
  if (run.done) {
    thank(root);
    return;
  }
  model.applyTheme(themed());
  restore();
  model.onValueChanged.add((_, { question }) => {
    changed(question.name, held(question), current());
    soon();
  });
  model.render(root);
  new MutationObserver(markShell).observe(root, { childList: true, subtree: true });
  markShell();
  const soon = keepMarked(current);
}

start();
