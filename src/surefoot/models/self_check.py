"""
The coordinate self-check: tells whether a model's places arrive in the space it claims.

Wrong scale and swapped axes are the commonest mistakes of published evaluations, and they
look like a weak model. Twelve drawn screens with one known target each tell them apart: a
weak model misses under every reading of its numbers, a misread one hits under another.

The screens differ in size and aspect, because readings of a number differ only there: a
thousandth of a 1280-pixel width is not a pixel, and a shrunk image is shrunk by its area.
"""

from __future__ import annotations

import asyncio
import io
import itertools
import statistics
from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

import msgspec
from PIL import Image, ImageDraw, ImageFont

from surefoot.core.canonical import sha256
from surefoot.core.errors import ModelError
from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Answer, Cell, Question
from surefoot.models.likely import RawReply
from surefoot.models.model import Model
from surefoot.models.opening import FORMATS
from surefoot.models.spaces import (
    IMAGE_PIXELS,
    PER_MILLE,
    UNIT,
    ResizeRule,
    Space,
    resized_pixels,
)

__all__ = [
    "LAYOUT",
    "NumberReading",
    "SelfCheck",
    "Sighting",
    "Verdict",
    "draw_screens",
    "judge",
    "readings",
    "self_check",
    "target_box",
]

# Width, height, where the target's centre lies (as shares of them), and its label. Large
# screens are many, since only they tell a server that shrinks images.
LAYOUT: tuple[tuple[int, int, float, float, str], ...] = (
    (2560, 1440, 0.92, 0.92, "Save"),
    (2560, 1440, 0.08, 0.90, "Open"),
    (2560, 1440, 0.70, 0.30, "Print"),
    (2560, 1440, 0.50, 0.60, "Send"),
    (1440, 2560, 0.85, 0.75, "Search"),
    (1920, 1080, 0.92, 0.10, "Close"),
    (1920, 1080, 0.30, 0.92, "Help"),
    (1920, 1080, 0.75, 0.55, "Share"),
    (1280, 800, 0.50, 0.50, "Start"),
    (1280, 800, 0.90, 0.80, "Reply"),
    (640, 480, 0.12, 0.12, "Login"),
    (390, 844, 0.70, 0.85, "Next"),
)
LARGEST_TEXT = 28.0  # pixels, as interfaces have it
BACKGROUND, BAR, BUTTON, WHITE = "#f3f4f6", "#d9dde3", "#1d4ed8", "#ffffff"
FEWEST_PARSED = 6
CLEAR_HITS = 7  # of twelve
CLEAR_LEAD = 5  # targets that only the other reading hits: by chance below 1 in 10,000
CLEAR_SHARE = 0.6

# Areas that a server may be set to shrink images to: 256 patches of 28 x 28 pixels and up,
# in steps of 15%, which is near enough to hit the targets and too coarse to be exact.
SERVER_LIMITS = tuple(round(256 * 28 * 28 * 1.15**step) for step in range(31))


Verdict: TypeAlias = Literal["ok", "wrong-space", "inconclusive"]


def target_box(width: int, height: int, across: float, down: float) -> Box:
    """
    Return the target's box: 14% x 8% of the screen around a centre, kept inside.

    >>> target_box(1000, 500, 0.5, 0.5)
    Box(left=430.0, top=230.0, right=570.0, bottom=270.0)
    """
    wide, tall = float(round(0.14 * width)), float(round(0.08 * height))
    left = min(max(round(across * width - wide / 2), 0), width - wide)
    top = min(max(round(down * height - tall / 2), 0), height - tall)
    return Box(float(left), float(top), left + wide, top + tall)


def draw_screens(*, reasoning: bool = False) -> tuple[tuple[Question, bytes], ...]:
    """Return each screen's question and its PNG bytes; the same ones every time."""
    screens = []
    for number, (width, height, across, down, label) in enumerate(LAYOUT, start=1):
        truth = target_box(width, height, across, down)
        image = _draw(width, height, truth, label)
        name = f"self-check-{number:02}"
        instruction = Instruction(
            text=f"Click the '{label}' button",
            language="en",
            kind="direct",
            specificity="high",
            expression=Expression(role="button", name=label),
            target="target",
        )
        question = Question(
            id=name,
            pair=name,
            cluster=name,
            cell=Cell("original", "direct", reasoning),
            screen=name,
            image=sha256(image),
            width=width,
            height=height,
            instruction=instruction,
            truth=truth,
            role="button",
        )
        screens.append((question, image))
    return tuple(screens)


def _draw(width: int, height: int, truth: Box, label: str) -> bytes:
    image = Image.new("RGB", (width, height), BACKGROUND)
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 0, width, height // 30), fill=BAR)
    pen.rounded_rectangle(truth.as_tuple(), radius=6, fill=BUTTON)
    size = min((truth.bottom - truth.top) * 0.5, LARGEST_TEXT)
    font = ImageFont.load_default(size)
    middle = truth.center
    pen.text((middle.x, middle.y), label, fill=WHITE, font=font, anchor="mm")
    file = io.BytesIO()
    image.save(file, "PNG", compress_level=6)
    return file.getvalue()


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
        if isinstance(self.space.resize, ResizeRule):
            words += f" (at most about {self.space.resize.max_pixels:,})"
        elif self.space.resize:
            words += f" (at most {self.space.resize.max_patches:,} patches)"
        return words + (" with x and y swapped" if self.swapped else "")


class SelfCheck(msgspec.Struct, frozen=True):
    """
    Report what the self-check saw.

    ``hits`` counts targets hit as the format claims, ``best_hits`` under ``best``, the
    reading that explains the answers best. ``x_scale`` and ``y_scale`` are the median
    ratios of answer to truth among answers near enough to be meant, 1.0 where there are
    none. ``suggestion`` names a format that has the space of ``best``, or is "". ``replies``
    are those that came, as they came.
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
    replies: tuple[RawReply, ...] = ()


async def self_check(model: Model, *, reasoning: bool = False) -> SelfCheck:
    """
    Ask a model about twelve drawn screens and judge where its answers land.

    Questions that fail count as not parsed; raises the first ModelError when every one of
    them failed.
    """
    screens = draw_screens(reasoning=reasoning)
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
        if isinstance(outcome, Answer)
    )
    return msgspec.structs.replace(found, failed=len(failures), replies=replies)


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
        x_scale=_scale((sighting.point.x, sighting.truth.center.x) for sighting in sightings),
        y_scale=_scale((sighting.point.y, sighting.truth.center.y) for sighting in sightings),
        seen=_words(verdict, (hits, best_hits, len(sightings), asked), as_claimed, best),
        suggestion=_suggested(best, formats) if verdict == "wrong-space" else "",
        sightings=sightings,
    )


def readings(claimed: Space) -> tuple[NumberReading, ...]:
    """Return every reading that is tried beside the claimed one, the plainest first."""
    rule = claimed.resize
    like = rule if isinstance(rule, ResizeRule) else ResizeRule(28, 3136, 3136)
    factor, least = like.factor, like.min_pixels
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
    return sum(
        sighting.truth.contains(_reread(sighting, claimed, reading)) for sighting in sightings
    )


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
