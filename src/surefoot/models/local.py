"""
What the built-in models share: replies in the plain JSON format, made on this machine.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from surefoot.core.errors import InvalidInputError
from surefoot.core.question import Question
from surefoot.models.model import Reply, Request


def place_reply(x: float, y: float) -> str:
    """
    Spell a point, in pixels of the image, as the plain JSON format does.

    >>> place_reply(640, 400.123456)
    '{"x": 640.0, "y": 400.1235}'
    """
    return json.dumps({"x": round(float(x), 4), "y": round(float(y), 4)})


def answer_reply(words: str) -> str:
    """
    Spell an answer in words, or the label of an option.

    >>> answer_reply("B")
    '{"answer": "B"}'
    """
    return json.dumps({"answer": words}, ensure_ascii=False)


def refusal_reply(why: str) -> str:
    """Spell a refusal as the plain JSON format does."""
    return json.dumps({"refusal": why}, ensure_ascii=False)


class LocalResponder:
    """
    Reply with a pure function of the question.

    Raises InvalidInputError for a ``rest``, what follows the colon of the model's name:
    these models take none.
    """

    speaks = "json"

    def __init__(
        self,
        name: str,
        rest: str,
        text: Callable[[Question], str],
        settings: Mapping[str, object] | None = None,
    ) -> None:
        if rest:
            raise InvalidInputError(f"'{name}' alone", found=f"'{name}:{rest}'")
        self.name = name
        self.text = text
        self.settings = dict(settings or {})

    def identity(self) -> dict[str, object]:
        """Return the backend's name and what was set."""
        return {"backend": self.name, **self.settings}

    async def reply(self, request: Request) -> Reply:
        """Return the function's text."""
        return Reply(self.text(request.question))

    async def close(self) -> None:
        """Hold nothing, free nothing."""
