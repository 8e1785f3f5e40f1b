"""
Predicted boxes against true ones: intersection over union, and the box's centre.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from surefoot.core.question import Answer, Question
from surefoot.score.boxes import best_iou
from surefoot.score.hits import hits
from surefoot.score.metric import Metric, Ruler
from surefoot.score.outcomes import Outcomes
from surefoot.score.stats.arrays import Floats
from surefoot.score.stats.clusters import RATE


def _iou(question: Question, answer: Answer | None) -> float | None:
    """Return the IoU with the best fitting right box, 0 for a reply that is no box."""
    return None if answer is None or not _boxed(question) else best_iou(question, answer)


def _iou_of_boxes(outcomes: Outcomes, _ruler: Ruler) -> Floats:
    """Leave out the models that answer points, which have no IoU."""
    ious = outcomes.measured["iou"].copy()
    without = outcomes.occurring.points - outcomes.occurring.boxes
    for code, name in enumerate(outcomes.model.names):
        if name in without:
            ious[outcomes.model.codes == code] = np.nan
    return ious


def _center(outcomes: Outcomes, ruler: Ruler) -> Floats:
    inside = hits(outcomes, tolerance=ruler.tolerance).astype(np.float64)
    kept = outcomes.answered & outcomes.answerable & outcomes.placed
    return np.where(kept, inside, np.nan)


def _boxed(question: Question) -> bool:
    return question.answerable and question.truth.area > 0


IOU: Final = Metric(
    name="iou",
    version=1,
    title="IoU",
    summary="intersection over union of the answered box with the right one it fits best",
    unit="ratio",
    higher_is_better=True,
    bounds=RATE,
    reference="Hidden Forms; a reply without a box counts 0, a model of points has none",
    measure=_iou,
    column=_iou_of_boxes,
)
BOX_CENTER: Final = Metric(
    name="bcp",
    version=1,
    title="BCP",
    summary="the share of answers whose box has its centre, or whose point lies, in the target",
    unit="share",
    higher_is_better=True,
    bounds=RATE,
    reference="box-centre prediction of Hidden Forms",
    column=_center,
)
