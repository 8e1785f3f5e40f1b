"""
The seam of wrappers: ways to ask any model more than once for one answer.

A wrapper is named before the model, ``NAME:SETTING@MODEL``, and is part of what the model is
called and of its identity. It asks through the model that it wraps, so that formats, servers and
costs are as without it; wrappers may stand before wrappers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec

from surefoot.core.question import Answer, Parsed, Question, Usage
from surefoot.models.backend import Options
from surefoot.models.model import Model


class Asking(Protocol):
    """Ask a model as one wrapper does, with its setting."""

    @property
    def asks(self) -> int:
        """Return the most requests that one answer takes of the wrapped model."""

    def identity(self) -> dict[str, object]:
        """Return all of the setting that determines answers."""

    def options(self, given: Options) -> Options:
        """Return the options with which the wrapped model is opened."""

    async def answer(
        self, model: Model, question: Question, image: bytes, *further: bytes
    ) -> Answer:
        """Return the answer to one question; raises ModelError as the model does."""


class Wrapper(msgspec.Struct, frozen=True, kw_only=True):
    """
    Describe one wrapper; ``open`` reads what stands between its name and the model.

    ``usage`` shows the whole spelling. ``open`` raises InvalidInputError for a bad setting.
    """

    name: str
    version: int
    summary: str
    usage: str
    open: Callable[[str], Asking]


class WrappedModel(Model):
    """
    Answer as a model does that is asked in a wrapper's way.

    Its name is spelt as the user spells it, with the model's own name behind the ``@``.
    """

    def __init__(self, model: Model, wrapper: Wrapper, setting: str, asking: Asking) -> None:
        super().__init__(
            model.responder,
            model.format,
            checkable=model.checkable,
            blind=model.blind,
            several=model.several,
        )
        self._inner, self._wrapper, self._setting, self._asking = model, wrapper, setting, asking

    @property
    def name(self) -> str:
        """Return the wrapper, its setting and the model's name."""
        return f"{self._wrapper.name}:{self._setting}@{self._inner.name}"

    def identity(self) -> dict[str, object]:
        """Return the identity of the model that is asked, and how it is asked."""
        inner = self._inner.identity()
        own = {"name": f"{self._wrapper.name}@{self._wrapper.version}", **self._asking.identity()}
        asks = self._asking.asks * _asks(inner)
        wrapped = inner.get("wrapped", inner["name"])
        wrappers = [own, *_wrappers(inner)]
        return {**inner, "name": self.name, "wrapped": wrapped, "asks": asks, "wrappers": wrappers}

    async def answer(self, question: Question, image: bytes, *further: bytes) -> Answer:
        """Return what the wrapper makes of the model's answers; raises as the model does."""
        return await self._asking.answer(self._inner, question, image, *further)


def _asks(identity: dict[str, object]) -> int:
    found = identity.get("asks", 1)
    return found if isinstance(found, int) else 1


def _wrappers(identity: dict[str, object]) -> list[object]:
    found = identity.get("wrappers", [])
    return found if isinstance(found, list) else []


def joined(question: Question, asked: Sequence[tuple[str, Answer]], parsed: Parsed) -> Answer:
    """
    Return one answer of several, each under a heading; what they used is summed.

    >>> from surefoot.models.wrapper import heading
    >>> heading(1, 2, "the whole picture")
    '[1 of 2: the whole picture]'
    """
    parts = [
        f"{heading(number, len(asked), what)}\n{answer.raw}"
        for number, (what, answer) in enumerate(asked, start=1)
    ]
    used = [answer.usage for _, answer in asked]
    usage = Usage(
        sum(item.prompt_tokens for item in used),
        sum(item.completion_tokens for item in used),
        sum(item.cost for item in used),
    )
    return Answer(question.id, "\n".join(parts), parsed, usage)


def heading(number: int, count: int, what: str) -> str:
    """Return the line that stands before a reply of several."""
    return f"[{number} of {count}{': ' if what else ''}{what}]"
