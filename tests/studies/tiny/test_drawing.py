"""
Drawn screens, and what is asked about them.
"""

from __future__ import annotations

import itertools
import subprocess
import sys

import pytest

from surefoot.core.canonical import canonical_json, sha256
from surefoot_studies.tiny.asking import DIMENSIONS, LABELS, LANGUAGES, choices, clicks
from surefoot_studies.tiny.drawing import (
    COLOURS,
    MASKS,
    PLACES,
    SHAPES,
    DrawnLayout,
    changed,
    draw,
    masked,
    picture,
    png,
)

LONE = DrawnLayout().lone()

# Printed by another process, whose hashes of strings are salted anew.
ALONE = """
import sys
from surefoot_studies.tiny.drawing import draw, png
sys.stdout.buffer.write(png(draw(11)))
"""


def test_a_screen_is_a_function_of_its_seed() -> None:
    """Another process draws the same bytes from the same seed, and others from another."""
    there = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, check=True).stdout

    assert sha256(there) == sha256(png(draw(11)))
    assert len({png(draw(seed)) for seed in range(40)}) == 40


def test_figures_lie_inside_apart_and_unlike() -> None:
    """On 300 screens no figure leaves the picture, overlaps another or is its double."""
    for drawing in map(draw, range(300)):
        looks = {(figure.colour, figure.shape) for figure in drawing.figures}

        assert len(looks) == len(drawing.figures) >= 2
        for figure in drawing.figures:
            assert 0 <= figure.box.left < figure.box.right <= drawing.layout.width
            assert 0 <= figure.box.top < figure.box.bottom <= drawing.layout.height
        for one, other in itertools.combinations(drawing.figures, 2):
            assert one.box.intersection(other.box) is None


@pytest.mark.parametrize("variant", ["style", "precision", "text_shrink"])
def test_a_variant_changes_what_it_names(variant: str) -> None:
    """Every figure still shows its colour in the middle of its box, inside and apart."""
    for drawing in (changed(draw(seed), variant, 2) for seed in range(60)):
        pixels = picture(drawing)
        for figure in drawing.figures:
            middle = figure.box.center
            assert pixels.getpixel((int(middle.x), int(middle.y))) == COLOURS[figure.colour]
            assert figure.box.top >= 12
        for one, other in itertools.combinations(drawing.figures, 2):
            assert one.box.intersection(other.box) is None
    assert changed(draw(1), variant, 1) == changed(draw(1), variant, 1)
    assert (changed(draw(1), variant, 1) != changed(draw(1), variant, 2)) == (variant == "style")


@pytest.mark.parametrize("mask", MASKS)
def test_a_mask_covers_its_figure_and_nothing_else(mask: str) -> None:
    """No pixel of the figure's colour is left in its box, and none outside of it differs."""
    for drawing in map(draw, range(20)):
        figure = drawing.figures[0]
        plain, hidden = picture(drawing), picture(masked(drawing, figure, mask))
        left, top, right, bottom = map(int, figure.box.as_tuple())
        box = left, top, right, bottom
        colours = {colour for _, colour in hidden.crop(box).getcolors(10_000) or ()}
        hidden.paste(plain.crop(box), box)

        assert COLOURS[figure.colour] not in colours
        assert drawing.ground not in colours
        assert hidden.tobytes() == plain.tobytes()


def test_what_is_clicked_is_one_figure_alone() -> None:
    """No figure but the target has the colour, the shape or both that the words name."""
    for drawing in map(draw, range(200)):
        for item in clicks(drawing):
            words = item.text().rstrip(".").split()
            fitting = [
                figure
                for figure in drawing.figures
                if (figure.colour in words or item.kind == "shape")
                and (figure.shape in words or item.kind == "colour")
            ]

            assert [item.figure] == fitting


def test_choices_have_one_right_option_at_every_place_alike() -> None:
    """Options are always the same, the right one is the figure's, no label is right too often."""
    labels = []
    for seed in range(300):
        drawing = draw(seed, LONE)
        assert len(drawing.figures) == 1
        for item in choices(drawing):
            labels.append(item.label)

            assert item.options == (SHAPES if item.dimension == "shape" else PLACES)
            told = item.figure.shape if item.dimension == "shape" else drawing.place(item.figure)
            assert item.options[item.right] == told
    assert all(0.2 < labels.count(label) / len(labels) < 0.3 for label in LABELS)


def test_languages_ask_the_same_in_other_words() -> None:
    """Options stand in one order in every language, and no two languages share a text."""
    items = choices(draw(5, LONE))

    assert {item.dimension for item in items} <= set(DIMENSIONS)
    for item in items:
        texts = {item.text(language) for language in LANGUAGES}
        assert len(texts) == len(LANGUAGES)
        assert {len(item.words(language)) for language in LANGUAGES} == {len(LABELS)}


def test_larger_layouts_hold_more() -> None:
    """A layout determines the picture's size and is part of what the screen is."""
    layout = DrawnLayout(width=320, height=224, fewest=5, most=6)

    assert draw(1, layout).layout == layout
    assert len(draw(1, layout).figures) >= 5
    assert canonical_json(draw(1, layout)) != canonical_json(draw(1))
