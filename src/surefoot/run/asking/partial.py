"""
A run that was stopped, or goes on: what it has so far, laid out as a finished run is.
"""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from surefoot.core.canonical import readable_json
from surefoot.core.errors import InvalidInputError
from surefoot.core.files import write_atomic
from surefoot.core.ledger import Ledger, read_plan
from surefoot.core.question import Question
from surefoot.run.asking.answers import UnansweredQuestion, answer_key, read_answers
from surefoot.run.asking.traces import TRACES, read_traces
from surefoot.run.folders.folder import MANIFEST, export, noted_command


def is_partial(folder: Path) -> bool:
    """Tell whether a folder is a run without its exports; raises InvalidInputError for damage."""
    if (folder / MANIFEST).is_file() or not (folder / "plan.json").is_file():
        return False
    return read_plan(folder).get("kind") == "run"


class PartialRun:
    """
    Hold what a run has so far: which questions are through, in a folder of their tables.

    ``through`` are the ids of the questions that have an answer, or failed, in all their
    samples; ``answered`` and ``asked`` count samples. ``command`` goes on with it, "" where none
    was noted. The folder is gone with this object.
    """

    def __init__(self, through: frozenset[str], answered: int, asked: int, command: str) -> None:
        self.through = through
        self.answered = answered
        self.asked = asked
        self.command = command
        self.folder = Path(tempfile.mkdtemp(prefix="surefoot-partial-"))
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)

    @property
    def advice(self) -> str:
        """Say how much there is, and how to go on."""
        return f"{self.words}{f'; to go on: {self.command}' * bool(self.command)}"

    @property
    def words(self) -> str:
        """Say how much there is."""
        return f"partial: {self.answered:,} of {self.asked:,} questions answered"


def read_partial(
    folder: Path, questions: Sequence[Question], identity: Mapping[str, object]
) -> PartialRun:
    """
    Read what the ledger of a run has of its questions, also while the run goes on.

    Raises InvalidInputError where it has neither an answer nor a step of an episode yet.
    """
    wanted = {answer_key(question, identity): question for question in questions}
    with Ledger.read(folder) as ledger:
        answers, failures = read_answers(ledger, wanted)
        traces = {TRACES: read_traces(ledger)} if "episodes" in identity else {}
    failed = [
        (wanted[failure.key].id, failure.reason) for failure in failures if failure.key in wanted
    ]
    done = {*(answer.question for answer in answers), *(name for name, _ in failed)}
    command = noted_command(folder)
    if not answers and not any(traces.values()):
        raise InvalidInputError(
            f"an answer in {folder}",
            found=f"none to {len(questions):,} questions yet",
            remedy=f"run its command to its end: {command}" if command else "run it on",
        )
    samples = Counter(question.first_sample for question in questions)
    done_by_question = Counter(
        question.first_sample for question in questions if question.id in done
    )
    through = frozenset(name for name, count in done_by_question.items() if count == samples[name])
    first = {question.id: question.first_sample for question in questions}
    kept = PartialRun(through, len(answers), len(questions), command)
    write_atomic(kept.folder / "plan.json", readable_json(read_plan(folder)))
    export(
        kept.folder,
        "run",
        {
            **traces,
            "answers.jsonl": [item for item in answers if first[item.question] in through],
            "failures.jsonl": sorted(
                UnansweredQuestion(name, reason)
                for name, reason in failed
                if first[name] in through
            ),
        },
    )
    return kept
