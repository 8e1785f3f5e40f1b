"""
The summary of runs of a hidden benchmark: IoU and BCP by mask and by whatever else is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec
import numpy as np

from surefoot.core.errors import InvalidInputError
from surefoot.core.question import Question
from surefoot.score.boxes import (
    THRESHOLDS,
    BoxTable,
    Histogram,
    histogram,
    size_names,
    tabulate_boxes,
    threshold_curve,
)
from surefoot.score.constant_box import constant_ious, fit_constant_box, relative_boxes
from surefoot.score.outcomes import Record, Status
from surefoot.score.stats.arrays import Bools, Floats, Ints, Labels
from surefoot.score.stats.clusters import RATE, few_clusters, intervals, ratio
from surefoot.score.stats.intervals import CONFIDENCE, Interval

__all__ = ["BoxScore", "Constant", "HiddenSummary", "Spread", "mask_rank", "summarise_hidden"]

By = Literal["all", "instruction", "split", "platform", "system", "size"]
TRAIN = "train"
_FIRST = ("original", "static", "high-contrast", "low-contrast")
_LAST = ("inpaint", "hide")


class BoxScore(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold the scores of one model under one mask, among the questions of one kind.

    ``n`` counts the questions with a reply, ``boxes`` those answered by a box; ``failed``
    stand outside ``n``. ``iou`` is None for a model that answers points and never a box.
    """

    model: str
    mask: str
    by: By
    value: str
    n: int
    boxes: int
    unparsed: int
    refused: int
    failed: int
    clusters: int
    iou: float | None
    iou_interval: Interval | None
    bcp: float | None
    bcp_interval: Interval | None


class Spread(msgspec.Struct, frozen=True):
    """Hold how one model's IoUs under one mask are spread: histogram and curve."""

    model: str
    mask: str
    histogram: Histogram
    thresholds: tuple[float, ...]
    shares: tuple[float, ...]


class Constant(msgspec.Struct, frozen=True):
    """
    Hold what one box, the same for every picture, scores on a split.

    ``box`` has x in image widths and y in image heights; it was fitted on the split train.
    """

    split: str
    n: int
    iou: float
    bcp: float
    box: tuple[float, float, float, float]


class HiddenSummary(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold all scores, with the rulers that they share.

    ``point_only`` names the models without an IoU. ``constants`` is empty where no question
    is of the split train. ``left_out`` counts questions that no box answers.
    """

    tolerance: float
    confidence: float
    seed: int
    clusters: int
    pairs: int
    answers: int
    failed: int
    left_out: int
    scores: tuple[BoxScore, ...]
    spreads: tuple[Spread, ...]
    constants: tuple[Constant, ...]
    point_only: tuple[str, ...]
    warnings: tuple[str, ...]


def summarise_hidden(
    records: Iterable[Record], *, tolerance: float = 0.0, seed: int = 0
) -> HiddenSummary:
    """
    Score (model, question, answer or None) records of a hidden benchmark.

    ``tolerance`` (pixels) is the total growth of each side of a target for the centre.
    Intervals take sites as independent; ``seed`` chooses pictures alone. Raises
    InvalidInputError where there is no question that a box answers.
    """
    given = [_by_mode(each) for each in records]
    table = tabulate_boxes(given, tolerance=tolerance)
    if not len(table):
        raise InvalidInputError("at least one question that a box answers", found="none")
    asked = {each[1].id: each[1] for each in given}
    kept = [each for each in asked.values() if each.answerable and each.truth.area > 0]
    found, constants = _scores(table), _constants(kept)
    point_only = tuple(
        name
        for code, name in enumerate(table.outcomes.model.names)
        if np.isnan(table.iou[table.outcomes.model.codes == code]).all()
    )
    _, sizes = np.unique([each.cluster for each in kept], return_counts=True)
    return HiddenSummary(
        tolerance=tolerance,
        confidence=CONFIDENCE,
        seed=seed,
        clusters=len(sizes),
        pairs=len({each.pair for each in kept}),
        answers=int(table.outcomes.answered.sum()),
        failed=int((~table.outcomes.answered).sum()),
        left_out=len(asked) - len(kept),
        scores=found,
        spreads=_spreads(table),
        constants=constants,
        point_only=point_only,
        warnings=tuple(_warnings(sizes, point_only, constants)),
    )


def mask_rank(mask: str) -> tuple[int, str]:
    """
    Return what masks are sorted by: from no mask, by what is left of it, to nothing there.

    >>> sorted(["hide", "static", "sides", "original", "low-contrast"], key=mask_rank)
    ['original', 'static', 'low-contrast', 'sides', 'hide']
    """
    if mask in _FIRST:
        return _FIRST.index(mask), mask
    return len(_FIRST) + (1 + _LAST.index(mask) if mask in _LAST else 0), mask


def _by_mode(record: Record) -> Record:
    """Take a model that reasons first for a model of its own."""
    model, question, answer = record
    return (f"{model} (reasoning)" if question.cell.reasoning else model), question, answer


def _scores(table: BoxTable) -> tuple[BoxScore, ...]:
    groups = list(_groups(table))
    cluster = table.outcomes.cluster
    count = len(cluster.names)
    columns: list[tuple[Floats, Floats]] = []
    for rows, _ in groups:
        own = rows & table.outcomes.answered
        codes = cluster.codes[own]
        asked = np.bincount(codes, minlength=count).astype(np.float64)
        ious = np.bincount(codes, weights=np.nan_to_num(table.iou[own]), minlength=count)
        hit = np.bincount(codes, weights=table.bcp[own], minlength=count)
        columns += [(each.astype(np.float64), asked) for each in (ious, hit)]
    above, below = (np.stack(each, axis=1) for each in zip(*columns, strict=True))
    measured = intervals(ratio(above, below), RATE)
    return tuple(
        _score(table, rows, names, (measured[2 * index], measured[2 * index + 1]))
        for index, (rows, names) in enumerate(groups)
    )


def _groups(table: BoxTable) -> Iterable[tuple[Bools, tuple[str, str, By, str]]]:
    outcomes = table.outcomes
    ways: tuple[tuple[By, Labels], ...] = (
        ("all", Labels(("",), np.zeros(len(table), dtype=np.int64))),
        ("instruction", outcomes.instruction),
        ("split", table.split),
        ("platform", table.platform),
        ("system", table.system),
        ("size", size_names(outcomes)),
    )
    for model, name in enumerate(outcomes.model.names):
        for mask, variant in _sorted(outcomes.variant):
            cell = (outcomes.model.codes == model) & (outcomes.variant.codes == mask)
            for by, labels in ways:
                for code, value in enumerate(labels.names):
                    rows = cell & (labels.codes == code)
                    if rows.any() and (value or by == "all"):
                        yield rows, (name, variant, by, value)


def _score(
    table: BoxTable,
    rows: Bools,
    names: tuple[str, str, By, str],
    measured: tuple[Interval | None, Interval | None],
) -> BoxScore:
    part = table.take(rows)
    answered = part.outcomes.answered
    status = part.outcomes.status[answered]
    n, ious, hit = int(answered.sum()), part.iou[answered], int(part.bcp[answered].sum())
    clusters = len(np.unique(part.outcomes.cluster.codes[answered]))
    has_iou = n > 0 and not np.isnan(ious).any()
    model, mask, by, value = names
    return BoxScore(
        model=model,
        mask=mask,
        by=by,
        value=value,
        n=n,
        boxes=int((status == Status.BOX).sum()),
        unparsed=int((status == Status.UNPARSED).sum()),
        refused=int((status == Status.REFUSAL).sum()),
        failed=int((~answered).sum()),
        clusters=clusters,
        iou=float(ious.mean()) if has_iou else None,
        iou_interval=measured[0] if has_iou else None,
        bcp=hit / n if n else None,
        bcp_interval=measured[1],
    )


def _spreads(table: BoxTable) -> tuple[Spread, ...]:
    outcomes = table.outcomes
    found = []
    for model, name in enumerate(outcomes.model.names):
        for mask, variant in _sorted(outcomes.variant):
            rows = (outcomes.model.codes == model) & (outcomes.variant.codes == mask)
            ious = table.iou[rows & outcomes.answered]
            if len(ious) and not np.isnan(ious).all():
                shares = tuple(threshold_curve(ious).tolist())
                found.append(Spread(name, variant, histogram(ious), THRESHOLDS, shares))
    return tuple(found)


def _sorted(labels: Labels) -> list[tuple[int, str]]:
    return sorted(enumerate(labels.names), key=lambda pair: mask_rank(pair[1]))


def _constants(questions: Sequence[Question]) -> tuple[Constant, ...]:
    """Fit one box on train, each target once, and score it on every split."""
    targets = {each.pair: each for each in sorted(questions, key=lambda each: each.id)}
    truths = {
        split: relative_boxes(each for each in targets.values() if each.split == split)
        for split in sorted({each.split for each in targets.values()})
    }
    if TRAIN not in truths:
        return ()
    box = fit_constant_box(truths[TRAIN])
    left, top, right, bottom = (float(side) for side in box)
    center = (box[:2] + box[2:]) / 2
    return tuple(
        Constant(
            split,
            len(boxes),
            float(constant_ious(box, boxes).mean()),
            float(((boxes[:, :2] <= center) & (center <= boxes[:, 2:])).all(axis=1).mean()),
            (left, top, right, bottom),
        )
        for split, boxes in truths.items()
    )


def _warnings(
    sizes: Ints, point_only: Sequence[str], constants: Sequence[Constant]
) -> Iterable[str]:
    if few := few_clusters(sizes):
        yield few
    if point_only:
        names = ", ".join(point_only)
        yield (
            f"{names} answered points and no box: there is a box-centre prediction (BCP), and "
            "no IoU, which a point has not."
        )
    if not any(each.split == TRAIN for each in constants):
        yield "No question is of the split 'train', so no constant box could be fitted."
