// Remember where the page met the last press of a button; return about where its corner lies
// on the screen, and its size.
() => {
  globalThis.pointed = null;
  addEventListener("mousedown", (event) => { pointed = [event.clientX, event.clientY]; }, true);
  return [
    screenX + (outerWidth - innerWidth) / 2,
    screenY + outerHeight - innerHeight,
    innerWidth,
    innerHeight,
  ];
}
