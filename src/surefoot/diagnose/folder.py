"""
The folder that a diagnosis writes, and the benchmark of failing instructions in it.

``diagnosis.json`` holds the findings, ``answers.jsonl`` every answer. ``failing/`` is a
BENCH of its own: the failing instructions that both resolvers find valid, and what they
were reduced to, which "+shrunk" in their cell's name marks. ``classes/`` is another, where fresh
questions confirmed a cause: those that it is about, and as many that no cause is about.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from surefoot.benchmarks.benchmark import Funnel
from surefoot.core.canonical import digest
from surefoot.core.files import write_atomic
from surefoot.core.ledger import Failure, Ledger
from surefoot.core.question import Answer, Question
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.diagnose.findings import Diagnosis
from surefoot.run.asking.answers import answer_key, read_answers
from surefoot.run.folders.folder import export, read_document

FAILING: Final = "failing"
SHRUNK: Final = "+shrunk"
_MODEL: Final = "model.txt"


def read_diagnosis(folder: Path) -> Diagnosis:
    """Read what ``surefoot diagnose`` found; raises InvalidInputError."""
    return read_document(folder, "diagnosis.json", Diagnosis, kind="diagnosis")


def remember_model(folder: Path, spec: str, form: str) -> None:
    """Note beside a diagnosis how its model was named; a hint, and no part of the plan."""
    write_atomic(folder / _MODEL, f"{spec}\n{form}\n".encode())


def recall_model(folder: Path) -> tuple[str, str]:
    """Return how a diagnosis's model was named, and its format; "" where nothing tells."""
    path = folder / _MODEL
    lines = path.read_text("utf-8").splitlines() if path.is_file() else []
    spec, form, *_ = [*lines, "", ""]
    return spec, form


def write_diagnosis(
    folder: Path,
    diagnosis: Diagnosis,
    questions: Mapping[str, Question],
    identity: Mapping[str, object],
    ledger: Ledger,
    recorded: Sequence[Answer] = (),
) -> tuple[Failure, ...]:
    """
    Write ``diagnosis.json`` and every answer to the questions; the manifest comes last.

    ``recorded`` are answers that were known before. Returns the failures, as ``read_answers``
    does.
    """
    wanted = {answer_key(question, identity) for question in questions.values()}
    answers, failures = read_answers(ledger, wanted)
    documents = {"diagnosis.json": diagnosis}
    export(folder, "diagnosis", {"answers.jsonl": [*answers, *recorded]}, documents)
    return failures


def write_failing(
    folder: Path,
    diagnosis: Diagnosis,
    questions: Mapping[str, Question],
    screens: Mapping[str, Screen],
    images: Callable[[str], bytes],
) -> tuple[Question, ...]:
    """
    Write the BENCH of failing instructions and return its questions.

    Its plan names the diagnosis, so a folder of another one is refused.
    """
    failing = _failing(diagnosis, questions)
    write_asked(folder / FAILING, diagnosis, failing, screens, images)
    return failing


def write_asked(
    bench: Path,
    diagnosis: Diagnosis,
    questions: Sequence[Question],
    screens: Mapping[str, Screen],
    images: Callable[[str], bytes],
) -> None:
    """Write a BENCH of questions that a diagnosis asked, with their screens and pictures."""
    used = {question.screen: screens[question.screen] for question in questions}
    plan = {"kind": "bench", "benchmark": f"{bench.name}@1", "diagnosis": diagnosis.plan}
    with Ledger.open(bench, plan):
        store = ObjectStore(bench)
        for image in sorted({screen.image for screen in used.values()}):
            store.put(images(image))
        tables = {"screens.jsonl": used.values(), "questions.jsonl": questions}
        export(bench, "bench", tables, {"funnel.json": Funnel((), {})})


def _failing(diagnosis: Diagnosis, questions: Mapping[str, Question]) -> tuple[Question, ...]:
    kept: dict[str, Question] = {}
    for element in diagnosis.elements:
        kept |= {failure.question: questions[failure.question] for failure in element.failures}
    for element in diagnosis.elements:
        for instruction in element.shrunk:
            if instruction.failing.question not in kept:
                marked = _marked(questions[instruction.failing.question])
                kept[marked.id] = marked
    return tuple(sorted(kept.values(), key=lambda item: item.id))


def _marked(question: Question) -> Question:
    cell = msgspec.structs.replace(
        question.cell, instruction=f"{question.cell.instruction}{SHRUNK}"
    )
    return msgspec.structs.replace(question, id=digest([question.id, SHRUNK])[:20], cell=cell)
