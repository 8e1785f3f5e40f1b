"""
What can be clicked on real pages, drawn for the eye, with two second opinions.

``python bench/clickable.py OUT SOURCE...`` captures every page of the sources (folders, npm
packages, addresses: what ``surefoot capture`` takes), and writes into OUT a picture of each
with every box that can be clicked drawn and numbered. It prints, a page a row,

- how many boxes there are;
- how many of them a real press of the mouse at their centre reaches: the event's own path,
  not a hit test, must lead through the element, through what stands for it, or its label;
- how many controls of Chromium's accessibility tree, and nodes that listen for clicks by
  themselves and hold no two boxes, seen in the window, have no box of about their size: a
  control in a control has its own.

Below stand the boxes that no click reached and the controls without a box. What a person
counts on the pictures is recall (things that can be clicked and have a box) and precision
(boxes of things that can be clicked); studies/docs/label-audit.md has such counts.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from surefoot.capture.settings import Settings
from surefoot.capture.sources import list_addresses
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.collect import collect
from surefoot.capture.web.settle import settle
from surefoot.capture.web.shoot import ViewScale, shoot
from surefoot.capture.web.world import CLICKS, World
from surefoot.core.errors import CaptureError
from surefoot.core.geometry import Box
from surefoot.core.screen import INTERACTIVE_ROLES, Element
from surefoot.report.audit import PALETTE, Mark, draw_marks
from surefoot_studies.accessibility import SYNONYMS

LEAST_SEEN: Final = 0.5
ABOUT: Final = 4.0  # times the area of what is clicked, at most, is a box of its own
LISTENER: Final = "a listener"
LISTEN: Final = """(() => {
  surefoot.pressed = [];
  for (const kind of ["pointerdown", "mousedown", "mouseup", "pointerup", "click"]) {
    window.addEventListener(kind, (event) => {
      event.preventDefault();
      event.stopImmediatePropagation();
      if (kind === "pointerdown") surefoot.pressed = event.composedPath();
    }, true);
  }
  surefoot.reached = (id) => {
    const [node, ...shown] = surefoot.shownFor(id);
    const labels = (step) => step.localName === "label" && step.control === node;
    return surefoot.pressed.some((step) => step === node || shown.includes(step) || labels(step));
  };
})()"""


class Looked(msgspec.Struct, frozen=True):
    """Hold what one page showed: the boxes, those that no click reached, and what has none."""

    page: str
    boxes: tuple[Element, ...]
    unreached: tuple[Element, ...]
    boxless: tuple[str, ...]


def pressed(world: World, element: Element, scale: float) -> bool:
    """Press the mouse at the middle of an element's box, and tell whether that reached it."""
    at = {"x": element.box.center.x / scale, "y": element.box.center.y / scale, "button": "left"}
    for kind in ("mousePressed", "mouseReleased"):
        world.session.send("Input.dispatchMouseEvent", {"type": kind, "clickCount": 1, **at})
    return world.call(bool, "reached", element.id)


def boxless(world: World, boxes: tuple[Element, ...]) -> Iterator[str]:
    """Yield what can be clicked by Chromium's own word and has no box of ours."""
    seen: set[int] = set()
    for number, words in (*controls(world), *listeners(world)):
        place = shown(world, number)
        if number in seen or place is None:
            continue
        seen.add(number)
        inside = sum(place.contains(element.box.center) for element in boxes)
        own = any(
            element.box.contains(place.center) and element.box.area <= ABOUT * place.area
            for element in boxes
        )
        if not own and not (inside > 1 and words.startswith(LISTENER)):
            yield f"{words} at {place.center.x:.0f}, {place.center.y:.0f}"


def listeners(world: World) -> Iterator[tuple[int, str]]:
    """Yield the nodes that listen for clicks by themselves, but for those of the whole page."""
    page = world.session.send("Runtime.evaluate", {"expression": "document"})["result"]
    asked = {"objectId": page["objectId"], "depth": -1, "pierce": True}
    for found in world.session.send("DOMDebugger.getEventListeners", asked)["listeners"]:
        if found["type"] in CLICKS and "backendNodeId" in found:
            yield found["backendNodeId"], LISTENER


def controls(world: World) -> Iterator[tuple[int, str]]:
    """Yield the controls of Chromium's own tree."""
    for node in world.session.send("Accessibility.getFullAXTree")["nodes"]:
        if node.get("ignored") or "backendDOMNodeId" not in node:
            continue
        role = SYNONYMS.get(node["role"]["value"], node["role"]["value"])
        if role not in INTERACTIVE_ROLES - {"option"}:
            continue
        yield node["backendDOMNodeId"], f"{role} {node.get('name', {}).get('value', '')!r}"


def shown(world: World, node: int) -> Box | None:
    """Return the box of what a node shows, None where it is not to be seen or hit."""
    try:
        found: dict[str, Any] = world.session.send("DOM.resolveNode", {"backendNodeId": node})
    except Exception:  # noqa: BLE001 - a node without an object is not to be seen
        return None
    script = """function () {
      const box = this.getBoundingClientRect ? this.getBoundingClientRect() : null;
      if (!box || box.width < 3 || box.height < 3) return null;
      if (box.width * box.height > innerWidth * innerHeight / 4) return null;
      const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
      const top = this.getRootNode().elementFromPoint(x, y);
      const seen = this.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      return seen && top && this.contains(top) ? [box.left, box.top, box.right, box.bottom] : null;
    }"""
    if "objectId" not in found["object"]:
        return None
    answer = world.session.send(
        "Runtime.callFunctionOn",
        {
            "objectId": found["object"]["objectId"],
            "functionDeclaration": script,
            "returnByValue": True,
        },
    )
    value = answer["result"].get("value")
    return Box(*value) if value else None


def look(browser: Browser, spec: str, out: Path) -> Iterator[Looked]:
    """Capture the pages of a source, draw their boxes, and press the mouse on each."""
    settings = Settings()
    for address in list_addresses(spec):
        try:
            with browser.visit(address, settings) as visit:
                world = World(visit.page)
                settle(visit, world)
                if visit.scripted:
                    world.hear()
                world.read_tree()
                found = collect(world, settings.scale)
                png = shoot(world, ViewScale.of(settings))
                boxes = tuple(
                    element
                    for element in found.elements
                    if element.role in INTERACTIVE_ROLES - {"option"}
                    and element.visible_fraction >= LEAST_SEEN
                    and any(element.hits)
                )
                lacking = tuple(boxless(world, boxes))
                world.handle(f"{LISTEN}, surefoot")
                unreached = tuple(
                    element for element in boxes if not pressed(world, element, settings.scale)
                )
        except CaptureError as error:
            print(f"{address.page}: {error}", file=sys.stderr)
            continue
        marks = [
            Mark(element.box, PALETTE[at % len(PALETTE)], str(at + 1))
            for at, element in enumerate(boxes)
        ]
        name = "".join(sign if sign.isalnum() else "_" for sign in address.page)
        (out / f"{name}.png").write_bytes(draw_marks(png, marks))
        yield Looked(address.page, boxes, unreached, lacking)


def main() -> None:
    """Look at every page of the sources named on the command line."""
    out, *sources = sys.argv[1:]
    Path(out).mkdir(parents=True, exist_ok=True)
    with Browser() as browser:
        found = [page for spec in sources for page in look(browser, spec, Path(out))]
    print("| page | boxes | reached by a click | controls without a box |")
    print("| --- | ---: | ---: | ---: |")
    for page in found:
        reached = len(page.boxes) - len(page.unreached)
        print(f"| {page.page} | {len(page.boxes)} | {reached} | {len(page.boxless)} |")
    boxes = sum(len(page.boxes) for page in found)
    missed = sum(len(page.unreached) for page in found)
    print(f"| all | {boxes} | {boxes - missed} | {sum(len(page.boxless) for page in found)} |")
    for page in found:
        for element in page.unreached:
            print(f"- {page.page}: no click reaches {element.role} {element.name!r}")
        for line in page.boxless:
            print(f"- {page.page}: no box for {line}")


if __name__ == "__main__":
    main()
