"""
Coordinate spaces and the resize rule.
"""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Point
from surefoot.models.spaces import (
    IMAGE_PIXELS,
    PER_MILLE,
    UNIT,
    PatchRule,
    Space,
    patched_pixels,
    resized_pixels,
    smart_resize,
)

SIDES = st.integers(1, 5000)
LIMITS = st.sampled_from([(3136, 12845056), (78400, 12845056), (50176, 1003520), (3136, 8847360)])


def nearest_multiple(side: int, factor: int) -> int:
    """Round to the nearest multiple in whole numbers, a tie to the even multiple."""
    quotient, rest = divmod(side, factor)
    if 2 * rest > factor or (2 * rest == factor and quotient % 2):
        quotient += 1
    return max(1, quotient) * factor


def slow_resize(
    height: int, width: int, factor: int, least: int, most: int
) -> set[tuple[int, int]]:
    """
    State the rule again in whole numbers, by counting up.

    Shrinking takes the largest multiple m with m * m * other <= side * most, growing the
    smallest with m * m * other >= side * least. Where the two sides are equal, a root in
    floating point may fall on either side, so both neighbours are right.
    """
    tall, wide = nearest_multiple(height, factor), nearest_multiple(width, factor)

    def largest(side: int, other: int) -> set[int]:
        m = factor
        while (m + factor) ** 2 * other <= side * most:
            m += factor
        tie = m**2 * other == side * most
        return {m, max(factor, m - factor)} if tie else {m}

    def smallest(side: int, other: int) -> set[int]:
        m = factor
        while m**2 * other < side * least:
            m += factor
        tie = m**2 * other == side * least
        return {m, m + factor} if tie else {m}

    if tall * wide > most:
        return {(a, b) for a in largest(height, width) for b in largest(width, height)}
    if tall * wide < least:
        return {(a, b) for a in smallest(height, width) for b in smallest(width, height)}
    return {(tall, wide)}


@pytest.mark.parametrize(
    ("height", "width", "expected"),
    [
        (1080, 1920, (1092, 1932)),
        (1022, 1522, (1008, 1512)),  # 36.5 goes to 36; rounding ties up gives 1036
        (42, 70, (56, 56)),  # 1.5 goes to 2, 2.5 to 2; rounding ties up gives 84 wide
        (800, 1280, (812, 1288)),
        (28, 5600, (28, 5600)),  # an aspect ratio of exactly 200
        (10, 10, (56, 56)),
    ],
)
def test_resize_vectors(height: int, width: int, expected: tuple[int, int]) -> None:
    """The resize rule gives the published sizes, ties going to the even multiple."""
    assert smart_resize(height, width, 28, 3136, 12845056) == expected


def test_resize_limits() -> None:
    """An area over the upper limit is rounded down, one under the lower limit up."""
    assert smart_resize(1440, 2560, 28, 3136, 1003520) == (728, 1316)
    assert smart_resize(100, 100, 28, 78400, 12845056) == (280, 280)


@given(SIDES, SIDES, st.sampled_from([14, 28, 32]), LIMITS)
def test_resize_equals_the_rule_in_whole_numbers(
    height: int, width: int, factor: int, limits: tuple[int, int]
) -> None:
    """The fast rule agrees with a slow restatement without floating point."""
    if max(height, width) > 200 * min(height, width):
        with pytest.raises(InvalidInputError, match="aspect"):
            smart_resize(height, width, factor, *limits)
        return
    found = smart_resize(height, width, factor, *limits)
    assert found in slow_resize(height, width, factor, *limits)


@pytest.mark.parametrize(("height", "width"), [(0, 10), (10, -1)])
def test_resize_refuses_an_empty_image(height: int, width: int) -> None:
    """An image without pixels is an error, not a division by zero."""
    with pytest.raises(InvalidInputError, match="1 x 1"):
        smart_resize(height, width, 28, 3136, 12845056)


@given(
    st.sampled_from([IMAGE_PIXELS, UNIT, PER_MILLE, resized_pixels(28, 3136, 1003520)]),
    st.floats(-5000, 5000),
    st.floats(-5000, 5000),
    st.integers(30, 4000),
    st.integers(30, 4000),
)
def test_conversion_is_exact_and_undone(
    space: Space, x: float, y: float, width: int, height: int
) -> None:
    """Conversion is the exact ratio rounded once, and the way back returns the numbers."""
    point = space.to_image(x, y, width=width, height=height)
    across, down = space.extent(width, height)
    assert point.x == float(Fraction(str(x)) * width / across)
    assert point.y == float(Fraction(str(y)) * height / down)
    back = space.from_image(point, width=width, height=height)
    assert back == pytest.approx((x, y), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("space", [IMAGE_PIXELS, UNIT, PER_MILLE, resized_pixels(28, 3136, 10**6)])
def test_corners_map_to_corners(space: Space) -> None:
    """The far corner of each space is the far corner of the image."""
    assert space.to_image(*space.extent(1283, 719), width=1283, height=719) == Point(1283, 719)


def test_a_space_needs_a_rule_only_if_it_resizes() -> None:
    """A resized space without a rule, and a rule without a resized space, are refused."""
    with pytest.raises(InvalidInputError, match="resize rule"):
        Space("resized pixels")
    with pytest.raises(InvalidInputError, match="resize rule"):
        Space("0-1", resized_pixels(28, 1, 2).resize)


STANDARD, HIGH = PatchRule(1568, 1568), PatchRule(2576, 4784)


@pytest.mark.parametrize(
    ("rule", "size", "expected"),
    [
        (STANDARD, (1075, 1520), (924, 1307)),
        (STANDARD, (3840, 2160), (1456, 819)),
        (STANDARD, (1280, 800), (1280, 800)),
        (HIGH, (3840, 2160), (2576, 1449)),
        (HIGH, (4032, 3024), (2212, 1659)),
        (HIGH, (1920, 1080), (1920, 1080)),
    ],
)
def test_published_sizes_of_claude(
    rule: PatchRule, size: tuple[int, int], expected: tuple[int, int]
) -> None:
    """Pictures become as large as the documentation of Claude says of its examples."""
    assert rule.size(*size) == expected


@given(st.integers(1, 3000), st.integers(1, 3000), st.sampled_from([STANDARD, HIGH]))
def test_patches_equal_the_rule_by_counting_down(width: int, height: int, rule: PatchRule) -> None:
    """The long side is the largest that fits with its aspect, found by trying each."""
    long_side, short_side = max(width, height), min(width, height)
    for tried in range(long_side, 0, -1):
        other = (
            short_side if tried == long_side else max(round(tried / (long_side / short_side)), 1)
        )
        across, down = -(-tried // 28), -(-other // 28)
        if max(across, down) * 28 <= rule.max_edge and across * down <= rule.max_patches:
            break
    assert rule.size(width, height) == ((tried, other) if width >= height else (other, tried))


def test_a_patched_space_converts_by_the_shrunk_size() -> None:
    """A place in the shrunk picture is one of the picture, and an empty picture is refused."""
    space = patched_pixels(1568, 1568)
    assert space.to_image(728, 819, width=3840, height=2160) == Point(1920, 2160)
    with pytest.raises(InvalidInputError):
        STANDARD.size(0, 10)


@pytest.mark.parametrize(
    ("space", "recorded"),
    [
        (PER_MILLE, '{"kind":"0-1000","resize":null}'),
        (
            resized_pixels(28, 9, 99),
            '{"kind":"resized pixels","resize":{"factor":28,"min_pixels":9,"max_pixels":99}}',
        ),
        (patched_pixels(1568, 1568), '{"kind":"resized pixels","resize":[1568,1568]}'),
    ],
)
def test_spaces_are_read_from_records(space: Space, recorded: str) -> None:
    """A plan's space is read as the one that was written; the older rules are spelt as ever."""
    assert msgspec.json.encode(space).decode() == recorded
    assert msgspec.json.decode(recorded, type=Space) == space
