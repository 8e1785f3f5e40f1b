"""
The engine for questions: many at once to one model, each answer committed, none asked twice.
"""

from __future__ import annotations

import asyncio
import functools
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, Protocol

import msgspec

from surefoot.core.canonical import canonical_json, decode, digest
from surefoot.core.ledger import Done, Failure, Ledger
from surefoot.core.question import Answer, Question, Unparsed
from surefoot.run.commit import GroupCommit
from surefoot.run.folder import Manifest, export
from surefoot.run.progress import Progress, Tally
from surefoot.run.wire import Trouble
from surefoot.run.worker import guarded

__all__ = [
    "Answerer",
    "Unanswered",
    "answer_all",
    "answer_key",
    "export_answers",
]

IMAGES: Final = 8  # of the latest pictures are kept in memory; questions come image by image


class Answerer(Protocol):
    """Ask of a model that it answers questions and says what its answers depend on."""

    def identity(self) -> dict[str, object]:
        """Return all that determines answers; no secret."""

    async def answer(self, question: Question, image: bytes) -> Answer:
        """Return the answer to one question; raises ModelError where there is none."""


class Unanswered(msgspec.Struct, frozen=True, order=True):
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

    ``images`` returns the bytes of an image's SHA-256, as ``ObjectStore.get`` does.
    A question is asked and committed before its place is given to the next one: a kill
    loses the requests in flight and nothing else. Questions about one image follow each
    other. A question that fails is recorded with its reason; a missing component or a
    full disk ends the run. Does not close the model.
    """
    identity = model.identity()
    wanted = {answer_key(question, identity): question for question in questions}
    finished = ledger.finished()
    failed = sum(each.key in wanted for each in ledger.failures())
    todo = sorted(
        ((key, question) for key, question in wanted.items() if key not in finished),
        key=lambda pair: (pair[1].image, pair[1].id),
    )
    progress.begin(total=len(wanted), kept=len(wanted) - len(todo) - failed, failed=failed)
    lane = _Lane(iter(todo), images, model, GroupCommit(ledger), progress)
    await lane.run(min(concurrency, len(todo)))
    return progress.tally


def export_answers(
    folder: Path, questions: Iterable[Question], identity: Mapping[str, object], ledger: Ledger
) -> Manifest:
    """
    Write a RUN's ``answers.jsonl``, sorted by question, ``failures.jsonl`` and manifest.

    The bytes depend on the answers alone, not on how often the run was interrupted.
    """
    wanted = {answer_key(question, identity): question.id for question in questions}
    answers = (
        decode(payload, Answer, what=f"the answer {key} in {folder}")
        for key, payload in ledger.payloads()
        if key in wanted
    )
    unanswered = sorted(
        Unanswered(wanted[each.key], each.reason)
        for each in ledger.failures()
        if each.key in wanted
    )
    return export(folder, "run", {"answers.jsonl": answers, "failures.jsonl": unanswered})


class _Lane:
    """Let several questions at a time go their way from one shared list."""

    def __init__(
        self,
        todo: Iterator[tuple[str, Question]],
        images: Callable[[str], bytes],
        model: Answerer,
        commit: GroupCommit,
        progress: Progress,
    ) -> None:
        self._todo = todo
        self._model = model
        self._commit = commit
        self._progress = progress
        self._image = functools.lru_cache(maxsize=IMAGES)(images)

    async def run(self, width: int) -> None:
        """Ask until no question is left; commit what has been answered even if cancelled."""
        places = [asyncio.create_task(self._work()) for _ in range(width)]
        try:
            await asyncio.gather(*places)
        finally:
            for place in places:
                place.cancel()
            await asyncio.gather(*places, return_exceptions=True)
            self._commit.flush()

    async def _work(self) -> None:
        for key, question in self._todo:
            began = time.monotonic()
            troubles: list[Trouble] = []
            answer: Answer | None = None
            with guarded(troubles):
                answer = await self._model.answer(question, self._image(question.image))
            seconds = time.monotonic() - began
            if answer is None:
                await self._fail(key, troubles[0], seconds)
                continue
            await self._commit.record(Done(key, canonical_json(answer), seconds))
            self._progress.advance(
                unparsed=isinstance(answer.parsed, Unparsed), cost=answer.usage.cost
            )

    async def _fail(self, key: str, trouble: Trouble, seconds: float) -> None:
        trouble.end_run()
        await self._commit.record(Failure(key, trouble.reason, trouble.message, seconds))
        self._progress.advance(failed=True)
