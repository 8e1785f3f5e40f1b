"""
Smaller and larger text; each text is scaled once, however deep it is nested.
"""

from __future__ import annotations

from surefoot.core.edit import Edit, ScaleText
from surefoot.core.perturbation import Perturbation
from surefoot.core.screen import Screen
from surefoot.perturb.zoom import factor_levels, factor_severity, factor_titles

PAPER_FACTOR = 0.8
PAPER_FLOOR_PX = 11.0
_FACTORS = (0.8, 0.9, 1.1, 1.25, 1.5, 1.75, 2.0)


def draw_text_size(_screen: Screen, _seed: int, level: str) -> tuple[Edit, ...]:
    """
    Return one scaling of all text; "paper" is max(0.8 f, 11 px) of GUI-Perturbed.

    Text under 11 px stays as it is, which that formula would enlarge. The other levels are bare
    factors without a floor.
    """
    if level == "paper":
        return (ScaleText(PAPER_FACTOR, floor=PAPER_FLOOR_PX),)
    return (ScaleText(float(level)),)


def _levels() -> dict[str, float]:
    # The floor spares small text, so "paper" is no stronger than its bare factor.
    paper = {"paper": round(factor_severity(PAPER_FACTOR), 4)}
    levels = paper | factor_levels(_FACTORS)
    return dict(sorted(levels.items(), key=lambda item: item[1]))


TEXT_SIZE = Perturbation(
    name="text-size",
    version=1,
    summary="text smaller (the paper's max(0.8 f, 11 px)) or larger (up to 2.0)",
    titles={"paper": "smaller text", **factor_titles("text", _FACTORS)},
    levels=_levels(),
    default="paper",
    draw=draw_text_size,
    seeded=False,
)
