"""
One object for each model in each cell: how often it hit, how far it was off.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import msgspec
import numpy as np

from surefoot.score.distance import errors
from surefoot.score.matched import conditions
from surefoot.score.outcomes import Outcomes, Status
from surefoot.score.stats.arrays import Floats, Ints
from surefoot.score.stats.clusters import RATE, intervals, ratio
from surefoot.score.stats.intervals import Interval, wilson

__all__ = ["CellScore", "Units", "score_cells"]

Units: TypeAlias = Literal["sites", "pairs"]


class CellScore(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold the scores of one model in one cell.

    ``n`` counts the questions with a reply; of these ``unparsed`` and ``refused`` named no
    place or words, and count as misses but where a refusal is right. ``failed`` units got no
    reply and stand outside ``n``. Errors are means over the ``located`` replies, to what can
    be answered, None without any: ``mse`` in square pixels, ``normalised_mse`` in areas and
    ``normalised_distance`` in diagonals of the target's box, ``image_mse`` with x in image
    widths and y in image heights, ``image_distance`` in image diagonals. ``bias_x`` and
    ``bias_y`` are mean signed errors in pixels (to the right and down).
    ``wilson`` takes answers as independent. Where questions ask for words, ``f1`` is the
    mean token F1 over the replies to these; where they give options, ``chance`` is the rate
    that guessing among these would have.
    """

    model: str
    reasoning: bool
    instruction: str
    variant: str
    tolerance: float
    n: int
    hits: int
    unparsed: int
    refused: int
    failed: int
    located: int
    clusters: int
    rate: float | None
    interval: Interval | None
    wilson: Interval | None
    mse: float | None
    normalised_mse: float | None
    normalised_distance: float | None
    image_mse: float | None
    image_distance: float | None
    bias_x: float | None
    bias_y: float | None
    f1: float | None = None
    f1_interval: Interval | None = None
    chance: float | None = None


def score_cells(
    outcomes: Outcomes, sums: tuple[Ints, Ints], tolerance: float, units: Units
) -> tuple[CellScore, ...]:
    """
    Score every cell, in the order of ``conditions``.

    ``sums`` are hits and replies, both (clusters, cells); ``units`` names the clusters.
    """
    found, cell = conditions(outcomes)
    located = outcomes.located
    states = np.zeros((len(found), len(Status)), dtype=np.int64)
    np.add.at(states, (cell, outcomes.status), 1)
    placed = np.bincount(cell[located], minlength=len(found))
    means = _means(outcomes.take(located), cell[located], len(found))
    rates = ratio(*(each.astype(np.float64) for each in sums))
    measured = intervals(rates, RATE, over=units)
    hits, counts = (each.sum(axis=0) for each in sums)
    return tuple(
        CellScore(
            model=condition.model,
            reasoning=condition.reasoning,
            instruction=condition.instruction,
            variant=condition.variant,
            tolerance=tolerance,
            n=(n := int(counts[index])),
            hits=(hit := int(hits[index])),
            unparsed=int(states[index, Status.UNPARSED]),
            refused=int(states[index, Status.REFUSAL]),
            failed=int(states[index, Status.FAILED]),
            located=int(placed[index]),
            clusters=int(rates.clusters[index]),
            rate=hit / n if n else None,
            interval=measured[index],
            wilson=wilson(hit, n) if n else None,
            **_known(means, index),
        )
        for index, condition in enumerate(found)
    )


def _known(means: Mapping[str, Floats], cell: int) -> dict[str, Any]:
    found = {name: float(values[cell]) for name, values in means.items()}
    return {name: None if np.isnan(value) else value for name, value in found.items()}


def _means(located: Outcomes, cell: np.ndarray, cells: int) -> dict[str, Floats]:
    means = {}
    for name, column in errors(located).items():
        known = ~np.isnan(column)
        count = np.bincount(cell[known], minlength=cells)
        total = np.bincount(cell[known], weights=column[known], minlength=cells)
        with np.errstate(invalid="ignore"):
            means[name] = total / count
    return means
