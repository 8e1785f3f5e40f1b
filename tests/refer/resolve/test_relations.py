"""
Relations: nearest to, between, and the parts of a screen or window.
"""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Place, Region
from surefoot.core.screen import Element, Screen
from surefoot.refer.resolve.relations import in_region
from surefoot.refer.resolve.resolve import resolve
from surefoot.refer.scene.scene import Scene

PLACES: tuple[Place, ...] = get_args(Place)
TOTAL, END = Expression(text="Total"), Expression(text="End")
NEAREST = Expression(role="button", relation="nearest", landmark=TOTAL)
BETWEEN = Expression(role="button", relation="between", landmark=TOTAL, second=END)


def element(id_: str, role: str, box: Box, text: str = "", **more: object) -> Element:
    """Return an element that is whole, hit, and shows its text."""
    spelled = {"name": text, "text": text, "text_boxes": (box,)} if text else {}
    parts: dict[str, Any] = {"visible_fraction": 1.0, "hits": (True,) * 5, **spelled, **more}
    return Element(id_, role, box, **parts)


def screen(*elements: Element) -> Screen:
    """Return a screen of 900 x 600 pixels."""
    return Screen("s", "p", "x", "", 900, 600, 1.0, "web", "en", elements)


def fitting(expression: Expression, *elements: Element) -> tuple[set[str], set[str]]:
    """Return the ids that an expression fits strictly, and leniently."""
    shown = screen(*elements)
    strict, lenient = (
        {item.id for item in resolve(expression, shown, reading)}
        for reading in ("strict", "lenient")
    )
    return strict, lenient


LANDMARK = element("l", "text", Box(400, 300, 480, 320), "Total")


@pytest.mark.parametrize(
    ("other", "strict", "lenient"),
    [
        (Box(400, 390, 440, 410), {"t"}, {"t"}),
        (Box(400, 360, 440, 380), {"t"}, {"t", "o"}),
        (Box(400, 345, 440, 365), {"t", "o"}, {"t", "o"}),
        (Box(400, 330, 440, 350), {"o"}, {"t", "o"}),
        (Box(495, 300, 700, 320), {"o"}, {"t", "o"}),
    ],
)
def test_nearest_is_the_smallest_distance_and_half_as_far_again(
    other: Box, strict: set[str], lenient: set[str]
) -> None:
    """At 25 pixels of a line of 20 the lenient reach is 47.5 pixels."""
    target = element("t", "button", Box(400, 255, 440, 275))
    assert fitting(NEAREST, target, LANDMARK, element("o", "button", other)) == (strict, lenient)


def test_a_long_box_beyond_reach_may_be_near_by_its_centre() -> None:
    """Leniently, centres count as well as edges."""
    target = element("t", "button", Box(100, 322, 780, 342))
    other = element("o", "button", Box(440, 372, 460, 392))
    long = element("t", "button", Box(482, 300, 882, 320))
    assert fitting(NEAREST, target, LANDMARK, other) == ({"t"}, {"t"})
    assert fitting(NEAREST, long, LANDMARK, other) == ({"t"}, {"t", "o"})


def test_what_wraps_a_landmark_is_not_near_it() -> None:
    """Ancestors and descendants of the landmark stand in no relation to it."""
    around = element("w", "button", Box(390, 290, 490, 330))
    landmark = element("l", "text", LANDMARK.box, "Total", parent="w")
    target = element("t", "button", Box(400, 255, 440, 275))
    assert fitting(NEAREST, target, landmark, around) == ({"t"}, {"t"})


def test_a_heading_is_where_its_words_are() -> None:
    """What is near to the empty part of a heading's block is not near to the heading."""
    block, words = Box(100, 300, 900, 330), Box(100, 300, 140, 330)
    heading = element("l", "heading", block, "Total", text_boxes=(words,))
    aside = element("t", "button", Box(800, 335, 840, 355))
    below = element("o", "button", Box(100, 390, 140, 410))
    assert fitting(NEAREST, heading, aside, below) == ({"o"}, {"o"})


FROM = element("l", "text", Box(100, 300, 180, 320), "Total")
TO = element("m", "text", Box(600, 300, 680, 320), "End")


@pytest.mark.parametrize(
    ("box", "expected"),
    [
        (Box(300, 300, 340, 320), "strict"),
        (Box(300, 310, 340, 330), "strict"),
        (Box(300, 311, 340, 331), "lenient"),
        (Box(300, 321, 340, 339), "lenient"),
        (Box(300, 322, 340, 340), "no"),
        (Box(170, 300, 210, 320), "lenient"),
        (Box(700, 300, 740, 320), "no"),
        (Box(50, 300, 90, 320), "no"),
        (Box(300, 200, 340, 600), "strict"),
    ],
)
def test_between_shares_with_both(box: Box, expected: str) -> None:
    """Half of the shorter side is shared strictly; leniently the grown box counts."""
    strict, lenient = fitting(BETWEEN, element("t", "button", box), FROM, TO)
    assert ("strict" if strict else "lenient" if lenient else "no") == expected


def test_between_above_and_below() -> None:
    """What has one landmark above and the other below is between them, in either order."""
    low = element("m", "text", Box(120, 500, 200, 520), "End")
    target = element("t", "button", Box(100, 400, 140, 420))
    assert fitting(BETWEEN, target, FROM, low) == ({"t"}, {"t"})
    turned = Expression(role="button", relation="between", landmark=END, second=TOTAL)
    assert fitting(turned, target, FROM, low) == ({"t"}, {"t"})


def test_landmarks_that_are_askew_have_nothing_strictly_between() -> None:
    """Where the two landmarks share too little, there is no line between them."""
    askew = element("m", "text", Box(600, 340, 680, 360), "End")
    target = element("t", "button", Box(300, 310, 340, 350))
    assert fitting(BETWEEN, target, FROM, askew) == (set(), {"t"})


@pytest.mark.parametrize(
    ("x", "y", "strict", "lenient"),
    [
        (100, 50, {"top", "left", "top left"}, {"top", "left", "top left"}),
        (350, 200, {"center"}, {"top", "left", "top left", "center"}),
        (290, 160, {"left"}, {"top", "left", "top left", "center"}),
        (450, 300, {"center"}, {"center"}),
        (850, 520, {"right", "bottom", "bottom right"}, {"right", "bottom", "bottom right"}),
    ],
)
def test_regions(x: int, y: int, strict: set[str], lenient: set[str]) -> None:
    """Thirds across and quarters down are strict, halves lenient."""
    shown = Scene(screen(element("t", "button", Box(x - 5, y - 5, x + 5, y + 5))))
    for reading, expected in (("strict", strict), ("lenient", lenient)):
        found = {place for place in PLACES if in_region(shown, Region(place), reading)[0]}  # type: ignore[arg-type]
        assert found == expected


def test_a_window_has_regions_of_its_own() -> None:
    """In a dialog its own corners count, nested or not; outside, the image's."""
    dialog = element("d", "dialog", Box(300, 200, 600, 400))
    form = element("f", "form", Box(300, 200, 600, 400), parent="d")
    inside = element("t", "button", Box(560, 370, 590, 390), parent="f")
    outside = element("o", "button", Box(560, 100, 590, 120))
    shown = Scene(screen(dialog, form, inside, outside))
    assert in_region(shown, Region("bottom right", "window"), "strict").tolist()[2:] == [
        True,
        False,
    ]
    assert in_region(shown, Region("bottom right"), "strict").tolist()[2:] == [False, False]


@given(st.sampled_from(PLACES), st.integers(0, 900), st.integers(0, 600))
def test_strict_regions_are_lenient_ones_and_mirror(place: Place, x: int, y: int) -> None:
    """A strict part lies in the lenient one, and the mirrored screen has the mirrored part."""
    words = {"left": "right", "right": "left"}
    turned: Any = " ".join(words.get(part, part) for part in place.split(" "))
    one = Scene(screen(element("t", "button", Box(x, y, x, y))))
    other = Scene(screen(element("t", "button", Box(900 - x, y, 900 - x, y))))
    strict, lenient = (
        in_region(one, Region(place), literal)[0] for literal in ("strict", "lenient")
    )
    assert lenient or not strict
    if x not in (180, 720):  # the ends of the middle are rounded
        assert in_region(other, Region(turned), "lenient")[0] == lenient
