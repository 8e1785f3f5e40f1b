// ARIA roles: explicit tokens with fallbacks, implicit by tag and type, presentation.
(() => {
  "use strict";
  const surefoot = globalThis.surefoot;
  const { dom } = surefoot;

  const KNOWN = new Set(
    `alert alertdialog application article banner blockquote button caption cell checkbox code
    columnheader combobox comment complementary contentinfo definition deletion dialog directory
    document emphasis feed figure form generic grid gridcell group heading image img insertion
    link list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox
    menuitemradio meter navigation none note option paragraph presentation progressbar radio
    radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider
    spinbutton status strong subscript suggestion superscript switch tab table tablist tabpanel
    term textbox time timer toolbar tooltip tree treegrid treeitem`.split(/\s+/),
  );
  const INTERACTIVE = new Set(
    `button checkbox combobox link listbox menuitem menuitemcheckbox
    menuitemradio option radio searchbox slider spinbutton switch tab textbox
    treeitem`.split(/\s+/),
  );
  const TAGS = {
    __proto__: null,
    address: "group", article: "article", aside: "complementary", blockquote: "blockquote",
    button: "button", caption: "caption", code: "code", datalist: "listbox", dd: "definition",
    del: "deletion", details: "group", dfn: "term", dialog: "dialog", dt: "term",
    em: "emphasis", fieldset: "group", figure: "figure", h1: "heading", h2: "heading",
    h3: "heading", h4: "heading", h5: "heading", h6: "heading", hgroup: "group",
    hr: "separator", html: "document", ins: "insertion", li: "listitem", main: "main", mark: "mark",
    math: "math", menu: "list", meter: "meter", nav: "navigation", ol: "list",
    optgroup: "group", option: "option", output: "status", p: "paragraph",
    progress: "progressbar", search: "search", strong: "strong", sub: "subscript",
    summary: "button", sup: "superscript", table: "table", tbody: "rowgroup",
    textarea: "textbox", tfoot: "rowgroup", thead: "rowgroup", time: "time", tr: "row",
    ul: "list",
  };
  // Types without an ARIA role (date, colour, file, ...) take that of what a person sees.
  const INPUTS = {
    __proto__: null,
    button: "button", checkbox: "checkbox", color: "button", file: "button", hidden: "none",
    image: "button", number: "spinbutton", radio: "radio", range: "slider", reset: "button",
    search: "searchbox", submit: "button",
  };
  const SYNONYMS = { __proto__: null, image: "img", directory: "list" };
  const OWNED = {
    __proto__: null,
    li: ["ul", "ol", "menu"], dt: ["dl"], dd: ["dl"],
    tr: ["table", "thead", "tbody", "tfoot"], td: ["table"], th: ["table"],
    tbody: ["table"], thead: ["table"], tfoot: ["table"],
  };
  const GLOBAL = [
    "aria-atomic", "aria-busy", "aria-controls", "aria-current", "aria-describedby",
    "aria-details", "aria-dropeffect", "aria-flowto", "aria-grabbed", "aria-keyshortcuts",
    "aria-label", "aria-labelledby", "aria-live", "aria-owns", "aria-relevant",
    "aria-roledescription",
  ];

  const attribute = (node, name) => (dom.getAttribute(node, name) || "").trim();

  function named(node) {
    return Boolean(
      attribute(node, "aria-label") || attribute(node, "aria-labelledby") ||
      attribute(node, "title"),
    );
  }

  function inSection(node) {
    return Boolean(
      dom.parentElement(node) &&
      dom.closest(
        dom.parentElement(node),
        "article,aside,main,nav,section,[role=article],[role=complementary],[role=main]," +
        "[role=navigation],[role=region]",
      ),
    );
  }

  const inputRole = (node) => INPUTS[dom.type(node)] || "textbox";

  // Suggestions come once somebody types: until then a field is drawn as any other.
  function asDrawn(node, role) {
    if (role !== "combobox") return role;
    if (dom.localName(node) === "input") return inputRole(node);
    return dom.localName(node) === "textarea" || dom.isContentEditable(node) ? "textbox" : role;
  }

  function cellRole(node) {
    const table = dom.closest(node, "table,[role=grid],[role=treegrid],[role=table]");
    const role = table ? attribute(table, "role").toLowerCase() : "";
    const inGrid = role === "grid" || role === "treegrid";
    if (dom.localName(node) === "td") return inGrid ? "gridcell" : "cell";
    const scope = attribute(node, "scope").toLowerCase();
    if (scope === "row" || scope === "rowgroup") return "rowheader";
    if (scope === "col" || scope === "colgroup") return "columnheader";
    const row = dom.parentElement(node);
    const headsRow = row && dom.cells(row) && [...dom.cells(row)].some((cell) => dom.localName(cell) === "td");
    return headsRow && dom.cellIndex(node) === 0 ? "rowheader" : "columnheader";
  }

  // An anchor that shows the hand behaves as a link.
  function clickable(node) {
    if (dom.hasAttribute(node, "onclick") || dom.hasAttribute(node, "tabindex")) return true;
    return surefoot.pointsAt(node);
  }

  const SPECIAL = {
    __proto__: null,
    a: (node) => (dom.hasAttribute(node, "href") || clickable(node) ? "link" : ""),
    area: (node) => (dom.hasAttribute(node, "href") ? "link" : ""),
    footer: (node) => (inSection(node) ? "" : "contentinfo"),
    form: (node) => (named(node) ? "form" : ""),
    header: (node) => (inSection(node) ? "" : "banner"),
    img: (node) => {
      const silent = dom.hasAttribute(node, "alt") && dom.getAttribute(node, "alt") === "";
      return silent && !named(node) ? "none" : "img";
    },
    input: inputRole,
    section: (node) => (named(node) ? "region" : ""),
    select: (node) => (dom.multiple(node) || dom.size(node) > 1 ? "listbox" : "combobox"),
    svg: (node) => (named(node) || dom.querySelector(node, ":scope > title") ? "img" : ""),
    td: cellRole,
    th: cellRole,
  };

  function implicitRole(node) {
    const tag = dom.localName(node);
    if (SPECIAL[tag]) return SPECIAL[tag](node);
    if (TAGS[tag]) return TAGS[tag];
    const editable = dom.contentEditable(node);
    return editable === "true" || editable === "plaintext-only" ? "textbox" : "";
  }

  function focusable(node) {
    if (dom.hasAttribute(node, "tabindex")) return true;
    if (/^(button|input|select|textarea)$/.test(dom.localName(node))) return !dom.disabled(node);
    return /^(a|area)$/.test(dom.localName(node)) && dom.hasAttribute(node, "href");
  }

  function presentational(node) {
    return /^(none|presentation)\b/i.test(attribute(node, "role"));
  }

  // A list or table that is presentation takes its own rows and items with it.
  function silencedByParent(node) {
    const owners = OWNED[dom.localName(node)];
    if (!owners) return false;
    for (let parent = dom.parentElement(node); parent; parent = dom.parentElement(parent)) {
      if (owners.includes(dom.localName(parent))) return presentational(parent);
      if (!OWNED[dom.localName(parent)]) return false;
    }
    return false;
  }

  function explicitRole(node) {
    for (const token of attribute(node, "role").toLowerCase().split(/\s+/)) {
      if (!KNOWN.has(token)) continue;
      if (token === "none" || token === "presentation") {
        const kept = focusable(node) || GLOBAL.some((name) => dom.hasAttribute(node, name));
        if (kept) continue;
        return "none";
      }
      if ((token === "region" || token === "form") && !named(node)) continue;
      return SYNONYMS[token] || asDrawn(node, token);
    }
    return "";
  }

  // What a custom element is by its internals, which only the browser knows.
  function innerRole(node) {
    if (!dom.localName(node).includes("-")) return "";
    const role = surefoot.accessibleOf(node)?.role || "";
    return KNOWN.has(role) && !/^(generic|none)$/.test(role) ? SYNONYMS[role] || role : "";
  }

  // "" stands for generic.
  surefoot.roleOf = (node) => {
    const explicit = dom.hasAttribute(node, "role") ? explicitRole(node) : "";
    if (explicit) return explicit === "generic" ? "" : explicit;
    if (silencedByParent(node)) return "none";
    return implicitRole(node) || innerRole(node);
  };

  surefoot.interactive = (role) => INTERACTIVE.has(role);
  surefoot.attribute = attribute;
})();
