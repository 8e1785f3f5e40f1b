"""
The summary of one or several runs: every score, comparison and interval, with its ruler.
"""

from __future__ import annotations

import msgspec
import numpy as np

from surefoot.core.errors import InvalidInputError
from surefoot.score.breakdown import Property, Share, break_down
from surefoot.score.cells import CellScore, Units, score_cells
from surefoot.score.compare import Comparison, Contrast, compare, contrasts
from surefoot.score.direction import Bias, directional_bias
from surefoot.score.flips import Flips, count_flips
from surefoot.score.hits import hits
from surefoot.score.matched import ORIGINAL, Matched, line_up
from surefoot.score.outcomes import Outcomes
from surefoot.score.stats.arrays import Ints
from surefoot.score.stats.clusters import few_clusters
from surefoot.score.stats.intervals import CONFIDENCE
from surefoot.score.word_cells import add_words

__all__ = ["Summary", "summarise"]

DESCRIBED: tuple[Property, ...] = ("role", "size", "direction")


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold all scores, with the rulers that they share.

    ``units`` are what intervals and tests take as independent: "sites" or "pairs", and
    ``clusters`` counts them. ``warnings`` are sentences that belong beside the numbers.
    Breakdowns are descriptive. ``seed`` chooses pictures and moves no number.
    """

    tolerance: float
    confidence: float
    seed: int
    units: Units
    pairs: int
    clusters: int
    answers: int
    failed: int
    cells: tuple[CellScore, ...]
    comparisons: tuple[Comparison, ...]
    by_role: tuple[Share, ...]
    by_size: tuple[Share, ...]
    by_direction: tuple[Share, ...]
    bias: tuple[Bias, ...]
    warnings: tuple[str, ...]


def summarise(
    outcomes: Outcomes,
    *,
    tolerance: float = 0.0,
    seed: int = 0,
    cluster: bool = True,
) -> Summary:
    """
    Compute every score of a table of outcomes.

    ``tolerance`` (pixels) is the total growth of each side of a target's box. Intervals
    and tests take sites as independent, or pairs without ``cluster``. Raises
    InvalidInputError for an empty table, a bad tolerance, and for what ``line_up`` refuses.
    """
    if not len(outcomes):
        raise InvalidInputError("at least one question to score", found="none")
    matched = line_up(outcomes, hits(outcomes, tolerance=tolerance), cluster=cluster)
    units: Units = "sites" if cluster else "pairs"
    pairs = contrasts(matched.conditions)
    flips = _flips(matched, pairs)
    per_cell, per_pair = _sums(matched, flips)
    cells = score_cells(outcomes, per_cell, tolerance, units)
    return Summary(
        tolerance=tolerance,
        confidence=CONFIDENCE,
        seed=seed,
        units=units,
        pairs=len(matched.hit),
        clusters=len(matched.starts),
        answers=int(outcomes.answered.sum()),
        failed=int((~outcomes.answered).sum()),
        cells=add_words(cells, outcomes, units),
        comparisons=compare(pairs, cells, flips, per_pair, units=units),
        **{
            f"by_{each}": break_down(outcomes, each, units, tolerance=tolerance)
            for each in DESCRIBED
        },
        bias=directional_bias(outcomes, tolerance=tolerance),
        warnings=_warnings(matched, pairs, units, int((~outcomes.answered).sum())),
    )


def _flips(matched: Matched, pairs: list[Contrast]) -> Flips:
    return count_flips(
        matched.hit[:, [start for _, start, _ in pairs]],
        matched.hit[:, [place for _, _, place in pairs]],
    )


def _sums(matched: Matched, flips: Flips) -> tuple[tuple[Ints, Ints], tuple[Ints, Ints]]:
    per_cell = matched.sums(matched.hit == 1), matched.sums(matched.hit >= 0)
    per_pair = matched.sums(flips.difference), matched.sums(flips.matched)
    return per_cell, per_pair


def _warnings(
    matched: Matched, pairs: list[Contrast], units: Units, failed: int
) -> tuple[str, ...]:
    few = few_clusters(np.diff(matched.starts, append=len(matched.hit)), over=units)
    said = [few] if few else []
    if not any(contrast == "variant" for contrast, _, _ in pairs):
        said.append(f"No variant stands beside '{ORIGINAL}', so no change could be computed.")
    if failed:
        said.append(
            f"{failed:,} questions got no reply; each comparison counts the pairs that it had "
            "to leave out."
        )
    return tuple(said)
