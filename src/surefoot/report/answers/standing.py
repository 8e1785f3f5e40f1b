"""
Hit rates on a standard set beside those on a benchmark, model by model.

A standard set asks each target once and in one way, as GUI-Perturbed's table 7 has
ScreenSpot-v2 beside its own numbers. The two are rates of different elements, so they stand
side by side, and no test compares them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from surefoot.core.perturbation import ORIGINAL
from surefoot.score.conditions.scores import Score
from surefoot.score.summary import Summary

_HIT = "hit"


class Beside(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold what one model hits on a standard set, on the original, and where it falls most.

    ``element`` is "" for the whole set, else the kind of element. ``worst`` is the variant
    with the largest loss against the original, on the same elements, and ``change`` that loss,
    negative; None where no other variant was asked.
    """

    set: str
    element: str
    standard: Score
    original: Score
    worst: str
    change: float | None
    flips: float | None


def beside_standard(own: Summary, standards: Mapping[str, Summary]) -> tuple[Beside, ...]:
    """
    Put the hit rates on standard sets, by their names, beside those on the original.

    One record for each set, model, reasoning mode and kind of instruction, and for each kind
    of element that the set tells. Models that were not asked both are left out.
    """
    return tuple(
        beside
        for name, standard in standards.items()
        for score_of_standard in (*standard.scores, *standard.slices)
        if score_of_standard.metric == _HIT and score_of_standard.trait in {"", "element"}
        for beside in _of(own, name, score_of_standard)
    )


def _of(own: Summary, name: str, standard: Score) -> Iterator[Beside]:
    for score in own.scores:
        alike = (score.model, score.reasoning) == (standard.model, standard.reasoning)
        if not alike or (score.metric, score.variant) != (_HIT, ORIGINAL):
            continue
        changes = [
            comparison
            for comparison in own.comparisons
            if (comparison.metric, comparison.contrast) == (_HIT, "variant")
            and (comparison.model, comparison.reasoning, comparison.instruction)
            == (score.model, score.reasoning, score.instruction)
            and comparison.change is not None
        ]
        worst = min(changes, key=lambda one: one.change or 0.0, default=None)
        yield Beside(
            set=name,
            element=standard.value,
            standard=standard,
            original=score,
            worst=worst.variant if worst else "",
            change=worst.change if worst else None,
            flips=worst.discordance.flip_rate if worst and worst.discordance else None,
        )
