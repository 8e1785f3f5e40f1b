"""
Questions in batches that a plan fixes, each a unit of a ledger: none is computed twice.

What is in a batch hangs on nothing that was done before, so a run that was killed and goes on
comes to the same numbers.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from surefoot.core.canonical import digest
from surefoot.core.ledger import Ledger
from surefoot.core.question import Question
from surefoot.run.engine.progress import Progress


class QuestionBatch(msgspec.Struct, frozen=True):
    """Hold questions that are asked together, and the key of what comes of it."""

    key: str
    questions: tuple[Question, ...]


def batches_of(
    questions: Iterable[Question], size: int, determined: Mapping[str, object]
) -> list[QuestionBatch]:
    """
    Return questions in batches of ``size`` at most, those of like length together.

    ``determined`` is all else that what comes of them hangs on.
    """
    ordered = sorted(questions, key=_length)
    parts = (tuple(ordered[at : at + size]) for at in range(0, len(ordered), size))
    return [QuestionBatch(digest({**determined, "questions": part}), part) for part in parts]


def work_through(
    batches: Sequence[QuestionBatch],
    compute: Callable[[QuestionBatch], bytes],
    ledger: Ledger,
    progress: Progress,
) -> None:
    """Compute what the ledger does not have yet, and commit each batch before the next."""
    finished = ledger.finished()
    left = [batch for batch in batches if batch.key not in finished]
    progress.begin(total=len(batches), kept=len(batches) - len(left), failed=0)
    for batch in left:
        begun = time.perf_counter()
        payload = compute(batch)
        ledger.done(batch.key, payload, seconds=time.perf_counter() - begun)
        progress.advance()


def _length(question: Question) -> tuple[int, int, int, str]:
    words = len(question.instruction.text)
    return len(question.images), question.width * question.height, words, question.id
