"""
The very prompts that ``surefoot run`` sends about drawn screens, and the replies to learn.

What stays the same in every prompt is found by asking twice; the tokenizer makes it few tokens.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Final

import msgspec

from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Cell, Question
from surefoot.models import worded
from surefoot.models.format import ChatMessages, Format
from surefoot.models.opening import FORMATS
from surefoot_studies.tiny.asking import LABELS, ChoiceItem, ClickItem
from surefoot_studies.tiny.drawing import DrawnFigure, DrawnLayout, DrawnScreen
from surefoot_studies.tiny.spoken import nearest

CALL: Final = (
    '<tool_call>\n{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [',
    ", ",
    "]}}\n</tool_call>",
)
IMAGE: Final = "<|vision_start|><|image_pad|><|vision_end|>"
_NOWHERE: Final = Box(0.0, 0.0, 0.0, 0.0)


class DrawnExchange(msgspec.Struct, frozen=True):
    """Pair what a model is sent with the reply that it is to learn."""

    messages: ChatMessages
    reply: str


class Prompter:
    """Ask about screens of one size as a format does, places to the nearest of a grid."""

    def __init__(self, speaks: str, layout: DrawnLayout, grid: int) -> None:
        self.format: Format = FORMATS.get(speaks)
        self.layout = layout
        self.grid = grid

    def click(self, item: ClickItem) -> DrawnExchange:
        """Return the exchange about a click: the figure is named, then clicked."""
        call = self.call(item.figure.box.center)
        return DrawnExchange(self._click(item.text()), f" {_name(item.figure)}\n{call}")

    def choice(self, item: ChoiceItem, language: str) -> DrawnExchange:
        """Return the exchange about a choice; the reply is the label alone."""
        return DrawnExchange(self._choice(item.text(language)), item.label)

    def description(self, drawing: DrawnScreen) -> DrawnExchange:
        """Return an exchange that is never asked by Surefoot: all figures, from left to right."""
        figures = sorted(drawing.figures, key=lambda figure: figure.box.center.x)
        lines = (f" {_name(figure)} {self.spelled(figure.box.center)}" for figure in figures)
        return DrawnExchange(ChatMessages("", "What is on the screen?"), "\n".join(lines))

    def call(self, point: Point) -> str:
        """Return the reply that clicks a point, in pixels of the picture."""
        head, _, tail = CALL
        return f"{head}{self.spelled(point)}{tail}"

    def spelled(self, point: Point) -> str:
        """Return a point's coordinates as they are said, in the format's space."""
        size = {"width": self.layout.width, "height": self.layout.height}
        places = (nearest(part, self.grid) for part in self.format.space.from_image(point, **size))
        return CALL[1].join(map(str, places))

    def numbers(self) -> tuple[int, ...]:
        """Return all coordinates that are ever said."""
        return tuple(range(self.grid // 2, 1000, self.grid))

    def fixed(self) -> tuple[str, ...]:
        """
        Return what stands in every prompt and reply, always in one order.

        So the tokens of prompts that are said in other words are the same ones.
        """
        click, other = self._click("Save"), self._click("Open")
        choice, second = self._choice("Save"), self._choice("Open")
        pieces = [
            click.system,
            _common(click.user, other.user),
            _common(click.user[::-1], other.user[::-1])[::-1],
            _common(choice.user, second.user),
            _common(choice.user[::-1], second.user[::-1])[::-1],
            *CALL,
            *(f"\n{label}:" for label in LABELS),
        ]
        return tuple(dict.fromkeys(filter(None, pieces)))

    def _click(self, text: str) -> ChatMessages:
        return self.format.messages(text, self.layout.width, self.layout.height, reasoning=False)

    def _choice(self, text: str) -> ChatMessages:
        return worded.messages(
            Question(
                "", "", "", Cell("", ""), "", "", self.layout.width, self.layout.height,
                Instruction(text, "en", "given", "high", Expression(), ""),
                _NOWHERE, asks="option", options=tuple(LABELS),
            )
        )  # fmt: skip


def _name(figure: DrawnFigure) -> str:
    return figure.word or f"{figure.colour} {figure.shape}"


def _common(one: str, other: str) -> str:
    """Return what two texts begin with."""
    pairs = zip(one, other, strict=False)
    return "".join(sign for sign, _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))


def rendered(exchange: DrawnExchange, image_tokens: int) -> tuple[str, str]:
    """Return prompt and reply as the chat template has them, the picture as so many tokens."""
    return "".join(_parts(exchange.messages, image_tokens)), f"{exchange.reply}<|im_end|>"


def _parts(messages: ChatMessages, image_tokens: int) -> Iterator[str]:
    if messages.system:
        yield f"<|im_start|>system\n{messages.system}<|im_end|>\n"
    image = IMAGE.replace("<|image_pad|>", "<|image_pad|>" * image_tokens)
    first, last = (image, messages.user) if messages.image_first else (messages.user, image)
    yield f"<|im_start|>user\n{first}{last}<|im_end|>\n<|im_start|>assistant\n"
