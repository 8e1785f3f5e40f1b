// What form controls show and allow: their text, its place, states and attributes.
(() => {
  "use strict";
  const surefoot = globalThis.surefoot;
  const { attribute, dom, styleOf, tidy } = surefoot;
  const TEXTUAL = new Set(
    "date datetime-local email month number password search tel text time url week".split(" "),
  );
  const EXPANDED = { __proto__: null, true: "expanded", false: "collapsed" };
  const PRESSED = new Set(["button", "submit", "reset"]);
  const CHOSEN = /(^|[-_])(active|chosen|current|on|selected)$/i;
  const ARROW_PX = 16;
  let brush = null;

  function measure(style, text) {
    if (!brush) brush = new OffscreenCanvas(1, 1).getContext("2d");
    brush.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const spacing = Number.parseFloat(style.letterSpacing) || 0;
    return brush.measureText(text).width + spacing * text.length;
  }

  // A native list keeps room for its arrow, which its padding does not tell.
  const arrowOf = (node, style) =>
    dom.localName(node) === "select" && style.appearance !== "none" ? ARROW_PX : 0;

  const typed = (node) =>
    dom.localName(node) === "textarea" || (dom.localName(node) === "input" && TEXTUAL.has(dom.type(node)));

  // The text that a native control paints, which no text node of the page holds.
  function paintedText(node) {
    const ink = inkOf(node);
    return ink && surefoot.letters(ink, node) ? textOf(node) : "";
  }

  // The style in which a control's text is painted; a placeholder has one of its own, and
  // may be let to vanish.
  function inkOf(node) {
    if (!typed(node) || dom.value(node)) return styleOf(node);
    const style = getComputedStyle(node, "::placeholder");
    return style.visibility === "visible" && Number(style.opacity) >= 0.02 ? style : null;
  }

  function textOf(node) {
    if (typed(node)) {
      if (!dom.value(node)) return surefoot.placeholderOf(node);
      return dom.type(node) === "password" ? "" : dom.value(node);
    }
    if (dom.localName(node) === "select") {
      if (dom.multiple(node) || dom.size(node) > 1) return "";
      return dom.selectedOptions(node).length ? dom.selectedOptions(node)[0].label : "";
    }
    if (dom.localName(node) !== "input") return "";
    if (dom.type(node) === "file") return "Choose File";
    if (!PRESSED.has(dom.type(node))) return "";
    return dom.value(node) || { submit: "Submit", reset: "Reset" }[dom.type(node)] || "";
  }

  function aligned(node, style, free) {
    if (free <= 0) return 0;
    const { textAlign } = style;
    if (textAlign === "center" || textAlign === "-webkit-center") return free / 2;
    const backwards = style.direction === "rtl";
    const ends = textAlign === "right" || textAlign === (backwards ? "start" : "end");
    return ends ? free : 0;
  }

  // Where the painted text lies in the control's box: measured with its font, one line.
  function paintedBox(node, box) {
    const style = styleOf(node);
    const text = paintedText(node);
    const unit = dom.offsetWidth(node) ? (box[2] - box[0]) / dom.offsetWidth(node) : 1;
    const side = (name) => (Number.parseFloat(style[name]) || 0) * unit;
    const left = box[0] + side("borderLeftWidth") + side("paddingLeft");
    const right = box[2] - side("borderRightWidth") - side("paddingRight");
    const top = box[1] + side("borderTopWidth") + side("paddingTop");
    const bottom = box[3] - side("borderBottomWidth") - side("paddingBottom");
    const ink = inkOf(node) || style;
    const size = Number.parseFloat(ink.fontSize) * unit;
    const room = right - left - arrowOf(node, style) * unit;
    const width = measure(ink, text) * unit;
    const indent = Number.parseFloat(style.textIndent) || 0;
    const pushed = style.textIndent.endsWith("%") ? (indent / 100) * room : indent * unit;
    const start = left + pushed + aligned(node, style, room - width);
    const middle = dom.localName(node) === "textarea" ? top + 0.6 * size : (top + bottom) / 2;
    return {
      text: tidy(text),
      rect: [start, middle - 0.6 * size, Math.min(start + width, right), middle + 0.6 * size],
      whole: start >= left - 2 * unit && start + width <= left + room + 2 * unit && room > 0,
    };
  }

  const flag = (node, name) => attribute(node, name).toLowerCase();

  function checkedState(node, role) {
    if (dom.localName(node) === "input" && (dom.type(node) === "checkbox" || dom.type(node) === "radio")) {
      if (dom.indeterminate(node)) return "mixed";
      return dom.checked(node) ? (role === "button" ? "pressed" : "checked") : "";
    }
    if (!/^(checkbox|radio|switch|menuitemcheckbox|menuitemradio|option)$/.test(role)) return "";
    const value = flag(node, "aria-checked");
    return value === "true" ? "checked" : value === "mixed" ? "mixed" : "";
  }

  function expandedState(node) {
    const parent = dom.parentElement(node);
    if (dom.localName(node) === "summary" && parent && dom.localName(parent) === "details") {
      return dom.open(parent) ? "expanded" : "collapsed";
    }
    return EXPANDED[flag(node, "aria-expanded")] || "";
  }

  function disabled(node) {
    if (dom.matches(node, ":disabled")) return true;
    return Boolean(dom.closest(node, '[aria-disabled="true" i]'));
  }

  function selected(node) {
    return dom.localName(node) === "option" ? dom.selected(node) : flag(node, "aria-selected") === "true";
  }

  function invalid(node) {
    const said = flag(node, "aria-invalid");
    if (said) return said !== "false";
    return dom.matches(node, ":user-invalid");
  }

  function statesOf(node, role) {
    const found = [checkedState(node, role), expandedState(node)];
    if (disabled(node)) found.push("disabled");
    if (selected(node)) found.push("selected");
    if (flag(node, "aria-pressed") === "true") found.push("pressed");
    if (dom.required(node) || flag(node, "aria-required") === "true") found.push("required");
    const locked = typed(node) && dom.readOnly(node);
    if (locked || flag(node, "aria-readonly") === "true") found.push("readonly");
    if (dom.activeElement(dom.getRootNode(node)) === node && dom.localName(node) !== "body") {
      found.push("focused");
    }
    if (invalid(node)) found.push("invalid");
    return found.filter(Boolean).sort();
  }

  function editable(node) {
    if (typed(node)) return !dom.readOnly(node) && !dom.disabled(node);
    return dom.isContentEditable(node) === true;
  }

  // What a style sheet draws as chosen, by what such classes are called.
  function styledChosen(node, role) {
    if (/^(tab|option|row|gridcell|treeitem)$/.test(role) || /^(html|body)$/.test(dom.localName(node))) return false;
    if (flag(node, "aria-current") && flag(node, "aria-current") !== "false") return true;
    return [...dom.classList(node)].some((name) => CHOSEN.test(name));
  }

  function attributesOf(node, role, style) {
    const found = { tag: dom.localName(node) };
    if (styledChosen(node, role)) found.chosen = "true";
    if (dom.localName(node) === "input") found.type = dom.type(node);
    const placeholder = surefoot.placeholderOf(node);
    if (placeholder) found.placeholder = placeholder;
    const autocomplete = attribute(node, "autocomplete");
    if (autocomplete) found.autocomplete = autocomplete;
    if (dom.localName(node) === "select") {
      found.options = [...dom.options(node)].map((item) => tidy(item.label)).join("\u001f");
    }
    if (surefoot.interactive(role) && editable(node)) found.editable = "true";
    if (dom.closest(node, '[aria-hidden="true"]')) found.hidden = "true";
    found.color = surefoot.spellColor(surefoot.colorOf(style.color));
    const background = surefoot.colorOf(style.backgroundColor);
    if (background[3] > 0) found.background = surefoot.spellColor(background);
    return found;
  }

  Object.assign(surefoot, { attributesOf, measure, paintedBox, paintedText, statesOf });
})();
