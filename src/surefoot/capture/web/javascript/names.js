// Accessible names (accname 1.2): what an element is called, where that came from, and
// which text on the page spells it.
(() => {
  "use strict";
  const surefoot = globalThis.surefoot;
  const { attribute, dom, flatChildren } = surefoot;

  const FROM_CONTENT = new Set(
    `button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox
    menuitemradio option radio row rowheader switch tab tooltip treeitem`.split(/\s+/),
  );
  const LABELABLE = new Set(["input", "select", "textarea", "button", "meter", "output", "progress"]);
  const SILENT = new Set(["script", "style", "noscript", "template", "head", "title", "meta", "link"]);
  const BUTTONS = new Set(["button", "submit", "reset"]);
  const DEFAULTS = { __proto__: null, submit: "Submit", reset: "Reset", image: "Submit", file: "Choose File" };
  const VALUED = new Set(["textbox", "searchbox", "combobox", "listbox", "slider", "spinbutton"]);
  // Icon fonts draw with private-use characters: they have no name that could be said.
  const PRIVATE = /[\ue000-\uf8ff]|[\udb80-\udbff][\udc00-\udfff]/g;

  const tidy = (text) => text.replace(PRIVATE, "").replace(/[\s\u200b\ufeff]+/g, " ").trim();

  let styles = new Map();
  function style(node) {
    let found = styles.get(node);
    if (!found) styles.set(node, (found = getComputedStyle(node)));
    return found;
  }

  // What has no place in a name; a part of what is invisible may be visible again.
  function left(node) {
    if (SILENT.has(dom.localName(node))) return true;
    if (dom.getAttribute(node, "aria-hidden") === "true") return true;
    return !dom.checkVisibility(node) && style(node).display !== "contents";
  }

  const visible = (node) => style(node).visibility === "visible";

  const hidden = (node) => left(node) || !visible(node);

  function references(node, name) {
    const root = dom.getRootNode(node);
    const list = attribute(node, name).split(/\s+/).filter(Boolean);
    return list.map((id) => dom.getElementById(root, id)).filter(Boolean);
  }

  // Words that a style sheet adds belong to the name, though no text node holds them.
  function generated(node, which, trail) {
    const painted = getComputedStyle(node, which);
    const { content } = painted;
    if (!content || content[0] !== '"') return "";
    let text = "";
    for (const [, part] of content.split(" / ")[0].matchAll(/"((?:[^"\\]|\\.)*)"/g)) {
      text += part.replace(/\\(.)/g, "$1");
    }
    text = text.replace(PRIVATE, "");
    if (/[\p{L}\p{N}]/u.test(text)) trail.whole = false;
    return painted.display === "inline" || !text ? text : ` ${text} `;
  }

  function shownValue(node, role) {
    if (role === "combobox" || role === "listbox") {
      if (dom.localName(node) === "select") {
        return [...dom.selectedOptions(node)].map((item) => item.label).join(" ");
      }
    }
    const spoken = attribute(node, "aria-valuetext") || attribute(node, "aria-valuenow");
    if (spoken) return spoken;
    if (typeof dom.value(node) === "string" && dom.type(node) !== "password") return dom.value(node);
    return dom.localName(node) === "input" ? "" : dom.textContent(node);
  }

  // A trail collects the text nodes that spell a name; ``whole`` falls where a part of the
  // name stands nowhere on the page.
  const newTrail = () => ({ texts: [], whole: true, unseen: false, seen: new Set() });

  function unspelled(trail, text) {
    if (tidy(text)) trail.whole = false;
    return text;
  }

  function ofContent(node, trail, inReference) {
    const spoken = trail.unseen || visible(node);
    const parts = spoken ? [generated(node, "::before", trail)] : [];
    for (const child of flatChildren(node)) {
      if (dom.nodeType(child) === 3) {
        if (!spoken) continue;
        if (/\S/.test(child.data)) trail.texts.push(child);
        parts.push(child.data);
      } else if (dom.nodeType(child) === 1) {
        parts.push(ofChild(child, trail, inReference));
      }
    }
    if (spoken) parts.push(generated(node, "::after", trail));
    return parts.join("");
  }

  function ofChild(node, trail, inReference) {
    if (dom.localName(node) === "br") return " ";
    const absent = trail.unseen ? SILENT.has(dom.localName(node)) : left(node);
    if (trail.seen.has(node) || absent) return "";
    trail.seen.add(node);
    const text = ofNode(node, trail, inReference);
    return style(node).display === "inline" ? text : ` ${text} `;
  }

  function ofNode(node, trail, inReference) {
    const role = surefoot.roleOf(node);
    if (!inReference) {
      const referred = references(node, "aria-labelledby");
      if (referred.length) return ofReferences(referred, trail);
    }
    if (VALUED.has(role)) return unspelled(trail, shownValue(node, role));
    const label = attribute(node, "aria-label");
    if (label) return unspelled(trail, label);
    const native = ofNative(node, trail);
    if (native.text) return native.text;
    const content = ofContent(node, trail, inReference);
    if (tidy(content)) return content;
    return unspelled(trail, attribute(node, "title"));
  }

  function ofReferences(list, trail) {
    const parts = [];
    for (const node of list) {
      if (trail.seen.has(node)) continue;
      trail.seen.add(node);
      parts.push(tidy(ofTarget(node, trail, true)));
    }
    return parts.filter(Boolean).join(" ");
  }

  // What is referred to names although it is hidden, with all that is hidden in it.
  function ofTarget(node, trail, inReference) {
    if (!hidden(node)) return ofNode(node, trail, inReference);
    const before = trail.unseen;
    trail.unseen = true;
    const text = unspelled(trail, ofNode(node, trail, inReference));
    trail.unseen = before;
    return text;
  }

  function ofFirst(node, selector, from, trail) {
    const found = dom.querySelector(node, `:scope > ${selector}`);
    if (!found || hidden(found)) return { text: "", from };
    trail.seen.add(found);
    return { text: ofNode(found, trail, false), from };
  }

  function ofInput(node, trail) {
    const { type } = node;
    if (BUTTONS.has(type)) {
      const value = dom.value(node) || DEFAULTS[type] || "";
      return { text: value, from: "value", shown: node };
    }
    if (type === "image") {
      const alt = attribute(node, "alt");
      const text = alt || attribute(node, "value") || attribute(node, "title") || DEFAULTS.image;
      return { text: unspelled(trail, text), from: alt ? "alt" : "value" };
    }
    if (type === "file") return { text: DEFAULTS.file, from: "value", shown: node };
    return { text: "", from: "" };
  }

  function ofLabels(node, trail) {
    const labels = LABELABLE.has(dom.localName(node)) && dom.labels(node) ? [...dom.labels(node)] : [];
    const parts = [];
    for (const label of labels) {
      trail.seen.add(node);
      trail.seen.add(label);
      parts.push(tidy(ofTarget(label, trail, false)));
    }
    return { text: parts.filter(Boolean).join(" "), from: "label" };
  }

  function ofNative(node, trail) {
    switch (dom.localName(node)) {
      case "img":
      case "area":
        return { text: unspelled(trail, attribute(node, "alt")), from: "alt" };
      case "input":
        return ofInput(node, trail);
      case "fieldset":
        return ofFirst(node, "legend", "legend", trail);
      case "table":
        return ofFirst(node, "caption", "caption", trail);
      case "figure":
        return ofFirst(node, "figcaption", "caption", trail);
      case "svg": {
        const title = dom.querySelector(node, ":scope > title");
        return { text: title ? unspelled(trail, dom.textContent(title)) : "", from: "title" };
      }
      case "option":
      case "optgroup":
        return { text: dom.label(node) || "", from: "content" };
      default:
        return { text: "", from: "" };
    }
  }

  function placeholderOf(node) {
    return attribute(node, "placeholder") || attribute(node, "aria-placeholder");
  }

  function steps(node, role) {
    return [
      (trail) => ({
        text: ofReferences(references(node, "aria-labelledby"), trail),
        from: "aria-labelledby",
      }),
      (trail) => ({ text: unspelled(trail, attribute(node, "aria-label")), from: "aria-label" }),
      (trail) => ofLabels(node, trail),
      (trail) => ofNative(node, trail),
      (trail) =>
        FROM_CONTENT.has(role) && dom.localName(node) !== "input"
          ? { text: ofContent(node, trail, false), from: "content" }
          : { text: "", from: "" },
      (trail) => ({ text: unspelled(trail, attribute(node, "title")), from: "title" }),
      () => ({ text: placeholderOf(node), from: "placeholder", shown: node }),
    ];
  }

  function ownName(node, role) {
    for (const step of steps(node, role)) {
      const trail = newTrail();
      trail.seen.add(node);
      const found = step(trail);
      const name = tidy(found.text);
      if (name) {
        return {
          name,
          from: found.from,
          texts: trail.texts,
          shown: found.shown || null,
          whole: trail.whole,
        };
      }
    }
    return { name: "", from: "", texts: [], shown: null, whole: false };
  }

  // Chromium adds to a file field what was chosen, passes over a label that is not drawn, and
  // names by their words what nobody can act on.
  const kept = (node, role, own) =>
    dom.type(node) === "file" || own.from === "label" ||
    (!own.name && !surefoot.interactive(role) && !FROM_CONTENT.has(role) && role !== "img");

  const letters = (name) => name.replace(/\s/g, "").toLowerCase();

  // Where a name comes from that the browser knows and we do not.
  function sourceOf(node, role) {
    for (const name of ["aria-labelledby", "aria-label", "title", "placeholder"]) {
      if (attribute(node, name)) return name;
    }
    return FROM_CONTENT.has(role) ? "content" : "aria-label";
  }

  // The browser's own tree says what an element is called. Where it has no name, or another
  // only by its spaces or its case, ours stands, which knows the text that spells it; so it
  // does once an edit has changed what an element is called.
  // Returns the name, its source, the text nodes that spell it, the control that shows it
  // itself (a value or placeholder), and whether all of it can stand on the page.
  surefoot.nameOf = (node, role) => {
    const own = ownName(node, role);
    const heard = surefoot.accessibleOf(node);
    if (!heard) return own;
    heard.instead ??= own.name;
    const name = tidy(heard.name);
    if (!name || letters(name) === letters(own.name) || kept(node, role, own)) return own;
    if (heard.instead !== own.name) return own;
    return { name, from: own.from || sourceOf(node, role), texts: [], shown: null, whole: false };
  };

  surefoot.forgetStyles = () => {
    styles = new Map();
  };
  Object.assign(surefoot, { styleOf: style, tidy, placeholderOf, FROM_CONTENT });
})();
