"""
A format: how one family of models is asked, and how its reply is read.

A format is data and two pure functions, so that a new family is one file. The picture is
sent as it is; where a family's server resizes it, the format states the rule, tells the
model the resized size, and converts the coordinates back.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import msgspec

from surefoot.core.canonical import digest
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box, Point
from surefoot.core.question import Parsed, Refusal, Unparsed
from surefoot.models.reading import MAX_REPLY_CHARS, Place, place_of
from surefoot.models.replies.answering import VERSION, AnswerReader
from surefoot.models.spaces import Space
from surefoot.models.spelling import ReplySpelling

PLACEHOLDER = re.compile(r"\{(instruction|width|height)\}")


class ChatMessages(msgspec.Struct, frozen=True):
    """
    Hold what a chat model is sent: an optional system text, and the user's turn.

    The user's turn has one image slot, before its text where ``image_first`` is true.
    """

    system: str
    user: str
    image_first: bool = True


class Prompt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Hold templates with {instruction}, {width} and {height}; other braces are literal.

    >>> Prompt("On {width}x{height} {go}: {instruction}").fill("Save", 640, 480).user
    'On 640x480 {go}: Save'
    """

    user: str
    system: str = ""
    image_first: bool = True

    def fill(self, instruction: str, width: int, height: int) -> ChatMessages:
        """Put the values in; a placeholder inside the instruction stays as it is."""
        values = {"instruction": instruction, "width": str(width), "height": str(height)}

        def value(found: re.Match[str]) -> str:
            return values[found[1]]

        return ChatMessages(
            PLACEHOLDER.sub(value, self.system),
            PLACEHOLDER.sub(value, self.user),
            self.image_first,
        )


class Prompts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Pair the prompt for an answer at once with the one that asks to reason first."""

    plain: Prompt
    reasoning: Prompt


def two_prompts(task: str, plain: str, reasoning: str, system: str = "") -> Prompts:
    """
    Return the two prompts of a task that differ in what stands for its {how}.

    >>> two_prompts("Where is it?{how}", "", " Think first.").reasoning.user
    'Where is it? Think first.'
    """
    return Prompts(
        plain=Prompt(task.replace("{how}", plain), system),
        reasoning=Prompt(task.replace("{how}", reasoning), system),
    )


class Format(msgspec.Struct, frozen=True, kw_only=True):
    """
    Describe one family: its prompts, its coordinate space and its reader.

    ``read`` takes the reply and returns a Place in ``space``, a Refusal, or Unparsed with
    the reason; it must be pure, must not raise, and must take time linear in the reply. It is
    given the answer alone: thoughts and what is the same in every family are read before it
    (``AnswerReader``). ``writes`` spells what ``read`` reads; training needs it.
    ``source`` names the document that the family's interface was taken from. ``models`` are
    patterns of the names of models that answer so, in lower case and without the owner
    ("gta1*"). ``plain_tokens`` and ``reasoning_tokens`` are the limits
    asked of the server. Where ``computer_tool`` is set, the maker's own computer tool is offered
    with each question about a place, and a call of it is the reply. ``image_pixels`` are limits
    of a server's own that a user gave, which ``space`` has.
    """

    name: str
    version: int
    summary: str
    space: Space
    prompts: Prompts
    read: Callable[[str], Place | Refusal | Unparsed]
    writes: ReplySpelling | None = None
    source: str = ""
    models: tuple[str, ...] = ()
    plain_tokens: int = 128
    reasoning_tokens: int = 1024
    computer_tool: bool = False
    image_pixels: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.read, AnswerReader):
            msgspec.structs.force_setattr(self, "read", AnswerReader(self.read))

    def messages(
        self, instruction: str, width: int, height: int, *, reasoning: bool
    ) -> ChatMessages:
        """
        Return what to send about an image of width x height pixels.

        The prompt names the size that the model sees, which is the resized one for
        families that are resized.
        """
        prompt = self.prompts.reasoning if reasoning else self.prompts.plain
        return prompt.fill(instruction, *self.space.shown(width, height))

    def parse(self, text: str, width: int, height: int, *, reasoning: bool = False) -> Parsed:
        """
        Read a reply about an image of width x height pixels, into pixels of that image.

        ``reasoning`` says that the reply was asked to reason before its answer.
        Never falls back to a default: what cannot be read is Unparsed with the reason. A
        place outside the image is kept as said; it is a miss, not a mistake of reading.
        """
        if len(text) > MAX_REPLY_CHARS:
            return Unparsed(f"a reply of over {MAX_REPLY_CHARS:,} characters")
        read = self.read
        if reasoning and isinstance(read, AnswerReader):
            read = read.reasoned
        place = read(text)
        if isinstance(place, Refusal | Unparsed):
            return place
        if not isinstance(place, Place):
            raise InvalidInputError(
                f"a place from the format '{self.name}' ({self.read.__module__})",
                found=f"{type(place).__name__}: {place!a:.80}",
                remedy="mend the format",
            )
        checked = place_of(place.numbers)
        if isinstance(checked, Unparsed):
            return checked
        numbers = checked.numbers
        if len(numbers) == 2:  # noqa: PLR2004 - a point is two numbers
            return self.space.to_image(*numbers, width=width, height=height)
        first = self.space.to_image(*numbers[:2], width=width, height=height)
        last = self.space.to_image(*numbers[2:], width=width, height=height)
        if last.x < first.x or last.y < first.y:
            return Unparsed("a box whose right bottom corner lies left of or above its left top")
        return Box(first.x, first.y, last.x, last.y)

    def write(
        self, answer: Point | Box | Refusal, width: int, height: int, *, thought: str = ""
    ) -> str:
        """
        Spell an answer, in pixels of a width x height image, as ``parse`` reads it.

        Places are rounded as the family writes them. A thought comes first, as after the prompt
        that asks to reason. Raises InvalidInputError for a format that does not say how it
        writes, and for a point where boxes are asked, or the other way round.

        >>> from surefoot.models.formats.gta1 import GTA1
        >>> GTA1.write(Point(640, 400), 1280, 800)
        '(644,406)'
        """
        if self.writes is None:
            raise InvalidInputError(
                f"a format that says how it writes answers, as training needs it: '{self.name}'",
                found="none",
                remedy="give its Format a ReplySpelling as 'writes'",
            )
        if isinstance(answer, Refusal):
            words = self.writes.declined(answer.reason)
        else:
            corners = (
                [answer]
                if isinstance(answer, Point)
                else [Point(*answer.as_tuple()[:2]), Point(*answer.as_tuple()[2:])]
            )
            size = {"width": width, "height": height}
            places = (self.space.from_image(corner, **size) for corner in corners)
            words = self.writes.place([number for place in places for number in place])
        return self.writes.behind(thought, words) if thought else words

    def tokens(self, *, reasoning: bool) -> int:
        """Return the most tokens that a reply is allowed."""
        return self.reasoning_tokens if reasoning else self.plain_tokens

    def identity(self) -> dict[str, object]:
        """Return all of the format that determines answers."""
        own = {"name": self.name, "version": self.version, "prompts": digest(self.prompts)}
        given = {"image_pixels": self.image_pixels} if self.image_pixels else {}
        return {**own, "reading": VERSION, **given}


def read_prompts(path: Path, own: Prompts) -> Prompts:
    """
    Read official prompts from a file: TOML with tables, or plain text.

    A ``.toml`` file holds a table ``plain``, a table ``reasoning``, or both, each with
    ``user`` and optionally ``system`` and ``image_first``; a missing table keeps ours. Any
    other file is the user's template of both. Raises InvalidInputError for a file that
    cannot be read or whose user template lacks {instruction}.
    """
    try:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".toml":
            tables = {"plain": own.plain, "reasoning": own.reasoning} | tomllib.loads(text)
            prompts = msgspec.convert(msgspec.to_builtins(tables), Prompts)
        else:
            prompts = Prompts(Prompt(text), Prompt(text))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.MsgspecError) as error:
        raise InvalidInputError(
            f"a prompt file at {path}",
            found=error,
            remedy="write TOML tables [plain] and [reasoning] with 'user' and 'system'",
        ) from error
    if not all("{instruction}" in prompt.user for prompt in (prompts.plain, prompts.reasoning)):
        raise InvalidInputError(
            f"{{instruction}} in each user prompt of {path}",
            found="none",
            remedy="mark the place where the instruction goes",
        )
    return prompts
