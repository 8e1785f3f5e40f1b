"""
Hits: whether the predicted place lies in the target, or a refusal or some words are right.

This is the one judge of hit and miss; numbers, pictures and searches all ask it.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from surefoot.core.errors import InvalidInputError
from surefoot.core.question import Answer, Question
from surefoot.score.outcomes import Outcomes, Status, tabulate, tabulate_runs
from surefoot.score.stats.arrays import Bools


def hits(outcomes: Outcomes, *, tolerance: float = 0.0) -> Bools:
    """
    Tell for each row whether its place lies in the target, the border counted in.

    The target is a box, a polygon, or any of several boxes. ``tolerance``, in pixels, is
    the total growth of each side, so 20 is 10 on every side; a polygon grows by as much
    all round. A reply that names no place is a miss, and so is a failed unit; but where
    the screen does not show what is asked for, a Refusal is the only hit. Where words are
    asked for they must match exactly once normalised, and where an option is, its label.
    Raises InvalidInputError for a tolerance that is negative or not finite.
    """
    if not (np.isfinite(tolerance) and tolerance >= 0):
        raise InvalidInputError("a finite tolerance of 0 or more", found=str(tolerance))
    margin = tolerance / 2
    (x, y), (left, top, right, bottom) = outcomes.place.T, outcomes.asked.truth.T
    inside = (x >= (left - margin)[outcomes.question]) & (x <= (right + margin)[outcomes.question])
    inside &= y >= (top - margin)[outcomes.question]
    inside &= y <= (bottom + margin)[outcomes.question]
    special = ~np.isnan(outcomes.reach)
    inside[special] = outcomes.reach[special] <= margin
    refused = outcomes.status == Status.REFUSAL
    return np.asarray(np.where(outcomes.answerable, inside, refused))


def judge(
    questions: Iterable[Question], answers: Iterable[Answer], *, tolerance: float = 0.0
) -> dict[str, bool]:
    """
    Tell for each question, by its id, whether its answer is a hit; no answer is none.

    Raises InvalidInputError as ``tabulate_runs`` and ``hits`` do.
    """
    asked = list(questions)
    found = hits(tabulate_runs([(asked, [("", answers)])]), tolerance=tolerance)
    return {question.id: bool(hit) for question, hit in zip(asked, found, strict=True)}


def is_hit(question: Question, answer: Answer | None, *, tolerance: float = 0.0) -> bool:
    """Tell whether the answer to one question is a hit; raises as ``judge`` does."""
    return bool(hits(tabulate([("", question, answer)]), tolerance=tolerance)[0])


def hit_rate(outcomes: Outcomes, *, tolerance: float = 0.0) -> float:
    """Return the share of hits among the questions that got a reply, NaN without any."""
    count = int(outcomes.answered.sum())
    found = int(hits(outcomes, tolerance=tolerance).sum())
    return found / count if count else float("nan")
