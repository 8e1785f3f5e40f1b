"""
Predicted boxes: intersection over union, and whether the box's centre lies in the target.

The metrics of Hidden Forms. The box-centre prediction (BCP) of a reply is a hit where the
centre of the predicted box, or the point of a model that answers points, lies in the target.
"""

from __future__ import annotations

import itertools
from array import array
from collections.abc import Iterable, Sequence

import msgspec
import numpy as np

from surefoot.core.geometry import Box
from surefoot.core.question import Answer, Question
from surefoot.score.hits import hits
from surefoot.score.outcomes import Outcomes, Record, Status, tabulate
from surefoot.score.stats.arrays import Bools, Floats, Labels

__all__ = [
    "ONE",
    "THRESHOLDS",
    "BoxTable",
    "Histogram",
    "best_iou",
    "histogram",
    "size_names",
    "tabulate_boxes",
    "threshold_curve",
]

ONE = 0.99  # an IoU from here on counts into the peak at 1: sides are rounded to pixels
THRESHOLDS = tuple(step / 20 for step in range(1, 20))
_BINS = 20


class BoxTable(msgspec.Struct, frozen=True, eq=False):
    """
    Hold one row per question that a box answers, and model.

    ``outcomes`` are the same rows with all else that is known. ``iou`` is (rows,): 0 for a
    reply without a box, and NaN for every row of a model that answers points and never a
    box, which has no IoU. A model whose replies all went unread has an IoU of 0. ``bcp``
    tells whether the centre lies in the target. ``split``, ``platform`` and ``system`` are
    as the questions have them.
    """

    outcomes: Outcomes
    iou: Floats
    bcp: Bools
    split: Labels
    platform: Labels
    system: Labels

    def __len__(self) -> int:
        return len(self.iou)

    def take(self, rows: Bools) -> BoxTable:
        """Return a selection of the rows."""
        return BoxTable(
            self.outcomes.take(rows),
            self.iou[rows],
            self.bcp[rows],
            self.split.take(rows),
            self.platform.take(rows),
            self.system.take(rows),
        )


class Histogram(msgspec.Struct, frozen=True):
    """
    Count IoUs: exactly 0, at least 0.99, and between in bins of equal width.

    ``edges`` are the bins' ends, from 0 to 1; the last bin ends at 0.99.
    """

    zeros: int
    ones: int
    edges: tuple[float, ...]
    counts: tuple[int, ...]


def tabulate_boxes(records: Iterable[Record], *, tolerance: float = 0.0) -> BoxTable:
    """
    Build the table from (model, question, answer or None) records.

    Questions that nothing on the screen answers, or that ask for words, are left out.
    ``tolerance`` (pixels) is for the centre alone. Raises InvalidInputError as ``tabulate``
    and ``hits`` do.
    """
    kept = [each for each in records if each[1].answerable and each[1].truth.area > 0]
    outcomes = tabulate(kept)
    ious = array("d", (best_iou(question, answer) for _, question, answer in kept))
    iou = np.array(ious, dtype=np.float64)
    for code in range(len(outcomes.model.names)):
        own = outcomes.model.codes == code
        kinds = set(outcomes.status[own].tolist())
        if Status.POINT in kinds and Status.BOX not in kinds:
            iou[own] = np.nan
    return BoxTable(
        outcomes=outcomes,
        iou=iou,
        bcp=hits(outcomes, tolerance=tolerance),
        split=_column([question.split for _, question, _ in kept]),
        platform=_column([question.platform for _, question, _ in kept]),
        system=_column([question.system for _, question, _ in kept]),
    )


def best_iou(question: Question, answer: Answer | None) -> float:
    """
    Return the IoU of an answered box with the right one that it fits best, 0 without a box.

    A polygon stands as the box around it.
    """
    parsed = answer.parsed if answer else None
    if not isinstance(parsed, Box):
        return 0.0
    return max(parsed.iou(each) for each in (question.truth, *question.boxes))


def histogram(ious: Floats, *, bins: int = _BINS) -> Histogram:
    """
    Count IoUs by size; NaN does not count.

    >>> histogram(np.array([0.0, 0.0, 0.3, 1.0]), bins=2).counts
    (1, 0)
    """
    known = ious[~np.isnan(ious)]
    between = known[(known > 0) & (known < ONE)]
    edges = np.linspace(0, 1, bins + 1)
    counts, _ = np.histogram(between, bins=edges)
    return Histogram(
        int((known == 0).sum()),
        int((known >= ONE).sum()),
        tuple(edges.tolist()),
        tuple(counts.tolist()),
    )


def threshold_curve(ious: Floats, thresholds: Sequence[float] = THRESHOLDS) -> Floats:
    """
    Return the share of IoUs at or above each threshold, NaN where there are none.

    >>> threshold_curve(np.array([0.2, 0.6]), (0.1, 0.5, 0.9)).tolist()
    [1.0, 0.5, 0.0]
    """
    known = ious[~np.isnan(ious)]
    if not len(known):
        return np.full(len(thresholds), np.nan)
    return np.asarray((known[:, None] >= np.asarray(thresholds)[None]).mean(axis=0))


def size_names(outcomes: Outcomes) -> Labels:
    """
    Sort targets into thirds by their size: the side of a square of the same area.

    The thirds are those of the distinct targets (pairs), and are named by their pixels;
    where too few sizes differ there are fewer than three.
    """
    truth = outcomes.truth
    sides = np.sqrt((truth[:, 2] - truth[:, 0]) * (truth[:, 3] - truth[:, 1])).round(6)
    _, first = np.unique(outcomes.pair.codes, return_index=True)
    if not len(first):
        return Labels((), np.zeros(0, dtype=np.int64))
    ends = sorted({int(end) for end in np.percentile(sides[first], [100 / 3, 200 / 3]).round()})
    names = [f"up to {ends[0]} px", f"over {ends[-1]} px"]
    names[1:1] = [f"{low} to {high} px" for low, high in itertools.pairwise(ends)]
    return Labels(tuple(names), np.digitize(sides, ends, right=True).astype(np.int64))


def _column(values: Sequence[str]) -> Labels:
    names, codes = np.unique(np.array(values, dtype=object).astype(str), return_inverse=True)
    return Labels(tuple(str(name) for name in names), codes.astype(np.int64))
