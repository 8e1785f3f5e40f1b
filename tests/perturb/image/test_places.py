"""
The freest place is found, and the seed draws among equals.
"""

from __future__ import annotations

import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.screen import Element, Screen
from surefoot.perturb.image.places import freest_place


def shown(*elements: Element) -> Screen:
    """Return a screen of 400 x 300."""
    return Screen("s", "p", "x", "", 400, 300, 1.0, "web", "en", elements)


def button(box: Box) -> Element:
    """Return a button that takes a click."""
    return Element(str(box), "button", box, visible_fraction=1.0, hits=(True,) * 5)


def test_room_is_found_where_there_is_some() -> None:
    """With controls on all but one quarter of the screen the place is in that quarter."""
    screen = shown(button(Box(0, 0, 200, 300)), button(Box(200, 0, 400, 150)))
    for seed in range(20):
        place = freest_place(screen, (150, 100), seed)
        assert Box(200, 150, 400, 300).intersection(place) == place


def test_words_are_spared_where_controls_are() -> None:
    """Among places that touch no control those are taken that touch no words."""
    text = Element("t", "paragraph", Box(0, 0, 400, 200), visible_fraction=1.0,
                   text_boxes=(Box(0, 0, 400, 200),))  # fmt: skip
    place = freest_place(shown(text), (50, 50), 3)
    assert place.top >= 200


def test_the_fewest_controls_are_touched_where_there_is_no_room() -> None:
    """On a full screen the place touches one control and not more."""
    grid = [
        button(Box.from_xywh(100.0 * x, 100.0 * y, 99, 99)) for x in range(4) for y in range(3)
    ]
    for seed in range(10):
        place = freest_place(shown(*grid), (60, 60), seed)
        assert sum(place.intersection(each.box) is not None for each in grid) <= 1


def test_the_seed_decides_among_equals() -> None:
    """On an empty screen different seeds give different places, the same seed the same."""
    places = {freest_place(shown(), (40, 30), seed).as_tuple() for seed in range(30)}
    assert len(places) > 20
    assert freest_place(shown(), (40, 30), 4) == freest_place(shown(), (40, 30), 4)


def test_edges_are_the_top_and_the_bottom() -> None:
    """A banner is tried at both, and goes where it covers less."""
    tops = {freest_place(shown(), (200, 40), seed, edges=True).top for seed in range(20)}
    assert tops == {0.0, 260.0}
    header = shown(button(Box(0, 0, 400, 50)))
    assert {freest_place(header, (200, 40), seed, edges=True).top for seed in range(9)} == {260.0}


@pytest.mark.parametrize("size", [(401, 10), (10, 301), (0, 10)])
def test_a_size_that_does_not_fit_is_refused(size: tuple[int, int]) -> None:
    """What is larger than the picture has no place on it."""
    with pytest.raises(InvalidInputError, match="fits"):
        freest_place(shown(), size, 0)
