"""
The human baseline: a person answers a benchmark's questions, and is a model like any other.

A person sees what a model is sent: the picture and the instruction, and no target. Each answer
is in the run's ledger before it is acknowledged, so a browser or a server may end at any time.
When the last one is in, the folder is finished: an ordinary RUN of the model "human NAME".
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from surefoot.core.canonical import canonical_json, record_json
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box, Point
from surefoot.core.ledger import Done, read_plan
from surefoot.core.question import Answer, Asks, Choice, Question, Refusal, Text
from surefoot.core.seeds import random_source
from surefoot.report.answers.scored import scoring_named
from surefoot.run.asking.answers import answer_key, export_answers
from surefoot.run.asking.runs import BY_SITE, asked_questions, remember_bench
from surefoot.run.asking.taken import TakenAnswers
from surefoot.run.folders.folder import read_questions, run_plan
from surefoot.run.turns import in_turns
from surefoot.score.scorings.overlap import OVERLAP

Said: TypeAlias = Point | Box | Choice | Text | Refusal
Kind: TypeAlias = Asks | Literal["box"]

VERSION: Final = 1
MOST_LETTERS: Final = 80  # of a name
_DAY_S: Final = 86_400.0
_WANTED: Final[dict[Kind, str]] = {
    "place": "a place in the picture",
    "box": "a box in the picture",
    "option": "one of the options",
    "words": "a few words",
}


class SentAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Hold what a page sends: to which question of the person's order, what, and after how long.

    Places and boxes are in pixels of the picture.
    """

    number: Annotated[int, msgspec.Meta(ge=0)]
    seconds: Annotated[float, msgspec.Meta(ge=0, le=_DAY_S)]
    said: Said


class HumanAnswers(TakenAnswers):
    """
    Put a benchmark's questions to one person, and keep the answers in a folder RUN.

    ``limit`` and the folder are as ``surefoot run`` has them. Raises InvalidInputError for a
    name that is none, for a question without a picture, and where the folder is another
    run's.
    """

    def __init__(
        self, bench: Path, person: str, out: Path, *, limit: int = 0, seed: int = 0
    ) -> None:
        name = " ".join(person.split())
        if not (0 < len(name) <= MOST_LETTERS and name.isprintable()):
            found = f"{len(name)} letters" if name else "none"
            raise InvalidInputError(
                f"a name of who clicks, of up to {MOST_LETTERS} letters", found=found
            )
        self.bench, self.name = bench, f"human {name}"
        self.questions = clicking_order(asked_questions(bench, "off", limit), seed)
        self.all_answered = threading.Event()
        _require_pictures(self.questions, bench)
        self._refusable = any(not question.answerable for question in read_questions(bench))
        benchmark, _, _ = str(read_plan(bench).get("benchmark", "")).partition("@")
        self._boxes = scoring_named(benchmark) == OVERLAP
        self._identity = {"name": self.name, "version": VERSION, "seed": seed}
        limited = {"limit_by": BY_SITE} if limit else {}
        choices = {"reasoning": "off", "limit": limit, **limited}
        super().__init__(out, run_plan(bench, self._identity, choices))
        self._at = 0

    def __len__(self) -> int:
        return len(self.questions)

    @property
    def at(self) -> int:
        """Return how many questions are answered, which is the next one's place."""
        return self._at

    def may_refuse(self, question: Question) -> bool:
        """Tell whether "there is none" can be said: where a model is told so, or may be right."""
        return question.asks == "words" or self._refusable

    def kind(self, question: Question) -> Kind:
        """Tell what is asked for: a box instead of a place where overlap is what is scored."""
        return "box" if question.asks == "place" and self._boxes else question.asks

    def take(self, sent: SentAnswer) -> bool:
        """
        Keep an answer; on return it is committed, however often it is sent.

        Returns False, and keeps nothing, where another answer to the question was kept
        before, or the question's turn has not come. Raises InvalidInputError for an answer
        of another kind than is asked for.
        """
        return self._in_turn(lambda: self._take(sent))

    def _resume(self) -> None:
        remember_bench(self.out, self.bench)
        finished = self._ledger.finished()
        while self._at < len(self) and self._key(self._at) in finished:
            self._at += 1
        self._finish()

    def _take(self, sent: SentAnswer) -> bool:
        if sent.number > self._at or sent.number >= len(self):
            return False
        question = self.questions[sent.number]
        answer = self._answer(question, sent.said)
        payload, key = record_json(answer, Answer, what="an answer"), self._key(sent.number)
        if sent.number < self._at:
            return self._ledger.payload(key) == payload
        self._ledger.record_many([Done(key, payload, sent.seconds)])
        self._at += 1
        self._finish()
        return True

    def _finish(self) -> None:
        if self._at == len(self):
            export_answers(self.out, self.questions, self._identity, self._ledger)
            self.all_answered.set()

    def _key(self, number: int) -> str:
        return answer_key(self.questions[number], self._identity)

    def _answer(self, question: Question, said: Said) -> Answer:
        """Spell an answer as a model of the plain JSON format would; raises InvalidInputError."""
        kind = self.kind(question)
        picture = Box(0.0, 0.0, float(question.width), float(question.height))
        match said:
            case Point(x, y) if kind == "place" and picture.contains(said):
                raw: dict[str, object] = {"x": x, "y": y}
            case Box() if kind == "box" and said.area and said.intersection(picture) == said:
                raw = {"box": said.as_tuple()}
            case Choice(label) if kind == "option" and label in question.options:
                raw = {"answer": label}
            case Text(text) if kind == "words" and text.strip():
                raw = {"answer": text}
            case Refusal(reason) if reason.strip() and self.may_refuse(question):
                raw = {"refusal": reason}
            case _:
                raise InvalidInputError(_WANTED[kind], found=f"'{said}'"[:200])
        return Answer(question.id, canonical_json(raw).decode(), said)


def clicking_order(questions: Sequence[Question], seed: int) -> tuple[Question, ...]:
    """
    Return questions in the order in which a person is asked, drawn by a seed.

    Sites take turns, and each target is asked for once before any is asked for again under
    another condition, so that a person meets it as late as can be with it in mind.
    """
    drawn = sorted(questions, key=lambda question: question.id)
    random_source(seed, "clicking").shuffle(drawn)
    by_site = in_turns(drawn, lambda question: question.cluster)
    return tuple(in_turns(by_site, lambda question: question.pair))


def _require_pictures(questions: Sequence[Question], bench: Path) -> None:
    bare = sum(not all(question.images) for question in questions)
    if bare or not questions:
        raise InvalidInputError(
            f"questions with pictures in {bench}",
            found=f"{bare:,} of {len(questions):,} without one" if bare else "no question",
            remedy="import the set again with --images FOLDER, where its pictures are",
        )
