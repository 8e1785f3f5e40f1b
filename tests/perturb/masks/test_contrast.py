"""
The colour that stands out, against a search through every pixel.
"""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from surefoot.core.cielab import lab
from surefoot.perturb.masks.contrast import FAR_ENOUGH, standout_colour
from surefoot.perturb.pixels import PixelRegion, Pixels

WHERE = PixelRegion(10, 10, 20, 20)


def hidden(shape: tuple[int, ...], place: PixelRegion = WHERE) -> np.ndarray:
    """Return the mask of one region."""
    found = np.zeros(shape[:2], dtype=bool)
    found[place.slices] = True
    return found


def nearest(colour: Pixels, pixels: Pixels) -> float:
    """Return the least CIELAB distance from a colour to any pixel, one by one."""
    shown = np.unique(pixels.reshape(-1, 3), axis=0)
    return float(np.linalg.norm(lab(shown) - lab(colour[None]), axis=1).min())


@settings(max_examples=30)
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
    best = max(nearest(each, pixels) for each in every)
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
