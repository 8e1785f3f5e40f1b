// A form drawn by react-jsonschema-form in the widgets of one library, with pages of our own.
import { withTheme } from "@rjsf/core";
import { toErrorList } from "@rjsf/utils";
import { useEffect, useMemo, useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { keepMarked } from "./marks.js";
import { changed, fieldOf, run, submit, textOf, thank, words } from "./run.js";
import { schemaOf, uiSchemaOf } from "./schema.js";
import { templates, fileWidget } from "./templates.jsx";
import "./rjsf.css";

const THEMES = {
  core: () => import("./themes/core.jsx"),
  bootstrap: () => import("./themes/bootstrap.jsx"),
  mui: () => import("./themes/mui.jsx"),
  antd: () => import("./themes/antd.jsx"),
};

// The server alone judges values, and a schema compiler would need a policy that lets
// scripts be made of strings; so here only empty required fields are found.
function validator(fields) {
  return {
    validateFormData(data) {
      const empty = fields.filter((field) => field.required && textOf(data?.[field.id]) === "" && field.kind !== "checkbox");
      const errorSchema = Object.fromEntries(
        empty.map((field) => [field.id, { __errors: [field.missing] }]),
      );
      return { errors: toErrorList(errorSchema), errorSchema };
    },
    isValid: () => true,
    rawValidation: () => ({ errors: [] }),
  };
}

function Progress({ page }) {
  return (
    <nav className="steps">
      <p>{words.progress[page]}</p>
      <ol>
        {run.pages.map((each, number) => (
          <li key={number} aria-current={number === page ? "step" : undefined}>
            {each.title}
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Actions({ page, Button, onBack }) {
  const last = page === run.pages.length - 1;
  return (
    <div className="actions">
      {page > 0 && (
        <Button data-action="back" onClick={onBack}>
          {words.back}
        </Button>
      )}
      <Button primary data-action={last ? "submit" : "next"}>
        {last ? words.submit : words.next}
      </Button>
    </div>
  );
}

const firstRefused = (errors) =>
  Math.min(...Object.keys(errors).map((id) => fieldOf(id)?.page ?? 0));

const extra = (fields, errors) =>
  Object.fromEntries(
    fields
      .filter((field) => errors[field.id])
      .map((field) => [field.id, { __errors: [errors[field.id]] }]),
  );

function Wizard({ Form, Button, widgets, root }) {
  const [page, setPage] = useState(0);
  const [values, setValues] = useState(run.values);
  const [errors, setErrors] = useState(run.errors);
  const held = useRef(values);
  const marking = useRef(() => {});
  held.current = values;
  const { title, fields } = run.pages[page];
  const judge = useMemo(() => validator(fields), [fields]);
  const refusals = useMemo(() => extra(fields, errors), [fields, errors]);

  useEffect(() => {
    marking.current = keepMarked(() => held.current);
  }, []);
  useEffect(() => {
    root.dataset.page = page;
    marking.current();
  });
  useEffect(() => {
    window.scrollTo(0, 0);
  }, [page]);

  function change({ formData }) {
    for (const { id } of fields) {
      if (textOf(formData[id]) !== textOf(held.current[id])) {
        changed(id, formData[id]);
      }
    }
    held.current = { ...held.current, ...formData };
    for (const { id } of fields) {
      if (formData[id] === undefined) {
        delete held.current[id];
      }
    }
    setValues({ ...held.current });
  }

  async function forward() {
    if (page < run.pages.length - 1) {
      setPage(page + 1);
      return;
    }
    const refused = await submit(held.current);
    if (Object.keys(refused).length === 0) {
      marking.current = () => {};
      reactRoot.unmount();
      thank(root);
      return;
    }
    setErrors(refused);
    setPage(firstRefused(refused));
  }

  return (
    <div className="sheet">
      <header>
        <h1>{run.title}</h1>
        {run.introduction && page === 0 && <p className="introduction">{run.introduction}</p>}
      </header>
      {run.pages.length > 1 && <Progress page={page} />}
      <h2>{title}</h2>
      <p className="note">{words["required-note"]}</p>
      <Form
        key={page}
        noHtml5Validate
        showErrorList={false}
        autoComplete="off"
        schema={schemaOf(fields, values)}
        uiSchema={uiSchemaOf(fields, values)}
        formData={values}
        validator={judge}
        extraErrors={refusals}
        extraErrorsBlockSubmit={false}
        templates={templates}
        widgets={widgets}
        experimental_defaultFormStateBehavior={{ constAsDefaults: "never" }}
        onChange={change}
        onSubmit={forward}
      >
        <Actions page={page} Button={Button} onBack={() => setPage(page - 1)} />
      </Form>
    </div>
  );
}

const root = document.getElementById("form");
const reactRoot = run.done ? undefined : createRoot(root);
if (run.done) {
  thank(root);
} else {
  const { Theme, Frame, Button, Legend, widgets } = await THEMES[run.look.theme]();
  const Form = withTheme(Theme);
  document.documentElement.style.setProperty("--accent", run.accent);
  document.documentElement.style.setProperty("--corner", `${run.look.corner * 4}px`);
  reactRoot.render(
    <Frame>
      <Wizard Form={Form} Button={Button} widgets={{ ...widgets, FileWidget: fileWidget(Button, Legend) }} root={root} />
    </Frame>,
  );
}
