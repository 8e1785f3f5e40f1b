"""
Median: ask n times with a temperature, and take the median of the places.

The median is taken of each coordinate alone. Where the replies disagree it may lie where none of
them does, between two controls: if not more than half of the places lie within a twentieth of
the picture's diagonal of it, the medoid is taken, the place with the smallest sum of distances to
all others (the first of equals). A box counts by its centre. If more than half of the replies
cannot be read there is no answer; else, if more refuse than name a place, the answer is the first
refusal. Words and options go by the most frequent reply, the first of equals.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import Final, TypeVar

import msgspec

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box, Point
from surefoot.core.question import Answer, Choice, Parsed, Question, Refusal, Text, Unparsed
from surefoot.models.backend import Options
from surefoot.models.model import Model
from surefoot.models.wrapper import Wrapper, joined

MOST: Final = 100
WARM: Final = 0.7  # the temperature, where none above 0 is given
NEAR: Final = 1 / 20  # of the diagonal: places so close to the median agree with it

T = TypeVar("T")


def middle(places: Sequence[Point], width: float, height: float) -> Point:
    """
    Return the median of places in a picture, or their medoid where they disagree.

    >>> middle([Point(10, 10), Point(12, 11), Point(300, 5)], 400, 300)
    Point(x=12.0, y=10.0)
    >>> middle([Point(0, 0), Point(400, 0), Point(0, 300), Point(2, 300)], 400, 300)
    Point(x=2.0, y=300.0)
    """
    median = Point(
        float(statistics.median(place.x for place in places)),
        float(statistics.median(place.y for place in places)),
    )
    reach = NEAR * math.hypot(width, height)
    agreeing = sum(place.distance(median) <= reach for place in places)
    if 2 * agreeing > len(places):
        return median
    sums = [sum(place.distance(other) for other in places) for place in places]
    medoid = places[sums.index(min(sums))]
    return Point(float(medoid.x), float(medoid.y))


def voted(replies: Sequence[Parsed], width: float, height: float) -> Parsed:
    """
    Return what several replies to one question come to, in a picture of width x height.

    >>> voted([Point(1, 1), Refusal("no"), Refusal("none")], 100, 100)
    Refusal(reason='no')
    """
    unread = [reply for reply in replies if isinstance(reply, Unparsed)]
    if 2 * len(unread) > len(replies):
        return Unparsed(f"{len(unread)} of {len(replies)} replies; the first: {unread[0].why}")
    refusals = [reply for reply in replies if isinstance(reply, Refusal)]
    places = [
        reply.center if isinstance(reply, Box) else reply
        for reply in replies
        if isinstance(reply, Box | Point)
    ]
    words = [reply for reply in replies if isinstance(reply, Choice | Text)]
    if len(refusals) > len(places) + len(words):
        return refusals[0]
    if len(words) > len(places):
        return _commonest(words)
    if not places:  # as many refuse as cannot be read
        return refusals[0] if refusals else unread[0]
    return middle(places, width, height)


def _commonest(items: Sequence[T]) -> T:
    return max(items, key=items.count)


class MedianAsking(msgspec.Struct, frozen=True):
    """Ask several times, each time as a sample of its own."""

    count: int

    @property
    def asks(self) -> int:
        """Return how often is asked."""
        return self.count

    def identity(self) -> dict[str, object]:
        """Return how often is asked."""
        return {"count": self.count}

    def options(self, given: Options) -> Options:
        """Return the options with a temperature above 0: at 0 all replies would be one."""
        if given.temperature == 0:
            return msgspec.structs.replace(given, temperature=WARM)
        return given

    async def answer(
        self, model: Model, question: Question, image: bytes, *further: bytes
    ) -> Answer:
        """Return the median of the answers; raises ModelError where one is not had."""
        answers = [
            await model.answer(self._sample(question, number), image, *further)
            for number in range(1, self.count + 1)
        ]
        found = voted([item.parsed for item in answers], question.width, question.height)
        return joined(question, [("", item) for item in answers], found)

    def _sample(self, question: Question, number: int) -> Question:
        """Return the question as one of its samples, so that servers draw by another seed."""
        sample = (question.sample - 1) * self.count + number
        name = question.first_sample
        return msgspec.structs.replace(
            question, id=name if sample == 1 else f"{name}~{sample}", sample=sample
        )


def _open(setting: str) -> MedianAsking:
    count = int(setting) if setting.isdecimal() and len(setting) < len(f"{MOST}0") else 0
    if not 1 < count <= MOST:
        raise InvalidInputError(
            f"how often to ask, 2 to {MOST}", found=f"'{setting}'", remedy="write median:5@MODEL"
        )
    return MedianAsking(count)


MEDIAN = Wrapper(
    name="median",
    version=1,
    summary="asks several times with a temperature, and takes the median place",
    usage="median:COUNT@MODEL",
    open=_open,
)
