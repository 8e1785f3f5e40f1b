// The settled document as markup that draws the same without any script of its page. What stands
// beside the markup (texts, attributes, addresses, style sheets, pictures) is handed over in parts,
// since secrets are taken out of each, and addresses become those of kept files.
(() => {
  "use strict";
  const surefoot = globalThis.surefoot;
  const { attribute, dom, shadowOf, frameDocument } = surefoot;
  const words = (text) => new Set(text.split(/\s+/));
  const HTML = "http://www.w3.org/1999/xhtml";
  const SVG = "http://www.w3.org/2000/svg";
  const MARK = "data-surefoot-";
  const VOID = words("area base br col embed hr img input link meta param source track wbr");
  const EMPTIED = words("script noscript template noembed noframes iframe");
  const UNREAD = words("script noscript template noembed noframes iframe style textarea title");
  const NEWLINE_LOST = words("pre textarea listing");
  const DROPPED = words(`crossorigin integrity nonce ping srcdoc srcset sizes decoding loading
    fetchpriority autofocus shadowrootmode`);
  const LOADED = words("src poster background data");
  const KEPT_META = words("viewport color-scheme theme-color");
  const ROUNDS = 30;

  const tagOf = (node) => (dom.nodeType(node) === 1 ? dom.localName(node) : "");
  const isHtml = (node) => node.namespaceURI === HTML;
  const sound = (text) => String(text).toWellFormed().replace(/\0/g, "");

  // Parts in order: ["m", markup], ["t", text], ["a", name, value], ["u", name, address],
  // ["c", name or "", base, css], ["p", name, picture as data], ["d", name, number of a document].
  class Written {
    constructor() {
      this.parts = [];
      this.plain = [];
    }
    mark(markup) {
      const last = this.parts.at(-1);
      if (last?.[0] === "m") last[1] += markup;
      else this.parts.push(["m", markup]);
      this.plain.push(markup);
    }
    text(text) {
      this.parts.push(["t", sound(text)]);
      this.plain.push(sound(text).replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt()};`));
    }
    css(base, css) {
      this.parts.push(["c", "", base, sound(css)]);
    }
    attribute(name, [kind, ...values]) {
      this.parts.push([kind, name, ...values.map(sound)]);
      const plain = kind === "a" ? sound(values[0]).replace(/[&"<>]/g, (sign) => `&#${sign.charCodeAt()};`) : "x";
      this.plain.push(` ${name}="${plain}"`);
    }
  }

  // A link stays as it is spelt, which style sheets may ask for, unless it is relative to the page.
  function linked(value, base) {
    if (/^(#|\/|[a-z][\w+.-]*:)/i.test(value.trim())) {
      return /^\s*javascript:/i.test(value) ? "javascript:" : value;
    }
    try {
      const url = new URL(value, base);
      const own = url.origin === location.origin;
      return own ? url.pathname + url.search + url.hash : url.href;
    } catch {
      return value;
    }
  }

  function resolved(value, base) {
    try {
      return new URL(value, base).href;
    } catch {
      return value;
    }
  }

  function drawn(node, width, height) {
    if (!width || !height) return "";
    try {
      if (dom.localName(node) === "canvas") return node.toDataURL();
      const copy = Object.assign(dom.createElement(document, "canvas"), { width, height });
      copy.getContext("2d").drawImage(node, 0, 0, width, height);
      return copy.toDataURL();
    } catch {
      return ""; // a picture of another origin is kept from scripts
    }
  }

  // The candidate that the browser chose, with its width or density, which sizes the picture.
  function chosen(node) {
    const picture = dom.parentElement(node);
    const sources = picture && dom.localName(picture) === "picture" ? [...dom.children(picture)] : [];
    for (const from of [...sources.filter((one) => dom.localName(one) === "source"), node]) {
      for (const [, address, size] of attribute(from, "srcset").matchAll(/(\S*[^\s,])(?:\s+([\d.]+[wx]))?\s*(?:,|$)/g)) {
        if (resolved(address, node.baseURI) === node.currentSrc) {
          return { density: size || "1x", sizes: attribute(from, "sizes") };
        }
      }
    }
    return null;
  }

  function pictured(node, found) {
    const address = node.currentSrc || attribute(node, "src");
    if (!address) return;
    if (/^blob:/.test(address)) {
      const data = drawn(node, node.naturalWidth, node.naturalHeight);
      if (data) found.set("src", ["p", data]);
      return;
    }
    found.set("src", ["u", resolved(address, node.baseURI)]);
    if (!node.complete) found.set("loading", ["a", "lazy"]);
    const own = node.complete ? chosen(node) : null;
    if (!own || own.density === "1x") return;
    found.delete("src"); // it would be another candidate
    found.set("srcset", ["u", node.currentSrc, own.density]);
    if (own.sizes) found.set("sizes", ["a", own.sizes]);
  }

  function rulesOf(sheet) {
    try {
      return [...sheet.cssRules].map((rule) => rule.cssText);
    } catch {
      return null; // of another origin
    }
  }

  // The text of a style element, or its rules where scripts have changed them since.
  function sheetText(node) {
    const text = dom.textContent(node) || "";
    const rules = node.sheet && rulesOf(node.sheet);
    if (!rules) return text;
    const view = dom.defaultView(dom.ownerDocument(node));
    const again = new view.CSSStyleSheet();
    again.replaceSync(text);
    const plain = rules.filter((rule) => !/^@import/.test(rule));
    return plain.join("\n") === rulesOf(again).join("\n") ? text : rules.join("\n");
  }

  const KINDS = {
    __proto__: null,
    script: (_, found) => only(found).set("type", ["a", "text/plain"]),
    noscript: (_, found) => only(found),
    template: (_, found) => only(found),
    base: (_, found) => only(found),
    meta: (node, found) => {
      if (!KEPT_META.has(attribute(node, "name"))) only(found);
    },
    link: (node, found) => {
      const sheet = /\bstylesheet\b/i.test(attribute(node, "rel")) && node.sheet;
      if (!sheet && (!/\bstylesheet\b/i.test(attribute(node, "rel")) || dom.disabled(node))) return only(found);
      found.set("href", ["u", node.href]);
      if (sheet && dom.disabled(sheet)) found.set("media", ["a", "not all"]);
      return found;
    },
    style: (node, found) => {
      if (node.sheet && dom.disabled(node.sheet)) found.set("media", ["a", "not all"]);
    },
    input: (node, found) => {
      if (dom.type(node) === "password") found.set("value", ["a", "x".repeat(dom.value(node).length)]);
      else if (/^(hidden|file)$/.test(dom.type(node))) found.delete("value");
      else if (!/^(checkbox|radio|image)$/.test(dom.type(node))) {
        if (dom.value(node) || found.has("value")) found.set("value", ["a", dom.value(node)]);
      }
      flag(found, "checked", dom.checked(node));
      flag(found, `${MARK}mixed`, dom.indeterminate(node));
    },
    option: (node, found) => flag(found, "selected", dom.selected(node)),
    img: pictured,
    video: (node, found) => {
      const data = dom.readyState(node) > 1 ? drawn(node, node.videoWidth, node.videoHeight) : "";
      found.delete("src");
      if (data) found.set("poster", ["p", data]);
    },
    audio: (_, found) => found.delete("src"),
    source: (_, found) => found.delete("src"),
    track: (_, found) => found.delete("src"),
    canvas: (node, found, page) => {
      const painted = page.words.get(node);
      if (painted?.length) found.set(`${MARK}words`, ["a", JSON.stringify(painted)]);
      const data = drawn(node, node.width, node.height);
      if (data) found.set(`${MARK}canvas`, ["p", data]);
    },
    dialog: (node, found) => flag(found, `${MARK}modal`, dom.matches(node, ":modal")),
  };
  const only = (found) => (found.clear(), found);
  const flag = (found, name, holds) => (holds ? found.set(name, ["a", ""]) : found.delete(name));

  function attributesOf(node, page) {
    const found = new Map();
    const tag = dom.localName(node);
    const drawing = node.namespaceURI === SVG;
    for (const { name, value } of dom.attributes(node)) {
      if (name.startsWith(MARK) || DROPPED.has(name) || /[\s"'<>/=]/.test(name)) continue;
      if (/^on/i.test(name)) {
        if (name === "onclick") found.set(name, ["a", ""]);
      } else if (name === "style") found.set(name, ["c", node.baseURI, value]);
      else if (LOADED.has(name)) found.set(name, ["u", resolved(value, node.baseURI)]);
      else if (/^(xlink:)?href$/.test(name)) {
        const used = drawing && tag !== "a" && !value.startsWith("#");
        found.set(name, used ? ["u", resolved(value, node.baseURI)] : ["a", linked(value, node.baseURI)]);
      } else found.set(name, ["a", value]);
    }
    if (isHtml(node)) KINDS[tag]?.(node, found, page);
    if (surefoot.isFrame(node) || /^(object|embed)$/.test(tag)) framed(node, found, page);
    const { scrollLeft, scrollTop } = node;
    const turned = Number(scrollLeft) || Number(scrollTop);
    if (turned && node !== dom.scrollingElement(document)) {
      found.set(`${MARK}scroll`, ["a", `${scrollLeft} ${scrollTop}`]);
    }
    const whole = node === dom.documentElement(document) && surefoot.heardOf(document);
    const heard = `${surefoot.heardOf(node)}${whole ? " document" : ""}`.trim();
    if (whole !== false && page.defined.length) found.set(`${MARK}defined`, ["a", page.defined.join(" ")]);
    if (heard) found.set(`${MARK}heard`, ["a", heard]);
    if (page.displaced.has(node)) found.set(`${MARK}id`, ["a", surefoot.idOf(node)]);
    if (page.ignored.has(node)) found.set(`${MARK}ignored`, ["a", ""]);
    if (page.focused === node) found.set(`${MARK}focus`, ["a", dom.matches(node, ":focus-visible") ? "seen" : ""]);
    if (dom.hasAttribute(node, "popover") && dom.matches(node, ":popover-open")) found.set(`${MARK}popover`, ["a", ""]);
    if (tag.includes("-") && isHtml(node)) {
      const accessible = surefoot.accessibleOf(node);
      if (accessible) found.set(`${MARK}accessible`, ["a", JSON.stringify([accessible.role, accessible.name])]);
    }
    return found;
  }

  // A document of another origin is frozen in a world of its own, and named by its place here.
  function framed(node, found, page) {
    const inner = frameDocument(node);
    const at = dom.localName(node) === "object" ? "data" : "src";
    if (inner && dom.documentElement(inner)) {
      page.documents.push(null);
      const number = page.documents.length - 1;
      page.documents[number] = documentOf(inner, page);
      found.set(at, ["d", String(number)]);
      if (at === "data") found.set("type", ["a", "text/html"]);
    } else if (/^i?frame$/.test(dom.localName(node))) {
      page.lost.push(`a frame of ${String(node.src || "another origin").split("?")[0]}`);
      found.delete("src");
      found.set("sandbox", ["a", ""]);
    }
  }

  function writeSheets(root, out) {
    for (const sheet of dom.adoptedStyleSheets(root) || []) {
      const rules = surefoot.isQuiet(root, sheet) ? null : rulesOf(sheet);
      if (!rules?.length) continue;
      out.mark(`<style ${MARK}adopted${dom.disabled(sheet) ? ' media="not all"' : ""}>`);
      out.css(dom.documentElement(document).baseURI, rules.join("\n"));
      out.mark("</style>");
    }
  }

  function writeShadow(node, out, page) {
    const root = shadowOf(node);
    if (!root) return;
    out.mark(`<template shadowrootmode="open"${root.delegatesFocus ? " shadowrootdelegatesfocus" : ""}>`);
    writeChildren(root, out, page);
    writeSheets(root, out);
    out.mark("</template>");
  }

  function writeChildren(parent, out, page) {
    let afterText = false;
    const whole = tagOf(parent) === "html";
    for (const child of dom.childNodes(parent)) {
      const kind = dom.nodeType(child);
      if (whole && !/^(head|body)$/.test(tagOf(child))) continue;
      const kept = page.wrapped.has(child);
      if (kept) out.mark(`<template ${MARK}kept>`);
      if (kind === 1) writeElement(child, out, page);
      else if (kind === 3) {
        if (afterText) out.mark("<!---->");
        out.text(child.data);
      } else if (kind === 8) out.mark("<!---->");
      afterText = kind === 3;
      if (kept) out.mark("</template>");
    }
  }

  function writeInside(node, out, page) {
    const tag = dom.localName(node);
    if (isHtml(node) && EMPTIED.has(tag)) return;
    if (isHtml(node) && tag === "style") {
      out.css(node.baseURI, sheetText(node));
      return;
    }
    const first = tag === "textarea" ? dom.value(node) : dom.firstChild(node)?.data || "";
    if (isHtml(node) && NEWLINE_LOST.has(tag) && first.startsWith("\n")) out.mark("\n");
    if (tag === "textarea" && isHtml(node)) out.text(dom.value(node));
    else writeChildren(node, out, page);
    if (tag === "head" && isHtml(node)) writeSheets(dom.ownerDocument(node), out);
    if (tag !== "body" || !isHtml(node)) return;
    // What scripts hung beside the body: no markup puts it there.
    for (const other of dom.children(dom.parentNode(node))) {
      if (other === node || dom.localName(other) === "head") continue;
      out.mark(`<template ${MARK}kept="html">`);
      writeElement(other, out, page);
      out.mark("</template>");
    }
  }

  function writeElement(node, out, page) {
    const tag = dom.localName(node);
    out.mark(`<${tag}`);
    for (const [name, value] of attributesOf(node, page)) out.attribute(name, value);
    out.mark(">");
    if (isHtml(node) && VOID.has(tag)) return;
    if (tag === "head" && isHtml(node)) {
      const rule = "script-src 'none'";
      out.mark(`<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${rule}">`);
    }
    writeShadow(node, out, page);
    writeInside(node, out, page);
    out.mark(`</${tag}>`);
  }

  const counts = (node) => dom.nodeType(node) === 1 || (dom.nodeType(node) === 3 && /\S/.test(node.data));

  // What a reader of the markup has made of the children of an element: for each what is in its
  // place, which is one node but for what is kept apart and came to several.
  function readAgain(parent) {
    const found = [];
    for (const child of dom.childNodes(parent)) {
      const kept = dom.nodeType(child) === 1 && dom.getAttribute(child, `${MARK}kept`);
      if (dom.nodeType(child) === 1 && dom.hasAttribute(child, `${MARK}adopted`)) continue;
      if (typeof kept !== "string" && counts(child)) found.push([child]);
      else if (kept === "") found.push([...dom.childNodes(child.content)].filter(counts));
    }
    return found;
  }

  const alike = (own, [node, ...more] = []) =>
    node && !more.length && tagOf(node) === tagOf(own);

  function wrap(nodes, page) {
    const fresh = nodes.filter((node) => !page.wrapped.has(node));
    for (const node of fresh) page.wrapped.add(node);
    return fresh.length > 0;
  }

  // Nodes that scripts put where no markup can, as a paragraph in a paragraph: they are kept apart,
  // and put back when the page is thawed. Tells whether a round found any.
  function keepApart(own, read, page) {
    const children = [...dom.childNodes(own)].filter(counts);
    const others = readAgain(read).slice(tagOf(own) === "head" ? 2 : 0);
    if (children.length !== others.length || !children.every((child, at) => alike(child, others[at]))) {
      if (wrap(children, page)) return true;
      // What is kept apart already and still falls to pieces has the trouble inside.
      const broken = children.filter((child, at) => dom.nodeType(child) === 1 && !alike(child, others[at]));
      const found = broken.filter((child) => wrap([...dom.childNodes(child)].filter(counts), page));
      if (!found.length) page.lost.push(`the order of nodes in a ${tagOf(own) || "shadow root"}`);
      return found.length > 0;
    }
    let found = false;
    children.forEach((child, at) => {
      const [other] = others[at];
      if (dom.nodeType(child) !== 1 || UNREAD.has(dom.localName(child))) return;
      if (keepApart(child, other, page)) found = true;
      const root = shadowOf(child);
      if (root && dom.shadowRoot(other) && keepApart(root, dom.shadowRoot(other), page)) found = true;
    });
    return found;
  }

  function documentOf(root, page) {
    const top = dom.documentElement(root);
    for (let round = 0; ; round += 1) {
      const out = new Written();
      const known = page.documents.length;
      const lost = page.lost.length;
      const kind = root.doctype;
      if (kind) out.mark(new XMLSerializer().serializeToString(kind));
      writeElement(top, out, page);
      const read = Document.parseHTMLUnsafe(out.plain.join(""));
      const again = [...dom.children(top)].some((part) => {
        const other = [...dom.children(dom.documentElement(read))].find((one) => dom.localName(one) === dom.localName(part));
        return /^(head|body)$/.test(dom.localName(part)) && other && keepApart(part, other, page);
      });
      if (!again || round === ROUNDS) return out.parts;
      page.documents.length = known;
      page.lost.length = lost;
    }
  }

  // Those of some selectors that are none.
  surefoot.notSelectors = (selectors) =>
    selectors.filter((selector) => {
      try {
        return !dom.querySelectorAll(document, selector);
      } catch {
        return true;
      }
    });

  // ``ignore`` are selectors of parts that change at each load, ``drawings`` the words that scripts
  // wrote on each canvas of the document, in its order; boxes are in pixels of the image.
  surefoot.frozen = (ignore, scale, drawings) => {
    const ignored = new Set();
    for (const root of surefoot.roots()) {
      for (const selector of ignore) for (const node of dom.querySelectorAll(root, selector)) ignored.add(node);
    }
    const custom = surefoot.roots().flatMap((root) => [...dom.querySelectorAll(root, ":defined")]).map(dom.localName);
    const focused = dom.activeElement(document);
    const canvases = [...dom.querySelectorAll(document, "canvas")];
    const page = {
      words: new Map(canvases.map((canvas, at) => [canvas, drawings[at]])),
      displaced: surefoot.displaced(),
      documents: [null], ignored, defined: [...new Set(custom)].filter((tag) => tag.includes("-")).sort(), wrapped: new Set(), lost: [],
      focused: focused === dom.body(document) ? null : focused,
    };
    page.documents[0] = documentOf(document, page);
    const boxes = [...ignored].filter((node) => dom.ownerDocument(node) === document).map((node) => {
      const { left, top, right, bottom } = dom.getBoundingClientRect(node);
      return ["box", ...[left, top, right, bottom].map((side) => side * scale)];
    });
    return {
      documents: page.documents, lost: page.lost, boxes,
      ignored: surefoot.idsWithin(ignored), busy: surefoot.isBusy(),
      target: dom.querySelector(document, ":target") ? location.hash : "",
    };
  };
})();
