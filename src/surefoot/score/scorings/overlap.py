"""
Scoring by overlap: how well a predicted box covers an element that may be hidden.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec
import numpy as np

from surefoot.core.question import Cell, Question
from surefoot.core.screen import Screen
from surefoot.score.boxes import THRESHOLDS, Histogram, histogram, size_thirds, threshold_curve
from surefoot.score.conditions.rows import conditions
from surefoot.score.conditions.scores import Score
from surefoot.score.constant_box import constant_ious, fit_constant_box
from surefoot.score.contrasts.comparisons import BASES, MODELS, REASONING, VARIANTS
from surefoot.score.metric import METRICS, Ruler
from surefoot.score.outcomes import Outcomes
from surefoot.score.scoring import Scoring

TRAIN: Final = "train"
UNPROVEN: Final = "unproven content"
_FIRST: Final = ("original", "static", "high-contrast", "low-contrast")
_LAST: Final = ("inpaint", "hide")


class IouSpread(msgspec.Struct, frozen=True):
    """Hold how one model's IoUs under one mask are spread: histogram and curve."""

    model: str
    reasoning: bool
    mask: str
    histogram: Histogram
    thresholds: tuple[float, ...]
    shares: tuple[float, ...]


class SetCount(msgspec.Struct, frozen=True):
    """Count the targets of one split of one set, as Hidden Forms' table 1 does; "" is unknown."""

    set: str
    split: str
    targets: int


class ConstantBox(msgspec.Struct, frozen=True):
    """
    Hold what one box, the same for every picture, scores on a split.

    ``box`` has x in image widths and y in image heights; it was fitted on the split train.
    """

    split: str
    n: int
    iou: float
    bcp: float
    box: tuple[float, float, float, float]


def mask_rank(mask: str) -> tuple[int, str]:
    """
    Return what masks are sorted by: from no mask, by what is left of it, to nothing there.

    >>> sorted(["hide", "static", "sides", "original", "low-contrast"], key=mask_rank)
    ['original', 'static', 'low-contrast', 'sides', 'hide']
    """
    if mask in _FIRST:
        return _FIRST.index(mask), mask
    return len(_FIRST) + (1 + _LAST.index(mask) if mask in _LAST else 0), mask


def _boxed(questions: Iterable[Question]) -> Iterator[Question]:
    """
    Keep what a box answers; kinds of instruction are a slice, and no condition.

    But for content whose place nothing on the screen decides: it is scored apart.
    """
    for question in questions:
        if question.answerable and question.truth.area > 0:
            apart = UNPROVEN if question.facts.get("decided") == "nothing" else ""
            cell = Cell(question.cell.variant, apart, question.cell.reasoning)
            facts = {**question.facts, "kind": question.cell.instruction}
            yield msgspec.structs.replace(question, cell=cell, facts=facts)


def _traits(question: Question, _screen: Screen | None) -> dict[str, str]:
    return {
        "kind": question.facts["kind"],
        "decided": question.facts.get("decided", ""),
        "set": question.facts.get("set", ""),
        "split": question.split,
        "platform": question.platform,
        "system": question.system,
        "said": question.instruction.text,
    }


def _spreads(outcomes: Outcomes, ruler: Ruler) -> tuple[IouSpread, ...]:
    ious = METRICS.get("iou").values(outcomes, ruler)
    found, condition = conditions(outcomes)
    spreads = []
    for code, item in enumerate(found):
        own = ious[(condition == code) & ~np.isnan(ious)]
        if len(own):
            shares = tuple(threshold_curve(own).tolist())
            spreads.append(
                IouSpread(
                    item.model, item.reasoning, item.variant, histogram(own), THRESHOLDS, shares
                )
            )
    return tuple(spreads)


def _counts(outcomes: Outcomes, _ruler: Ruler) -> tuple[SetCount, ...]:
    """Count the targets by set and split, each once whatever its masks and models."""
    _, first = np.unique(outcomes.pair.codes, return_index=True)
    sets, splits = outcomes.traits["set"], outcomes.traits["split"]
    found = Counter(
        (sets.names[code], splits.names[other])
        for code, other in zip(sets.codes[first], splits.codes[first], strict=True)
    )
    return tuple(SetCount(*key, count) for key, count in sorted(found.items()))


def _constants(outcomes: Outcomes, _ruler: Ruler) -> tuple[ConstantBox, ...]:
    """Fit one box on train, each target once, and score it on every split."""
    splits = outcomes.traits["split"]
    if TRAIN not in splits.names:
        return ()
    _, first = np.unique(outcomes.pair.codes, return_index=True)
    truths = outcomes.truth[first] / np.tile(outcomes.size[first], 2)
    split = splits.codes[first]
    box = fit_constant_box(truths[split == splits.names.index(TRAIN)])
    left, top, right, bottom = (float(side) for side in box)
    center = (box[:2] + box[2:]) / 2
    scored = []
    for name in sorted(splits.names):
        boxes = truths[split == splits.names.index(name)]
        inside = ((boxes[:, :2] <= center) & (center <= boxes[:, 2:])).all(axis=1)
        iou = float(constant_ious(box, boxes).mean())
        scored.append(
            ConstantBox(name, len(boxes), iou, float(inside.mean()), (left, top, right, bottom))
        )
    return tuple(scored)


def _warnings(scores: Sequence[Score], details: Mapping[str, object]) -> Iterator[str]:
    measured = {score.model for score in scores if score.metric == "iou" and score.n}
    points = sorted(
        {score.model for score in scores if score.metric == "bcp" and score.n} - measured
    )
    if points:
        yield (
            f"{', '.join(points)} answered points and no box: there is a box-centre prediction "
            "(BCP), and no IoU, which a point has not."
        )
    if not details["constants"]:
        yield "No question is of the split 'train', so no constant box could be fitted."


OVERLAP: Final = Scoring(
    name="overlap",
    metrics=("iou", "bcp"),
    contrasts=(VARIANTS, BASES, MODELS, REASONING),
    apart=lambda condition: condition.instruction == UNPROVEN,
    slices=("set", "kind", "decided", "split", "platform", "system", "size"),
    arrange=_boxed,
    traits=("kind", "decided", "set", "split", "platform", "system", "said"),
    describe=_traits,
    derive={"size": size_thirds},
    details={"counts": _counts, "spreads": _spreads, "constants": _constants},
    warn=_warnings,
)
