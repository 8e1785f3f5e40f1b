"""
Two resolvers, written apart from one page of definitions, agree on what words mean.
"""

from __future__ import annotations

import random
from typing import Any, Final

import numpy as np
import pytest
from PIL import Image, ImageDraw

from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Ordinal, Region
from surefoot.core.pictures import Pixels
from surefoot.core.screen import Element, Screen
from surefoot.refer.judge import Judge
from surefoot.refer.judge.ground import Reading
from surefoot.refer.resolve.resolve import fits, prove
from surefoot.refer.scene.scene import Scene

SEEDS: Final = 100
SIZE: Final = (640, 480)
ROLES: Final = (
    "button", "button", "button", "link", "link", "checkbox", "radio", "switch", "textbox",
    "searchbox", "combobox", "slider", "spinbutton", "tab", "menuitem", "listbox", "option",
    "text", "text", "heading", "img",
)  # fmt: skip
HOLDERS: Final = (
    "group", "region", "list", "main", "dialog", "table", "row", "form", "toolbar",
)  # fmt: skip
HUES: Final = (
    "white", "grey", "black", "red", "blue", "green", "orange", "yellow", "purple",
)  # fmt: skip
NAMES: Final = (
    "Save", "save", "Save as draft", "Total", "Total:", "1", "10", "Search", "Close", "Close tab",
    "\u00d7", "Dark mode", "Email", "E-mail address", "Billing", "Billing address", "Find", "",
)  # fmt: skip
PAINTS: Final = (
    "#ffffff", "#f4f4f4", "#1a56db", "#d92020", "#118833", "#222222", "#dddddd", "#ff9900",
    "#ffcc00", "#7a3fc0", "#00a5a5", "#88b04b", "#e08030",
)  # fmt: skip
STATES: Final = ("checked", "mixed", "selected", "pressed", "expanded", "collapsed", "disabled")
READINGS: Final[tuple[Reading, ...]] = ("strict", "lenient")
Rng = random.Random


class Drawer:
    """
    Draw one random interface, its elements and its picture, from a seed.
    """

    def __init__(self, seed: int) -> None:
        self.rng = Rng(seed)
        self.image = Image.new("RGB", SIZE, self.rng.choice(["#ffffff", "#f0f2f5", "#20242c"]))
        self.pen = ImageDraw.Draw(self.image)
        self.elements: list[Element] = []
        self.headings: list[str] = []

    def add(self, role: str, box: Box, parent: str, **more: object) -> Element:
        """Add an element with random looks, words and states."""
        rng = self.rng
        name = rng.choice(NAMES)
        shown = name if rng.random() < 0.75 else rng.choice(["", "Ok", "7 items", name.upper()])
        lines = (self.words(box, shown),) if shown else ()
        fraction = rng.choice([1.0] * 8 + [0.5, 0.3, 0.01])
        parts: dict[str, Any] = {
            "name": name,
            "name_from": rng.choice(["content", "label", "aria-label", "aria-labelledby"]),
            "text": shown,
            "text_boxes": lines,
            "name_boxes": lines if name == shown else (),
            "font_px": 12.0,
            "states": tuple(sorted(state for state in STATES if rng.random() < 0.15)),
            "visible_fraction": fraction,
            "hits": (True,) * 5 if rng.random() < 0.95 else (False,) * 5,
            "attributes": self.attributes(),
        }
        element = Element(f"e{len(self.elements)}", role, box, parent=parent, **{**parts, **more})
        self.elements.append(element)
        return element

    def words(self, box: Box, text: str) -> Box:
        """Return where a line of text stands in a box."""
        width = min(box.width, 6.0 * len(text))
        return Box(box.left, box.top, box.left + width, min(box.top + 12, box.bottom))

    def attributes(self) -> dict[str, str]:
        """Return random attributes: editable, placeholder, background, tag, section, type."""
        rng = self.rng
        choices = (
            ("editable", "true", 0.6),
            ("placeholder", rng.choice(NAMES), 0.2),
            ("background", "rgb(1, 2, 3)", 0.5),
            ("tag", rng.choice(["a", "button", "legend", "div", "div", "div"]), 0.4),
            ("type", rng.choice(["password", "text"]), 0.2),
        )
        found = {key: value for key, value, share in choices if rng.random() < share}
        if self.headings and rng.random() < 0.7:
            found["section"] = rng.choice(self.headings)
        return found

    def paint(self, element: Element) -> None:
        """Paint an element's box, whole or in part, or leave it as it is."""
        box, rng = element.box, self.rng
        inset = rng.choice([0, 0, 0, 1, 4, 8])
        sides = (box.left + inset, box.top + inset, box.right - inset - 1, box.bottom - inset - 1)
        if rng.random() < 0.7 and sides[0] <= sides[2] and sides[1] <= sides[3]:
            self.pen.rectangle(sides, fill=rng.choice(PAINTS))
        if element.text:
            self.pen.text((box.left + 1, box.top), element.text.replace("\u00d7", "x"), "#444444")

    def group(self, parent: str, area: Box) -> None:
        """Fill an area with a row, a column, a grid or a heap of elements, perhaps nested."""
        rng = self.rng
        if rng.random() < 0.6:
            hits = () if rng.random() < 0.8 else (True,) * 5
            parent = self.add(rng.choice(HOLDERS), area, parent, hits=hits, text="").id
        if rng.random() < 0.5:
            box = Box.from_xywh(area.left, area.top, 90, 16)
            heading = self.add("heading", box, parent)
            self.headings.append(heading.id)
        columns, rows = rng.choice([(1, 3), (3, 1), (2, 2), (3, 2), (2, 1), (1, 2)])
        role = rng.choice(ROLES)
        jitter = rng.choice([0, 0, 0, 3, 9])
        width, height = rng.choice([(64, 20), (24, 24), (40, 40), (90, 24), (20, 66)])
        for row in range(rows):
            for column in range(columns):
                x = area.left + 4 + column * (width + 8) + rng.randint(0, jitter)
                y = area.top + 22 + row * (height + 8) + rng.randint(0, jitter)
                self.leaf(rng.choice([role, role, role, rng.choice(ROLES)]), x, y, parent)
                width = width if rng.random() < 0.9 else rng.choice([24, 64])

    def leaf(self, role: str, x: float, y: float, parent: str) -> None:
        """Add an element and, sometimes, what it wraps or is labelled by."""
        rng = self.rng
        size = rng.choice([(64, 20), (64, 20), (64, 20), (24, 24), (96, 20), (20, 64)])
        shift = rng.choice([0, 0, 0.25])
        # Some reach out of the picture: only the part inside is seen.
        box = Box.from_xywh(-size[0] / 3 if rng.random() < 0.05 else x + shift, y, *size)
        one = self.add(role, box, parent)
        self.paint(one)
        if rng.random() < 0.15:
            inner = Box(box.left + 2, box.top + 2, box.right - 2, box.bottom - 2)
            self.add(rng.choice(ROLES), inner, one.id, text=one.text, name=one.name)

    def draw(self) -> tuple[Screen, Pixels]:
        """Draw the whole interface."""
        for at in range(self.rng.randint(1, 4)):
            left, top = 10 + 310 * (at % 2), 10 + 230 * (at // 2)
            self.group("", Box.from_xywh(left, top, 290, self.rng.choice([120, 200])))
        elements = tuple(self.elements)
        screen = Screen("s", "p", "x", "", *SIZE, 1.0, "web", "en", elements)
        return screen, np.asarray(self.image)


def basics(rng: Rng, one: Element) -> dict[str, Any]:
    """Return a few parts that are likely true of an element, or nothing."""
    choices: tuple[tuple[str, object, float], ...] = (
        ("role", rng.choice([one.role, one.role, "control", rng.choice(ROLES)]), 0.8),
        ("name", one.name, 0.25),
        ("text", one.text, 0.15),
        ("label", one.name, 0.08),
        ("state", rng.choice([*STATES[:1], *STATES[2:6], "unchecked", "empty"]), 0.12),
        ("function", function_of(rng, one.role), 0.15),
        (
            "colour",
            rng.choice(HUES),
            0.1,
        ),
        ("shape", rng.choice(["square", "wide", "tall"]), 0.1),
        ("content", rng.choice(["icon", "text"]), 0.1),
        ("region", region_of(rng, one), 0.12),
    )
    return {part: value for part, value, share in choices if value and rng.random() < share}


def function_of(rng: Rng, role: str) -> str:
    """Return a function, mostly one that fits a role."""
    fitting = {
        "checkbox": ["turn on", "turn off"], "switch": ["turn on", "turn off"],
        "textbox": ["enter"], "searchbox": ["enter", "search"], "combobox": ["choose", "open"],
        "link": ["go to"], "tab": ["show"], "slider": ["adjust"], "button": ["open", "close"],
    }  # fmt: skip
    return rng.choice([*fitting.get(role, []), "search", "close", "open", "choose", "adjust"])


def region_of(rng: Rng, one: Element) -> Region:
    """Return a region, likely one that the element is in."""
    x, y = one.box.center.x / SIZE[0], one.box.center.y / SIZE[1]
    across, down = "left" if x < 0.5 else "right", "top" if y < 0.5 else "bottom"
    place = rng.choice([across, down, f"{down} {across}", "center"])
    return Region(place, rng.choice(["screen", "screen", "window"]))  # type: ignore[arg-type]


def landmark(rng: Rng, elements: tuple[Element, ...]) -> Expression:
    """Return an expression for some element by its words."""
    one = rng.choice(elements)
    if one.text and rng.random() < 0.7:
        return Expression(text=one.text)
    return Expression(role=one.role, name=one.name) if one.name else Expression(role=one.role)


def container(rng: Rng, elements: tuple[Element, ...], one: Element) -> Expression:
    """Return an expression for something that may hold the element."""
    above = [element for element in elements if element.id == one.parent] or list(elements)
    holder = rng.choice(above)
    if rng.random() < 0.3:
        headings = [element for element in elements if element.role == "heading"] or [one]
        return Expression(role="section", name=rng.choice(headings).name or "Total")
    if holder.name and rng.random() < 0.6:
        return Expression(role=holder.role, name=holder.name)
    inside = [element for element in elements if element.parent == holder.id and element.text] or [
        one
    ]
    return Expression(role=holder.role, text=rng.choice(inside).text or "Total")


def expression(rng: Rng, elements: tuple[Element, ...], one: Element) -> Expression:
    """Return a random expression that may well be true of an element."""
    parts = basics(rng, one)
    if rng.random() < 0.25:
        parts["container"] = container(rng, elements, one)
    kind = rng.choice(["", "", "direction", "nearest", "between", "size", "ordinal", "ordinal"])
    if kind == "direction":
        parts["direction"] = rng.choice(["above", "below", "left of", "right of"])
        parts["landmark"] = landmark(rng, elements)
    elif kind in {"nearest", "between"}:
        parts |= {"relation": kind, "landmark": landmark(rng, elements)}
        parts |= {"second": landmark(rng, elements)} if kind == "between" else {}
    elif kind == "size":
        parts["size"] = rng.choice(["largest", "smallest"])
    elif kind == "ordinal":
        order = rng.choice(["row", "column", "list", "grid"])
        row = rng.choice([1, 2, -1]) if order == "grid" else 0
        parts["ordinal"] = Ordinal(rng.choice([1, 2, 3, -1, -2]), order, row)  # type: ignore[arg-type]
    return Expression(**parts) if parts else Expression(role=one.role)


def questions(seed: int, most: int = 40) -> tuple[Screen, Pixels, list[tuple[Expression, str]]]:
    """Return a random interface and expressions, each with an element it may mean."""
    screen, pixels = Drawer(seed).draw()
    rng = Rng(seed + 1_000_000)
    asked = []
    for _ in range(most):
        one = rng.choice(screen.elements)
        asked.append((expression(rng, screen.elements, one), one.id))
    return screen, pixels, asked


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(at, marks=pytest.mark.long) for at in range(20, SEEDS, 20))]
)
def test_the_resolvers_agree_on_random_interfaces(seed: int) -> None:
    """Both readings fit the same elements, and the same expressions are proven."""
    for place in range(seed, seed + 20):
        screen, pixels, asked = questions(place)
        scene, judge = Scene(screen, pixels), Judge(screen, pixels)
        for said, target in asked:
            verdict = judge.judge(said, target)
            for reading in () if verdict.why.endswith("is not one thing") else READINGS:
                mine = sorted(judge.fits(said, reading))
                assert mine == np.flatnonzero(fits(scene, said, reading)).tolist(), (said, place)
            proven = prove(scene, said, scene.place[target]) is None
            assert verdict.valid == proven, (said, target, place)
