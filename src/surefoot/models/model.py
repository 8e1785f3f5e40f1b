"""
A model under test: a format's words, and a responder that turns them into a reply.
"""

from __future__ import annotations

from typing import Protocol

import msgspec

from surefoot.core.canonical import digest
from surefoot.core.errors import ModelError
from surefoot.core.geometry import Box, Point
from surefoot.core.question import Answer, Choice, Parsed, Question, Usage
from surefoot.models import worded
from surefoot.models.format import ChatMessages, Format
from surefoot.models.reading import writable
from surefoot.models.replies.answering import CUT
from surefoot.models.replies.letters import TokenChoice, asks_letter, label_probabilities


class Request(msgspec.Struct, frozen=True):
    """
    Hold all that one reply may depend on; ``image`` are the bytes that ``question`` names.

    ``further`` are those of its further pictures, in their order. ``computer_tool`` asks for
    the maker's own computer tool to be offered.
    """

    question: Question
    image: bytes
    messages: ChatMessages
    max_tokens: int
    further: tuple[bytes, ...] = ()
    computer_tool: bool = False


class Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    Hold a reply's text, what it used, and its tokens' alternatives where they were told.

    ``tokens`` are the text's in their order, each with the probabilities of what could have
    stood there. ``cut`` says that the limit of tokens ended the text. ``unscrubbed`` is the text
    as it came, where secrets were taken out of it: it is read, and never kept or shown.
    """

    text: str
    usage: Usage = Usage()
    tokens: tuple[TokenChoice, ...] = ()
    cut: bool = False
    unscrubbed: str = ""

    def __repr__(self) -> str:
        return f"Reply({self.text!r}, ...)"


class Responder(Protocol):
    """
    Answer requests somewhere: on a server, on this machine, or from a record.

    ``name`` is what reports call the model. ``speaks`` is the name of the format that the
    replies are known to be in, "" where the model's name has to tell.
    """

    @property
    def name(self) -> str:
        """Return the model's name, without address or path."""

    @property
    def speaks(self) -> str:
        """Return the name of the replies' format, "" where it is not known."""

    def identity(self) -> dict[str, object]:
        """Return what determines replies besides the format; no secret."""

    async def reply(self, request: Request) -> Reply:
        """Return the reply to one request; raises ModelError where there is none."""

    async def close(self) -> None:
        """Free connections and threads; the responder is not used afterwards."""


class TextChat(Protocol):
    """
    Reply to words alone: what writes or plans where no picture is to be looked at.

    ``name`` is the model's, without address or path.
    """

    @property
    def name(self) -> str:
        """Return the model's name."""

    def identity(self) -> dict[str, object]:
        """Return what determines replies besides the words; no secret."""

    async def say(self, messages: ChatMessages, max_tokens: int) -> Reply:
        """Return the reply to one turn; raises ModelError where there is none."""

    async def close(self) -> None:
        """Free connections; what is said afterwards opens them anew."""


def messages_about(question: Question, form: Format) -> ChatMessages:
    """Return what a model of a format is sent about a question."""
    if question.asks != "place":
        return worded.messages(question)
    text, reasoning = question.instruction.text, question.cell.reasoning
    return form.messages(text, question.width, question.height, reasoning=reasoning)


def parsed_reply(text: str, question: Question, form: Format, *, cut: bool = False) -> Parsed:
    """Read a reply to a question, as every run and every reward does; a cut one is Unparsed."""
    if cut:
        return CUT
    if question.asks != "place":
        return worded.read_reply(text, question)
    reasoning = question.cell.reasoning
    return form.parse(text, question.width, question.height, reasoning=reasoning)


class Model:
    """
    Answer questions: fill the format's prompt, get a reply, read it.

    A question that words or an option answer is asked and read as ``worded`` has it, in
    every format alike. ``checkable`` says whether the coordinate self-check makes sense: it
    does for models that look at the image. ``blind`` ones never look, and need none.
    ``several`` says that all pictures of a question are looked at; what looks at one alone
    is asked no question of several.
    """

    def __init__(
        self,
        responder: Responder,
        form: Format,
        *,
        checkable: bool = True,
        blind: bool = False,
        several: bool = False,
    ) -> None:
        self.responder = responder
        self.format = form
        self.checkable = checkable
        self.blind = blind
        self.several = several

    @property
    def name(self) -> str:
        """Return the model's name as reports show it."""
        return self.responder.name

    def identity(self) -> dict[str, object]:
        """
        Return all that determines answers, for the plan; holds no secret.

        Two models with equal identities give equal answers as far as a client can see.
        """
        own = self.responder.identity()
        formats = {"format": self.format.identity(), "worded": worded.identity()}
        return {"name": self.name, **own, **formats}

    def sees(self, question: Question) -> bool:
        """
        Tell whether a question's pictures are all looked at, or none has to be.

        A place is asked for in one picture: the words of formats speak of one.
        """
        return not question.further or self.blind or (self.several and question.asks != "place")

    async def answer(self, question: Question, image: bytes, *further: bytes) -> Answer:
        """
        Return the raw reply to a question and what it parses to, in pixels of the image.

        ``further`` are the bytes of the question's further pictures. Raises ModelError where
        no reply was had, also "several-pictures" for a question that the model does not see
        whole; an unreadable reply is Unparsed, and so is one that was cut.
        """
        if not self.sees(question):
            raise ModelError(
                "several-pictures",
                expected=f"a question about one picture for {self.name}",
                found=f"one about {len(question.images)}",
                remedy="ask a model that looks at several pictures, such as openai:NAME@BASE_URL",
            )
        reasoning = question.cell.reasoning
        reply = await self.responder.reply(
            Request(
                question,
                image,
                messages_about(question, self.format),
                self.format.tokens(reasoning=reasoning),
                further,
                self.format.computer_tool and question.asks == "place",
            )
        )
        text = writable(reply.text)
        parsed = parsed_reply(text, question, self.format, cut=reply.cut)
        if reply.unscrubbed and not reply.cut:
            # A header's value may be a word of the reply: places are read before it is gone.
            whole = parsed_reply(writable(reply.unscrubbed), question, self.format)
            parsed = whole if isinstance(whole, Point | Box | Choice) else parsed
        has_choices = asks_letter(question) and not reply.cut
        choices = label_probabilities(reply.tokens, question.options) if has_choices else {}
        return Answer(question.id, text, parsed, reply.usage, choices)

    def notes(self) -> list[str]:
        """Return what a person should know of how questions were asked, if the responder says."""
        notes = getattr(self.responder, "notes", None)
        return [] if notes is None else list(notes())

    def speed(self) -> object:
        """Return how fast questions were answered here, None if the responder does not say."""
        speed = getattr(self.responder, "speed", None)
        return None if speed is None else speed()

    def prepare(self) -> None:
        """Load what has to be loaded before the first question; raises as the responder does."""
        prepare = getattr(self.responder, "prepare", None)
        if prepare is not None:
            prepare()

    async def close(self) -> None:
        """Free what the model holds."""
        await self.responder.close()

    def __repr__(self) -> str:
        return f"Model({self.name!r}, {self.format.name!r}, {digest(self.identity())[:12]})"
