"""
Models that see the picture as a build's writer and judge, asked through its ledger.

A request is spelled as JSON and goes through a ``Writer`` as any prompt does: its reply is
committed, and it is never asked twice. Its pictures are drawn when it is sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import msgspec

from surefoot.benchmarks.seeing.pictures import DRAWING, draw_shown, read_request
from surefoot.core.canonical import sha256
from surefoot.core.errors import ModelError
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.pictures import size_of
from surefoot.core.question import Cell, Question, ScreenImage
from surefoot.core.replies.thoughts import answer_behind
from surefoot.models.format import ChatMessages
from surefoot.models.model import Reply, Request, Responder


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
        # Drawing takes a while, in which other replies can come.
        request = await asyncio.to_thread(_request, messages, max_tokens, self._images)
        reply = await self._responder.reply(request)
        return msgspec.structs.replace(reply, text=answer_behind(reply.text) or "")

    async def close(self) -> None:
        """Free connections; what is said afterwards opens them anew."""
        await self._responder.close()


def _request(messages: ChatMessages, max_tokens: int, images: Callable[[str], bytes]) -> Request:
    """Draw what a request spells; raises ModelError where a stored picture is none."""
    asked = read_request(messages.user)
    words = ChatMessages(messages.system, asked.words, messages.image_first)
    try:
        first, *further = (draw_shown(shown, images(shown.image)) for shown in asked.pictures)
        question = _question(asked.words, [first, *further])
    except OSError as error:
        raise ModelError("bad-image", expected="a picture", found=error) from error
    return Request(question, first, words, max_tokens, tuple(further))


def _question(words: str, pictures: Sequence[bytes]) -> Question:
    """Return what a backend is told besides the words: only the pictures count."""
    first, *further = (ScreenImage("", sha256(png), *size_of(png)) for png in pictures)
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
