"""
Whether what is said to be reached answers a real click, of desktop programs and of web pages.

``python bench/reachable.py OUT --count N SOURCE...`` draws N controls at random from all that a
capture says a click reaches, on the sources named (``desktop:...``, or what ``surefoot capture``
takes of web pages), and clicks each on a fresh copy of its page: with xdotool on a screen of its
own, with Playwright's mouse in Chromium. The tree and the picture before and after tell

- "changed": the tree, the windows, the address or the picture differ;
- "focused": all that differs is which element has the focus;
- "nothing": neither; then the page is asked why: the element is chosen already, is disabled,
  leads to the page that it stands on, is drawn pressed and has nothing to act on, or no script of
  the page listens there.

A web page may not navigate or open windows; that it tried counts as a change. It prints a table
by source, and each control that did nothing with the reason; OUT gets the picture before each of
those, with its box.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import random
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
from PIL import ImageChops

from surefoot.capture.address import Address
from surefoot.capture.desktop.observe import (
    MOVING,
    ProgramObservation,
    look,
    park,
    staged,
)
from surefoot.capture.desktop.record import judge
from surefoot.capture.desktop.session import Session
from surefoot.capture.desktop.steps import Recipe
from surefoot.capture.settings import Limits, Settings
from surefoot.capture.sources import is_still, list_addresses
from surefoot.capture.sources.desktop import recipe_of
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.collect import collect
from surefoot.capture.web.settle import settle
from surefoot.capture.web.shoot import ViewScale, shoot
from surefoot.capture.web.world import World
from surefoot.core.errors import CaptureError
from surefoot.core.pictures import opened
from surefoot.core.screen import INTERACTIVE_ROLES, Element
from surefoot.report.audit import PALETTE, Mark, draw_marks

UNIT_S: Final = 120.0
AFTER_MS: Final = 600
LEAST_SEEN: Final = 0.5
DRAWN_S: Final = 0.3  # until a button is drawn pressed
UNHEARD: Final = "nothing of the page listens, or the click did not arrive"
CHOSEN: Final = frozenset({"checked", "selected", "pressed"})
LISTEN: Final = """(() => {
  surefoot.tried = [];
  addEventListener("beforeunload", () => surefoot.tried.push("leaves the page"));
  addEventListener("submit", () => surefoot.tried.push("submits"), true);
  addEventListener("click", (event) => {
    const link = event.composedPath().find((step) => step.localName === "a" && step.href);
    if (!link) return;
    const here = location.href.split("#")[0];
    surefoot.link = link.href.split("#")[0] === here ? "leads to its own page" : "leaves";
    if (surefoot.link === "leaves") { event.preventDefault(); surefoot.tried.push("leaves"); }
  });
  surefoot.tries = () => surefoot.tried;
  surefoot.leads = () => surefoot.link ?? "";
  surefoot.has_focus = () => {
    let node = document.activeElement;
    while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
    return node ? [...document.querySelectorAll("*")].indexOf(node) : -1;
  };
  surefoot.fields = () => JSON.stringify(
    [...document.querySelectorAll("input, select, textarea, details, dialog")].map((node) =>
      [node.value, node.checked, node.open, node.selectedIndex])) + document.body.innerHTML
      + scrollX + "," + scrollY;
})()"""


class Clicked(msgspec.Struct, frozen=True):
    """Hold what a click on one control came to: "changed", "focused" or "nothing", and why."""

    page: str
    element: Element
    outcome: str
    reason: str
    png: bytes


def reached(elements: Iterable[Element]) -> list[Element]:
    """Return the controls in sight that a click is said to reach."""
    return [
        element
        for element in elements
        if element.role in INTERACTIVE_ROLES
        and element.hit
        and element.visible_fraction >= LEAST_SEEN
        and "disabled" not in element.states
    ]


def target_of(element: Element) -> tuple[float, float]:
    """Return the middle of a box, or of the part of it that can be hit."""
    center = element.box.center
    return center.x, center.y


def click_program(recipe: Recipe, wanted: Element, settings: Settings) -> Clicked:
    """Start a program anew, click one of its controls, and compare before and after."""
    with seen_still(recipe, settings) as (inside, before):
        x, y = target_of(wanted)
        inside.xdotool("mousemove", str(round(x)), str(round(y)))
        time.sleep(DRAWN_S)
        hovered = inside.grab()
        inside.xdotool("mousedown", "1")
        time.sleep(DRAWN_S)
        pressed = inside.grab()
        inside.xdotool("mouseup", "1")
        code, _ = inside.ended()
        if code is not None:
            return Clicked(recipe.page, wanted, "changed", "the program ended", before.png)
        park(inside)
        try:
            after = look(inside)
        except CaptureError as error:
            if error.reason not in MOVING:  # the machine was too slow: nothing is known
                raise
            return Clicked(recipe.page, wanted, "changed", error.reason, before.png)
    outcome = compared(before, after)
    reason = why_not(wanted) if outcome == "nothing" else ""
    if reason == UNHEARD and differs_in(hovered, pressed, wanted):
        reason = "the click arrives: it is drawn pressed, and has nothing to act on"
    return Clicked(recipe.page, wanted, outcome, reason, before.png)


@contextlib.contextmanager
def seen_still(recipe: Recipe, settings: Settings) -> Iterator[tuple[Session, ProgramObservation]]:
    """Start a program and look at it, with its clock stopped where it never holds still."""
    for stopped in (False, True):
        with staged(recipe, settings, stopped=stopped) as inside:
            try:
                seen = look(inside)
            except CaptureError as error:
                if stopped or error.reason not in MOVING:
                    raise
                continue
            yield inside, seen
            return


def differs_in(one: bytes, other: bytes, element: Element) -> bool:
    """Tell whether two pictures differ in an element's box."""
    pictures = [opened(png).convert("RGB").crop(element.box.as_tuple()) for png in (one, other)]
    return ImageChops.difference(*pictures).getbbox() is not None


def compared(before: ProgramObservation, after: ProgramObservation) -> str:
    """Tell what differs between two looks at a program."""
    if [window.box for window in before.windows] != [window.box for window in after.windows]:
        return "changed"

    def unfocused(seen: ProgramObservation) -> list[object]:
        return [
            msgspec.structs.replace(
                node, states=tuple(state for state in node.states if state != "focused")
            )
            for node in seen.reading.nodes
        ]

    if unfocused(before) != unfocused(after):
        return "changed"
    if before.reading != after.reading:
        return "focused"
    return "changed" if before.png != after.png else "nothing"


def click_page(browser: Browser, address: Address, wanted: str, settings: Settings) -> Clicked:
    """Open a page anew, click one of its controls by its id, and compare before and after."""
    with browser.visit(address, settings) as visit:
        world = World(visit.page)
        settle(visit, world)
        if visit.scripted:
            world.hear()
        found = collect(world, settings.scale)
        element = next(item for item in found.elements if item.id == wanted)
        png = shoot(world, ViewScale.of(settings))
        world.handle(f"{LISTEN}, surefoot")
        before = world.call(str, "fields"), visit.page.url
        unfocused = world.call(int, "has_focus")
        x, y = target_of(element)
        try:
            visit.page.mouse.click(x / settings.scale, y / settings.scale)
            focused = world.call(int, "has_focus")  # settling takes the focus away
            visit.page.wait_for_timeout(AFTER_MS) if not visit.scripted else settle(visit, world)
            after = world.call(str, "fields"), visit.page.url
            tried: list[Any] = world.call(list[str], "tries")
            leads = world.call(str, "leads")
        except CaptureError as error:
            return Clicked(address.page, element, "changed", error.reason, png)
        visit.page.mouse.move(0, 0)
        drawn = shoot(world, ViewScale.of(settings)) != png
    if tried or before != after:
        return Clicked(address.page, element, "changed", ", ".join(map(str, tried)), png)
    if focused != unfocused:
        return Clicked(address.page, element, "focused", "", png)
    if drawn:
        return Clicked(address.page, element, "changed", "the picture", png)
    return Clicked(address.page, element, "nothing", leads or why_not(element), png)


def why_not(element: Element) -> str:
    """Say why a click on a control that was reached may change nothing."""
    if CHOSEN & {*element.states}:
        return "it is chosen already"
    if "focused" in element.states:
        return "it has the focus already"
    return UNHEARD


def main() -> None:
    """Draw controls, click them, and print what came of it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("sources", nargs="+")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args()
    told.out.mkdir(parents=True, exist_ok=True)
    settings = Settings(limits=Limits(unit_s=UNIT_S))
    addresses = [address for spec in told.sources for address in list_addresses(spec)]
    with Browser() as browser:
        drawn: list[tuple[Address, Element]] = []
        for address in addresses:
            try:
                drawn += [(address, item) for item in reached(elements_of(browser, address))]
            except CaptureError as error:
                print(f"{address.page}: {error}", file=sys.stderr)
        chosen = random.Random(told.seed).sample(drawn, min(told.count, len(drawn)))  # noqa: S311
        found = []
        for address, element in chosen:
            found.append(click(browser, address, element, settings))
            print(line_of(found[-1]), file=sys.stderr, flush=True)  # a run may be cut
    tell(found, told.out)


def elements_of(browser: Browser, address: Address) -> tuple[Element, ...]:
    """Return what a capture finds on a page, or in a program."""
    settings = Settings(limits=Limits(unit_s=UNIT_S))
    if is_still(address):
        with seen_still(recipe_of(address), settings) as (_, seen):
            return judge(seen, settings).elements
    with browser.visit(address, settings) as visit:
        world = World(visit.page)
        settle(visit, world)
        if visit.scripted:
            world.hear()
        return tuple(collect(world, settings.scale).elements)


def click(browser: Browser, address: Address, element: Element, settings: Settings) -> Clicked:
    """Click one control of a page or of a program."""
    try:
        if is_still(address):
            return click_program(recipe_of(address), element, settings)
        return click_page(browser, address, element.id, settings)
    except CaptureError as error:
        return Clicked(address.page, element, "not tried", error.reason, b"")


def line_of(item: Clicked) -> str:
    """Say in a line what came of a click."""
    what = f"{item.element.role} {item.element.name!r}"
    return f"- {item.page}: {item.outcome} at {what}: {item.reason}"


def tell(found: list[Clicked], out: Path) -> None:
    """Print the table and what did nothing, and draw that."""
    kinds = ("changed", "focused", "nothing", "not tried")
    print(f"| page | {' | '.join(kinds)} |\n|{' --- |' * (len(kinds) + 1)}")
    pages = sorted({item.page for item in found})
    for page in [*pages, ""]:
        counts = collections.Counter(item.outcome for item in found if page in {"", item.page})
        print(f"| {page or 'all'} | {' | '.join(str(counts[kind]) for kind in kinds)} |")
    for number, item in enumerate(found):
        if item.outcome in {"nothing", "not tried"}:
            print(line_of(item))
        if item.outcome == "nothing":
            mark = Mark(item.element.box, PALETTE[0], "")
            (out / f"{number}.png").write_bytes(draw_marks(item.png, [mark]))


if __name__ == "__main__":
    main()
