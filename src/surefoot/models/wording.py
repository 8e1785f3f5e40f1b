"""
A wording: another way to put a question of options to any model, such as to translate it first.
"""

from __future__ import annotations

from typing import Final

import msgspec

from surefoot.core.canonical import digest
from surefoot.core.perturbation import LANGUAGE_NAMES
from surefoot.core.question import Question
from surefoot.core.registry import Registry
from surefoot.models.format import ChatMessages, Prompt


class Wording(msgspec.Struct, frozen=True, kw_only=True):
    """
    Describe one way to ask: what the user's turn says of a question, and how long a reply may be.

    In the prompt, {instruction} is the question with its options and {language} the English name
    of its language. The reply is read as all replies to questions of options are: its last JSON
    object, else its last line.
    """

    name: str
    version: int
    summary: str
    prompt: Prompt
    max_tokens: int = 1024

    def messages(self, question: Question) -> ChatMessages:
        """Return what a model is sent about a question."""
        code = question.instruction.language
        named = self.prompt.user.replace("{language}", LANGUAGE_NAMES.get(code, f"'{code}'"))
        prompt = msgspec.structs.replace(self.prompt, user=named)
        return prompt.fill(question.instruction.text, question.width, question.height)

    def identity(self) -> dict[str, object]:
        """Return all of the wording that determines answers."""
        return {"name": self.name, "version": self.version, "prompt": digest(self.prompt)}


WORDINGS: Final[Registry[Wording]] = Registry(
    Wording, "surefoot.models.wordings", what="wording of questions"
)
