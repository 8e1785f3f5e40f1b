"""
Surroundings: what is measured of a page drawn here, counted by hand.
"""

from __future__ import annotations

import numpy as np
import pytest

from surefoot.core.geometry import Box
from surefoot.core.pictures import Pixels
from surefoot.core.screen import Element, Screen
from surefoot.diagnose.features.target import elsewhere
from surefoot.diagnose.features.vocabulary import known_of
from surefoot.refer.scene.scene import Scene

WIDTH, HEIGHT = 400, 300
PAGE = Box(0, 0, WIDTH, HEIGHT)


def shown(
    id_: str, role: str, box: Box, text: str = "", *, lines: tuple[Box, ...] = ()
) -> Element:
    """Return an element that is wholly seen, its words on the lines given."""
    return Element(
        id_, role, box, name=text, name_from="content" if text else "", name_boxes=lines,
        text=text, text_boxes=lines, font_px=12.0 if text else 0.0, visible_fraction=1.0,
        hits=(True,) * 5,
    )  # fmt: skip


def scene(*elements: Element, pixels: Pixels | None = None) -> Scene:
    """Return a white page with these elements."""
    screen = Screen("s", "p", "x", "", WIDTH, HEIGHT, 1.0, "web", "en", elements)
    white = np.full((HEIGHT, WIDTH, 3), 255, np.uint8)
    return Scene(screen, white if pixels is None else pixels)


def row_of(count: int, *, step: float = 60.0) -> list[Element]:
    """Return buttons of 40 x 20 px in a row, 20 px apart."""
    names = ("Open file", "Open folder", "Close", "Print file", "Quit")
    return [
        shown(f"b{at}", "button", Box.from_xywh(20 + step * at, 40, 40, 20), names[at])
        for at in range(count)
    ]


def test_neighbours_are_counted_by_how_near_and_how_like_they_are() -> None:
    """Of five buttons in a row and a link below, the second has its like on both sides."""
    page = scene(*row_of(5), shown("a", "link", Box.from_xywh(80, 90, 40, 20), "More"))

    found = known_of(page, 1)[1]

    assert (found["nearest"], found["nearest-same"], found["nearest-twin"]) == (20.0,) * 3
    assert (found["near"], found["near-same"], found["around"]) == (3.0, 2.0, 4.0)
    assert (found["rivals-count"], found["twins"], found["near-twins"]) == (4.0, 4.0, 2.0)
    assert (found["row"], found["column"], found["flanked"]) == (4.0, 0.0, 2.0)
    assert (found["before"], found["after"]) == (1.0, 3.0)
    assert found["fourth-nearest"] == 80.0
    assert found["eighth-nearest"] == WIDTH, "there are but five others"
    assert known_of(page, 0)[1]["flanked"] == 1.0


def test_a_place_is_measured_from_edges_and_the_middle() -> None:
    """A box at the right edge, half way down, is told by its sides and by its middle."""
    page = scene(shown("b", "button", Box(350, 140, 390, 160), "Go"))

    found = known_of(page, 0)[1]

    assert (found["edge"], found["edge-across"], found["edge-down"]) == (10.0, 10.0, 140.0)
    assert (found["middle-edge"], found["x"], found["y"]) == (30.0, 370.0, 150.0)
    assert [found["off-middle"], found["aside"]] == pytest.approx([85.0, 85.0])


def test_names_are_held_against_all_others() -> None:
    """Words that names share, how they begin, and where else they stand on the page."""
    rest = (
        shown("t", "text", Box(20, 200, 300, 220), "To open file number four, wait"),
        shown("u", "text", Box(20, 230, 300, 250), "Open files are counted"),
    )
    page = scene(*row_of(5), *rest)

    found = known_of(page, 0)[1]

    assert (found["name"], found["name-words"], found["namesakes"]) == (9.0, 2.0, 0.0)
    assert found["shared-words"] == 2.0, "'Open folder' and 'Print file'"
    assert found["same-start"] == 1.0
    assert found["nearest-shared"] == 20.0
    assert found["elsewhere"] == elsewhere(page, 0) == 2.0


def test_words_are_measured_in_their_box() -> None:
    """A line of 50 x 10 px at the left of a box of 200 x 20 px fills an eighth of it."""
    line = Box(20, 45, 70, 55)
    page = scene(shown("b", "button", Box(20, 40, 220, 60), "Save", lines=(line,)))

    found = known_of(page, 0)[1]

    assert (found["lines"], found["text-px"], found["font"]) == (1.0, 10.0, 12.0)
    assert found["filled"] == pytest.approx(12.5)
    assert found["words-across"] == pytest.approx(25.0)
    assert found["words-aside"] == pytest.approx(75.0), "45 px from the middle of 120"


def test_pixels_are_measured_in_and_around_a_box() -> None:
    """A red box on white stands out by its colour; white on white by nothing."""
    pixels = np.full((HEIGHT, WIDTH, 3), 255, np.uint8)
    pixels[40:60, 20:60] = (255, 0, 0)
    red = shown("r", "button", Box(20, 40, 60, 60))
    white = shown("w", "button", Box(300, 200, 340, 220))
    page = scene(red, white, pixels=pixels)

    found, bare = known_of(page, 0)[1], known_of(page, 1)[1]

    assert found["colourful"] == pytest.approx(100 * 800 / (44 * 24))
    assert found["vivid"] == pytest.approx(100 * 800 / (84 * 68)), "24 px around, 20 to the left"
    assert found["darker"] == pytest.approx(100 - 100 * np.sqrt(0.2126))
    assert (found["lighter"], bare["darker"]) == (0.0, 0.0)
    assert found["stands-out"] == pytest.approx(100 - 100 * np.sqrt(0.2126))
    # Of a rim of four pixels the two inner ones are red.
    assert found["framed"] == pytest.approx(100 * (800 - 36 * 16) / (44 * 24 - 36 * 16))
    assert (bare["colourful"], bare["framed"], bare["stands-out"], bare["detail"]) == (0,) * 4
    assert bare["contrast"] == 1.0


def test_a_picture_is_measured_once() -> None:
    """Words are counted in what holds nothing else, and writing by its median."""
    words = [
        shown(f"t{at}", "text", Box(20, 20 + 30 * at, 200, 40 + 30 * at), "two words")
        for at in range(3)
    ]
    page = scene(*row_of(2), *words)

    found = known_of(page)[1]

    assert (found["controls"], found["picture-words"], found["picture-font"]) == (2.0, 10.0, 12.0)
    assert (found["picture-width"], found["picture-height"]) == (WIDTH, HEIGHT)
    assert found["brightness"] == pytest.approx(100.0)
    assert (found["picture-colourful"], found["picture-detail"]) == (0.0, 0.0)
    assert known_of(page)[1] is found
