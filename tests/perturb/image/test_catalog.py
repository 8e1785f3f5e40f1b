"""
The perturbations of pictures keep what every perturbation promises, and mark what they hide.
"""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.perturbation import PERTURBATIONS, parse_variant
from surefoot.core.screen import Element, Screen
from surefoot.perturb.check import PROBE, check_draw, compare_screens
from surefoot.perturb.image.catalog import freest_place
from surefoot.perturb.image.change import change_picture, split_edits
from surefoot.perturb.pixels import read_pixels, spell_png

NAMES = sorted(name for name, entry in PERTURBATIONS.entries.items() if entry.picture)
LEVELS = [f"{name}:{level}" for name in NAMES for level in PERTURBATIONS.get(name).levels]


def phone() -> Screen:
    """Return a small upright screen full of controls."""
    grid = tuple(
        Element(
            f"e{x}-{y}", "button", Box.from_xywh(120.0 * x, 80.0 * y, 119, 79), name=f"{x} {y}",
            visible_fraction=1.0, hits=(True,) * 5,
        )
        for x in range(4)
        for y in range(10)
    )  # fmt: skip
    return Screen("s", "android/a", "android:x", "", 480, 800, 2.0, "mobile", "en", grid)


def test_all_that_is_asked_for_is_there() -> None:
    """The registry knows each by its name."""
    assert NAMES == [
        "background", "banner", "blur", "cursor", "cut", "dark", "deuteranopia", "gamma", "grey",
        "jpeg", "letterbox", "noise", "popup", "protanopia", "resize", "stretch", "tritanopia",
    ]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_draws_keep_their_promises(name: str) -> None:
    """Levels rise in severity, draws are pure, seeded as they say, and of the picture alone."""
    assert check_draw(PERTURBATIONS.get(name), [phone()]) == []


@pytest.mark.parametrize("text", LEVELS)
def test_every_level_applies_and_keeps_the_targets(text: str) -> None:
    """On a crowded phone each level gives a picture, and each target lost is marked lost."""
    screen = phone()
    png = spell_png(np.full((800, 480, 3), 180, np.uint8))
    edits = split_edits(parse_variant(text).edits(screen, 5))[1]
    view, data = change_picture(screen, png, edits, variant=text)
    assert data[:4] == b"\x89PNG"
    survival = compare_screens(screen, view)
    if text.split(":", maxsplit=1)[0] not in ("cut", "banner", "popup", "cursor"):
        assert survival.hit == survival.targets
    for element in view.elements:
        passes = text.startswith("cursor")
        assert element.visible_fraction > 0 or passes or not any(element.hits)


@pytest.mark.parametrize("text", ["banner:large", "popup:large"])
def test_covered_targets_are_marked(text: str) -> None:
    """Where a notice has to cover controls they are hidden or missed, and no other is."""
    screen = phone()
    png = spell_png(np.full((800, 480, 3), 180, np.uint8))
    edits = split_edits(parse_variant(text).edits(screen, 5))[1]
    view, data = change_picture(screen, png, edits, variant=text)
    changed = (read_pixels(data, (480, 800)) != 180).any(axis=2)
    after = {element.id: element for element in view.elements}
    touched = 0
    for element in screen.elements:
        left, top, right, bottom = (int(side) for side in element.box.as_tuple())
        share = float(changed[top:bottom, left:right].mean())
        if share == 0:
            assert after[element.id] == element
        if after[element.id].visible_fraction == 0:
            assert share > 0.5
            assert not any(after[element.id].hits)
        touched += after[element.id] != element
    assert touched


@pytest.mark.parametrize(
    ("text", "flag"), [("jpeg:30+blur:2", True), ("zoom:1.5+blur", False), ("original", True)]
)
def test_a_sum_is_of_the_picture_where_all_parts_are(text: str, flag: bool) -> None:
    """A variant needs a live interface as soon as one part does."""
    assert parse_variant(text).picture is flag


def test_an_edit_of_the_page_is_found_out() -> None:
    """What says that it is of the picture and is not is reported by the check."""
    wrong = msgspec.structs.replace(PERTURBATIONS.get("zoom"), picture=True)
    assert any("picture=True" in item for item in check_draw(wrong, [PROBE]))


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
        assert sum(place.intersection(element.box) is not None for element in grid) <= 1


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
