"""
Filters against published numbers, textbook formulas and the library that they lean on.
"""

from __future__ import annotations

import colorsys
import io
import math
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from surefoot.core.edit import Filter, FilterKind, Tone
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.pictures import Pixels
from surefoot.perturb.image.filters import MACHADO, filtered, toned

DEFICIENCIES: tuple[FilterKind, ...] = ("protanopia", "deuteranopia", "tritanopia")
# Severity 1 as it is published (Machado, Oliveira and Fernandes 2009).
PUBLISHED = {
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                   [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                     [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
                   [0.004733, 0.691367, 0.303900]],
}  # fmt: skip
colours = st.tuples(*[st.integers(0, 255)] * 3)


def picture(high: int = 20, wide: int = 30) -> Pixels:
    """Return a picture of noise."""
    return np.random.default_rng(2).integers(0, 256, (high, wide, 3), dtype=np.uint8)


def linear(value: float) -> float:
    """Return the light of a stored value in [0, 1] (IEC 61966-2-1)."""
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def stored(light: float) -> int:
    """Return the 8-bit value of a light, held in [0, 1]."""
    held = min(1.0, max(0.0, light))
    value = 12.92 * held if held <= 0.0031308 else 1.055 * held ** (1 / 2.4) - 0.055
    return math.floor(255 * value + 0.5)


@given(kind=st.sampled_from(DEFICIENCIES), colour=colours)
def test_a_full_deficiency_is_the_published_matrix(
    kind: FilterKind, colour: tuple[int, int, int]
) -> None:
    """Severity 1 multiplies linear light by the matrix of the paper."""
    light = [linear(place / 255) for place in colour]
    expected = [
        stored(sum(m * v for m, v in zip(row, light, strict=True))) for row in PUBLISHED[kind]
    ]
    found = filtered(np.array([[colour]], np.uint8), Filter(kind, 1.0))[0, 0]
    assert np.abs(found.astype(int) - expected).max() <= 1


def test_the_table_is_whole() -> None:
    """Three deficiencies in ten severities, and every matrix keeps white."""
    rows = [line.split("\t") for line in MACHADO.read_text("utf-8").splitlines()]
    named = [(row[0], row[1]) for row in rows]
    assert named == [(kind, f"{n / 10:g}") for kind in DEFICIENCIES for n in range(1, 11)]
    sums = np.array([row[2:] for row in rows], dtype=float).reshape(-1, 3, 3).sum(axis=2)
    assert sums == pytest.approx(1.0, abs=2e-6)


@given(kind=st.sampled_from(DEFICIENCIES), grey=st.integers(0, 255), severity=st.floats(0, 1))
def test_greys_look_alike_to_everybody(kind: FilterKind, grey: int, severity: float) -> None:
    """What has no colour keeps its value at any severity."""
    pixels = np.full((1, 1, 3), grey, np.uint8)
    assert np.array_equal(filtered(pixels, Filter(kind, severity)), pixels)


def test_severities_between_the_published_lie_between() -> None:
    """Half way between two severities red is half way between, in light."""
    red = np.array([[[255, 0, 0]]], np.uint8)
    found = [filtered(red, Filter("protanopia", value))[0, 0, 0] for value in (0.2, 0.25, 0.3)]
    lights = [linear(item / 255) for item in found]
    assert lights[1] == pytest.approx((lights[0] + lights[2]) / 2, abs=0.01)


@pytest.mark.parametrize("quality", [90, 30, 5])
def test_jpeg_is_the_librarys(quality: int) -> None:
    """The picture is what a decoder returns of the file of that quality."""
    file = io.BytesIO()
    Image.fromarray(picture()).save(file, "JPEG", quality=quality)
    with Image.open(file) as image:
        expected = np.asarray(image)
    assert np.array_equal(filtered(picture(), Filter("jpeg", quality)), expected)


def test_a_blur_is_a_gaussian() -> None:
    """One white pixel becomes the Gaussian's own values, and flat ground stays flat."""
    pixels = np.zeros((31, 31, 3), np.uint8)
    pixels[15, 15] = 255
    found = filtered(pixels, Filter("blur", 1.0))[15, :, 0]
    weights = np.exp(-0.5 * np.arange(-4, 5) ** 2)
    weights /= weights.sum()
    assert found[11:20].tolist() == np.floor(255 * weights * weights[4] + 0.5).tolist()
    flat = np.full((9, 9, 3), 77, np.uint8)
    assert np.array_equal(filtered(flat, Filter("blur", 3.0)), flat)


def test_noise_has_its_spread_and_its_seed() -> None:
    """On middle grey the standard deviation is the amount; the seed alone decides."""
    pixels = np.full((200, 200, 3), 128, np.uint8)
    one = filtered(pixels, Filter("noise", 10.0, 4))
    assert float((one.astype(float) - 128).std()) == pytest.approx(10.0, rel=0.02)
    assert abs(float(one.mean()) - 128) < 0.2
    assert np.array_equal(one, filtered(pixels, Filter("noise", 10.0, 4)))
    assert not np.array_equal(one, filtered(pixels, Filter("noise", 10.0, 5)))


@given(colour=colours, power=st.floats(0.2, 5.0))
def test_gamma_is_a_power(colour: tuple[int, int, int], power: float) -> None:
    """Black and white stay, what is between follows the exponent."""
    found = filtered(np.array([[colour]], np.uint8), Filter("gamma", power))[0, 0]
    assert found.tolist() == [
        math.floor(round(255 * (place / 255) ** power, 6) + 0.5) for place in colour
    ]


@given(colour=colours)
def test_grey_keeps_the_luminance(colour: tuple[int, int, int]) -> None:
    """Without its colour a pixel has three equal channels of the same relative luminance."""
    found = filtered(np.array([[colour]], np.uint8), Filter("grey", 1.0))[0, 0]
    light = sum(w * linear(c / 255) for w, c in zip((0.2126, 0.7152, 0.0722), colour, strict=True))
    assert found.tolist() == [stored(light)] * 3


def test_a_dark_sheet_takes_its_share() -> None:
    """An opacity of 0.6 leaves four tenths of every value."""
    expected = np.floor(np.round(picture() * 0.4, 6) + 0.5)
    assert np.array_equal(filtered(picture(), Filter("dark", 0.6)), expected)


@pytest.mark.parametrize("kind", get_args(FilterKind))
def test_sizes_stay_and_inputs_are_kept(kind: FilterKind) -> None:
    """Every filter returns a new picture of the same size, and the same one twice."""
    pixels = picture()
    before = pixels.copy()
    edit = Filter(kind, {"jpeg": 50, "noise": 9.0, "blur": 1.5, "gamma": 2.0}.get(kind, 0.7), 3)
    found = filtered(pixels, edit)
    assert found.shape == pixels.shape
    assert found.dtype == np.uint8
    assert np.array_equal(pixels, before)
    assert not np.array_equal(found, pixels)
    assert np.array_equal(found, filtered(pixels, edit))


@pytest.mark.parametrize("kind", ["blur", "dark", "grey", "noise", "tritanopia"])
def test_nothing_of_an_effect_is_the_picture(kind: FilterKind) -> None:
    """An amount of 0 changes nothing."""
    assert np.array_equal(filtered(picture(), Filter(kind, 0.0)), picture())


@pytest.mark.parametrize(
    "edit",
    [Filter("jpeg", 0), Filter("jpeg", 96), Filter("gamma", 0.0), Filter("blur", -1.0),
     Filter("noise", math.nan), Filter("dark", 1.5), Filter("protanopia", -0.1),
     Filter("blur", math.inf)],
)  # fmt: skip
def test_an_amount_out_of_range_is_refused(edit: Filter) -> None:
    """What a filter cannot do is the caller's mistake."""
    with pytest.raises(InvalidInputError, match="an amount from"):
        filtered(picture(), edit)


def test_an_inverted_box_keeps_hue_and_saturation() -> None:
    """As the standard library's HLS has it; nothing outside of the box changes."""
    before = picture()
    after = toned(before, Tone(Box(3, 2, 12, 9), inverted=True))

    outside = np.ones((20, 30), bool)
    outside[2:9, 3:12] = False
    assert (before[outside] == after[outside]).all()
    for was, now in zip(
        before[2:9, 3:12].reshape(-1, 3), after[2:9, 3:12].reshape(-1, 3), strict=True
    ):
        hue, light, saturation = colorsys.rgb_to_hls(*(was / 255.0))
        assert now / 255.0 == pytest.approx(colorsys.hls_to_rgb(hue, 1 - light, saturation))


@pytest.mark.parametrize(
    "edit", [Tone(Box(40, 0, 50, 9)), Tone(Box(1, 1, 1, 9)), Tone(Box(0, 0, 9, 9), -1.0),
             Tone(Box(0, 0, 9, 9), math.inf)]
)  # fmt: skip
def test_a_tone_needs_pixels_and_a_contrast(edit: Tone) -> None:
    """A box beside the picture or without width, and a contrast that is none, are refused."""
    with pytest.raises(InvalidInputError):
        toned(picture(), edit)
