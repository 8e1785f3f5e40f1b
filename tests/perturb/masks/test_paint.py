"""
Masks on pictures: nothing outside the boxes changes, nothing inside them is left.
"""

from __future__ import annotations

from typing import TypeAlias, get_args

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from surefoot.core.canonical import canonical_json
from surefoot.core.drawn.cielab import lab
from surefoot.core.edit import Edit, Mask, MaskKind
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.pictures import Pixels
from surefoot.core.screen import Element, Screen
from surefoot.perturb.masks.paint import (
    FAR_ENOUGH,
    JUST_NOTICEABLE,
    LOW_CONTRAST,
    MASKS,
    findability,
    mask,
    masked,
    paint,
    standout_colour,
)
from surefoot.perturb.pixels import PixelRegion, regions

KINDS: tuple[MaskKind, ...] = get_args(MaskKind)
LOW: tuple[MaskKind, ...] = ("membrane", "sides", "median", "mode", "inpaint")
kinds = st.sampled_from(KINDS)
side = st.floats(-25, 75)
boxes = st.lists(
    st.builds(Box.from_xywh, side, side, st.floats(0, 50), st.floats(0, 40)),
    min_size=1, max_size=4,
)  # fmt: skip
WHERE = PixelRegion(10, 10, 20, 20)
Pair: TypeAlias = tuple[tuple[int, int], tuple[int, int]]


def noise(high: int = 40, wide: int = 60) -> Pixels:
    """Return a picture of noise."""
    return np.random.default_rng(3).integers(0, 256, (high, wide, 3), dtype=np.uint8)


@given(kind=kinds, found=boxes, ring=st.integers(1, 9))
def test_only_the_boxes_change(kind: MaskKind, found: list[Box], ring: int) -> None:
    """Outside the boxes every pixel is kept, the original is untouched, and it is repeatable."""
    pixels = noise()
    before = pixels.copy()
    edit = Mask(tuple(found), kind, ring)
    after = paint(pixels, edit)
    hidden = masked(regions(found, pixels.shape), pixels.shape)
    assert np.array_equal(pixels, before)
    assert np.array_equal(after[~hidden], pixels[~hidden])
    assert np.array_equal(paint(pixels, edit), after)


@given(kind=kinds, found=boxes)
def test_what_was_hidden_has_no_say(kind: MaskKind, found: list[Box]) -> None:
    """Pictures that differ only under the boxes are the same picture once masked."""
    one = noise()
    other = one.copy()
    hidden = masked(regions(found, one.shape), one.shape)
    other[hidden] = 255 - other[hidden]
    edit = Mask(tuple(found), kind, 3)
    assert np.array_equal(paint(one, edit), paint(other, edit))


@pytest.mark.parametrize("kind", LOW)
def test_a_box_on_a_flat_ground_disappears(kind: MaskKind) -> None:
    """On one colour every mask of low contrast is that colour, in the corner as well."""
    pixels = np.full((50, 70, 3), (240, 241, 242), np.uint8)
    ground = pixels.copy()
    pixels[20:30, 20:50] = 0
    pixels[0:6, 60:70] = 9
    edit = Mask((Box(20, 20, 50, 30), Box(60, 0, 90, 6)), kind)
    assert np.array_equal(paint(pixels, edit), ground)


@pytest.mark.parametrize("kind", ["membrane", "sides"])
def test_two_grounds_are_joined(kind: MaskKind) -> None:
    """Across an edge in the ground a smooth fill shows no border where it meets either."""
    pixels = np.full((60, 80, 3), 250, np.uint8)
    pixels[:, :40] = 20
    edit = Mask((Box(25, 20, 55, 40),), kind)
    after = paint(pixels, edit)
    assert np.abs(after[30, 25].astype(int) - 20).max() < 25
    assert np.abs(after[30, 54].astype(int) - 250).max() < 25


def test_the_masks_are_found_as_they_should_be() -> None:
    """On a page with two grounds: high contrast is findable, the default hardly."""
    pixels = np.full((120, 160, 3), 250, np.uint8)
    pixels[:, :60] = (30, 40, 60)
    box = Box(40, 40, 100, 70)
    (place,) = regions([box], pixels.shape)
    hidden = masked([place], pixels.shape)

    def found(kind: MaskKind) -> float:
        return findability(paint(pixels, Mask((box,), kind)), place, hidden)

    assert found("high-contrast") > 0.9
    assert found(LOW_CONTRAST) < 0.5
    assert found(LOW_CONTRAST) < min(found("median"), found("static"))


@pytest.mark.parametrize("kind", ["membrane", "sides", "median", "mode"])
def test_an_element_as_wide_as_its_panel_leaves_the_panel(kind: MaskKind) -> None:
    """A link from edge to edge of a side bar is the bar's colour, not the page's beside it."""
    pixels = np.full((120, 160, 3), 255, np.uint8)
    pixels[:, :70] = (40, 60, 120)
    ground = pixels.copy()
    pixels[50:60, 10:60] = 255
    assert np.array_equal(paint(pixels, Mask((Box(0, 45, 70, 65),), kind)), ground)


def test_overlapping_boxes_are_filled_as_their_union() -> None:
    """Boxes that overlap leave no trace of their common border on a flat ground."""
    pixels = np.full((50, 70, 3), 200, np.uint8)
    ground = pixels.copy()
    pixels[10:40, 10:60] = 0
    edit = Mask((Box(10, 10, 40, 40), Box(30, 15, 60, 40), Box(40, 10, 60, 15)), "membrane")
    assert np.array_equal(paint(pixels, edit), ground)


@pytest.mark.parametrize("kind", KINDS)
def test_the_whole_picture_and_nothing_of_it(kind: MaskKind) -> None:
    """A mask over all of a picture leaves one colour, and one beside it the picture."""
    pixels = noise()
    whole = paint(pixels, Mask((Box(-5, -5, 100, 100),), kind))
    assert len(np.unique(whole.reshape(-1, 3), axis=0)) == 1
    assert np.array_equal(paint(pixels, Mask((Box(60, 0, 90, 40),), kind)), pixels)
    assert np.array_equal(paint(pixels, Mask((), kind)), pixels)


@pytest.mark.parametrize("kind", LOW)
def test_a_ring_without_width_is_refused(kind: MaskKind) -> None:
    """A ring under one pixel is the caller's mistake."""
    edit = Mask((Box(5, 5, 20, 20),), kind, 0)
    with pytest.raises(InvalidInputError, match="ring"):
        paint(noise(), edit)


def test_a_masked_element_is_not_visible() -> None:
    """The screen says so, and keeps the element, its box and its name for the truth."""
    element = Element(
        "a", "button", Box(5, 5, 25, 15), name="Save", visible_fraction=1.0, hits=(True,) * 5
    )
    screen = Screen("s", "p", "x", "", 60, 40, 1.0, "web", "en", (element,))
    after, pixels = mask(screen, noise(), Mask((element.box,), "static"))
    found = after.element("a")
    assert found is not None
    assert (found.visible_fraction, found.hit, found.name) == (0.0, False, "Save")
    assert pixels[5:15, 5:25].min() == 255


def test_the_three_masks_have_their_names() -> None:
    """Static, high contrast and low contrast are there, and edits of them survive JSON."""
    assert list(MASKS) == ["static", "high-contrast", "low-contrast"]
    edits: tuple[Edit, ...] = tuple(Mask((Box(1, 2, 3, 4),), kind, 2) for kind in MASKS.values())
    assert msgspec.json.decode(canonical_json(edits), type=tuple[Edit, ...]) == edits


def hidden(shape: tuple[int, ...], place: PixelRegion = WHERE) -> np.ndarray:
    """Return the mask of one region."""
    found = np.zeros(shape[:2], dtype=bool)
    found[place.slices] = True
    return found


def nearest(colour: Pixels, pixels: Pixels) -> float:
    """Return the least CIELAB distance from a colour to any pixel, one by one."""
    shown = np.unique(pixels.reshape(-1, 3), axis=0)
    return float(np.linalg.norm(lab(shown) - lab(colour[None]), axis=1).min())


@given(seed=st.integers(0, 9999), count=st.integers(1, 12))
def test_it_is_far_from_all_that_is_shown(seed: int, count: int) -> None:
    """Among few colours the one found is at least 25 away from each, up to the cells' size."""
    random = np.random.default_rng(seed)
    palette = random.integers(0, 256, (count, 3), dtype=np.uint8)
    pixels = palette[random.integers(0, count, (40, 40))]
    found = standout_colour(pixels, [WHERE], 3, hidden(pixels.shape))
    assert nearest(found, pixels[~hidden(pixels.shape)]) > FAR_ENOUGH - 10


def test_no_candidate_is_farther() -> None:
    """Against every colour of the nine steps, on a picture of cells' middles."""
    pixels = np.full((40, 40, 3), 4, np.uint8)
    pixels[:, 20:] = (252, 252, 252)
    pixels[30:, :] = (4, 252, 4)
    found = standout_colour(pixels, [WHERE], 3, hidden(pixels.shape))
    steps = [0, 32, 64, 96, 128, 160, 192, 224, 255]
    every = np.array([(r, g, b) for r in steps for g in steps for b in steps], np.uint8)
    best = max(nearest(item, pixels) for item in every)
    assert abs(nearest(found, pixels) - best) < 1e-6


def test_what_is_hidden_does_not_count() -> None:
    """The colour under the mask itself may be taken: it is seen nowhere else."""
    pixels = np.full((40, 40, 3), 255, np.uint8)
    plain = standout_colour(pixels, [WHERE], 3, hidden(pixels.shape))
    pixels[WHERE.slices] = plain
    again = standout_colour(pixels, [WHERE], 3, hidden(pixels.shape))
    assert np.array_equal(plain, again)


def test_a_picture_of_all_colours_still_has_an_answer_far_from_its_ring() -> None:
    """Rare colours are given up before those of the ring."""
    side = np.arange(0, 256, 8, dtype=np.uint8)
    every = np.stack(np.meshgrid(side, side, side), axis=-1).reshape(-1, 3)
    pixels = np.full((260, 260, 3), 255, np.uint8)
    pixels[60:, :].reshape(-1, 3)[: len(every)] = every
    found = standout_colour(pixels, [WHERE], 4, hidden(pixels.shape))
    assert nearest(found, pixels[:40]) >= FAR_ENOUGH


def test_a_picture_that_is_wholly_masked_has_an_answer() -> None:
    """Where nothing is left to be far from, the colour is still one."""
    pixels = np.zeros((8, 8, 3), np.uint8)
    everything = PixelRegion(0, 0, 8, 8)
    found = standout_colour(pixels, [everything], 2, hidden(pixels.shape, everything))
    assert found.shape == (3,)


def step(pixels: Pixels, one: tuple[int, int], other: tuple[int, int]) -> float:
    """Return the CIELAB distance of two pixels."""
    colours = lab(np.array([pixels[one], pixels[other]]))
    return float(np.linalg.norm(colours[0] - colours[1]))


def pairs(region: PixelRegion, side: int, reach: int) -> tuple[list[Pair], list[Pair]]:
    """Return the pairs of pixels across a side, and those across its line beyond its ends."""
    upright = side in (0, 2)
    at = (region.left, region.top, region.right, region.bottom)[side]
    first, last = (region.top, region.bottom) if upright else (region.left, region.right)
    along = {
        place: ((place, at - 1), (place, at)) if upright else ((at - 1, place), (at, place))
        for place in range(first - reach, last + reach)
    }
    inner = [along[place] for place in range(first, last)]
    return inner, [pair for place, pair in along.items() if not first <= place < last]


def slow(pixels: Pixels, region: PixelRegion, masked: np.ndarray, nearby: int) -> float:
    """Return b / (b + n + 2.3) by looking at every pair of neighbours, one by one."""
    high, wide = pixels.shape[:2]
    inside = np.zeros((high, wide), dtype=bool)
    inside[region.slices] = True

    def seen(pair: Pair, hidden: np.ndarray) -> bool:
        return all(0 <= y < high and 0 <= x < wide and not hidden[y, x] for y, x in pair)

    border: list[float] = []
    for side in range(4):
        own, beyond = pairs(region, side, nearby)
        steps = [step(pixels, *item) for item in beyond if seen(item, masked)]
        line = float(np.median(steps)) if steps else 0.0
        border += [abs(step(pixels, *item) - line) for item in own if seen(item, masked & ~inside)]
    around = region.grown(nearby, pixels.shape)
    others = [
        step(pixels, *pair)
        for y in range(around.top, around.bottom)
        for x in range(around.left, around.right)
        for pair in (((y, x), (y + 1, x)), ((y, x), (y, x + 1)))
        if pair[1][0] < around.bottom and pair[1][1] < around.right
        if seen(pair, masked | inside)
    ]
    b = float(np.mean(border)) if border else 0.0
    n = float(np.mean(others)) if others else 0.0
    return b / (b + n + JUST_NOTICEABLE)


@settings(max_examples=25)
@given(
    seed=st.integers(0, 99),
    across=st.lists(st.integers(0, 14), min_size=2, max_size=2, unique=True).map(sorted),
    down=st.lists(st.integers(0, 12), min_size=2, max_size=2, unique=True).map(sorted),
)
def test_it_is_the_formula(seed: int, across: list[int], down: list[int]) -> None:
    """Any region, at edges too, beside another masked one, has the value of the slow count."""
    pixels = np.random.default_rng(seed).integers(0, 256, (12, 14, 3), dtype=np.uint8)
    region = PixelRegion(across[0], down[0], across[1], down[1])
    masked = np.zeros((12, 14), dtype=bool)
    masked[3:6, 2:9] = True
    masked[region.slices] = True
    found = findability(pixels, region, masked, nearby=3)
    assert found == pytest.approx(slow(pixels, region, masked, 3))


def test_a_rich_page_hides_a_border() -> None:
    """The same step is less findable where the page around is full of steps."""
    plain = np.full((60, 60, 3), 255, np.uint8)
    rich = plain.copy()
    rich[::2] = 0
    region = PixelRegion(20, 20, 40, 40)
    masked = np.zeros((60, 60), dtype=bool)
    for pixels in (plain, rich):
        pixels[region.slices] = 0
    assert findability(plain, region, masked) > 0.9
    assert findability(rich, region, masked) < 0.6


def test_the_whole_picture_has_no_border() -> None:
    """Without a border inside the picture there is nothing to find."""
    pixels = np.zeros((9, 9, 3), np.uint8)
    assert findability(pixels, PixelRegion(0, 0, 9, 9), np.zeros((9, 9), dtype=bool)) == 0.0


def test_a_line_of_the_page_gives_nothing_away_and_a_gap_in_it_does() -> None:
    """Where a panel ends at the mask's side its edge has to go on, neither more nor less."""
    page = np.full((90, 90, 3), 255, np.uint8)
    page[:, :40] = (40, 60, 120)
    region = PixelRegion(10, 30, 40, 50)
    masked = np.zeros((90, 90), dtype=bool)
    masked[region.slices] = True
    assert findability(page, region, masked) < 1e-6
    page[region.slices] = 255
    assert findability(page, region, masked) > 0.9
    line = page.copy()
    line[:, 40] = 0
    line[30:50, 40] = 255
    line[region.slices] = (40, 60, 120)
    assert findability(line, region, masked) > 0
