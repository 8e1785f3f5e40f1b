"""
Scoring by hits: was the target hit, in every variant and kind of instruction.
"""

from __future__ import annotations

from typing import Final

from surefoot.score.comparisons import INSTRUCTIONS, MODELS, REASONING, VARIANTS
from surefoot.score.direction import directional_bias
from surefoot.score.scoring import Scoring
from surefoot.score.sizes import size_bins

__all__ = ["HITS"]

HITS: Final = Scoring(
    name="hits",
    metrics=("hit", "f1"),
    once=True,
    contrasts=(VARIANTS, INSTRUCTIONS, MODELS, REASONING),
    descriptive=(
        "mse",
        "normalised_mse",
        "normalised_distance",
        "image_mse",
        "image_distance",
        "bias_x",
        "bias_y",
        "chance",
    ),
    slices=("role", "size", "direction", "site"),
    modes=True,
    derive={"size": size_bins},
    details={
        "direction": lambda outcomes, ruler: directional_bias(outcomes, tolerance=ruler.tolerance)
    },
)
