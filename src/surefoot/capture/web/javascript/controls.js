// What form controls show and allow: their text, its place, states and attributes.
(() => {
  "use strict";
  const surefoot = globalThis.surefoot;
  const { attribute, styleOf, tidy } = surefoot;
  const TEXTUAL = new Set(
    "date datetime-local email month number password search tel text time url week".split(" "),
  );
  const PRESSED = new Set(["button", "submit", "reset"]);
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
    node.localName === "select" && style.appearance !== "none" ? ARROW_PX : 0;

  const typed = (node) =>
    node.localName === "textarea" || (node.localName === "input" && TEXTUAL.has(node.type));

  // The text that a native control paints, which no text node of the page holds.
  function paintedText(node) {
    const ink = inkOf(node);
    return ink && surefoot.letters(ink, node) ? textOf(node) : "";
  }

  // The style in which a control's text is painted; a placeholder has one of its own, and
  // may be let to vanish.
  function inkOf(node) {
    if (!typed(node) || node.value) return styleOf(node);
    const style = getComputedStyle(node, "::placeholder");
    return style.visibility === "visible" && Number(style.opacity) >= 0.02 ? style : null;
  }

  function textOf(node) {
    if (typed(node)) {
      if (!node.value) return surefoot.placeholderOf(node);
      return node.type === "password" ? "" : node.value;
    }
    if (node.localName === "select") {
      if (node.multiple || node.size > 1) return "";
      return node.selectedOptions.length ? node.selectedOptions[0].label : "";
    }
    if (node.localName !== "input") return "";
    if (node.type === "file") return "Choose File";
    if (!PRESSED.has(node.type)) return "";
    return node.value || { submit: "Submit", reset: "Reset" }[node.type] || "";
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
    const unit = node.offsetWidth ? (box[2] - box[0]) / node.offsetWidth : 1;
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
    const middle = node.localName === "textarea" ? top + 0.6 * size : (top + bottom) / 2;
    return {
      text: tidy(text),
      rect: [start, middle - 0.6 * size, Math.min(start + width, right), middle + 0.6 * size],
      whole: start >= left - 2 * unit && start + width <= left + room + 2 * unit && room > 0,
    };
  }

  const flag = (node, name) => attribute(node, name).toLowerCase();

  function checkedState(node, role) {
    if (node.localName === "input" && (node.type === "checkbox" || node.type === "radio")) {
      if (node.indeterminate) return "mixed";
      return node.checked ? (role === "button" ? "pressed" : "checked") : "";
    }
    if (!/^(checkbox|radio|switch|menuitemcheckbox|menuitemradio|option)$/.test(role)) return "";
    const value = flag(node, "aria-checked");
    return value === "true" ? "checked" : value === "mixed" ? "mixed" : "";
  }

  function expandedState(node) {
    if (node.localName === "summary" && node.parentElement?.localName === "details") {
      return node.parentElement.open ? "expanded" : "collapsed";
    }
    return { true: "expanded", false: "collapsed" }[flag(node, "aria-expanded")] || "";
  }

  function disabled(node) {
    if (node.matches(":disabled")) return true;
    return Boolean(node.closest('[aria-disabled="true" i]'));
  }

  function selected(node) {
    return node.localName === "option" ? node.selected : flag(node, "aria-selected") === "true";
  }

  function invalid(node) {
    const said = flag(node, "aria-invalid");
    if (said) return said !== "false";
    return node.matches(":user-invalid");
  }

  function statesOf(node, role) {
    const found = [checkedState(node, role), expandedState(node)];
    if (disabled(node)) found.push("disabled");
    if (selected(node)) found.push("selected");
    if (flag(node, "aria-pressed") === "true") found.push("pressed");
    if (node.required || flag(node, "aria-required") === "true") found.push("required");
    const locked = typed(node) && node.readOnly;
    if (locked || flag(node, "aria-readonly") === "true") found.push("readonly");
    if (node.getRootNode().activeElement === node && node.localName !== "body") {
      found.push("focused");
    }
    if (invalid(node)) found.push("invalid");
    return found.filter(Boolean).sort();
  }

  function editable(node) {
    if (typed(node)) return !node.readOnly && !node.disabled;
    return node.isContentEditable === true;
  }

  function attributesOf(node, role, style) {
    const found = { tag: node.localName };
    if (node.localName === "input") found.type = node.type;
    const placeholder = surefoot.placeholderOf(node);
    if (placeholder) found.placeholder = placeholder;
    const autocomplete = attribute(node, "autocomplete");
    if (autocomplete) found.autocomplete = autocomplete;
    if (node.localName === "select") {
      found.options = [...node.options].map((item) => tidy(item.label)).join("\u001f");
    }
    if (surefoot.interactive(role) && editable(node)) found.editable = "true";
    if (node.closest('[aria-hidden="true"]')) found.hidden = "true";
    found.color = surefoot.spellColor(surefoot.colorOf(style.color));
    const background = surefoot.colorOf(style.backgroundColor);
    if (background[3] > 0) found.background = surefoot.spellColor(background);
    return found;
  }

  Object.assign(surefoot, { attributesOf, paintedBox, paintedText, statesOf });
})();
