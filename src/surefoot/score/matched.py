"""
Matched groups: hits as a matrix of pairs by conditions.
"""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

from surefoot.core.errors import InvalidInputError
from surefoot.score.outcomes import Outcomes
from surefoot.score.stats.arrays import Bools, Ints, Labels

__all__ = ["ABSENT", "ORIGINAL", "Condition", "Matched", "Small", "conditions", "line_up"]

ORIGINAL = "original"
ABSENT = -2
UNANSWERED = -1
Small = NDArray[np.int8]


class Condition(msgspec.Struct, frozen=True, order=True):
    """Name a model and the cell that it was asked in."""

    model: str
    reasoning: bool
    instruction: str
    variant: str


class Matched(msgspec.Struct, frozen=True, eq=False):
    """
    Hold what became of each pair under each condition.

    ``hit`` is (pairs, conditions): 1 hit, 0 miss, -1 asked but unanswered, -2 never asked.
    Rows are sorted by cluster, then by pair; ``starts`` has the first row of each cluster.
    """

    conditions: tuple[Condition, ...]
    hit: Small
    starts: Ints

    def sums(self, values: NDArray[np.generic]) -> Ints:
        """Sum (pairs, columns) over each cluster: (clusters, columns)."""
        return np.asarray(np.add.reduceat(values, self.starts, axis=0, dtype=np.int64))


def conditions(outcomes: Outcomes) -> tuple[tuple[Condition, ...], Ints]:
    """
    Return the conditions that occur, sorted with the original first, and each row's.

    >>> from surefoot.score.outcomes import tabulate
    >>> conditions(tabulate([]))[0]
    ()
    """
    columns = (outcomes.model, outcomes.instruction, outcomes.variant)
    shape = (*(len(column.names) or 1 for column in columns), 2)
    codes = np.ravel_multi_index(
        (*(column.codes for column in columns), outcomes.reasoning.astype(np.int64)), shape
    )
    present, row = np.unique(codes, return_inverse=True)
    found = [
        Condition(columns[0].names[m], bool(r), columns[1].names[i], columns[2].names[v])
        for m, i, v, r in zip(*np.unravel_index(present, shape), strict=True)
    ]
    order = sorted(range(len(found)), key=lambda index: _rank(found[index]))
    rank = np.argsort(np.array(order, dtype=np.int64))
    return tuple(found[index] for index in order), rank[row]


def _rank(condition: Condition) -> tuple[str, bool, str, bool, str]:
    first = condition.variant != ORIGINAL
    return (
        condition.model,
        condition.reasoning,
        condition.instruction,
        first,
        condition.variant,
    )


def line_up(outcomes: Outcomes, hit: Bools, *, cluster: bool = True) -> Matched:
    """
    Put each pair's hits side by side; ``cluster`` false makes each pair its own cluster.

    The order of the answers does not matter. Raises InvalidInputError for two answers to
    one pair under one condition, and for a pair in two clusters.
    """
    found, column = conditions(outcomes)
    pair, pairs = _sorted_codes(outcomes.pair)
    group, _ = _sorted_codes(outcomes.cluster) if cluster else (pair, pairs)
    home = np.zeros(pairs, dtype=np.int64)
    home[pair] = group
    if not np.array_equal(home[pair], group):
        raise InvalidInputError("each pair in one cluster", found="a pair in two")
    order = np.lexsort((np.arange(pairs), home))
    place = np.argsort(order)
    matrix = np.full((pairs, len(found)), ABSENT, dtype=np.int8)
    matrix[place[pair], column] = np.where(outcomes.answered, hit, UNANSWERED)
    if np.count_nonzero(matrix != ABSENT) != len(outcomes):
        raise InvalidInputError(
            "one answer to a pair under a condition",
            found="more",
            remedy="score each run once",
        )
    starts = np.flatnonzero(np.diff(home[order], prepend=-1))
    return Matched(found, matrix, np.asarray(starts, dtype=np.int64))


def _sorted_codes(labels: Labels) -> tuple[Ints, int]:
    ranks = np.argsort(np.argsort(np.array(labels.names, dtype=np.str_), kind="stable"))
    present, codes = np.unique(ranks[labels.codes], return_inverse=True)
    return np.asarray(codes, dtype=np.int64), len(present)
