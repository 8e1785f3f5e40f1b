// A page of a form as JSON Schema, and which widget draws each field.
import { offered, words } from "./run.js";

const TEXTS = { email: "email", url: "uri", date: "date" };
const WIDGETS = {
  password: "password",
  description: "textarea",
  radio: "radio",
  "multi-choice": "checkboxes",
  "drop-down": "select",
  checkbox: "checkbox",
  date: "date",
  file: "FileWidget",
};

const values = (options) => options.map((item) => item.value);

function propertyOf(field, held) {
  const options = offered(field, held);
  const title = field.label;
  switch (field.kind) {
    case "number":
      return { type: "number", title };
    case "checkbox":
      return { type: "boolean", title: field.required ? `${title} *` : title };
    case "radio":
    case "drop-down":
      return { type: "string", title, enum: values(options) };
    case "multi-choice":
      return {
        type: "array",
        title,
        uniqueItems: true,
        items: { type: "string", enum: values(options) },
      };
    default:
      return { type: "string", title, format: TEXTS[field.kind] };
  }
}

export function schemaOf(fields, held) {
  return {
    type: "object",
    required: fields.filter((field) => field.required && field.kind !== "checkbox").map((field) => field.id),
    properties: Object.fromEntries(fields.map((field) => [field.id, propertyOf(field, held)])),
  };
}

function drawingOf(field, held) {
  const hints = field.hints.join(" \u00b7 ");
  return {
    "ui:description": field.kind === "checkbox" ? undefined : hints,
    "ui:help": field.kind === "checkbox" ? hints : undefined,
    "ui:widget": WIDGETS[field.kind],
    "ui:placeholder": field.kind === "drop-down" ? words.choose : undefined,
    "ui:options": {
      inputType: field.kind === "telephone" ? "tel" : undefined,
      rows: 4,
      optionValueFormat: "realValue",
    },
    // In step with the values of propertyOf: labels are matched by place.
    "ui:enumNames": offered(field, held).map((item) => item.label),
  };
}

export function uiSchemaOf(fields, held) {
  return Object.fromEntries(
    fields.map((field) => {
      const drawing = Object.entries(drawingOf(field, held)).filter(([, value]) => value !== undefined);
      return [field.id, Object.fromEntries(drawing)];
    }),
  );
}
