"""
Zoom levels cover what a browser offers and say how far they go.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from surefoot.core.edit import AddStyle, Zoom
from surefoot.core.screen import Screen
from surefoot.perturb.zoom import FACTORS, TRANSFORM_ZOOM, ZOOM, factor_severity


def test_zoom_hands_the_level_over_as_its_factor(screen_of: Callable[..., Screen]) -> None:
    """Each level is one Zoom edit by the factor that names it."""
    screen = screen_of({})

    assert [(Zoom(factor),) for factor in FACTORS] == [
        ZOOM.edits(screen, 0, f"{factor:g}") for factor in FACTORS
    ]
    assert (min(FACTORS), max(FACTORS)) == (0.5, 2.0)


@pytest.mark.parametrize("factor", FACTORS)
def test_severity_is_the_same_for_a_factor_and_its_inverse(factor: float) -> None:
    """Doubling is as severe as halving."""
    assert math.isclose(factor_severity(factor), factor_severity(1 / factor))


def test_transform_zoom_is_the_papers_by_default(screen_of: Callable[..., Screen]) -> None:
    """The default scales the body by 0.7 about its corner and widens it to 142.857 %."""
    (edit,) = TRANSFORM_ZOOM.edits(screen_of({}), 0)

    assert isinstance(edit, AddStyle)
    assert "scale(0.7)" in edit.css
    assert "transform-origin: 0 0" in edit.css
    assert f"width: {100 / 0.7:.4f}%" in edit.css


def test_transform_zoom_spares_framed_pages(screen_of: Callable[..., Screen]) -> None:
    """A page in a frame is scaled with its frame, so its own body must not be."""
    (edit,) = TRANSFORM_ZOOM.edits(screen_of({}), 0)

    assert isinstance(edit, AddStyle)
    assert edit.top_only
