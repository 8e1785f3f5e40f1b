"""
Transfer: what fails one model, asked of every other.

Each diagnosis's ``failing/`` benchmark is asked of each diagnosed model as a run of its own,
so that a stopped comparison goes on. Only instructions as they were found are counted, not
what they were shrunk to, so that one instruction counts once.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from surefoot.core.canonical import digest
from surefoot.core.errors import InvalidInputError
from surefoot.core.ledger import Ledger
from surefoot.diagnose.findings import Transfer, TransferCell
from surefoot.diagnose.folder import FAILING, SHRUNK, read_diagnosis, recall_model
from surefoot.diagnose.rates import MISSED
from surefoot.diagnose.search.arms import is_miss
from surefoot.models import Options, check_one_server
from surefoot.phrasing.words import ends_words
from surefoot.run.asking.run import ask_model
from surefoot.run.folders.folder import (
    export,
    manifest_digest,
    read_answers,
    read_questions,
)
from surefoot.run.folders.tables import cluster_by_site
from surefoot.score.conditions.scores import mean_of

if TYPE_CHECKING:
    from rich.console import Console


RUNS: Final = "runs"


class _Diagnosed(msgspec.Struct, frozen=True):
    folder: Path
    name: str
    spec: str
    format: str
    base: float | None


def transfer_failures(
    folders: Sequence[Path], out: Path, *, options: Options, console: Console | None = None
) -> Transfer:
    """
    Ask every diagnosed model what failed every other one, and write ``transfer.json``.

    ``folders`` are diagnoses of different models. Raises InvalidInputError for one folder
    alone, two of one model, or one that does not say how its model is named.
    """
    diagnosed = [_diagnosed(folder) for folder in folders]
    names = [item.name for item in diagnosed]
    if len(names) < 2 or len(set(names)) < len(names):  # noqa: PLR2004 - a comparison
        raise InvalidInputError(
            "diagnoses of two or more different models",
            found=", ".join(names),
            remedy="name one folder for each model",
        )
    check_one_server([item.spec for item in diagnosed], options)
    plan = {
        "kind": "diagnosis",
        "transfer": [manifest_digest(item.folder, "diagnosis") for item in diagnosed],
    }
    with Ledger.open(out, plan):
        cells = tuple(
            _asked(source, model, out, options, console)
            for source in diagnosed
            for model in diagnosed
        )
        transfer = Transfer(tuple(names), cells)
        export(out, "diagnosis", {}, {"transfer.json": transfer})
    return transfer


def _diagnosed(folder: Path) -> _Diagnosed:
    found = read_diagnosis(folder)
    name, often = found.model, found.baseline_per_hundred.amount
    spec, form = recall_model(folder)
    if not spec:
        raise InvalidInputError(
            f"{folder / 'model.txt'}, which says how the model was named",
            found="none",
            remedy="diagnose the model again, by its name: a function cannot be asked once more",
        )
    return _Diagnosed(folder, name, spec, form, None if often is None else often / 100)


def _asked(
    source: _Diagnosed, model: _Diagnosed, out: Path, options: Options, console: Console | None
) -> TransferCell:
    bench = source.folder / FAILING
    run = out / RUNS / digest([source.name, model.name])[:12]
    ask_model(
        bench,
        model.spec,
        run,
        format_name=model.format,
        options=options,
        check=False,
        console=console,
    )
    answers = {answer.question: answer for answer in read_answers(run)}
    asked = [
        question
        for question in cluster_by_site(bench, read_questions(bench))
        if not question.cell.instruction.endswith(SHRUNK)
    ]
    missed = [
        (question.cluster, is_miss(question, answers[question.id]))
        for question in asked
        if question.id in answers
    ]
    return TransferCell(
        found_on=source.name,
        asked_of=model.name,
        failed=mean_of(MISSED, missed, model.name),
        unanswered=len(asked) - len(missed),
        base=model.base,
    )


def transfer_lines(found: Transfer) -> list[str]:
    """Say each cell of a transfer matrix in one line."""
    lines = []
    for cell in found.cells:
        failed = cell.failed
        share = "nothing was asked" if failed.amount is None else f"{100 * failed.amount:.0f} %"
        ends = ends_words(failed.interval, digits=0)
        lines.append(
            f"{cell.asked_of} fails {share}{f' ({ends} %)' * bool(ends)} of the {failed.n} that "
            f"failed {cell.found_on}{_base_words(cell)}"
        )
    return lines


def _base_words(cell: TransferCell) -> str:
    return "" if cell.base is None else f", and {100 * cell.base:.0f} % of random questions"
