"""
Questions to one model: many at once, each answer committed, none asked twice.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Container, Iterable, Mapping
from pathlib import Path
from typing import Final, Protocol

import msgspec

from surefoot.core.canonical import digest, record_json
from surefoot.core.errors import InvalidInputError
from surefoot.core.ledger import Failure, Ledger
from surefoot.core.question import Answer, Question, Unparsed
from surefoot.run.engine.lanes import Got, ask_all
from surefoot.run.engine.outcome import record_of
from surefoot.run.engine.progress import Progress, Tally
from surefoot.run.folders.folder import export

IMAGES: Final = 8  # of the latest pictures are kept in memory; questions come image by image


class Answerer(Protocol):
    """Ask of a model that it answers questions and says what its answers depend on."""

    def identity(self) -> dict[str, object]:
        """Return all that determines answers; no secret."""

    async def answer(self, question: Question, image: bytes, *further: bytes) -> Answer:
        """Return the answer to one question; raises ModelError where there is none."""


class UnansweredQuestion(msgspec.Struct, frozen=True, order=True):
    """Name a question that has no answer, and the reason."""

    question: str
    reason: str


def answer_key(question: Question, identity: Mapping[str, object]) -> str:
    """Return the unit key of one question to one model: a digest of both, whole."""
    return digest({"question": question, "model": identity})


async def answer_all(
    questions: Iterable[Question],
    images: Callable[[str], bytes],
    model: Answerer,
    ledger: Ledger,
    *,
    concurrency: int = 8,
    progress: Progress,
) -> Tally:
    """
    Ask a model every question that the ledger has not finished, so many at a time.

    ``images`` returns the bytes of an image's SHA-256, as ``ObjectStore.get`` does; a
    question without a picture is asked with no bytes. A question is asked and committed
    before its place is given to the next one: a kill loses the requests in flight and
    nothing else. Questions about one image follow each
    other. A question that fails is recorded with its reason; a missing component or a
    full disk ends the run. Does not close the model.
    """
    identity = model.identity()
    wanted = {answer_key(question, identity): question for question in questions}
    image = functools.lru_cache(maxsize=IMAGES)(images)

    async def ask(question: Question) -> Got:
        shown = [image(sha) if sha else b"" for sha in question.images]
        answer = await model.answer(question, *shown)
        payload = _payload(answer, question)
        unread = isinstance(answer.parsed, Unparsed)
        return Got(payload, unparsed=unread, cost=answer.usage.cost)

    return await ask_all(
        wanted,
        ask,
        ledger,
        concurrency=concurrency,
        progress=progress,
        order=lambda question: (question.image, question.id),
        name=lambda question: f"question '{question.id}'",
    )


def _payload(answer: Answer, question: Question) -> bytes:
    """Spell an answer, whoever made it, as what can be read back."""
    payload = record_json(answer, Answer, what="an answer")
    if answer.question != question.id:
        raise InvalidInputError("an answer to this question", found=f"one to '{answer.question}'")
    return payload


def export_answers(
    folder: Path,
    questions: Iterable[Question],
    identity: Mapping[str, object],
    ledger: Ledger,
    tables: Mapping[str, Iterable[object]] | None = None,
) -> tuple[Failure, ...]:
    """
    Write a RUN's ``answers.jsonl``, sorted by question, ``failures.jsonl`` and manifest.

    ``tables`` are further ones, by name. The bytes depend on the answers alone, not on how often
    the run was interrupted. Returns the failures; a question whose record is no answer is one of
    them.
    """
    wanted = {answer_key(question, identity): question.id for question in questions}
    answers, failures = read_answers(ledger, wanted)
    unanswered = sorted(
        UnansweredQuestion(wanted[failure.key], failure.reason)
        for failure in failures
        if failure.key in wanted
    )
    own: dict[str, Iterable[object]] = {"answers.jsonl": answers, "failures.jsonl": unanswered}
    export(folder, "run", {**own, **(tables or {})})
    return failures


def read_answers(
    ledger: Ledger, wanted: Container[str]
) -> tuple[list[Answer], tuple[Failure, ...]]:
    """
    Return the answers of the wanted units, and all failures of the ledger.

    A wanted unit whose record is no answer has failed.
    """
    records = [
        record_of(key, payload, Answer) for key, payload in ledger.payloads() if key in wanted
    ]
    failures = [*ledger.failures(), *(item for item in records if isinstance(item, Failure))]
    return [item for item in records if isinstance(item, Answer)], tuple(failures)
