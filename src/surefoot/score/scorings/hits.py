"""
Scoring by hits: was the target hit, in every variant and kind of instruction.
"""

from __future__ import annotations

from typing import Final

import msgspec
import numpy as np

from surefoot.core.question import Question
from surefoot.core.screen import Screen
from surefoot.score.conditions.direction import sums_of_errors, told_bias
from surefoot.score.conditions.rulers import sums_of_hits, told_rates
from surefoot.score.contrasts.comparisons import (
    BASES,
    INSTRUCTIONS,
    MODELS,
    REASONING,
    VARIANTS,
)
from surefoot.score.outcomes import Outcomes
from surefoot.score.scoring import Scoring, SummedDetail
from surefoot.score.sizes import size_bins

ABSENT: Final = "absent"  # the cell of what is asked for and not there
_TYPE: Final = "data_type"  # a fact of ScreenSpot's: "text" or "icon"


def _traits(question: Question, _screen: Screen | None) -> dict[str, str]:
    """Tell the platform, and on it the kind of element, as a published set has them."""
    kind = question.facts.get(_TYPE, "")
    both = question.platform and kind
    return {
        "platform": question.platform,
        "element": f"{question.platform}, {kind}" if both else kind,
    }


def _traits_and_words(question: Question, screen: Screen | None) -> dict[str, str]:
    return {**_traits(question, screen), "said": question.instruction.text}


def _that_are_there(outcomes: Outcomes) -> Outcomes:
    kinds = outcomes.asked.instruction
    absent = [code for code, name in enumerate(kinds.names) if name == ABSENT]
    return outcomes.take(~np.isin(kinds.codes, absent)[outcomes.question]) if absent else outcomes


HITS: Final = Scoring(
    name="hits",
    metrics=("hit", "f1"),
    once=True,
    contrasts=(VARIANTS, BASES, INSTRUCTIONS, MODELS, REASONING),
    descriptive=(
        "hit_of_asked",
        "mse",
        "normalised_mse",
        "normalised_distance",
        "image_mse",
        "image_distance",
        "bias_x",
        "bias_y",
        "chance",
        "right_refusals",
        "wrong_refusals",
    ),
    slices=("role", "platform", "element", "size", "direction", "site"),
    traits=("platform", "element"),
    apart=lambda condition: condition.instruction == ABSENT,
    describe=_traits,
    modes=True,
    in_parts=True,
    derive={"size": size_bins},
    details={
        "direction": SummedDetail(
            lambda outcomes, ruler: sums_of_errors(outcomes, tolerance=ruler.tolerance),
            lambda sums, ruler: told_bias(sums, tolerance=ruler.tolerance),
        ),
        "rulers": SummedDetail(
            lambda outcomes, ruler: sums_of_hits(_that_are_there(outcomes), ruler), told_rates
        ),
    },
)

# Where an element is asked for in several words under one condition.
HITS_OF_SEVERAL: Final = msgspec.structs.replace(
    HITS, once=False, traits=(*HITS.traits, "said"), describe=_traits_and_words
)
