"""
What one model is asked once, and what its reply parsed to.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Instruction

# What no reply takes: a server that says more has not counted.
MOST_TOKENS: Final = 2**53
MOST_DOLLARS: Final = 10**6


class Choice(msgspec.Struct, frozen=True, array_like=True, tag="choice", gc=False):
    """Hold the label of the option that was chosen."""

    label: str


class Text(msgspec.Struct, frozen=True, array_like=True, tag="text", gc=False):
    """Hold a reply in words."""

    text: str


class Refusal(msgspec.Struct, frozen=True, array_like=True, tag="refusal", gc=False):
    """Say that the model declared the task impossible, in its own words."""

    reason: str


class Unparsed(msgspec.Struct, frozen=True, array_like=True, tag="unparsed", gc=False):
    """Say why a reply could not be read; it is counted and shown, never a click."""

    why: str


Parsed: TypeAlias = Point | Box | Choice | Text | Refusal | Unparsed
Asks: TypeAlias = Literal["place", "words", "option"]


class Cell(msgspec.Struct, frozen=True, order=True, gc=False):
    """Name the condition that a question stands in."""

    variant: str
    instruction: str
    reasoning: bool = False


class ScreenImage(msgspec.Struct, frozen=True, gc=False):
    """
    Name a picture of a question: its screen's id, its hash, its size in pixels.
    """

    screen: str
    image: str
    width: int
    height: int


class Question(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """
    State what is asked: an image by its hash, an instruction, the truth and the cell.

    ``width`` and ``height`` are pixels of the image; ``truth`` is in the same space.
    Questions that share ``pair`` differ only in their cell; questions that share
    ``cluster`` are not independent: it is the site (web site, app, program), or the page
    where there is none. ``screen`` is the id of the screen shown, ``page`` the name of its
    page, "" where that is the cluster.

    ``boxes`` are further places that are as right as ``truth``. Where ``polygon`` has
    corners, what is right is its inside, and ``truth`` is the box around it. Where
    ``answerable`` is false only a Refusal is right, and ``truth`` is an empty box at the
    origin. ``answers`` are the words, or the labels of options, that are right. ``asks``
    says what a reply has to be: a place, a few words, or the label of one of ``options``,
    which are in the order in which the instruction has them. Where a question is asked several
    times, each time is a question of its own, and ``sample`` numbers them from 1. ``split``,
    ``platform`` ("web", "desktop", "mobile") and ``system`` (the operating system) are as
    the data set gives them, "" where it does not; so are ``facts``. ``further`` are the
    pictures that are shown after ``image``, in that order; places are in ``image`` alone.
    """

    id: str
    pair: str
    cluster: str
    cell: Cell
    screen: str
    image: str
    width: int
    height: int
    instruction: Instruction
    truth: Box
    role: str = ""
    boxes: tuple[Box, ...] = ()
    polygon: tuple[Point, ...] = ()
    answerable: bool = True
    answers: tuple[str, ...] = ()
    split: str = ""
    platform: str = ""
    system: str = ""
    facts: dict[str, str] = {}
    asks: Asks = "place"
    options: tuple[str, ...] = ()
    page: str = ""
    sample: int = 1
    further: tuple[ScreenImage, ...] = ()

    @property
    def images(self) -> tuple[str, ...]:
        """Return the hashes of all pictures in their order, "" for one that is not at hand."""
        return tuple(shown.image for shown in self.screen_images)

    @property
    def screen_images(self) -> tuple[ScreenImage, ...]:
        """Return all pictures in their order."""
        return (ScreenImage(self.screen, self.image, self.width, self.height), *self.further)

    @property
    def first_sample(self) -> str:
        """Return the id of the question that this one asks again, or its own."""
        return self.id.removesuffix(f"~{self.sample}") if self.sample > 1 else self.id

    @property
    def page_name(self) -> str:
        """Return the page's name, which is the cluster where no other is told."""
        return self.page or self.cluster


class Usage(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Count the tokens, and the cost in US dollars, that a reply reported."""

    prompt_tokens: Annotated[int, msgspec.Meta(ge=0, le=MOST_TOKENS)] = 0
    completion_tokens: Annotated[int, msgspec.Meta(ge=0, le=MOST_TOKENS)] = 0
    cost: Annotated[float, msgspec.Meta(ge=0, le=MOST_DOLLARS)] = 0.0


class Answer(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """
    Pair the raw reply to a question with what it parsed to, in pixels of the image.

    ``probabilities`` are those of the labels of the question's options where the reply names
    one, as the server told them: of a label that it did not tell there is none, and of most
    replies there are none at all.
    """

    question: str
    raw: str
    parsed: Parsed
    usage: Usage = Usage()
    probabilities: dict[str, Annotated[float, msgspec.Meta(ge=0, le=1)]] = {}
