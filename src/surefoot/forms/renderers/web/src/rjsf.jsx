// A form drawn by react-jsonschema-form in the widgets of one library, with pages of our own.
import { withTheme } from "@rjsf/core";
import { useEffect, useMemo, useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { keepMarked } from "./marks.js";
import { atRest, changed, fieldOf, judged, left, run, textOf, thank, words } from "./run.js";
import { schemaOf, uiSchemaOf } from "./schema.js";
import { templates, fileWidget } from "./templates.jsx";
import "./rjsf.css";

const THEMES = {
  core: () => import("./themes/core.jsx"),
  bootstrap: () => import("./themes/bootstrap.jsx"),
  mui: () => import("./themes/mui.jsx"),
  antd: () => import("./themes/antd.jsx"),
};

// The server alone judges, and a schema compiler would need a policy that lets scripts be
// made of strings.
const unjudged = {
  validateFormData: () => ({ errors: [], errorSchema: {} }),
  isValid: () => true,
  rawValidation: () => ({ errors: [] }),
};

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

  function hold(field, value) {
    const before = held.current[field.id];
    held.current = { ...held.current, [field.id]: value };
    if (value === undefined) {
      delete held.current[field.id];
    }
    if (textOf(value) !== textOf(before)) {
      changed(field.id, value, held.current);
    }
  }

  // Options that were chosen go with what brought them, on later pages, too.
  function change({ formData }) {
    fields.forEach((field) => hold(field, formData[field.id]));
    for (const field of run.pages.flatMap((each) => each.fields)) {
      hold(field, left(field, held.current[field.id], held.current));
    }
    setValues({ ...held.current });
  }

  async function back() {
    await atRest();
    setPage(page - 1);
  }

  async function forward() {
    const refused = await judged(() => held.current, page);
    if (refused === undefined) {
      return;
    }
    if (Object.keys(refused).length > 0) {
      setErrors(refused);
      setPage(firstRefused(refused));
    } else if (page < run.pages.length - 1) {
      setErrors({});
      setPage(page + 1);
    } else {
      marking.current = () => {};
      reactRoot.unmount();
      thank(root);
    }
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
        validator={unjudged}
        extraErrors={refusals}
        extraErrorsBlockSubmit={false}
        templates={templates}
        widgets={widgets}
        experimental_defaultFormStateBehavior={{ constAsDefaults: "never" }}
        onChange={change}
        onSubmit={forward}
      >
        <Actions page={page} Button={Button} onBack={back} />
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
