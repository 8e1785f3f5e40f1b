// Who shows the hand, and whom a script listens to.
(() => {
  "use strict";
  const surefoot = globalThis.surefoot;
  const { dom } = surefoot;
  const HOVER = /:hover\b/g;
  const NEAR = 3; // steps up, at most, to what listens for the clicks on all in it
  const known = new WeakMap();
  let heard = null;
  let hovered = null;

  function* rulesOf(rules) {
    for (const rule of rules) {
      yield rule;
      if (rule.cssRules) yield* rulesOf(rule.cssRules);
    }
  }

  // What shows the hand only once the pointer is there: by which selectors.
  function handsOf(sheet) {
    if (known.has(sheet)) return known.get(sheet);
    const found = [];
    try {
      for (const rule of rulesOf(sheet.cssRules)) {
        if (rule.style?.cursor === "pointer" && /:hover/.test(rule.selectorText || "")) {
          found.push(rule.selectorText.replace(HOVER, ""));
        }
      }
    } catch {
      // A sheet of another origin keeps its rules to itself.
    }
    known.set(sheet, found);
    return found;
  }

  function matches(node, selector) {
    try {
      return dom.matches(node, selector);
    } catch {
      return false;
    }
  }

  function pointsOnHover(node) {
    const root = dom.getRootNode(node);
    const sheets = [...(dom.styleSheets(root) || []), ...(dom.adoptedStyleSheets(root) || [])];
    return sheets.some((sheet) => handsOf(sheet).some((selector) => matches(node, selector)));
  }

  surefoot.pointsAt = (node) =>
    surefoot.styleOf(node).cursor === "pointer" || pointsOnHover(node);

  // With ``more``, beside those that were told before.
  surefoot.listening = (nodes, more = false) => {
    heard = new Set(more && heard ? [...heard, ...nodes] : nodes);
  };

  surefoot.hovering = (nodes, more = false) => {
    hovered = new Set(more && hovered ? [...hovered, ...nodes] : nodes);
  };

  // How a node is listened to, in words.
  surefoot.heardOf = (node) =>
    [heard?.has(node) && "click", hovered?.has(node) && "hover"].filter(Boolean).join(" ");

  // Whether a script marks a node, and nothing in it, when the pointer comes, and listens for
  // clicks close above: the head of a grid's column, which shows no hand.
  surefoot.responds = (node) => {
    if (!heard || !hovered?.has(node)) return false;
    if ([...hovered].some((other) => other !== node && dom.contains(node, other))) return false;
    let step = node;
    for (let steps = 0; steps <= NEAR && step; steps += 1) {
      if (/^(html|body)$/.test(dom.localName(step))) return false;
      if (heard.has(step)) return true;
      step = surefoot.composedParent(step);
    }
    return false;
  };

  // Whether a node has a listener of its own.
  surefoot.listens = (node) => dom.hasAttribute(node, "onclick") || Boolean(heard?.has(node));

  // Whether anything listens for clicks on a node, which is known of the top document alone.
  // A listener of the whole document may be for anything: it counts for words that show the
  // hand, and not for a picture.
  surefoot.isHeard = (node) => {
    if (!heard || dom.hasAttribute(node, "onclick") || dom.getRootNode(node) !== document) return true;
    for (let step = node; step && dom.localName(step) !== "html"; step = surefoot.composedParent(step)) {
      if (heard.has(step)) return true;
    }
    if ([...heard].some((listener) => dom.contains(node, listener))) return true;
    const whole = heard.has(document) || heard.has(dom.documentElement(document));
    return whole && surefoot.wordsIn(node);
  };
})();
