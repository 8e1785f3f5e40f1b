"""
Examples: a question, what a model is sent about it, and the reply that it is to learn.

The prompt is the one that the model will be asked with, and the reply is spelled by the same
format that will read it, so that training and measuring cannot disagree.
"""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

import msgspec

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box, Point
from surefoot.core.question import Choice, Question, Refusal, Text
from surefoot.models import worded
from surefoot.models.format import ChatMessages, Format
from surefoot.models.model import messages_about
from surefoot.run.folders.folder import read_table

EXAMPLES = "examples.jsonl"
RightAnswer: TypeAlias = Point | Box | Choice | Text | Refusal


class TrainingExample(msgspec.Struct, frozen=True):
    """
    Hold what is learned from one question; ``split`` is "train" or "validation".

    ``source`` names the folder that the question came from, and ``number`` tells an example from
    others of the same question.
    """

    question: Question
    messages: ChatMessages
    completion: str
    source: str
    split: str = "train"
    number: int = 1

    @property
    def id(self) -> str:
        """Return what no other example of its data has."""
        return f"{self.source}/{self.question.id}/{self.number}"


def right_answer(question: Question, form: Format) -> RightAnswer:
    """
    Return the answer to a question that is learned: a box where the format asks for boxes.

    Raises InvalidInputError for a question of words or options without a right one.
    """
    if question.asks == "place":
        if not question.answerable:
            return Refusal("It is not on the screen.")
        asks_point = form.writes is None or bool(form.writes.point)
        return question.truth.center if asks_point else question.truth
    if not question.answerable:
        return Refusal("The screenshot does not tell.")
    if not question.answers:
        raise InvalidInputError(
            f"the right answer of the question '{question.id}'",
            found="none",
            remedy="leave out questions that people have to judge",
        )
    words = question.answers[0]
    return Choice(words) if question.asks == "option" else Text(words)


def example_of(
    question: Question, form: Format, source: str, *, reply: str = ""
) -> TrainingExample:
    """
    Make the example of a question in a format; ``reply`` is learned where it is given.

    Raises InvalidInputError as ``right_answer`` and ``Format.write`` do.
    """
    messages = messages_about(question, form)
    return TrainingExample(question, messages, reply or _spelled(question, form), source)


def _spelled(question: Question, form: Format) -> str:
    match right_answer(question, form):
        case Point() | Box() as place:
            return form.write(place, question.width, question.height)
        case Refusal() as refusal if question.asks == "place":
            return form.write(refusal, question.width, question.height)
        case Choice() | Text() | Refusal() as words:
            return worded.write_reply(words)


def read_examples(data: Path) -> tuple[TrainingExample, ...]:
    """Read the examples of a finished DATA; raises InvalidInputError."""
    return read_table(data, EXAMPLES, TrainingExample, kind="training-data")
