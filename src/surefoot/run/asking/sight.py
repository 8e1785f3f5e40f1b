"""
Models that see the picture as a build's writer and judge, asked through its ledger.

A request is spelled as JSON and goes through a ``Writer`` as any prompt does: its reply is
committed, and it is never asked twice. Its pictures are drawn when it is sent.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import msgspec

from surefoot.benchmarks.seeing.pictures import DRAWING, SeeingRequest, draw_shown, read_request
from surefoot.benchmarks.seeing.prompts import SeeingPrompts
from surefoot.benchmarks.seeing.sight import Sight
from surefoot.core.canonical import canonical_json, sha256
from surefoot.core.errors import ModelError
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.ledger import Failure, Ledger
from surefoot.core.pictures import pixels_of
from surefoot.core.question import Cell, Question, ScreenImage
from surefoot.models.format import ChatMessages
from surefoot.models.model import Reply, Request, Responder
from surefoot.models.reading import after_thoughts
from surefoot.run.asking.writer import Writer

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["PictureChat", "SeeingWriter", "seeing_writer"]

TOKENS: Final = 1024


class PictureChat:
    """
    Reply to requests spelled as JSON, with their pictures; ``images`` returns stored bytes.
    """

    def __init__(self, responder: Responder, images: Callable[[str], bytes]) -> None:
        self._responder = responder
        self._images = images

    @property
    def name(self) -> str:
        """Return the model's name."""
        return self._responder.name

    def identity(self) -> dict[str, object]:
        """Return what determines replies besides the request; no secret."""
        return {**self._responder.identity(), "drawing": DRAWING}

    async def say(self, messages: ChatMessages, max_tokens: int) -> Reply:
        """Return the reply to a request, without its thoughts; raises ModelError."""
        asked = read_request(messages.user)
        pictures = [_drawn(asked, at, self._images) for at in range(len(asked.pictures))]
        words = ChatMessages(messages.system, asked.words, messages.image_first)
        question = _question(asked.words, pictures)
        first, *further = pictures
        reply = await self._responder.reply(
            Request(question, first, words, max_tokens, tuple(further))
        )
        return msgspec.structs.replace(reply, text=after_thoughts(reply.text))

    async def close(self) -> None:
        """Free connections; what is said afterwards opens them anew."""
        await self._responder.close()


def _drawn(asked: SeeingRequest, at: int, images: Callable[[str], bytes]) -> bytes:
    shown = asked.pictures[at]
    try:
        return draw_shown(shown, images(shown.image))
    except OSError as error:
        raise ModelError("bad-image", expected="a picture", found=error) from error


def _question(words: str, pictures: list[bytes]) -> Question:
    """Return what a backend is told besides the words: only the pictures count."""
    shown = []
    for picture in pictures:
        height, width = pixels_of(picture).shape[:2]
        shown.append(ScreenImage("", sha256(picture), width, height))
    first, *further = shown
    return Question(
        id=first.image,
        pair=first.image,
        cluster="request",
        cell=Cell("original", "given"),
        screen="",
        image=first.image,
        width=first.width,
        height=first.height,
        instruction=Instruction(words, "en", "given", "high", Expression(), ""),
        truth=Box(0, 0, 0, 0),
        asks="words",
        further=tuple(further),
    )


class SeeingWriter:
    """
    Pair a writer that sees with a judge that does, None where nobody judges.
    """

    def __init__(self, writer: Writer, judge: Writer | None, prompts: SeeingPrompts) -> None:
        self._writer = writer
        self._judge = judge
        self._prompts = prompts

    @property
    def name(self) -> str:
        """Return the writer's name, and the judge's."""
        return (
            f"{self._writer.name}, judge {self._judge.name}" if self._judge else self._writer.name
        )

    @property
    def unread(self) -> tuple[Failure, ...]:
        """Return the requests whose record is no reply."""
        judged = self._judge.unread if self._judge else ()
        return (*self._writer.unread, *judged)

    def plan(self) -> dict[str, object]:
        """Return all that determines what is written and judged; no secret."""
        judge = {} if self._judge is None else {"judge": self._judge.identity()}
        return {"writer": {**self._writer.identity(), "sees": "picture"}, **judge}

    def sight(self, ledger: Ledger, console: Console | None = None) -> Sight:
        """Return what a benchmark asks; raises as ``Writer.chat`` does."""
        judge = self._judge
        return Sight(
            write=self._writer.chat(ledger, console),
            prompts=self._prompts,
            judge=None if judge is None else judge.chat(ledger, console),
            judge_name="" if judge is None else judge.name,
        )


def seeing_writer(
    writer: Responder,
    judge: Responder | None,
    prompts: SeeingPrompts,
    images: Callable[[str], bytes],
) -> SeeingWriter:
    """Return a writer and a judge that see pictures, whose stored bytes ``images`` returns."""

    def asked(responder: Responder) -> Writer:
        words = canonical_json(prompts).decode()
        return Writer(PictureChat(responder, images), words=words, tokens=TOKENS)

    return SeeingWriter(asked(writer), None if judge is None else asked(judge), prompts)
