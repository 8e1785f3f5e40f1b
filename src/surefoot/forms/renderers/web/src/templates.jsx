// What all widget libraries share: fields in a grid, refusals with their mark, files.
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { fieldOf, upload, waitFor, words } from "./run.js";

const nameOf = (path) => path.path.at(-1);

function ObjectFieldTemplate({ properties }) {
  return (
    <div className="fields">
      {properties.map(({ name, content }) => (
        <div key={name} className={`field kind-${fieldOf(name).kind}`} data-field={name}>
          {content}
        </div>
      ))}
    </div>
  );
}

function FieldErrorTemplate({ errors = [], fieldPathId }) {
  return errors.length === 0 ? null : (
    <p className="refusal" role="alert" data-error={nameOf(fieldPathId)}>
      {errors.join(" ")}
    </p>
  );
}

export const templates = { ObjectFieldTemplate, FieldErrorTemplate };

// ``Legend`` draws the label where the library leaves that to its controls.
// A button that opens the file chooser; the file goes to the server when it is chosen.
export const fileWidget = (Button, Legend) =>
  function FileWidget({ id, name, label, required, value, onChange }) {
    const input = useRef(null);
    const [refusal, setRefusal] = useState("");
    const field = fieldOf(name ?? id.replace(/^root_/, ""));

    async function choose({ target }) {
      const [file] = target.files;
      if (!file) {
        return;
      }
      try {
        const kept = await upload(field.id, file);
        // Who waits for the file finds it among the values.
        flushSync(() => onChange(kept));
        setRefusal("");
      } catch (error) {
        setRefusal(error.message);
      }
    }

    return (
      <div className="file">
        {Legend && (
          <Legend htmlFor={id} required={required}>
            {label}
          </Legend>
        )}
        <Button plain data-pick={field.id} onClick={() => input.current.click()}>
          {words["choose-file"]}
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          id={id}
          accept={field.accepts.join(",")}
          onChange={(event) => waitFor(choose(event))}
        />
        <span className="file-name">{value?.name ?? words["no-file"]}</span>
        {refusal && (
          <p className="refusal" role="alert" data-error={field.id}>
            {refusal}
          </p>
        )}
      </div>
    );
  };
