"""
Zoom: ask, cut the picture around the click, enlarge that, ask again, and map the click back.

The cut has the picture's proportions, its sides are the picture's divided by the factor, in whole
pixels, and it is moved into the picture where the click is near a border. It is enlarged by the
factor again (Lanczos), so that the second picture is as large as the first. The second reply is
the answer, whatever it is; where the first names no place, it is.
"""

from __future__ import annotations

import asyncio
from typing import Final

import msgspec

from surefoot.core.canonical import sha256
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box, Point, window_around
from surefoot.core.question import Answer, Parsed, Question
from surefoot.models.backend import Options
from surefoot.models.model import Model
from surefoot.models.wrapper import Wrapper, joined

MOST: Final = 16.0


class View(msgspec.Struct, frozen=True):
    """
    Map between a picture and an enlarged window of it.

    ``window`` is in whole pixels of the picture, ``width`` and ``height`` are those of the view.
    """

    window: Box
    width: int
    height: int

    @property
    def scales(self) -> tuple[float, float]:
        """Return how many pixels of the view one of the picture takes, across and down."""
        return self.width / self.window.width, self.height / self.window.height

    def back(self, point: Point) -> Point:
        """
        Return where a point of the view lies in the picture.

        >>> View(Box(100, 50, 300, 150), 400, 200).back(Point(10, 20))
        Point(x=105.0, y=60.0)
        """
        across, down = self.scales
        return Point(self.window.left + point.x / across, self.window.top + point.y / down)

    def into(self, point: Point) -> Point:
        """Return where a point of the picture lies in the view, which may be outside it."""
        across, down = self.scales
        return Point((point.x - self.window.left) * across, (point.y - self.window.top) * down)

    def box(self, box: Box) -> Box:
        """Return where a box of the picture lies in the view."""
        return box.moved(-self.window.left, -self.window.top).scaled(*self.scales)

    def answer(self, parsed: Parsed) -> Parsed:
        """Return what was read in the view, places in pixels of the picture."""
        if isinstance(parsed, Point):
            return self.back(parsed)
        if isinstance(parsed, Box):
            left, top, right, bottom = parsed.as_tuple()
            first, last = self.back(Point(left, top)), self.back(Point(right, bottom))
            return Box(first.x, first.y, last.x, last.y)
        return parsed


def view_at(click: Point, width: int, height: int, factor: float) -> View:
    """
    Return the view around a click in a picture of width x height pixels.

    >>> view_at(Point(10, 200), 800, 400, 2.0)
    View(window=Box(left=0.0, top=100.0, right=400.0, bottom=300.0), width=800, height=400)
    """
    least = (max(1.0, width / factor), max(1.0, height / factor))
    around = Box(click.x, click.y, click.x, click.y)
    window = window_around(around, Box(0, 0, width, height), least=least, margin=0)
    return View(
        window, max(1, round(window.width * factor)), max(1, round(window.height * factor))
    )


def shown_in(view: View, picture: bytes) -> bytes:
    """Return the window of a picture as it is enlarged, as PNG."""
    from PIL import Image

    from surefoot.core.pictures import opened, png_of

    window = tuple(round(side) for side in view.window.as_tuple())
    cut = opened(picture).crop(window)  # type: ignore[arg-type]
    return png_of(cut.resize((view.width, view.height), Image.Resampling.LANCZOS))


def asked_in(question: Question, view: View, shown: bytes) -> Question:
    """Return a question about the enlarged window; its truth moves with the pixels."""
    return msgspec.structs.replace(
        question,
        image=sha256(shown) if shown else "",
        width=view.width,
        height=view.height,
        truth=view.box(question.truth),
        boxes=tuple(view.box(box) for box in question.boxes),
        polygon=tuple(view.into(corner) for corner in question.polygon),
    )


class ZoomAsking(msgspec.Struct, frozen=True):
    """Ask twice, the second time about the surroundings of the first click."""

    factor: float

    @property
    def asks(self) -> int:
        """Return two."""
        return 2

    def identity(self) -> dict[str, object]:
        """Return the factor."""
        return {"factor": self.factor}

    def options(self, given: Options) -> Options:
        """Return the options as they are."""
        return given

    async def answer(
        self, model: Model, question: Question, image: bytes, *further: bytes
    ) -> Answer:
        """Return the second answer; the first where it names no place in one picture."""
        first = await model.answer(question, image, *further)
        click = first.parsed.center if isinstance(first.parsed, Box) else first.parsed
        if question.asks != "place" or not isinstance(click, Point):
            return joined(question, [("the whole picture", first)], first.parsed)
        view = view_at(click, question.width, question.height, self.factor)
        shown = await asyncio.to_thread(shown_in, view, image) if image else b""
        second = await model.answer(asked_in(question, view, shown), shown)
        left, top, right, bottom = (round(side) for side in view.window.as_tuple())
        where = f"{self.factor:g} times as large, from {left}, {top} to {right}, {bottom}"
        parts = [("the whole picture", first), (where, second)]
        return joined(question, parts, view.answer(second.parsed))


def _open(setting: str) -> ZoomAsking:
    try:
        factor = float(setting)
    except ValueError:
        factor = 0.0
    if not 1 < factor <= MOST:
        raise InvalidInputError(
            f"a factor over 1, up to {MOST:g}", found=f"'{setting}'", remedy="write zoom:2@MODEL"
        )
    return ZoomAsking(factor)


ZOOM = Wrapper(
    name="zoom",
    version=1,
    summary="asks, enlarges what lies around the click, and asks again",
    usage="zoom:FACTOR@MODEL",
    open=_open,
)
