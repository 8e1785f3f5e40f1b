"""
A model's answers, each with its question: what ``surefoot.run`` wrote.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from surefoot.api.benches import Bench, question_words
from surefoot.api.folder import OpenedFolder
from surefoot.api.options import AnyPath
from surefoot.api.pictures import Exchange, PicturedQuestion, with_picture
from surefoot.api.tables import counted
from surefoot.core.perturbation import variant_title
from surefoot.run.asking.partial import is_partial
from surefoot.run.engine.outcome import Outcome

if TYPE_CHECKING:
    import pyarrow as pa

    from surefoot.run.asking.runs import FinishedRun


class ModelRun(OpenedFolder[Exchange]):
    """
    Offer a model's answers, each with its question: what ``run`` wrote, or has written so far.

    ``bench`` is the benchmark's folder, if it was moved. Raises InvalidInputError as
    ``surefoot score`` does.
    """

    kind = "run"
    table = "answers.jsonl"

    def __init__(
        self, folder: AnyPath, outcome: Outcome | None = None, *, bench: AnyPath | None = None
    ) -> None:
        super().__init__(folder, outcome)
        self._bench = None if bench is None else Path(bench)

    def check(self) -> None:
        """Raise InvalidInputError for what is no run, and for one that has no answer yet."""
        if not is_partial(self.folder):
            super().check()

    @property
    def partial(self) -> str:
        """Say how much of an unfinished run there is, "" of one that is finished."""
        partial = self._whole.partial
        return "" if partial is None else partial.words

    def __len__(self) -> int:
        """Count the questions that were asked, those without an answer among them."""
        return len(self._whole.questions)

    def __iter__(self) -> Iterator[Exchange]:
        """Yield questions and answers in the order of the questions' ids."""
        from surefoot.score.hits import judge

        whole, bench = self._whole, self.bench
        answers = {answer.question: answer for answer in whole.answers}
        failures = {failure.question: failure.reason for failure in whole.failures}
        hits = judge(whole.questions, whole.answers)
        for question in whole.questions:
            pictured = PicturedQuestion(
                **{name: getattr(question, name) for name in question.__struct_fields__}
            )
            yield Exchange(
                with_picture(pictured, bench.folder, bench.screen),
                answers.get(question.id),
                hits[question.id] if question.id in answers else None,
                failures.get(question.id, ""),
            )

    @property
    def model(self) -> str:
        """Return the model's name."""
        return self._whole.name

    @functools.cached_property
    def bench(self) -> Bench:
        """Return the benchmark that was asked."""
        return Bench(self._whole.bench)

    @functools.cached_property
    def _whole(self) -> FinishedRun:
        from surefoot.run.asking.runs import open_run as read_run

        return read_run(self.folder, self._bench)

    def id_of(self, record: Exchange) -> str:
        """Return the question's id."""
        return record.question.id

    def schema(self) -> pa.Schema:
        """Return the columns: those of the questions, then those of the answers."""
        import pyarrow as pa

        number, text = pa.float64(), pa.string()
        return pa.schema(
            [
                *self.bench.schema(),
                ("variant_title", text),
                ("model", text),
                ("hit", pa.bool_()),
                ("parsed", text),
                ("x", number),
                ("y", number),
                ("reply", text),
                ("failure", text),
                ("prompt_tokens", pa.int64()),
                ("completion_tokens", pa.int64()),
                ("cost", number),
            ]
        )

    def row(self, record: Exchange) -> dict[str, Any]:
        """Return the cells of a question and its answer; "parsed" says what the reply is."""
        answer, click = record.answer, record.click
        usage = {} if answer is None else msgspec.structs.asdict(answer.usage)
        return {
            **self.bench.row(record.question),
            "variant_title": variant_title(record.question.cell.variant),
            "model": self.model,
            "hit": record.hit,
            "parsed": "" if answer is None else type(answer.parsed).__name__.lower(),
            "x": None if click is None else float(click.x),
            "y": None if click is None else float(click.y),
            "reply": None if answer is None else answer.raw,
            "failure": record.failure,
            **usage,
        }

    def picture_bytes(self, record: Exchange) -> bytes | None:
        """Return the PNG that the question is about."""
        return self.bench.picture_bytes(record.question)

    def shown(self, record: Exchange) -> dict[str, object]:
        """Return what a notebook shows of a question and its answer."""
        reply = record.failure if record.answer is None else record.answer.raw
        return {**question_words(record.question), "hit": record.hit, "reply": reply}

    def caption(self) -> str:
        """Name the model and count the questions."""
        return f"{self.model}: {self.partial or counted(len(self), 'question')}"
