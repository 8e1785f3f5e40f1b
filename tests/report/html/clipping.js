// Return what of a report's figures and tables cannot be read: [what is wrong, where, the text].
() => {
  const wrong = [];
  const tell = (what, node, text) => {
    const title = node.closest("figure")?.querySelector("figcaption")?.textContent ?? "";
    wrong.push([what, title.trim(), text.trim().slice(0, 80)]);
  };
  const within = (a, b) =>
    a.left >= b.left - 1 && a.right <= b.right + 1 && a.top >= b.top - 1 && a.bottom <= b.bottom + 1;
  const shown = (selector) =>
    [...document.querySelectorAll(selector)].filter((node) => node.getClientRects().length);

  document.querySelectorAll("details").forEach((fold) => {
    fold.open = true;
  });
  for (const drawing of shown(".drawing svg")) {
    const room = drawing.getBoundingClientRect();
    const holder = drawing.closest(".drawing").getBoundingClientRect();
    if (room.left < holder.left - 1 || room.right > holder.right + 1) {
      tell("a drawing is wider than its place", drawing, "");
    }
    const texts = [...drawing.querySelectorAll("text")]
      .map((text) => [text.textContent, text.getBoundingClientRect()])
      .sort((a, b) => a[1].top - b[1].top);
    for (const [at, [words, box]] of texts.entries()) {
      if (!within(box, room)) tell("a text leaves its drawing", drawing, words);
      if (box.height < 9) tell("a text is too small", drawing, words);
      for (const [others, other] of texts.slice(at + 1)) {
        if (other.top > box.bottom) break;
        const wide = Math.min(box.right, other.right) - Math.max(box.left, other.left);
        const high = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
        // The height of a box has room for accents and descenders, which lines may share.
        if (wide > 1 && high > 5) tell("two texts overlap", drawing, `${words} | ${others}`);
      }
    }
  }
  for (const cell of shown("th, td")) {
    const words = document.createRange();
    words.selectNodeContents(cell);
    const room = cell.getBoundingClientRect();
    if ([...words.getClientRects()].some((line) => line.width && !within(line, room))) {
      tell("a text leaves its cell", cell, cell.textContent);
    }
  }
  for (const box of shown(".scroll")) {
    if (box.scrollWidth <= box.clientWidth + 1) continue;
    // The names of the rows stay in sight, and must leave room for any other column.
    const room = box.clientWidth - box.querySelector("tr > :first-child").offsetWidth;
    const wide = [...box.querySelectorAll("tr > :not(:first-child)")].find(
      (cell) => cell.offsetWidth > room,
    );
    if (wide) tell("a column has no room beside the names", box, wide.textContent);
  }
  for (const node of shown("body, body *:not(svg *)")) {
    if (node.closest(".scroll") || getComputedStyle(node).display === "inline") continue;
    if (node.clientWidth && node.scrollWidth > node.clientWidth + 1) {
      tell("something scrolls sideways", node, `${node.tagName} ${node.className}`);
    }
  }
  return wrong;
}
