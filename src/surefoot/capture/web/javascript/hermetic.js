// Runs in every frame before the page's own scripts: the same draws of Math.random at each
// load, and no WebRTC, whose UDP would go round the proxy that holds the page. A document's last
// change is read from the page's own clock: without a header Chromium takes the machine's.
(() => {
  let state = SEED >>> 0;
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  Object.defineProperty(Math, "random", { value: random, writable: true, configurable: true });
  const padded = (number) => String(number).padStart(2, "0");
  const joined = (separator, numbers) => numbers.map(padded).join(separator);
  const lastModified = () => {
    const now = new Date();
    const day = joined("/", [now.getMonth() + 1, now.getDate(), now.getFullYear()]);
    return `${day} ${joined(":", [now.getHours(), now.getMinutes(), now.getSeconds()])}`;
  };
  Object.defineProperty(Document.prototype, "lastModified", { get: lastModified, configurable: true });
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "WebTransport"]) {
    delete globalThis[name];
  }
})();
