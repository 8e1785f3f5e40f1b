// Colours as [red, green, blue, alpha], channels 0..255, alpha 0..1; WCAG 2 contrast.
(() => {
  "use strict";
  const surefoot = globalThis.surefoot;
  const cache = new Map();
  let painter = null;

  function canvas() {
    if (!painter) {
      const surface = new OffscreenCanvas(1, 1);
      painter = surface.getContext("2d", { willReadFrequently: true });
    }
    return painter;
  }

  // Whatever is not written as rgb() (lab, oklch, color-mix, ...) is painted and read back.
  function painted(text) {
    const brush = canvas();
    brush.clearRect(0, 0, 1, 1);
    brush.fillStyle = "rgba(0, 0, 0, 0)";
    brush.fillStyle = text;
    brush.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = brush.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  }

  function parse(text) {
    const parts = /^rgba?\(([^)]*)\)$/.exec(text);
    if (!parts) return painted(text);
    const numbers = parts[1].split(/[\s,/]+/).filter(Boolean).map(Number.parseFloat);
    if (numbers.length < 3 || numbers.some(Number.isNaN)) return painted(text);
    return [numbers[0], numbers[1], numbers[2], numbers.length > 3 ? numbers[3] : 1];
  }

  function colorOf(text) {
    let found = cache.get(text);
    if (!found) cache.set(text, (found = parse(text)));
    return found;
  }

  function spellColor([red, green, blue, alpha]) {
    const channels = [red, green, blue].map(Math.round).join(", ");
    return alpha >= 1 ? `rgb(${channels})` : `rgba(${channels}, ${Math.round(alpha * 1000) / 1000})`;
  }

  function linear(channel) {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }

  const luminance = ([red, green, blue]) =>
    0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);

  function contrast(one, other) {
    const [a, b] = [luminance(one), luminance(other)];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }

  // Paint one colour over another (source-over).
  function over(top, below) {
    const alpha = top[3] + below[3] * (1 - top[3]);
    if (alpha === 0) return [0, 0, 0, 0];
    const channel = (index) =>
      (top[index] * top[3] + below[index] * below[3] * (1 - top[3])) / alpha;
    return [channel(0), channel(1), channel(2), alpha];
  }

  const faded = (color, opacity) => [color[0], color[1], color[2], color[3] * opacity];

  function between(one, other, share) {
    return one.map((channel, index) => channel + (other[index] - channel) * share);
  }

  Object.assign(surefoot, { between, colorOf, contrast, faded, luminance, over, spellColor });
})();
