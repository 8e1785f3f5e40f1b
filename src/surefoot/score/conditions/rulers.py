"""
What of hit rates is the ruler's: rates at several tolerances, and what goes with small targets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec
import numpy as np

from surefoot.core.perturbation import ORIGINAL
from surefoot.score.conditions.rows import conditions
from surefoot.score.conditions.scores import Score
from surefoot.score.hits import hits
from surefoot.score.metric import Ruler
from surefoot.score.outcomes import Outcomes
from surefoot.score.stats.keyed import KeyedSums

# In pixels, as total growth of each side; 20 is that of GUI-Perturbed's code.
TOLERANCES: Final = (0.0, 4.0, 20.0)


class RulerRate(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold a model's hit rate at each tolerance (pixels, by its number), over all ``n`` answers.

    ``ranks`` count the models that hit more at that tolerance, from 1.
    """

    model: str
    reasoning: bool
    n: int
    rates: Mapping[str, float]
    ranks: Mapping[str, int]


class SizePart(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold how much of a variant's change goes with the size of its targets.

    ``weighed`` is the original's hit rate with its bins of sizes weighed as the variant fills
    them (direct standardisation): the change from ``original`` to it goes with size, what is
    left to ``after`` does not. It says what size could account for, not what it caused.
    """

    model: str
    reasoning: bool
    instruction: str
    variant: str
    original: float
    weighed: float
    after: float


def ruler_rates(outcomes: Outcomes, ruler: Ruler) -> tuple[RulerRate, ...]:
    """
    Return each model's hit rate and rank at every tolerance, that of the ruler among them.

    None where no place was asked for.
    """
    return told_rates(sums_of_hits(outcomes, ruler), ruler)


def sums_of_hits(outcomes: Outcomes, ruler: Ruler) -> KeyedSums:
    """Count for each model and mode the places asked for, the answers, and hits by tolerance."""
    found, row = conditions(outcomes)
    models = list(dict.fromkeys((condition.model, condition.reasoning) for condition in found))
    group = np.array(
        [models.index((condition.model, condition.reasoning)) for condition in found], np.int64
    )[row]
    places = outcomes.asked.for_place[outcomes.question]
    columns = [
        places,
        outcomes.answered,
        *(
            outcomes.answered & hits(outcomes, tolerance=tolerance)
            for tolerance in _tolerances(ruler)
        ),
    ]
    sums = KeyedSums(len(columns))
    counted = [(column.astype(np.float64), at) for at, column in enumerate(columns)]
    sums.add(models, group, counted)
    return sums


def told_rates(sums: KeyedSums, ruler: Ruler) -> tuple[RulerRate, ...]:
    """Return the rates that counts come to, sorted by model and mode."""
    found = {key: values for key, values in sums.rounded().items() if isinstance(key, tuple)}
    if not any(values[0] for values in found.values()):
        return ()
    models = sorted(found)
    counts = np.array([found[model][1] for model in models])
    rates = {
        f"{tolerance:g}": np.array([found[model][2 + at] for model in models])
        / np.maximum(counts, 1)
        for at, tolerance in enumerate(_tolerances(ruler))
    }
    return tuple(
        RulerRate(
            model=model,
            reasoning=reasoning,
            n=int(counts[at]),
            rates={name: float(share[at]) for name, share in rates.items()},
            ranks={name: 1 + int((share > share[at]).sum()) for name, share in rates.items()},
        )
        for at, (model, reasoning) in enumerate(models)
        if counts[at]
    )


def _tolerances(ruler: Ruler) -> list[float]:
    return sorted({*TOLERANCES, ruler.tolerance})


def size_parts(slices: Sequence[Score]) -> Iterator[SizePart]:
    """
    Yield what goes with size of each variant whose targets are of other sizes than the original's.

    ``slices`` are hit rates by the trait "size".
    """
    cells: dict[tuple[str, bool, str], dict[str, list[Score]]] = {}
    for score in slices:
        if score.trait == "size" and score.metric == "hit" and score.amount is not None:
            variants = cells.setdefault((score.model, score.reasoning, score.instruction), {})
            variants.setdefault(score.variant, []).append(score)
    for (model, reasoning, instruction), variants in cells.items():
        own = variants.get(ORIGINAL, [])
        for variant, shares in variants.items():
            if not own or _counts(shares) == _counts(own):
                continue
            weighed = standardised_rate(own, shares)
            if weighed is not None:
                yield SizePart(
                    model=model,
                    reasoning=reasoning,
                    instruction=instruction,
                    variant=variant,
                    original=_mean(own),
                    weighed=weighed,
                    after=_mean(shares),
                )


def standardised_rate(shares: Sequence[Score], weights: Sequence[Score]) -> float | None:
    """
    Weight the rates of some shares by the counts of others (direct standardisation).

    Both are the shares of one condition by one property. Values that ``shares`` lacks are left
    out of the weights; None where the two have no value in common.
    """
    rate = {share.value: share.amount for share in shares if share.amount is not None}
    common = [share for share in weights if share.value in rate]
    total = sum(share.n for share in common)
    return sum(share.n * rate[share.value] for share in common) / total if total else None


def _counts(shares: Sequence[Score]) -> dict[str, int]:
    return {share.value: share.n for share in shares}


def _mean(shares: Sequence[Score]) -> float:
    return sum(share.n * (share.amount or 0.0) for share in shares) / sum(
        share.n for share in shares
    )
