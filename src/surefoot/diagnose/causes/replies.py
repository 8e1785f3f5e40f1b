"""
Causes that the replies themselves show: declined, unreadable, off by a step or by a scale.

In a form a click that lands beside its field, and still within what is the field's own, is on its
label, as a run over forms records it.

A step or a scale is what, taken back, turns misses into hits. It is found on the other sites
and taken back on this one, so that no site judges what it was found by; and it is found over
hits and misses alike, since it moves both: what only some questions are off by is no step of
the model's. Nor is it a repair that brings clicks to other questions' targets as often. The
middle of what clicks are off by is the median, of each axis.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

import msgspec
import numpy as np

from surefoot.core.question import Refusal, Unparsed
from surefoot.diagnose.search.arms import ArmResult
from surefoot.score.stats.arrays import Bools, Floats
from surefoot.score.stats.clusters import RATE, intervals, p_values, ratio, sum_by_cluster
from surefoot.score.stats.intervals import Interval
from surefoot.score.truths import place_of

LEAST: Final = 5  # answers that show it
LEAST_SHARE: Final = 0.2  # of the misses with a place that a step or a scale repairs
LEAST_LOST: Final = 0.1  # of the failures that are declined or unreadable
OTHERS: Final = 50  # targets of other sites that a mended click is held against
LEAST_STEP: Final = 2.0  # px
LEAST_SCALE: Final = 0.02

LABEL: Final = "label"

Fit: TypeAlias = Callable[[Floats, Floats], Floats]


class ReplyCause(msgspec.Struct, frozen=True):
    """
    Hold one cause: its name, its words, and which of the failures (by question) it explains.

    ``of`` counts the failures that could show it; ``p`` tests their share against 0.1.
    """

    name: str
    words: str
    explains: frozenset[str]
    of: int
    clusters: int
    share: float
    interval: Interval | None
    p: float


def reply_causes(answers: Sequence[ArmResult], *, least: int = LEAST) -> Iterator[ReplyCause]:
    """
    Yield what is seen of all failures' replies: labels, the repair that does most, then losses.

    ``least`` answers must show it.
    """
    failed = [answer for answer in answers if answer.failed]
    placed = [answer for answer in answers if answer.answer and place_of(answer.answer.parsed)]
    met = [answer for answer in failed if answer.met not in ("", "nothing")]
    beside = np.array([answer.met == "label" for answer in met], dtype=bool)
    if beside.sum() >= max(least, LEAST_LOST * len(met)):
        yield _cause(LABEL, "takes a field's label for the field", met, beside)
        # Labels lie mostly on one side of their fields, which is no step of the model's.
        placed = [answer for answer in placed if answer.met != "label" or not answer.failed]
    repairs = [
        cause for cause in (_repaired(placed, least, *repair) for repair in _REPAIRS) if cause
    ]
    if repairs:
        yield max(repairs, key=lambda cause: len(cause.explains))
    for name, words, kind, untouched in _LOST:
        lost = [
            result
            for result in failed
            if result.answer
            and isinstance(result.answer.parsed, kind)
            and (result.met == "nothing") == untouched
        ]
        if len(lost) >= max(least, LEAST_LOST * len(failed)):
            yield _cause(name, words, failed, np.isin(_ids(failed), _ids(lost)))


_LOST: Final = (
    ("refused", "declines to answer", Refusal, False),
    ("unreadable", "gives replies that cannot be read", Unparsed, False),
    ("untouched", "leaves the field alone", Unparsed, True),
)


def _ids(answers: Sequence[ArmResult]) -> list[str]:
    return [answer.arm.question.id for answer in answers]


def _cause(name: str, words: str, of: Sequence[ArmResult], shows: Bools) -> ReplyCause:
    counts = np.stack([shows, np.ones(len(of))], axis=1)
    sums = sum_by_cluster([answer.arm.question.cluster for answer in of], counts)
    found = ratio(sums[:, :1], sums[:, 1:])
    (interval,) = intervals(found, RATE)
    both = float(p_values(found, RATE, null=LEAST_LOST)[0])
    share = float(found.value[0])
    return ReplyCause(
        name=name,
        words=words,
        explains=frozenset(
            item for item, shown_there in zip(_ids(of), shows, strict=True) if shown_there
        ),
        of=len(of),
        clusters=len(sums),
        share=share,
        interval=interval,
        p=both / 2 if share > LEAST_LOST else 1 - both / 2,
    )


def _step(clicks: Floats, middles: Floats) -> Floats:
    return np.concatenate([np.median(clicks - middles, axis=0), np.ones(2)])


def _scale(clicks: Floats, middles: Floats) -> Floats:
    return np.concatenate([np.zeros(2), np.median(clicks / np.maximum(middles, 1.0), axis=0)])


def _step_words(off: Floats) -> str:
    across, down = round(float(off[0])), round(float(off[1]))
    parts = [
        f"{abs(across)} px too far {'right' if across > 0 else 'left'}" if across else "",
        f"{abs(down)} px too far {'down' if down > 0 else 'up'}" if down else "",
    ]
    return f"clicks {' and '.join(filter(None, parts))}"


def _scale_words(off: Floats) -> str:
    return f"clicks at {off[2]:.2f} times the way across and {off[3]:.2f} times the way down"


_REPAIRS: Final[tuple[tuple[str, Fit, Callable[[Floats], str]], ...]] = (
    ("step", _step, _step_words),
    ("scale", _scale, _scale_words),
)


def _inside(points: Floats, boxes: Floats) -> Bools:
    return np.asarray(((boxes[:, :2] <= points) & (points <= boxes[:, 2:])).all(axis=1))


def _repaired(
    placed: Sequence[ArmResult],
    least: int,
    name: str,
    fit: Fit,
    words: Callable[[Floats], str],
) -> ReplyCause | None:
    sites = np.array([answer.arm.question.cluster for answer in placed])
    if len(set(sites.tolist())) < 2 or len(placed) < least:  # noqa: PLR2004 - one learns of another
        return None
    places = [place_of(result.answer.parsed) for result in placed if result.answer]
    clicks = np.array([(place.x, place.y) for place in places if place], dtype=np.float64)
    boxes = np.array([answer.arm.question.truth.as_tuple() for answer in placed])
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2
    mended, chance = np.zeros(len(placed), dtype=bool), np.zeros(len(placed))
    for site in sorted(set(sites.tolist())):
        own = sites == site
        off = fit(clicks[~own], middles[~own])
        moved = (clicks[own] - off[:2]) / np.where(off[2:] > 0, off[2:], 1.0)
        mended[own] = _inside(moved, boxes[own])
        others = np.flatnonzero(~own)[:OTHERS]
        chance[own] = np.mean([_inside(moved, boxes[[at]]) for at in others], axis=0)
    off = fit(clicks, middles)
    missed = np.array([answer.failed for answer in placed], dtype=bool)
    mended, chance = mended[missed], chance[missed]
    still = np.abs(off[:2]).max() < LEAST_STEP and np.abs(off[2:] - 1).max() < LEAST_SCALE
    if still or mended.sum() < least or (mended - chance).mean() < LEAST_SHARE:
        return None
    return _cause(name, words(off), [answer for answer in placed if answer.failed], mended)
