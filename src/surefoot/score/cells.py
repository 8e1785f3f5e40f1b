"""
One object for each model in each cell: how often it hit, how far it was off.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np

from surefoot.score.distance import errors
from surefoot.score.matched import conditions
from surefoot.score.outcomes import Outcomes, Status
from surefoot.score.stats.arrays import Floats
from surefoot.score.stats.intervals import Interval, clopper_pearson, wilson

__all__ = ["CellScore", "rate_interval", "score_cells"]


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


def rate_interval(hits: int, n: int, clusters: int, low: float, high: float) -> Interval:
    """
    Name the bootstrap's interval of a rate, or replace it where it says nothing.

    Where all or none are hits every resample is alike; the exact interval then counts each
    cluster once, which is the cautious end.
    """
    if 0 < hits < n:
        return Interval(low, high, "bootstrap percentile")
    exact = clopper_pearson(clusters if hits else 0, clusters)
    return Interval(exact.low, exact.high, "clopper-pearson over clusters")


def score_cells(
    outcomes: Outcomes, tallies: Floats, clusters: list[int], bounds: Floats, tolerance: float
) -> tuple[CellScore, ...]:
    """
    Score every cell, in the order of ``conditions``.

    ``tallies`` is (2, cells): replies and hits; ``bounds`` is (2, cells).
    """
    found, cell = conditions(outcomes)
    located = outcomes.located
    states = np.zeros((len(found), len(Status)), dtype=np.int64)
    np.add.at(states, (cell, outcomes.status), 1)
    placed = np.bincount(cell[located], minlength=len(found))
    means = _means(outcomes.take(located), cell[located], len(found))
    return tuple(
        CellScore(
            model=condition.model,
            reasoning=condition.reasoning,
            instruction=condition.instruction,
            variant=condition.variant,
            tolerance=tolerance,
            n=(n := int(tallies[0, index])),
            hits=(hits := int(tallies[1, index])),
            unparsed=int(states[index, Status.UNPARSED]),
            refused=int(states[index, Status.REFUSAL]),
            failed=int(states[index, Status.FAILED]),
            located=int(placed[index]),
            clusters=clusters[index],
            rate=hits / n if n else None,
            interval=rate_interval(hits, n, clusters[index], *bounds[:, index].tolist())
            if n
            else None,
            wilson=wilson(hits, n) if n else None,
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
