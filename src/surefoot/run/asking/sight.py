"""
Models that see the picture as a build's writer and judge, asked through its ledger.

A request is spelled as JSON and goes through a ``Writer`` as any prompt does: its reply is
committed, and it is never asked twice. Its pictures are drawn when it is sent.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from surefoot.benchmarks.seeing.pictures import DRAWING, SeeingRequest, draw_shown, read_request
from surefoot.core.canonical import sha256
from surefoot.core.errors import ModelError
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.pictures import pixels_of
from surefoot.core.question import Cell, Question, ScreenImage
from surefoot.models.format import ChatMessages
from surefoot.models.model import Reply, Request, Responder
from surefoot.models.reading import after_thoughts

__all__ = ["PictureChat"]


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
