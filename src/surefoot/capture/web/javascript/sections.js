// Sections: for each element the heading (or legend) of the smallest box drawn around it.
(() => {
  "use strict";
  const surefoot = globalThis.surefoot;
  const { attribute, composedParent, dom } = surefoot;
  const TITLE_BAR = 3; // times the height of its heading that a title bar is high at most
  const LEGEND_LEVEL = 7;
  // What is in one of these has no heading outside, and what is outside none of theirs.
  const WALLS = new Set(
    "alertdialog banner complementary contentinfo dialog navigation".split(" "),
  );
  let walls = new Map();

  function isWall(node) {
    if (!walls.has(node)) walls.set(node, WALLS.has(surefoot.roleOf(node)));
    return walls.get(node);
  }

  function levelOf(node) {
    if (dom.localName(node) === "legend") return LEGEND_LEVEL;
    const native = /^h([1-6])$/.exec(dom.localName(node));
    return Number.parseInt(attribute(node, "aria-level"), 10) || (native ? Number(native[1]) : 2);
  }

  const heightOf = (node) => dom.getBoundingClientRect(node).height;

  const kindOf = (node) => `${dom.localName(node)} ${dom.classList(node)[0] || ""}`;

  // A box is framed by a border on all sides, or by a shadow.
  function isFramed(node) {
    const style = getComputedStyle(node);
    const sides = ["Top", "Right", "Bottom", "Left"];
    return (
      style.boxShadow !== "none" ||
      sides.every(
        (side) =>
          Number.parseFloat(style[`border${side}Width`]) > 0 &&
          surefoot.colorOf(style[`border${side}Color`])[3] > 0,
      )
    );
  }

  // An item stands beside others of its kind that have headings; framed ones are alike
  // whatever the levels of these, and whatever stands between them.
  function isItem(branch, level, titles) {
    const framed = isFramed(branch);
    const parent = dom.parentElement(branch);
    const beside = framed
      ? [...(parent ? dom.children(parent) : [])].filter((candidate) => candidate !== branch)
      : [dom.previousElementSibling(branch), dom.nextElementSibling(branch)].filter(Boolean);
    return beside
      .filter((candidate) => kindOf(candidate) === kindOf(branch))
      .some((candidate) =>
        titles.some((it) => dom.contains(candidate, it) && (framed || levelOf(it) <= level)),
      );
  }

  // A title bar is hardly higher than its heading, and is no item beside others like it.
  function isBar(branch, node, titles) {
    return (
      heightOf(branch) <= TITLE_BAR * heightOf(node) && !isItem(branch, levelOf(node), titles)
    );
  }

  // A heading names what follows in its parent, and in what its title bar is a part of.
  function reachOf(node, index, titles, within) {
    const title = { node, index, level: levelOf(node) };
    let branch = node;
    while (!isWall(branch) && (branch === node || isBar(branch, node, titles))) {
      const parent = composedParent(branch);
      if (!parent) break;
      if (!within.has(parent)) within.set(parent, []);
      within.get(parent).push(title);
      branch = parent;
    }
  }

  function titleAround(node, titles) {
    for (let step = node; step; step = composedParent(step)) {
      if (titles.has(step)) return step;
    }
    return null;
  }

  function sectionOf(node, index, titles, within) {
    const title = titleAround(node, titles);
    const before = title ? titles.get(title) : index;
    const below = title ? levelOf(title) : Number.POSITIVE_INFINITY;
    let step = title || node;
    while (step && !isWall(step)) {
      step = composedParent(step);
      const open = (within.get(step) || []).filter(
        (candidate) => candidate.index < before && candidate.level < below,
      );
      if (open.length) return open[open.length - 1].node;
    }
    return null;
  }

  const isTitle = (entry) =>
    (entry.role === "heading" || dom.localName(entry.node) === "legend") && entry.end > entry.start;

  // Returns the id of the heading of each node's section, where it has one.
  surefoot.sectionsOf = (entries) => {
    walls = new Map();
    const titles = new Map();
    const within = new Map();
    entries.forEach((entry, index) => {
      if (isTitle(entry)) titles.set(entry.node, index);
    });
    for (const [node, index] of titles) reachOf(node, index, [...titles.keys()], within);
    const found = new Map();
    entries.forEach((entry, index) => {
      const heading = sectionOf(entry.node, index, titles, within);
      if (heading) found.set(entry.node, surefoot.idOf(heading));
    });
    return found;
  };
})();
