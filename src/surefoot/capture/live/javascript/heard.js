// What somebody activates in a window: heard before the page can hear it, and before it can leave.
//
// `tell(kind, node, event)` is called once for each activation: "pointer", "key", "input" (typed
// or chosen) or "call" (a script of the agent's, as `element.click()`; what the page's own scripts
// call is no activation of anybody's). A press counts when its click comes, or when it does not
// come because the page has replaced what was pressed, or has left.
const listenIn = (view, { native, tell, address, isReady, wake, inmost }) => {
  const EDITED = /^(input|textarea)$/;
  const CLICKED = /^(a|area|button|input|summary|option)$/;
  const MARKS = /^(button|checkbox|color|file|image|radio|range|reset|submit)$/;
  let pressed = null;
  let relayed = null; // the control that a label hands its click on to
  let last = null;

  const soon = (work) => native.setTimeout(work, 0);
  const edits = (node) =>
    node.isContentEditable || (EDITED.test(node.localName) && !MARKS.test(node.type));

  // A script of the page has an address; one that an agent evaluates has none.
  function isAgents() {
    const lines = String(new Error().stack).split("\n");
    return !lines.some((line) => /(https?|blob|data):/.test(line) && !line.includes(address));
  }

  function say(kind, node, event) {
    last = node;
    tell(kind, node, event);
  }

  function leads(event) {
    const link = event.composedPath().find((node) => node.localName === "a" && node.href);
    return link && /^https?:/.test(link.href) && new URL(link.href).origin !== view.location.origin;
  }

  const hear = {
    pointerdown(event, node) {
      if (event.button === 0) pressed = { node, event };
    },
    pointerup(event, node) {
      const was = pressed;
      soon(() => {
        if (!was || pressed !== was) return;
        pressed = null;
        if (was.node === node || !was.node.isConnected) say("pointer", was.node, was.event);
      });
    },
    click(event, node) {
      if (leads(event)) event.preventDefault(); // nothing but this site is served
      if (!event.isTrusted) {
        if (isAgents()) say("call", node, event);
        return;
      }
      const first = pressed;
      pressed = null;
      if (node === relayed) return;
      const label = event.composedPath().find((step) => step.localName === "label");
      relayed = label?.control && label.control !== node ? label.control : null;
      soon(() => { relayed = null; });
      say(event.detail > 0 && first?.kind !== "key" ? "pointer" : "key", node, event);
    },
    keydown(event, node) {
      if (!event.isTrusted || event.repeat || (event.key !== "Enter" && event.key !== " ")) return;
      if (edits(node) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (CLICKED.test(node.localName)) pressed = { node, event, kind: "key" };
      else if (node !== view.document.body) say("key", node, event);
    },
    input(event, node) {
      const own = event.isTrusted || isAgents();
      const same = node === last || last?.closest?.("label")?.control === node;
      if (own && !same) say(event.isTrusted ? "input" : "call", node, event);
    },
  };
  hear.change = hear.input;

  for (const [type, handler] of Object.entries(hear)) {
    view.addEventListener(type, (event) => {
      if (!isReady()) {
        if (event.isTrusted) {
          event.stopImmediatePropagation();
          event.preventDefault();
        }
        return;
      }
      if (event.isTrusted) wake();
      handler(event, inmost(event));
    }, true);
  }
  view.addEventListener("auxclick", (event) => leads(event) && event.preventDefault(), true);
  view.addEventListener("pagehide", () => {
    if (pressed) say(pressed.kind ?? "pointer", pressed.node, pressed.event);
    pressed = null;
  }, true);
};
