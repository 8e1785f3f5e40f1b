"""
Outcomes: every answer beside its question, as columns.

Failed units stand in the table too, with their own status, so that nothing disappears
between a run and its report. Statistics work on the columns and never loop over answers.
"""

from __future__ import annotations

import enum
import math
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.question import Answer, Parsed, Question, Refusal
from surefoot.score.stats.arrays import Bools, Floats, Ints, Labels
from surefoot.score.truths import chance_level, outside, place_of, right_words, words_f1, words_of

__all__ = ["Outcomes", "Record", "Status", "match", "tabulate"]

Record = tuple[str, Question, Answer | None]
Describe = Callable[[Question], Mapping[str, str]]
Measure = Callable[[Question, Answer | None], float | None]
NOWHERE = (float("nan"), float("nan"))


class Status(enum.IntEnum):
    """
    Say what became of a question; a reply of another kind than was asked for is UNPARSED.

    WORDS are a few words, or the label of an option, where that was asked for.
    """

    POINT = 0
    BOX = 1
    REFUSAL = 2
    UNPARSED = 3
    FAILED = 4
    WORDS = 5


class Outcomes(msgspec.Struct, frozen=True, eq=False):
    """
    Hold one row per question and model.

    ``truth`` is (rows, 4): left, top, right, bottom; ``place`` is (rows, 2): the predicted
    x and y, NaN where there is none; ``size`` is (rows, 2): the image's width and height.
    All are pixels of the image. A predicted box stands as its centre. ``direction`` is the
    direction of the target from its landmark, "" for instructions without one.

    ``answerable`` is false where a refusal is what is right; ``reach`` is (rows,): for a
    target that is a polygon, or any of several boxes, how many pixels the place lies
    outside of it, 0 inside and NaN without a place; NaN too for every target of one box.
    Where words or an option are asked for it is 0 for the right ones, else infinity; ``f1``
    is then the token F1 of words, and ``chance`` how likely a guess among the options is
    right, both NaN for every other question.

    ``traits`` are further columns of words about the question, its instruction or its
    screen, "" where nothing is known; ``measured`` holds the numbers of metrics that look at
    one answer at a time, NaN where they say nothing.
    """

    model: Labels
    reasoning: Bools
    instruction: Labels
    variant: Labels
    pair: Labels
    cluster: Labels
    role: Labels
    direction: Labels
    truth: Floats
    place: Floats
    size: Floats
    status: Ints
    answerable: Bools
    reach: Floats
    f1: Floats
    chance: Floats
    traits: dict[str, Labels] = {}
    measured: dict[str, Floats] = {}

    def __len__(self) -> int:
        return len(self.status)

    @property
    def answered(self) -> Bools:
        """Tell for each row whether there was a reply at all."""
        return np.asarray(self.status != Status.FAILED)

    @property
    def placed(self) -> Bools:
        """Tell for each row whether it is about a place on the screen that has an area."""
        sides = self.truth[:, 2:] - self.truth[:, :2]
        return np.asarray(sides.prod(axis=1) > 0)

    @property
    def located(self) -> Bools:
        """Tell for each row whether the reply named a place where there is one to name."""
        return np.asarray((self.status <= Status.BOX) & self.answerable)

    def take(self, rows: Bools | Ints) -> Outcomes:
        """Return a selection of the rows."""
        columns = {name: getattr(self, name) for name in self.__struct_fields__}
        return msgspec.structs.replace(
            self, **{name: _taken(column, rows) for name, column in columns.items()}
        )


def _taken(column: Any, rows: Bools | Ints) -> Any:  # noqa: ANN401 - any kind of column
    if isinstance(column, dict):
        return {name: _taken(part, rows) for name, part in column.items()}
    return column.take(rows) if isinstance(column, Labels) else column[rows]


def match(
    model: str, questions: Iterable[Question], answers: Iterable[Answer]
) -> Iterator[Record]:
    """
    Pair one model's answers with its questions; a question without an answer has failed.

    Raises InvalidInputError for an answer to an unknown question and for two answers or
    two questions of one id.
    """
    by_question: dict[str, Answer] = {}
    for answer in answers:
        if by_question.setdefault(answer.question, answer) is not answer:
            raise InvalidInputError(
                "one answer to a question", found=f"two to '{answer.question}'"
            )
    asked: set[str] = set()
    for question in questions:
        if question.id in asked:
            raise InvalidInputError("questions with different ids", found=f"two '{question.id}'")
        asked.add(question.id)
        yield model, question, by_question.pop(question.id, None)
    if by_question:
        raise InvalidInputError(
            "a question for every answer",
            found=f"{len(by_question)} answers without one, the first to '{min(by_question)}'",
            remedy="score the run together with the benchmark that it was made from",
        )


def tabulate(
    records: Iterable[Record],
    *,
    traits: Sequence[str] = (),
    describe: Describe = lambda _question: {},
    measures: Mapping[str, Measure] | None = None,
) -> Outcomes:
    """
    Build the table from (model, question, answer or None) records, in one pass.

    ``describe`` gives a question's ``traits``, and ``measures`` are computed of each answer.
    Raises InvalidInputError for an answer to another question than the one beside it.
    """
    labels = tuple(_Encoder() for _ in range(7))
    reasoning, status, answerable = array("b"), array("b"), array("b")
    numbers = array("d")
    described = {name: _Encoder() for name in traits}
    measured = {name: array("d") for name in measures or {}}
    for model, question, answer in records:
        for encoder, value in zip(labels, _labels(model, question), strict=True):
            encoder.add(value)
        place, state = _outcome(question, answer)
        size = (question.width, question.height)
        numbers.extend((*question.truth.as_tuple(), *place, *size, *_judged(question, answer)))
        reasoning.append(question.cell.reasoning)
        answerable.append(question.answerable)
        status.append(state)
        told = describe(question) if described else {}
        for name, encoder in described.items():
            encoder.add(told.get(name, ""))
        for name, measure in (measures or {}).items():
            found = measure(question, answer)
            measured[name].append(math.nan if found is None else found)
    columns = np.array(numbers, dtype=np.float64).reshape(-1, 11)
    models, instruction, variant, pair, cluster, role, direction = (
        encoder.labels() for encoder in labels
    )
    return Outcomes(
        model=models,
        reasoning=np.array(reasoning, dtype=np.bool_),
        instruction=instruction,
        variant=variant,
        pair=pair,
        cluster=cluster,
        role=role,
        direction=direction,
        truth=columns[:, :4],
        place=columns[:, 4:6],
        size=columns[:, 6:8],
        status=np.array(status, dtype=np.int64),
        answerable=np.array(answerable, dtype=np.bool_),
        reach=columns[:, 8],
        f1=columns[:, 9],
        chance=columns[:, 10],
        traits={name: encoder.labels() for name, encoder in described.items()},
        measured={name: np.array(column, dtype=np.float64) for name, column in measured.items()},
    )


class _Encoder:
    def __init__(self) -> None:
        self.known: dict[str, int] = {}
        self.codes = array("q")

    def add(self, value: str) -> None:
        self.codes.append(self.known.setdefault(value, len(self.known)))

    def labels(self) -> Labels:
        return Labels(tuple(self.known), np.array(self.codes, dtype=np.int64))


def _labels(model: str, question: Question) -> tuple[str, ...]:
    cell, expression = question.cell, question.instruction.expression
    direction = expression.direction or ""
    where = (question.pair, question.cluster, question.role, direction)
    return (model, cell.instruction, cell.variant, *where)


def _judged(question: Question, answer: Answer | None) -> tuple[float, float, float]:
    """Return the reach, the token F1 and the level of chance of a row."""
    parsed = answer.parsed if answer else None
    return _reach(question, parsed), words_f1(question, parsed), chance_level(question)


def _reach(question: Question, parsed: Parsed | None) -> float:
    """Return how far a reply is from what is right, NaN where a box or a refusal is."""
    if question.asks != "place":
        return 0.0 if right_words(question, parsed) else math.inf
    place = place_of(parsed)
    if place is None or not question.answerable:
        return math.nan
    simple = not (question.polygon or question.boxes or question.answers)
    return math.nan if simple else outside(question, place)


def _outcome(question: Question, answer: Answer | None) -> tuple[tuple[float, float], Status]:
    if answer is None:
        return NOWHERE, Status.FAILED
    if answer.question != question.id:
        raise InvalidInputError(
            f"the answer to question '{question.id}'", found=f"the one to '{answer.question}'"
        )
    parsed = answer.parsed
    place = place_of(parsed)
    if place is not None and question.asks == "place":
        return (place.x, place.y), Status.BOX if isinstance(parsed, Box) else Status.POINT
    if words_of(question, parsed) is not None:
        return NOWHERE, Status.WORDS
    return NOWHERE, Status.REFUSAL if isinstance(parsed, Refusal) else Status.UNPARSED
