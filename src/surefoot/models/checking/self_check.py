"""
The coordinate self-check: tells whether a model's places arrive in the space it claims.

Wrong scale and swapped axes are the commonest mistakes of published evaluations, and they
look like a weak model. Drawn screens with one known target each tell them apart: a weak model
misses under every reading of its numbers, a misread one hits under another.
"""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

import msgspec

from surefoot.core.errors import ModelError
from surefoot.core.geometry import Box, Point
from surefoot.core.question import Answer, Question
from surefoot.models.checking.likely import RawReply
from surefoot.models.checking.readings import (
    Explained,
    NumberReading,
    Sighting,
    explain,
    reread,
)
from surefoot.models.checking.screens import draw_screens
from surefoot.models.model import Model
from surefoot.models.opening import FORMATS
from surefoot.models.replies.answering import CUT
from surefoot.models.spaces import ResizeRule, Space

FEWEST_PARSED = 6

Verdict: TypeAlias = Literal["ok", "wrong-space", "inconclusive"]


class SelfCheck(msgspec.Struct, frozen=True):
    """
    Report what the self-check saw.

    ``hits`` counts targets hit as the format claims, ``best_hits`` under ``best``, the
    reading that explains the answers best. ``x_scale`` and ``y_scale`` are the median
    ratios of answer to truth among answers near enough to be meant, 1.0 where there are
    none. ``suggestion`` names a format that has the space of ``best``, or is "". ``limits`` are
    the least and the most pixels of a picture, and the longest side or 0, where ``best`` is a
    server's own limits. ``replies`` are those that came, as they came, of which ``cut`` were cut.
    """

    verdict: Verdict
    asked: int
    parsed: int
    failed: int
    hits: int
    best: str
    best_hits: int
    x_scale: float
    y_scale: float
    seen: str
    suggestion: str = ""
    limits: tuple[int, ...] = ()
    cut: int = 0
    sightings: tuple[Sighting, ...] = ()
    replies: tuple[RawReply, ...] = ()


async def self_check(
    model: Model, *, sizes: Iterable[tuple[int, int]] = (), reasoning: bool = False
) -> SelfCheck:
    """
    Ask a model about drawn screens and judge where its answers land.

    There are twelve of usual sizes, and four of the smallest, the middle and the largest each of
    the ``sizes`` of pictures that it is to be asked about. Questions that fail count as not
    parsed; raises the first ModelError when every one of them failed.
    """
    screens = draw_screens(sizes, reasoning=reasoning)
    outcomes = await asyncio.gather(*(_ask(model, question, image) for question, image in screens))
    failures = [item for item in outcomes if isinstance(item, ModelError)]
    if len(failures) == len(outcomes):
        raise failures[0]
    sightings = tuple(
        Sighting(question.width, question.height, question.truth, point)
        for (question, _), outcome in zip(screens, outcomes, strict=True)
        if isinstance(outcome, Answer) and (point := _point(outcome)) is not None
    )
    formats = tuple((entry.name, entry.space) for entry in FORMATS.entries.values())
    found = judge(sightings, model.format.space, asked=len(screens), formats=formats)
    replies = tuple(
        RawReply(outcome.raw, question.width, question.height)
        for (question, _), outcome in zip(screens, outcomes, strict=True)
        if isinstance(outcome, Answer) and outcome.parsed != CUT
    )
    cut = sum(isinstance(item, Answer) and item.parsed == CUT for item in outcomes)
    return msgspec.structs.replace(found, failed=len(failures), cut=cut, replies=replies)


def judge(
    sightings: tuple[Sighting, ...],
    claimed: Space,
    *,
    asked: int,
    formats: Sequence[tuple[str, Space]] = (),
) -> SelfCheck:
    """
    Compare the claimed reading of answers with every other, by their likelihoods.

    Another one is called where it explains more than chance among so many readings would in one
    of a thousand models, however weak the model is; fewer than six answers are inconclusive.
    """
    found = explain(sightings, claimed)
    hits = _hits(sightings, claimed, NumberReading(claimed))
    best = found.best if found.decided else NumberReading(claimed)
    best_hits = _hits(sightings, claimed, best)
    verdict: Verdict = "inconclusive"
    if len(sightings) >= FEWEST_PARSED:
        verdict = "wrong-space" if found.decided else "ok"
    wrong = verdict == "wrong-space"
    rule = best.space.resize
    limited = wrong and not best.swapped and isinstance(rule, ResizeRule)
    return SelfCheck(
        verdict=verdict,
        asked=asked,
        parsed=len(sightings),
        failed=0,
        hits=hits,
        best=best.description,
        best_hits=best_hits,
        x_scale=_scale((sighting.point.x, sighting.truth.center.x) for sighting in sightings),
        y_scale=_scale((sighting.point.y, sighting.truth.center.y) for sighting in sightings),
        seen=_words(verdict, (hits, best_hits, len(sightings), asked), claimed, found),
        suggestion=_suggested(best, formats) if wrong else "",
        limits=_limits(rule) if limited and isinstance(rule, ResizeRule) else (),
        sightings=sightings,
    )


def _limits(rule: ResizeRule) -> tuple[int, ...]:
    return (rule.min_pixels, rule.max_pixels, *((rule.max_edge,) if rule.max_edge else ()))


async def _ask(model: Model, question: Question, image: bytes) -> Answer | ModelError:
    try:
        return await model.answer(question, image)
    except ModelError as error:
        return error


def _point(answer: Answer) -> Point | None:
    if isinstance(answer.parsed, Box):
        return answer.parsed.center
    return answer.parsed if isinstance(answer.parsed, Point) else None


def _hits(sightings: Sequence[Sighting], claimed: Space, reading: NumberReading) -> int:
    return sum(
        sighting.truth.contains(reread(sighting, claimed, reading)) for sighting in sightings
    )


def _scale(pairs: Iterator[tuple[float, float]]) -> float:
    ratios = [answered / true for answered, true in pairs]
    meant = [ratio for ratio in ratios if 0.8 <= ratio <= 1.25]  # noqa: PLR2004 - within a fifth
    return round(statistics.median(meant), 4) if meant else 1.0


def _suggested(best: NumberReading, formats: Sequence[tuple[str, Space]]) -> str:
    if best.swapped:
        return ""
    return next((name for name, space in formats if space == best.space), "")


def _words(
    verdict: Verdict, counts: tuple[int, int, int, int], claimed: Space, found: Explained
) -> str:
    hits, best_hits, parsed, asked = counts
    own = NumberReading(claimed).description
    seen = f"{hits} of {asked} targets hit in {own}, {parsed} answers parsed"
    if verdict == "inconclusive":
        return f"{seen}; too few to judge"
    if verdict == "ok":
        return seen
    nearer = "" if best_hits > hits else ", nearer to their middles,"
    return (
        f"{seen}; {best_hits} hit{nearer} when the same numbers are read as "
        f"{found.best.description}"
    )
