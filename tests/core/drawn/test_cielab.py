"""
CIELAB against its published formulas and the values commonly listed.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.drawn.cielab import lab

CHANNEL = st.integers(0, 255)


def textbook(red: int, green: int, blue: int) -> tuple[float, float, float]:
    """Convert one colour by the formulas as they stand in the standards."""

    def linear(value: float) -> float:
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4

    r, g, b = (linear(index / 255) for index in (red, green, blue))
    xyz = (
        (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047,
        0.2126729 * r + 0.7151522 * g + 0.0721750 * b,
        (0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883,
    )
    x, y, z = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@given(CHANNEL, CHANNEL, CHANNEL)
def test_lab_is_that_of_the_textbook(red: int, green: int, blue: int) -> None:
    """Every sRGB colour has the CIELAB values of the published formulas."""
    found = lab(np.array([[red, green, blue]], np.uint8))[0]
    assert found == pytest.approx(textbook(red, green, blue), abs=0.01)


@pytest.mark.parametrize(
    ("spelled", "expected"),
    [
        ("ffffff", (100.0, 0.0, 0.0)),
        ("000000", (0.0, 0.0, 0.0)),
        ("ff0000", (53.24, 80.09, 67.20)),
        ("00ff00", (87.73, -86.18, 83.18)),
        ("0000ff", (32.30, 79.19, -107.86)),
        ("808080", (53.59, 0.0, 0.0)),
    ],
)
def test_lab_of_well_known_colours(spelled: str, expected: tuple[float, ...]) -> None:
    """The primaries, white, black and middle grey have the CIELAB values commonly listed."""
    assert lab(np.frombuffer(bytes.fromhex(spelled), np.uint8))[0] == pytest.approx(
        expected, abs=0.03
    )
