// EnforceContrast: recolour each text whose contrast with what is painted behind it is low.
//
// What lies behind is composed from the stack of boxes under the text: solid colours blend,
// gradients count with every colour on their way, and where that cannot be known (pictures,
// canvases), or no colour suits all of it, the text's own box gets a solid background.
(() => {
  "use strict";
  const surefoot = globalThis.surefoot;
  const { between, colorOf, contrast, dom, faded, luminance, over, spellColor, styleOf } = surefoot;
  const WHITE = [255, 255, 255, 1];
  const BLACK = [0, 0, 0, 1];
  const MARGIN = 0.02;
  const SHADES = 5;
  const MOST = 64;
  const ROUNDS = 4;
  const SHAPES = "path,circle,ellipse,line,polygon,polyline,rect,use";
  const ICON_PX = 48;
  const TYPED = /^(text|email|number|password|search|tel|url)$/;
  const REPLACED = /^(img|video|canvas|iframe|object|embed|svg)$/;

  function ancestors(node) {
    const chain = [];
    for (let step = node; step; step = surefoot.composedParent(step)) chain.push(step);
    return chain;
  }

  // Boxes under a point from the top down, with the ancestors that hit tests leave out.
  function stackAt(node, point) {
    const chain = ancestors(node);
    const root = dom.getRootNode(node);
    const hit = point && dom.nodeType(root) === 9 ? dom.elementsFromPoint(root, point[0], point[1]) : [];
    const place = hit.indexOf(node);
    if (place < 0) return chain;
    const below = hit.slice(place);
    const stack = [];
    let next = 0;
    for (const box of below) {
      const index = chain.indexOf(box);
      if (index >= 0) {
        while (next <= index) stack.push(chain[next++]);
      } else if (!dom.contains(box, node)) {
        stack.push(box);
      }
    }
    while (next < chain.length) stack.push(chain[next++]);
    return canvasLast(stack, root);
  }

  // Where the root element has no ground, the body's is that of the canvas, and lies below boxes of
  // a negative z-index, which hit tests find below the body.
  function canvasLast(stack, root) {
    const html = dom.documentElement(root);
    const body = stack.findIndex((box) => dom.localName(box) === "body" && dom.parentElement(box) === html);
    const { backgroundColor, backgroundImage } = styleOf(html);
    if (body < 0 || backgroundImage !== "none" || colorOf(backgroundColor)[3] > 0) return stack;
    const others = stack.filter((box, at) => at !== body && box !== html);
    return [...others, stack[body], html];
  }

  function stops(image) {
    if (/url\(|image-set|cross-fade|paint\(|element\(/.test(image)) return null;
    const found = image.match(/rgba?\([^)]*\)|color\([^)]*\)|okl(?:ab|ch)\([^)]*\)/g);
    if (!found) return null;
    const colors = found.map(colorOf);
    const shades = [];
    colors.forEach((color, index) => {
      const next = colors[index + 1];
      if (!next) shades.push(color);
      else for (let step = 0; step < SHADES; step += 1) shades.push(between(color, next, step / SHADES));
    });
    return shades;
  }

  // The colours that one box may show at a point; null where nobody can tell.
  function paints(node, style) {
    if (REPLACED.test(dom.localName(node))) return null;
    const solid = colorOf(style.backgroundColor);
    if (style.backgroundImage === "none") return [solid];
    if (/\btext\b/.test(style.backgroundClip)) return [[0, 0, 0, 0]];
    const shades = stops(style.backgroundImage);
    return shades && shades.map((shade) => over(shade, solid));
  }

  // Each layer is what a box paints and how opaque the group is that it closes.
  function layersOf(node, stack) {
    const own = new Set(ancestors(node));
    const layers = [];
    for (const box of stack) {
      const style = styleOf(box);
      const opacity = Number(style.opacity);
      const colors = own.has(box) || opacity === 1 ? paints(box, style) : fadedPaints(box, style, opacity);
      if (!colors) return null;
      layers.push({ colors, opacity: own.has(box) ? opacity : 1 });
      const opaque = opacity === 1 && colors.every((color) => color[3] === 1);
      if (opaque && layers.every((layer) => layer.opacity === 1)) break;
    }
    return layers;
  }

  function fadedPaints(box, style, opacity) {
    const colors = paints(box, style);
    return colors && colors.map((color) => faded(color, opacity));
  }

  function composed(layers, text) {
    let states = [text];
    for (const { colors, opacity } of layers) {
      const next = [];
      for (const state of states) {
        for (const color of colors) next.push(faded(over(state, color), opacity));
      }
      states = next.slice(0, MOST);
    }
    return states.map((state) => over(state, WHITE));
  }

  const backs = (layers) => composed(layers, [0, 0, 0, 0]);

  function worst(layers, color) {
    const below = backs(layers);
    const drawn = composed(layers, color);
    let lowest = Infinity;
    below.forEach((back, index) => {
      lowest = Math.min(lowest, contrast(drawn[index], back));
    });
    return lowest;
  }

  // Where a box hides all behind it, or nobody can tell what it shows, nothing behind is looked at.
  function layersAt(node, point) {
    const own = layersOf(node, [node]);
    if (!own || (own[0].opacity === 1 && own[0].colors.every((color) => color[3] === 1))) return own;
    return layersOf(node, stackAt(node, point));
  }

  const rounded = (color) => [...color.slice(0, 3).map(Math.round), 1];

  // The nearest colour on the way to an end that suffices, or null.
  function towards(color, end, suits) {
    if (!suits(end)) return null;
    let [low, high] = [0, 1];
    for (let step = 0; step < 12; step += 1) {
      const middle = (low + high) / 2;
      if (suits(rounded(between(color, end, middle)))) high = middle;
      else low = middle;
    }
    return { color: rounded(between(color, end, high)), share: high };
  }

  function nearest(color, suits) {
    const options = [towards(color, BLACK, suits), towards(color, WHITE, suits)];
    const found = options.filter(Boolean).sort((one, other) => one.share - other.share);
    return found.length ? found[0].color : null;
  }

  function textColor(style) {
    const fill = style.webkitTextFillColor;
    return colorOf(fill || style.color);
  }

  // The solid colour for a text's own box: what lies behind on average, moved just as far
  // from the text's colour as the contrast needs.
  function solidFor(style, color, stacks, wanted) {
    const base = colorOf(style.backgroundColor);
    const known = stacks.includes(null) ? [] : stacks.flatMap(backs);
    const start = known.length ? rounded(mean(known)) : base[3] === 1 ? base : null;
    const suits = (solid) => contrast(color, solid) >= wanted;
    if (start) return suits(start) ? start : nearest(start, suits);
    return [BLACK, WHITE].find(suits) || null;
  }

  const mean = (colors) =>
    [0, 1, 2].map((index) => colors.reduce((sum, color) => sum + color[index], 0) / colors.length);

  // A plan is made for every text before the first is carried out.
  function planFor(target, minimum) {
    const { node, points, color } = target;
    const wanted = minimum + MARGIN;
    const stacks = points.map((point) => layersAt(node, point));
    const opaque = rounded(color);
    if (!stacks.includes(null)) {
      const suits = (candidate) => stacks.every((layers) => worst(layers, candidate) >= wanted);
      if (suits(color)) return null;
      const found = nearest(opaque, suits);
      if (found) return { target, color: found, solid: null };
    }
    const solid = solidFor(styleOf(node), opaque, stacks, wanted);
    if (solid) return { target, color: opaque, solid };
    const dark = luminance(color) <= 0.18;
    return { target, color: dark ? BLACK : WHITE, solid: dark ? WHITE : BLACK };
  }

  function carryOut({ target, color, solid }) {
    const { node, placeholder, shapes } = target;
    const set = (name, value) => dom.style(node).setProperty(name, value, "important");
    const spelled = spellColor(color);
    let raised = false;
    if (solid) {
      set("background-image", "none");
      set("background-color", spellColor(solid));
      for (const box of ancestors(node)) {
        if (!(Number(styleOf(box).opacity) < 1)) continue;
        dom.style(box).setProperty("opacity", "1", "important");
        raised = true;
      }
    }
    if (placeholder) {
      set("--surefoot-placeholder", spelled);
    } else if (shapes) {
      for (const [shape, name] of shapes) dom.style(shape).setProperty(name, spelled, "important");
    } else {
      set("color", spelled);
      set("-webkit-text-fill-color", spelled);
    }
    return raised;
  }

  // Whether a text may look otherwise since plans were carried out: it stands in what they colour,
  // or on a box that they fill. Where an opacity was ``raised``, any may.
  function concerned(plans, raised) {
    const coloured = new Set(plans.map(({ target }) => target.node));
    const filled = plans.filter(({ solid }) => solid).map(({ target }) => dom.getBoundingClientRect(target.node));
    const isOn = ([x, y]) =>
      filled.some(({ left, top, right, bottom }) => left <= x && x <= right && top <= y && y <= bottom);
    return ({ node, points }) =>
      raised || points.some(isOn) || ancestors(node).some((box) => coloured.has(box));
  }

  // The ends of a text: what differs behind a line differs there most often.
  function samples(rects) {
    if (!rects.length) return [];
    const [first, last] = [rects[0], rects[rects.length - 1]];
    const inset = (rect) => Math.min(2, rect.width / 4);
    return [
      [first.left + inset(first), (first.top + first.bottom) / 2],
      [last.right - inset(last), (last.top + last.bottom) / 2],
    ];
  }

  function ownRects(node, range) {
    const rects = [];
    for (const child of dom.childNodes(node)) {
      if (dom.nodeType(child) !== 3 || !/\S/.test(child.data)) continue;
      range.selectNodeContents(child);
      for (const rect of range.getClientRects()) if (rect.width > 0) rects.push(rect);
    }
    return rects;
  }

  function controlTargets(node, style) {
    if (dom.localName(node) === "input" && /^(checkbox|radio|range|color|image|hidden)$/.test(dom.type(node))) {
      return [];
    }
    const points = samples([dom.getBoundingClientRect(node)]);
    // A field without a value shows no text of its own; a label may lie behind it.
    const blank = !dom.value(node) && (dom.localName(node) === "textarea" || TYPED.test(dom.type(node)));
    const found = [];
    if (!blank) found.push({ node, points, color: textColor(style), placeholder: false });
    if (surefoot.placeholderOf(node)) {
      const color = colorOf(getComputedStyle(node, "::placeholder").color);
      found.push({ node, points, color, placeholder: true });
    }
    return found;
  }

  // What ::before and ::after draw takes the colour of their element.
  function glyphTargets(node, style) {
    if (!surefoot.glyphsOf(node).some(({ style: drawn }) => drawn.color === style.color)) return [];
    const points = samples([dom.getBoundingClientRect(node)]);
    return [{ node, points, color: textColor(style), placeholder: false }];
  }

  // A small drawing of one colour is an icon; what is larger, or of more colours, is a picture.
  function drawnTargets(node) {
    const box = dom.getBoundingClientRect(node);
    const around = dom.parentElement(node);
    if (!around || !dom.style(around) || box.width < 4 || Math.max(box.width, box.height) > ICON_PX) return [];
    const shapes = [];
    for (const shape of dom.querySelectorAll(node, SHAPES)) {
      const style = styleOf(shape);
      for (const name of ["fill", "stroke"]) {
        if (style[name] !== "none" && colorOf(style[name])[3] > 0.1) shapes.push([shape, name]);
      }
    }
    const [ink, ...others] = new Set(shapes.map(([shape, name]) => styleOf(shape)[name]));
    if (!ink || others.length || /url/.test(ink)) return [];
    const points = [[(box.left + box.right) / 2, (box.top + box.bottom) / 2]];
    return [{ node: around, points, color: colorOf(ink), placeholder: false, shapes }];
  }

  // Icons, which no text node holds.
  function marks() {
    const found = [];
    for (const root of surefoot.roots()) {
      for (const node of dom.querySelectorAll(root, "*")) {
        const svg = dom.localName(node) === "svg";
        if ((!svg && (dom.ownerSVGElement(node) || !dom.style(node))) || !surefoot.shown(node)) continue;
        found.push(...(svg ? drawnTargets(node) : glyphTargets(node, styleOf(node))));
      }
    }
    return found;
  }

  function targets() {
    const range = dom.createRange(document);
    const found = [];
    for (const node of surefoot.textBearers()) {
      if (!dom.checkVisibility(node, { opacityProperty: true })) continue;
      const style = styleOf(node);
      if (style.visibility !== "visible") continue;
      if (/^(input|textarea|select)$/.test(dom.localName(node))) found.push(...controlTargets(node, style));
      const rects = ownRects(node, range);
      if (!rects.length) continue;
      found.push({ node, points: samples(rects), color: textColor(style), placeholder: false });
    }
    return found;
  }

  // A placeholder cannot be styled inline: each gets its present colour in a property that
  // one rule reads.
  function readyPlaceholders(list) {
    for (const { node, color, placeholder } of list) {
      if (placeholder && !dom.style(node).getPropertyValue("--surefoot-placeholder")) {
        dom.style(node).setProperty("--surefoot-placeholder", spellColor(color), "important");
      }
    }
    const css =
      "::placeholder { color: var(--surefoot-placeholder) !important; opacity: 1 !important;" +
      " -webkit-text-fill-color: var(--surefoot-placeholder) !important }";
    for (const root of surefoot.roots()) surefoot.addSheet(root, css);
  }

  // Repeated, since a solid box or an opacity that was raised lies behind other texts too.
  // With a set of nodes, theirs alone.
  surefoot.enforceContrast = (minimum, within = null) => {
    let texts = 0;
    let changed = 0;
    let isDue = () => true;
    for (let round = 0; round < ROUNDS; round += 1) {
      surefoot.forgetStyles();
      const found = [...targets(), ...marks()];
      const list = found.filter(({ node }) => !within || within.has(node));
      const plans = list.filter(isDue).map((target) => planFor(target, minimum)).filter(Boolean);
      if (round === 0 && list.some((target) => target.placeholder)) readyPlaceholders(found);
      const raised = plans.map(carryOut).some(Boolean);
      surefoot.freeze();
      isDue = concerned(plans, raised);
      texts = list.length;
      changed += plans.length;
      if (!plans.some((plan) => plan.solid)) break;
    }
    surefoot.forgetStyles();
    return { texts, changed };
  };

  // The contrast of every text with what lies behind it; -1 where that cannot be known.
  surefoot.contrasts = () => {
    surefoot.forgetStyles();
    return targets().map((target) => {
      const stacks = target.points.map((point) => layersAt(target.node, point));
      const known = !stacks.includes(null);
      const value = known ? Math.min(...stacks.map((layers) => worst(layers, target.color))) : -1;
      return [surefoot.idOf(target.node), Math.round(value * 1000) / 1000, target.placeholder];
    });
  };
})();
