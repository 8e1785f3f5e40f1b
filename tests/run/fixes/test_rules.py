"""
Rules find what is hard to find on a drawn page, and nothing on what is not.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from surefoot.core.geometry import Box
from surefoot.core.screen import Element, Screen
from surefoot.run.fixes.rules import RULES, SAME_SHADE, ControlFacts, broken_rules, control_facts

SIZE: Final = (400, 300)
HIT: Final = (True,) * 5


class Drawing:
    """Draw controls on a white page, each with the element that a capture would record."""

    def __init__(self) -> None:
        self.image = Image.new("RGB", SIZE, "white")
        self._pen = ImageDraw.Draw(self.image)
        self.elements: list[Element] = []

    def words(self, drawn: str, at: tuple[int, int], ink: str = "black", **more: Any) -> None:  # noqa: ANN401
        """Draw a button of words, 40 px high."""
        left, top = at
        box = Box.from_xywh(left, top, 90, 40)
        font = ImageFont.load_default(size=16)
        ends = self._pen.textbbox((left + 8, top + 10), drawn, font=font)
        self._pen.text((left + 8, top + 10), drawn, fill=ink, font=font)
        line = Box(*map(float, ends))
        spelled = {"name": drawn, "name_boxes": (line,), "text": drawn, "text_boxes": (line,)}
        self._add(box, **{**spelled, "font_px": 16.0, **more})

    def icon(self, name: str, at: tuple[int, int], side: int = 40, **more: Any) -> None:  # noqa: ANN401
        """Draw a button of a picture, a dark square within it."""
        left, top = at
        inner = (left + side // 4, top + side // 4, left + 3 * side // 4, top + 3 * side // 4)
        self._pen.rectangle(inner, fill="black")
        self._add(Box.from_xywh(left, top, side, side), name=name, **more)

    def _add(self, box: Box, **more: Any) -> None:  # noqa: ANN401
        given = {"role": "button", "visible_fraction": 1.0, "hits": HIT, **more}
        self.elements.append(Element(id=f"b-{len(self.elements)}", box=box, **given))

    def facts(self, scale: float = 1.0) -> tuple[ControlFacts, ...]:
        """Return what is found."""
        screen = Screen(
            "s", "page", "by hand", "", *SIZE, scale, "web", "en-US", tuple(self.elements)
        )
        return control_facts(screen, np.asarray(self.image))


def broken(drawing: Drawing, scale: float = 1.0) -> list[tuple[str, ...]]:
    """Return the rules that each control breaks."""
    return [one.rules for one in drawing.facts(scale)]


def test_each_rule_finds_its_fault() -> None:
    """Each control breaks the rules that it was drawn to break, and no other."""
    page = Drawing()
    page.words("Save", (10, 10))
    page.words("Print", (110, 10), ink="#c8c8c8")
    page.words("Edit", (210, 10))
    page.words("Edit", (210, 60))
    page.icon("Close", (10, 110), side=20)
    page.icon("", (60, 110), side=36)
    page.words("Send", (110, 160), hits=(False, True, True, True, True))

    assert broken(page) == [
        (),
        ("low-contrast",),
        ("ambiguous",),
        ("ambiguous",),
        ("icon-alone", "small"),
        ("unlabelled",),
        ("covered",),
    ]


def test_a_sign_is_no_word() -> None:
    """A control that shows a sign in place of its name shows no words; one that shows any does."""
    page = Drawing()
    page.words("x", (10, 10), name="Close", name_boxes=(), text="\u00d7")
    page.words("Go", (110, 10), name="Search", name_boxes=())
    page.words("7", (210, 10), name="Page 7", name_boxes=())

    assert [one.worded for one in page.facts()] == [False, True, True]
    assert broken(page) == [("icon-alone",), (), ()]


def test_words_are_told_that_a_name_has() -> None:
    """Of a name that is not spelled whole those words are told that stand so in it, or none."""
    page = Drawing()
    page.words("Price", (10, 10), name="Price: activate to sort", name_boxes=())
    page.words("A", (110, 10), name="Account menu", name_boxes=())
    page.words("Next", (210, 10), name="next", name_boxes=())
    page.words("Save", (10, 60))

    assert [one.part for one in page.facts()] == ["Price", "", "Next", ""]


def test_pictures_that_look_alike_are_found() -> None:
    """Two controls of one picture and two names look alike; one of another picture does not."""
    page = Drawing()
    page.icon("Up", (10, 10))
    page.icon("Down", (110, 10))
    page.icon("Home", (210, 10), side=60)

    assert ["look-alike" in rules for rules in broken(page)] == [True, True, False]


def test_thin_icons_do_not_look_alike() -> None:
    """Two icons whose pictures differ little, since they are ground for the most part, differ."""
    page = Drawing()
    pen = ImageDraw.Draw(page.image)
    for name, left, ends in (("Up", 10, (30, 26, 30, 34)), ("Down", 110, (126, 30, 134, 30))):
        page.icon(name, (left, 10), side=0)
        pen.line(ends, fill="black", width=3)
        page.elements[-1] = msgspec.structs.replace(
            page.elements[-1], box=Box.from_xywh(left, 10, 40, 40)
        )
    one, other = (np.asarray(page.image)[10:50, left : left + 40] for left in (10, 110))

    assert np.abs(one.astype(float) - other).mean() < SAME_SHADE
    assert not [rules for rules in broken(page) if "look-alike" in rules]


@pytest.mark.parametrize(("scale", "small"), [(1.0, False), (2.0, True)])
def test_sizes_are_of_the_page(scale: float, small: bool) -> None:
    """A control of 40 pixels is 20 of the page where each of these is drawn by two."""
    page = Drawing()
    page.words("Save", (10, 10))

    assert ("small" in broken(page, scale)[0]) == small


def test_what_is_not_there_to_be_used_breaks_no_rule() -> None:
    """Disabled controls, and those that are hardly in the picture, are left out."""
    page = Drawing()
    page.icon("", (10, 10), side=20, states=("disabled",))
    page.icon("", (60, 10), side=20, visible_fraction=0.5)

    assert page.facts() == ()


def test_findings_come_gravest_first() -> None:
    """Findings are in the order of the rules, then of the pages, the same every time."""
    page = Drawing()
    page.icon("Close", (10, 110), side=20)
    page.icon("", (60, 110), side=36)

    found = broken_rules({"b": page.facts(), "a": page.facts()})

    assert [(one.rule, one.page) for one in found] == [
        (rule, name) for rule in ("unlabelled", "icon-alone", "small") for name in "ab"
    ]
    assert found == broken_rules({"a": page.facts(), "b": page.facts()})
    assert {one.rule for one in found} <= RULES.keys()
