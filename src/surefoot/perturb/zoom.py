"""
Larger and smaller pages: as a browser zooms, and as the paper's CSS transform does.

The two differ. Under ``zoom`` media queries see a viewport of the size over the factor, so
the page may change its layout; under ``transform-zoom`` the page is laid out for its own
viewport and then shrunk, and what is fixed to the viewport becomes fixed to the body.
"""

from __future__ import annotations

import math

from surefoot.core.edit import AddStyle, Edit, Zoom
from surefoot.core.perturbation import Perturbation
from surefoot.core.screen import Screen

FACTORS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.1, 1.25, 1.5, 1.75, 2.0)


def factor_severity(factor: float) -> float:
    """
    Return how far a factor lies from 1, on a scale where doubling and halving are 1.

    >>> factor_severity(0.5), factor_severity(1.0), factor_severity(2.0)
    (1.0, 0.0, 1.0)
    """
    return abs(math.log2(factor))


def factor_levels(factors: tuple[float, ...]) -> dict[str, float]:
    """
    Label factors by themselves, mildest first, with their severities rounded to 1e-4.

    >>> factor_levels((0.5, 1.5, 0.8))
    {'0.8': 0.3219, '1.5': 0.585, '0.5': 1.0}
    """
    mildest_first = sorted(factors, key=factor_severity)
    return {f"{factor:g}": round(factor_severity(factor), 4) for factor in mildest_first}


def factor_titles(words: str, factors: tuple[float, ...]) -> dict[str, str]:
    """
    Title factors by the words and their percentage.

    >>> factor_titles("zoom", (0.7, 1.25))
    {'0.7': 'zoom 70 %', '1.25': 'zoom 125 %'}
    """
    return {f"{factor:g}": f"{words} {100 * factor:.0f} %" for factor in factors}


def draw_zoom(_screen: Screen, _seed: int, level: str) -> tuple[Edit, ...]:
    """Return the browser's own zoom by the level's factor."""
    return (Zoom(float(level)),)


def draw_transform_zoom(_screen: Screen, _seed: int, level: str) -> tuple[Edit, ...]:
    """
    Return the paper's zoom: the body scaled from its top left, as wide as 1 / factor.

    The layer makes the rule stronger than the page's own important ones.
    """
    width = f"{100 / float(level):.4f}"
    css = (
        "@layer surefoot {\n"
        "  body {\n"
        f"    transform: scale({level}) !important;\n"
        "    transform-origin: 0 0 !important;\n"
        f"    width: {width}% !important;\n"
        "    max-width: none !important;\n"
        "  }\n"
        "}\n"
    )
    return (AddStyle(css, top_only=True),)


ZOOM = Perturbation(
    name="zoom",
    version=1,
    summary="the browser's zoom; media queries see it",
    titles=factor_titles("browser zoom", FACTORS),
    levels=factor_levels(FACTORS),
    default="0.7",
    draw=draw_zoom,
    seeded=False,
)

TRANSFORM_ZOOM = Perturbation(
    name="transform-zoom",
    version=1,
    summary="a CSS transform of the body, as GUI-Perturbed zooms; media queries do not see it",
    titles=factor_titles("zoom", FACTORS),
    levels=factor_levels(FACTORS),
    default="0.7",
    draw=draw_transform_zoom,
    seeded=False,
)
