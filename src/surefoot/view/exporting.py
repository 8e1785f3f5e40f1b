"""
A selection as a table for other programs: one line an answer, in CSV or JSON Lines.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Final

from surefoot.core.canonical import canonical_json
from surefoot.core.perturbation import variant_title
from surefoot.failures.modes import MODES
from surefoot.failures.shares import NOT_JUDGED
from surefoot.score.stats.arrays import Ints
from surefoot.score.truths import place_of
from surefoot.view.selection import OUTCOMES
from surefoot.view.table import AnswerOutcome, Flip, QuestionTable

COLUMNS: Final = (
    "question", "benchmark", "pair", "variant", "variant_title", "kind", "role", "site", "page",
    "words", "image", "left", "top", "right", "bottom", "model", "outcome", "x", "y", "mode",
    "flip", "raw",
)  # fmt: skip
# What a spreadsheet takes for a formula.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
_FLIPS: Final = {Flip.NONE: "", Flip.LOST: "lost", Flip.GAINED: "gained"}


def csv_lines(table: QuestionTable, rows: Ints) -> Iterator[str]:
    """
    Yield a header and a line an answer.

    Text that a spreadsheet would run as a formula gets a quote before it.
    """
    yield _csv(COLUMNS)
    for record in _records(table, rows):
        yield _csv([_tame(record[name]) for name in COLUMNS])


def json_lines(table: QuestionTable, rows: Ints) -> Iterator[str]:
    """Yield one JSON object an answer."""
    for record in _records(table, rows):
        yield canonical_json(record).decode() + "\n"


def _records(table: QuestionTable, rows: Ints) -> Iterator[dict[str, object]]:
    """Yield each question with each answer; with none where no model was asked."""
    for row in rows.tolist():
        question = table.question(row)
        known: dict[str, object] = {
            "question": question.id,
            "benchmark": table.benches[int(table.bench[row])].name,
            "pair": question.pair,
            "variant": question.cell.variant,
            "variant_title": variant_title(question.cell.variant),
            "kind": question.cell.instruction,
            "role": question.role,
            "site": question.cluster,
            "page": question.page_name,
            "words": question.instruction.text,
            "image": " ".join(question.images),
            **dict(zip(COLUMNS[11:15], question.truth.as_tuple(), strict=True)),
        }
        answered = [
            {**known, **_answer(table, number, row)}
            for number in range(len(table.models))
            if table.outcome[number, row] != AnswerOutcome.NOT_ASKED
        ]
        yield from answered or [{**known, **dict.fromkeys(COLUMNS[15:], "")}]


def _answer(table: QuestionTable, number: int, row: int) -> dict[str, object]:
    answer, mode = table.answer(number, row), int(table.mode[number, row])
    place = place_of(answer.parsed) if answer else None
    names = {AnswerOutcome[result.upper()]: result for result in OUTCOMES if result != "wrong"}
    return {
        "model": table.models[number],
        "outcome": names[AnswerOutcome(int(table.outcome[number, row]))],
        "x": place.x if place else "",
        "y": place.y if place else "",
        "mode": "" if mode == NOT_JUDGED else tuple(MODES)[mode],
        "flip": _FLIPS[Flip(int(table.flip[number, row]))],
        "raw": answer.raw if answer else "",
    }


def _csv(cells: object) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow(cells)  # type: ignore[arg-type]
    return out.getvalue()


def _tame(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
