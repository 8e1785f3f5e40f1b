"""
Predicted boxes: intersection over union, and whether the box's centre lies in the target.

The metrics of Hidden Forms. The box-centre prediction (BCP) of a reply is a hit where the
centre of the predicted box, or the point of a model that answers points, lies in the target.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import msgspec
import numpy as np

from surefoot.core.geometry import Box
from surefoot.core.question import Answer, Question
from surefoot.score.outcomes import AskedQuestions
from surefoot.score.stats.arrays import Floats, Labels

ONE = 0.99  # an IoU from here on counts into the peak at 1: sides are rounded to pixels
THRESHOLDS = tuple(step / 20 for step in range(1, 20))
_BINS = 20


class Histogram(msgspec.Struct, frozen=True):
    """
    Count IoUs: exactly 0, at least 0.99, and between in bins of equal width.

    ``edges`` are the bins' ends, from 0 to 1; the last bin ends at 0.99.
    """

    zeros: int
    ones: int
    edges: tuple[float, ...]
    counts: tuple[int, ...]


def best_iou(question: Question, answer: Answer | None) -> float:
    """
    Return the IoU of an answered box with the right one that it fits best, 0 without a box.

    A polygon stands as the box around it.
    """
    parsed = answer.parsed if answer else None
    if not isinstance(parsed, Box):
        return 0.0
    return max(parsed.iou(box) for box in (question.truth, *question.boxes))


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


def size_thirds(asked: AskedQuestions) -> Labels:
    """
    Sort targets into thirds by their size: the side of a square of the same area.

    The thirds are those of the distinct targets (pairs), and are named by their pixels;
    where too few sizes differ there are fewer than three.
    """
    truth = asked.truth
    sides = np.sqrt((truth[:, 2] - truth[:, 0]) * (truth[:, 3] - truth[:, 1])).round(6)
    _, first = np.unique(asked.pair.codes, return_index=True)
    if not len(first):
        return Labels((), np.zeros(0, dtype=np.int64))
    ends = sorted({int(end) for end in np.percentile(sides[first], [100 / 3, 200 / 3]).round()})
    names = [f"up to {ends[0]} px", f"over {ends[-1]} px"]
    names[1:1] = [f"{low} to {high} px" for low, high in itertools.pairwise(ends)]
    return Labels(tuple(names), np.digitize(sides, ends, right=True).astype(np.int64))
