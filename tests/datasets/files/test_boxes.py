"""
Box conventions: converted by their names, and what does not fit is named and refused.
"""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from surefoot.core.errors import RecordError
from surefoot.core.geometry import Box
from surefoot.datasets.files.boxes import BoxConvention, read_box, read_polygon, read_size

WIDTH, HEIGHT = 800, 600


def spelt(box: Box, convention: BoxConvention) -> list[float]:
    """Spell a box in a convention: the inverse of reading, written out."""
    unit = {"pixel": 0, "norm1": 1, "norm100": 100, "norm1000": 1000}[convention.split()[0]]
    across, down = (unit / WIDTH, unit / HEIGHT) if unit else (1.0, 1.0)
    left, top, right, bottom = box.scaled(across, down).as_tuple()
    return {
        "xyxy": [left, top, right, bottom],
        "xywh": [left, top, right - left, bottom - top],
        "yxyx": [top, left, bottom, right],
        "cxcywh": [(left + right) / 2, (top + bottom) / 2, right - left, bottom - top],
    }[convention.split()[1]]


@given(
    convention=st.sampled_from(list(BoxConvention)),
    x=st.tuples(st.integers(0, 799), st.integers(1, 800)).filter(lambda item: item[0] < item[1]),
    y=st.tuples(st.integers(0, 599), st.integers(1, 600)).filter(lambda item: item[0] < item[1]),
)
def test_every_convention_is_read_back(
    convention: BoxConvention, x: tuple[int, int], y: tuple[int, int]
) -> None:
    """A box spelt in any convention comes back in pixels, boxes at the border too."""
    box = Box(float(x[0]), float(y[0]), float(x[1]), float(y[1]))
    numbers = spelt(box, convention)
    assume(convention.whole == 1 or max(numbers) > 2)  # else it looks like shares, see below
    found = read_box(numbers, convention, (WIDTH, HEIGHT))
    assert found.as_tuple() == pytest.approx(box.as_tuple(), abs=1e-3)


def test_a_share_of_whole_pixels_is_whole() -> None:
    """Shares that stand for whole pixels give them, where products of floats miss by a bit."""
    shares = [pixel / 100 for pixel in range(101)]
    assert any(share * 100 != pixel for pixel, share in enumerate(shares))

    for shape in (BoxConvention.NORM1_XYXY, BoxConvention.NORM1_XYWH):
        boxes = [read_box([0, 0, share, share], shape, (100, 100)) for share in shares[2:]]
        assert [box.right for box in boxes] == list(range(2, 101))


@pytest.mark.parametrize(
    ("values", "convention", "reason"),
    [
        ([50, 10, 40, 20], "pixel xyxy", "reversed-box"),
        ([10, 50, 40, 20], "pixel xyxy", "reversed-box"),
        ([50, 10, -4, 20], "pixel xywh", "reversed-box"),
        ([50, 10, 50, 20], "pixel xyxy", "empty-box"),
        ([50, 10, 4, 0], "pixel xywh", "empty-box"),
        ([0.1, 0.1, 0.4, 0.5], "pixel xyxy", "wrong-scale"),
        ([0.1, 0.1, 0.4, 0.5], "pixel xywh", "wrong-scale"),
        ([0.1, 0.1, 0.4, 0.5], "norm1000 xyxy", "wrong-scale"),
        ([100, 100, 200, 200], "norm1 xyxy", "wrong-scale"),
        ([100, 100, 2000, 200], "norm1000 xyxy", "wrong-scale"),
        ([0.9, 0.1, 1.1, 0.5], "norm1 xyxy", "outside"),
        ([-0.1, 0.1, 0.5, 0.5], "norm1 xyxy", "outside"),
        ([790, 10, 801, 20], "pixel xyxy", "outside"),
        ([-1, 10, 80, 20], "pixel xyxy", "outside"),
        ([10, -1, 80, 20], "pixel xyxy", "outside"),
        ([10, 10, 80, 601], "pixel xyxy", "outside"),
        ([790, 10, 11, 20], "pixel xywh", "outside"),
        ([1, 2, 3], "pixel xyxy", "malformed"),
        ([1, 2, 3, 4, 5], "pixel xyxy", "malformed"),
        ([], "pixel xyxy", "malformed"),
        ([1, 2, 3, math.nan], "pixel xyxy", "malformed"),
        ([1, 2, 3, math.inf], "pixel xyxy", "malformed"),
        ([1e308, 2, 1e308, 4], "pixel xywh", "malformed"),
    ],
)
def test_a_box_that_does_not_fit_is_refused_by_rule(
    values: list[float], convention: str, reason: str
) -> None:
    """Nothing is swapped, clipped or rescaled: each fault has its own reason."""
    with pytest.raises(RecordError) as caught:
        read_box(values, BoxConvention(convention), (WIDTH, HEIGHT))
    assert caught.value.reason == reason
    assert str(values[:1])[1:-1] in str(caught.value)


def test_without_a_size_pixels_stay_and_shares_lie_in_the_unit_square() -> None:
    """What cannot be checked is not checked, and a normalised box keeps its shares."""
    assert read_box([5000, 1, 10, 10], BoxConvention.PIXEL_XYWH) == Box(5000, 1, 5010, 11)
    assert read_box([0.25, 0.5, 0.5, 1.0], BoxConvention.NORM1_XYXY) == Box(0.25, 0.5, 0.5, 1.0)
    assert read_box([25, 50, 25, 50], BoxConvention.NORM100_XYWH) == Box(0.25, 0.5, 0.5, 1.0)
    with pytest.raises(RecordError, match="1 x 1"):
        read_box([0.25, 0.5, 1.2, 1.0], BoxConvention.NORM1_XYXY)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([0, 0, 4, 0], "malformed"),
        ([0, 0, 4, 0, 3], "malformed"),
        ([0, 0, 4, 0, 0, math.nan], "malformed"),
        ([0, 0, 4, 4, 8, 8], "empty-box"),
        ([0, 0, 0.5, 0, 0, 0.5], "wrong-scale"),
        ([0, 0, 900, 0, 0, 5], "outside"),
        ([0, -2, 9, 0, 0, 5], "outside"),
    ],
)
def test_a_polygon_that_does_not_fit_is_refused(values: list[float], reason: str) -> None:
    """Odd lists, lines, shares and what lies outside are no polygon of the picture."""
    with pytest.raises(RecordError) as caught:
        read_polygon(values, (WIDTH, HEIGHT))
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    "values",
    [[], [5], [5, 0], [5, -1], [5.5, 5], [5, math.nan], [5, math.inf], [1, 2, 3], [1e9, 1]],
)
def test_a_declared_size_is_two_whole_numbers(values: list[float]) -> None:
    """Anything but a positive whole width and height is refused."""
    with pytest.raises(RecordError) as caught:
        read_size(values)
    assert caught.value.reason == "bad-size"
