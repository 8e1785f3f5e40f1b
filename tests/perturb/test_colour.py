"""
Contrast as WCAG defines it, against published ratios.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.errors import InvalidInputError
from surefoot.perturb.colour import Colour, contrast, parse_colour

colours = st.builds(Colour, *(st.integers(0, 255).map(float) for _ in range(3)))


@pytest.mark.parametrize(
    ("ink", "ground", "published"),
    [
        ("#000000", "#ffffff", 21.0),
        ("#777777", "#ffffff", 4.48),
        ("#767676", "#ffffff", 4.54),
        ("#0000ff", "#ffffff", 8.59),
        ("#ff0000", "#ffffff", 4.00),
    ],
)
def test_contrast_agrees_with_published_ratios(ink: str, ground: str, published: float) -> None:
    """Ratios that accessibility guides print come out to their two digits."""
    assert published == pytest.approx(contrast(parse_colour(ink), parse_colour(ground)), abs=6e-3)


@given(colours, colours)
def test_contrast_is_symmetric_and_bounded(one: Colour, other: Colour) -> None:
    """Which of two colours is written in the other does not matter; 1 and 21 are the ends."""
    ratio = contrast(one, other)

    assert ratio == contrast(other, one)
    assert 1.0 <= ratio <= 21.0 + 1e-9


@given(colours, colours, st.floats(0, 1))
def test_a_translucent_colour_lies_between_itself_and_the_ground(
    above: Colour, ground: Colour, alpha: float
) -> None:
    """Each channel of the blend lies between the two channels it was blended from."""
    seen = Colour(above.red, above.green, above.blue, alpha).over(ground)

    for name in ("red", "green", "blue"):
        low, high = sorted((getattr(above, name), getattr(ground, name)))
        assert low - 1e-9 <= getattr(seen, name) <= high + 1e-9


@pytest.mark.parametrize("text", ["", "red", "#fff", "#12345", "#gggggg", "rgb(0, 0, 0)"])
def test_other_spellings_are_refused(text: str) -> None:
    """Only six or eight hexadecimal digits are colours here."""
    with pytest.raises(InvalidInputError, match="#rrggbb"):
        parse_colour(text)
