// Edits of single controls as their designers would make them, and what each came to.
(() => {
  "use strict";
  const surefoot = globalThis.surefoot;
  const { dom, styleOf } = surefoot;
  const FIELDS = /^(input|select|textarea)$/;
  const PRESSED = /^(button|reset|submit)$/;
  const TICKED = /^(checkbox|radio)$/;
  const BOXES = /^(min-|margin)/;
  const KNOWN_BY = ["data-testid", "name", "aria-label", "title", "href"];
  const LONGEST = 60; // characters of an attribute that names a node
  const QUOTED = 600; // of a control's HTML
  const READABLE = 4.5; // contrast: WCAG 2.2, 1.4.3
  const changes = new Map();

  function selectorOf(node) {
    const root = dom.getRootNode(node);
    const sole = (selector) => dom.querySelectorAll(root, selector).length === 1;
    const tag = CSS.escape(dom.localName(node));
    const id = dom.getAttribute(node, "id");
    if (id && sole(`#${CSS.escape(id)}`)) return `#${CSS.escape(id)}`;
    for (const name of KNOWN_BY) {
      const value = dom.getAttribute(node, name);
      if (!value || value.length > LONGEST) continue;
      const selector = `${tag}[${name}="${value.replace(/["\\]/g, "\\$&")}"]`;
      if (sole(selector)) return selector;
    }
    const classes = [...dom.classList(node)].map((name) => `.${CSS.escape(name)}`).join("");
    if (classes && sole(tag + classes)) return tag + classes;
    const parent = dom.parentElement(node);
    if (!parent) return tag;
    const alike = [...dom.children(parent)].filter((other) => dom.localName(other) === dom.localName(node));
    const place = alike.length > 1 ? `:nth-of-type(${alike.indexOf(node) + 1})` : "";
    return `${selectorOf(parent)} > ${tag}${place}`;
  }

  const declared = (node) => (dom.style(node)?.cssText || "").split(/;\s*/).filter(Boolean);

  function rule(node, added) {
    const own = added.filter((text) => !text.startsWith("--surefoot-"));
    const hint = added.find((text) => text.startsWith("--surefoot-placeholder:"));
    const selector = selectorOf(node);
    const rules = own.length ? [`${selector} {\n${own.map((text) => `  ${text};\n`).join("")}}`] : [];
    if (hint) rules.push(`${selector}::placeholder {\n  color:${hint.split(":")[1]};\n}`);
    return rules.join("\n");
  }

  // Without what a capture itself has added to pictures.
  function quoted(html) {
    const own = html.replaceAll(' decoding="sync"', "");
    return own.length > QUOTED ? `${own.slice(0, QUOTED)} ...` : own;
  }

  // Do something to a control, and note which declarations its parts have since.
  function mend(id, work) {
    const parts = [...new Set(surefoot.shownFor(id).flatMap(surefoot.heldBy))];
    const before = parts.map((node) => new Set(declared(node)));
    const html = work() || {};
    const css = parts.map((node, at) => {
      const added = declared(node).filter((text) => !before[at].has(text));
      return added.length ? rule(node, added) : "";
    });
    const rules = css.filter(Boolean).join("\n");
    // HTML has its declarations in it, but for those of a later edit.
    const was = changes.get(id) || { element: id, css: "", before: "", after: "" };
    if (html.after) changes.set(id, { ...was, before: was.before || html.before, after: html.after });
    else if (rules) changes.set(id, { ...was, css: [was.css, rules].filter(Boolean).join("\n") });
  }

  const unknown = (ids) => ids.find((id) => {
    const node = surefoot.nodeOf(id);
    return !node || !dom.isConnected(node);
  });

  surefoot.forgetChanges = () => changes.clear();
  surefoot.mended = () => [...changes.values()];

  surefoot.restyle = (ids, declarations) => {
    const missing = unknown(ids);
    if (missing !== undefined) return { error: `no element '${missing}'` };
    surefoot.forgetStyles();
    for (const id of ids) {
      mend(id, () => {
        const node = surefoot.shownFor(id).at(-1);
        const set = (name, value) => dom.style(node).setProperty(name, value, "important");
        const sized = declarations.some(([name]) => BOXES.test(name));
        if (sized && styleOf(node).display === "inline" && !FIELDS.test(dom.localName(node))) {
          set("display", "inline-flex");
          set("align-items", "center");
          set("justify-content", "center");
        }
        const cell = /^table-(cell|row)$/.test(styleOf(node).display);
        const { width, height } = dom.getBoundingClientRect(node);
        for (const [name, value] of declarations) {
          set(name, value);
          // What is laid out as a table heeds no least side: its own is one.
          const side = { "min-width": width, "min-height": height }[name];
          if (cell && side < parseFloat(value)) set(name.replace("min-", ""), value);
        }
      });
    }
    surefoot.forgetStyles();
    surefoot.freeze();
    return { restyled: ids.length };
  };

  surefoot.raiseContrast = (ids, minimum) => {
    const missing = unknown(ids);
    if (missing !== undefined) return { error: `no element '${missing}'` };
    for (const id of ids) {
      const parts = new Set(surefoot.shownFor(id).flatMap(surefoot.heldBy));
      mend(id, () => {
        surefoot.enforceContrast(minimum, parts);
      });
    }
    return { raised: ids.length };
  };

  function worded(node, text) {
    const words = dom.createElement(dom.ownerDocument(node), "span");
    dom.set(words, "textContent", text);
    // An icon font, or a button that was made for an icon alone, would hide the words.
    const drawn = { "font-family": "system-ui, sans-serif", "font-size": "14px", "text-indent": "0",
      "white-space": "nowrap", padding: "0 4px" };
    for (const [name, value] of Object.entries(drawn)) dom.style(words).setProperty(name, value, "important");
    return words;
  }

  // A control that shows a picture alone may have a colour for words that nobody can read there.
  function makeReadable(words) {
    surefoot.enforceContrast(READABLE, new Set([words]));
  }

  // What named the control before would still be read to those who do not see.
  function forgetNames(node) {
    for (const name of ["aria-label", "aria-labelledby", "title"]) dom.removeAttribute(node, name);
  }

  function besideField(node, text) {
    const label = dom.createElement(dom.ownerDocument(node), "label");
    const id = dom.getAttribute(node, "id") || `labelled-${text.replace(/\W+/g, "-").toLowerCase()}`;
    dom.setAttribute(node, "id", id);
    dom.setAttribute(label, "for", id);
    const others = [...(dom.labels(node) || [])];
    const words = worded(node, text);
    dom.insertBefore(label, words, null);
    const ticked = TICKED.test(dom.type(node));
    dom.insertBefore(dom.parentNode(node), label, ticked ? dom.nextSibling(node) : node);
    forgetNames(node);
    if (others.length) {
      // A hidden label would be read besides, so that the field were called by its name twice.
      dom.setAttribute(label, "id", `${id}-label`);
      dom.setAttribute(node, "aria-labelledby", `${id}-label`);
    }
    makeReadable(words);
    const both = [dom.outerHTML(label), dom.outerHTML(node)];
    return (ticked ? both.reverse() : both).join("");
  }

  function inControl(node, text) {
    for (const child of dom.children(node)) dom.setAttribute(child, "aria-hidden", "true");
    const words = worded(node, text);
    dom.insertBefore(node, words, null);
    forgetNames(node);
    // A width for an icon alone leaves no room.
    for (const [name, value] of [["width", "auto"], ["max-width", "none"], ["overflow", "visible"]]) {
      dom.style(node).setProperty(name, value, "important");
    }
    makeReadable(words);
    return dom.outerHTML(node);
  }

  function asShown(node, text) {
    forgetNames(node);
    dom.setAttribute(node, "aria-label", text);
    return dom.outerHTML(node);
  }

  function inPlace(node, text) {
    const parts = surefoot.heldBy(node).flatMap((part) => [...dom.childNodes(part)]);
    const [first, ...others] = parts.filter((part) => dom.nodeType(part) === 3 && /\S/.test(part.data));
    if (!first) return inControl(node, text);
    first.data = text;
    for (const part of others) part.data = "";
    forgetNames(node);
    return dom.outerHTML(node);
  }

  surefoot.relabel = (id, text, replaces, shows) => {
    if (unknown([id]) !== undefined) return { error: `no element '${id}'` };
    const node = surefoot.nodeOf(id);
    mend(id, () => {
      const before = quoted(dom.outerHTML(node));
      const pressed = dom.localName(node) === "input" && PRESSED.test(dom.type(node));
      let after = "";
      if (shows) after = asShown(node, text);
      else if (pressed) {
        dom.setAttribute(node, "value", text);
        forgetNames(node);
        after = dom.outerHTML(node);
      } else if (FIELDS.test(dom.localName(node))) after = besideField(node, text);
      else after = replaces ? inPlace(node, text) : inControl(node, text);
      return { before, after: quoted(after) };
    });
    surefoot.freeze();
    return { relabelled: 1 };
  };
})();
