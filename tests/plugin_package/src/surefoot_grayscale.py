"""
The page without its colours: a whole perturbation in one module.
"""

from __future__ import annotations

from surefoot.core.edit import AddStyle, Edit
from surefoot.core.perturbation import Perturbation
from surefoot.core.screen import Screen

__all__ = ["GRAYSCALE", "draw_grayscale"]


def draw_grayscale(_screen: Screen, _seed: int, level: str) -> tuple[Edit, ...]:
    """Take the level's share of the colour out of the page."""
    css = f"html {{ filter: grayscale({level}) !important }}"
    return (AddStyle(css, top_only=True),)


GRAYSCALE = Perturbation(
    name="grayscale",
    version=1,
    summary="the page without its colours",
    levels={"0.5": 0.5, "1": 1.0},
    default="1",
    draw=draw_grayscale,
    seeded=False,
)
