"""
How findable a border is, against the formula written out pair by pair.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from surefoot.core.cielab import lab
from surefoot.perturb.masks.findable import JUST_NOTICEABLE, findability
from surefoot.perturb.pixels import Pixels, Region


def slow(pixels: Pixels, region: Region, masked: np.ndarray, nearby: int) -> float:
    """Return b / (b + n + 2.3) by looking at every pair of neighbours on the picture."""
    high, wide = pixels.shape[:2]
    around = region.grown(nearby, pixels.shape)
    inside = np.zeros((high, wide), dtype=bool)
    inside[region.slices] = True
    border: list[float] = []
    others: list[float] = []
    for row, column in itertools.product(
        range(around.top, around.bottom), range(around.left, around.right)
    ):
        for below, right in ((row + 1, column), (row, column + 1)):
            if below >= around.bottom or right >= around.right:
                continue
            pair = [(row, column), (below, right)]
            if any(masked[each] and not inside[each] for each in pair):
                continue
            if all(inside[each] for each in pair):
                continue
            one, other = lab(np.array([pixels[each] for each in pair]))
            crossing = inside[pair[0]] != inside[pair[1]]
            (border if crossing else others).append(float(np.linalg.norm(one - other)))
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
    region = Region(across[0], down[0], across[1], down[1])
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
    region = Region(20, 20, 40, 40)
    masked = np.zeros((60, 60), dtype=bool)
    for pixels in (plain, rich):
        pixels[region.slices] = 0
    assert findability(plain, region, masked) > 0.9
    assert findability(rich, region, masked) < 0.6


def test_the_whole_picture_has_no_border() -> None:
    """Without a border inside the picture there is nothing to find."""
    pixels = np.zeros((9, 9, 3), np.uint8)
    assert findability(pixels, Region(0, 0, 9, 9), np.zeros((9, 9), dtype=bool)) == 0.0
