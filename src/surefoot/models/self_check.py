"""
The coordinate self-check: tells whether a model's places arrive in the space it claims.

Wrong scale and swapped axes are the commonest mistakes of published evaluations, and they
look like a weak model. Twelve drawn screens with one known target each tell them apart: a
weak model misses under every reading of its numbers, a misread one hits under another.
"""

from __future__ import annotations

import asyncio
import itertools
import statistics
from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

import msgspec

from surefoot.core.errors import ModelError
from surefoot.core.geometry import Box, Point
from surefoot.core.question import Answer, Question
from surefoot.models.check_screens import draw_screens
from surefoot.models.model import Model
from surefoot.models.opening import FORMATS
from surefoot.models.spaces import IMAGE_PIXELS, PER_MILLE, UNIT, Space, resized_pixels

__all__ = ["NumberReading", "SelfCheck", "Sighting", "Verdict", "judge", "readings", "self_check"]

FEWEST_PARSED = 6
CLEAR_HITS = 7  # of twelve
CLEAR_LEAD = 5  # targets that only the other reading hits: by chance below 1 in 10,000
CLEAR_SHARE = 0.6

# Areas that a server may be set to shrink images to: 256 patches of 28 x 28 pixels and up,
# in steps of 15%, which is near enough to hit the targets and too coarse to be exact.
SERVER_LIMITS = tuple(round(256 * 28 * 28 * 1.15**step) for step in range(31))


Verdict: TypeAlias = Literal["ok", "wrong-space", "inconclusive"]


class Sighting(msgspec.Struct, frozen=True):
    """Pair one screen's size and true box with the point that was answered, in its pixels."""

    width: int
    height: int
    truth: Box
    point: Point


class NumberReading(msgspec.Struct, frozen=True):
    """Describe one way to read a model's numbers: a space, the axes swapped or not."""

    space: Space
    swapped: bool

    @property
    def description(self) -> str:
        """Return the reading in words."""
        words: str = self.space.kind
        if self.space.resize:
            words += f" (at most about {self.space.resize.max_pixels:,})"
        return words + (" with x and y swapped" if self.swapped else "")


class SelfCheck(msgspec.Struct, frozen=True):
    """
    Report what the self-check saw.

    ``hits`` counts targets hit as the format claims, ``best_hits`` under ``best``, the
    reading that explains the answers best. ``x_scale`` and ``y_scale`` are the median
    ratios of answer to truth among answers near enough to be meant, 1.0 where there are
    none. ``suggestion`` names a format that has the space of ``best``, or is "".
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
    sightings: tuple[Sighting, ...] = ()


async def self_check(model: Model, *, reasoning: bool = False) -> SelfCheck:
    """
    Ask a model about twelve drawn screens and judge where its answers land.

    Questions that fail count as not parsed; raises the first ModelError when every one of
    them failed.
    """
    screens = draw_screens(reasoning=reasoning)
    outcomes = await asyncio.gather(*(_ask(model, question, image) for question, image in screens))
    failures = [each for each in outcomes if isinstance(each, ModelError)]
    if len(failures) == len(outcomes):
        raise failures[0]
    sightings = tuple(
        Sighting(question.width, question.height, question.truth, point)
        for (question, _), outcome in zip(screens, outcomes, strict=True)
        if isinstance(outcome, Answer) and (point := _point(outcome)) is not None
    )
    formats = tuple((each.name, each.space) for each in FORMATS.entries.values())
    found = judge(sightings, model.format.space, asked=len(screens), formats=formats)
    return msgspec.structs.replace(found, failed=len(failures))


def judge(
    sightings: tuple[Sighting, ...],
    claimed: Space,
    *,
    asked: int,
    formats: Sequence[tuple[str, Space]] = (),
) -> SelfCheck:
    """
    Compare the claimed reading of answers with every other.

    Only a clear case is called: another reading hits at least seven targets, at least 60%
    of the answers, and five more than the claimed one. A model that misses often, or
    always, is left in peace; fewer than six answers are inconclusive.
    """
    as_claimed = NumberReading(claimed, swapped=False)
    hits = _hits(sightings, claimed, as_claimed)
    best, best_hits = as_claimed, hits
    for other in readings(claimed):
        count = _hits(sightings, claimed, other)
        if count > best_hits:
            best, best_hits = other, count
    verdict = _verdict(len(sightings), hits, best_hits)
    return SelfCheck(
        verdict=verdict,
        asked=asked,
        parsed=len(sightings),
        failed=0,
        hits=hits,
        best=best.description,
        best_hits=best_hits,
        x_scale=_scale((each.point.x, each.truth.center.x) for each in sightings),
        y_scale=_scale((each.point.y, each.truth.center.y) for each in sightings),
        seen=_words(verdict, (hits, best_hits, len(sightings), asked), as_claimed, best),
        suggestion=_suggested(best, formats) if verdict == "wrong-space" else "",
        sightings=sightings,
    )


def readings(claimed: Space) -> tuple[NumberReading, ...]:
    """Return every reading that is tried beside the claimed one, the plainest first."""
    rule = claimed.resize
    factor, least = (rule.factor, rule.min_pixels) if rule else (28, 3136)
    spaces = (
        IMAGE_PIXELS,
        PER_MILLE,
        UNIT,
        *(resized_pixels(factor, min(least, limit), limit) for limit in SERVER_LIMITS),
    )
    tried = itertools.product((False, True), dict.fromkeys((claimed, *spaces)))
    return tuple(
        NumberReading(space, swapped) for swapped, space in tried if swapped or space != claimed
    )


def _verdict(parsed: int, hits: int, best_hits: int) -> Verdict:
    if parsed < FEWEST_PARSED:
        return "inconclusive"
    clear = max(CLEAR_HITS, CLEAR_SHARE * parsed, hits + CLEAR_LEAD)
    return "wrong-space" if best_hits >= clear else "ok"


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
    return sum(each.truth.contains(_reread(each, claimed, reading)) for each in sightings)


def _reread(seen: Sighting, claimed: Space, reading: NumberReading) -> Point:
    """Take back the numbers that the model wrote, and read them another way."""
    x, y = claimed.from_image(seen.point, width=seen.width, height=seen.height)
    if reading.swapped:
        x, y = y, x
    return reading.space.to_image(x, y, width=seen.width, height=seen.height)


def _scale(pairs: Iterator[tuple[float, float]]) -> float:
    ratios = [answered / true for answered, true in pairs]
    meant = [ratio for ratio in ratios if 0.8 <= ratio <= 1.25]  # noqa: PLR2004 - within a fifth
    return round(statistics.median(meant), 4) if meant else 1.0


def _suggested(best: NumberReading, formats: Sequence[tuple[str, Space]]) -> str:
    if best.swapped:
        return ""
    return next((name for name, space in formats if space == best.space), "")


def _words(
    verdict: str, counts: tuple[int, int, int, int], claimed: NumberReading, best: NumberReading
) -> str:
    hits, best_hits, parsed, asked = counts
    seen = f"{hits} of {asked} targets hit in {claimed.description}, {parsed} answers parsed"
    if verdict == "wrong-space":
        return f"{seen}; {best_hits} hit when the same numbers are read as {best.description}"
    if verdict == "inconclusive":
        return f"{seen}; too few to judge"
    return seen
