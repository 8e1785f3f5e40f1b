"""
How findable a border is, against the formula written out pair by pair.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from surefoot.core.cielab import lab
from surefoot.perturb.masks.findable import JUST_NOTICEABLE, findability
from surefoot.perturb.pixels import PixelRegion, Pixels

Pair: TypeAlias = tuple[tuple[int, int], tuple[int, int]]


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
        steps = [step(pixels, *each) for each in beyond if seen(each, masked)]
        line = float(np.median(steps)) if steps else 0.0
        border += [abs(step(pixels, *each) - line) for each in own if seen(each, masked & ~inside)]
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
