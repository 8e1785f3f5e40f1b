"""
The answers of a sensitivity benchmark as columns: views, elements, and what each is like.

A view is a variant of the picture. The rewordings of an instruction make a view of their
own, together with the instruction that they reword, so that a picture's view holds the
same kinds of expression whether or not its words were changed as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal, TypeAlias

import msgspec
import numpy as np

from surefoot.core.question import Cell, Question
from surefoot.core.screen import Screen
from surefoot.score.outcomes import Outcomes, Record, tabulate
from surefoot.score.stats.arrays import Bools, Labels

__all__ = ["AS_WRITTEN", "REWORDED", "TRAITS", "SensitivityTable", "Trait", "read_sensitivity"]

Trait: TypeAlias = Literal["kind", "specificity", "wording", "toolkit", "platform", "site"]
TRAITS: Final[tuple[Trait, ...]] = (
    "kind",
    "specificity",
    "wording",
    "toolkit",
    "platform",
    "site",
)
REWORDED: Final = "+reworded"
AS_WRITTEN: Final = "as written"
_OWN_WORDS: Final = {"", "writer"}


class SensitivityTable(msgspec.Struct, frozen=True, eq=False):
    """
    Hold one row per answer: its outcome, with the view as its variant, and its traits.

    ``traits`` has a column for each trait: of the instruction (kind, specificity, wording)
    and of the screen (toolkit, platform, site), "" where nothing is known. ``said``
    is the expression with its wording: what one instruction has in common in all views.
    ``repeated``
    tells the rows that stand among rewordings though their words are the original ones.
    """

    outcomes: Outcomes
    traits: dict[Trait, Labels]
    said: Labels
    repeated: Bools


def read_sensitivity(records: Iterable[Record], screens: Mapping[str, Screen]) -> SensitivityTable:
    """
    Build the table from (model, question, answer or None) records and screens by id.

    Rows are sorted by model and question, so that the order of the records does not matter.
    An instruction that was reworded stands twice: among its view's instructions and, "as
    written", among its rewordings. Raises InvalidInputError as ``tabulate`` does.
    """
    plain = sorted(records, key=lambda record: (record[0], record[1].id))
    reworded = {_origin(question) for _, question, _ in plain if _changed(question)}
    placed = [_placed(record, _view(record[1])) for record in plain]
    placed += [
        _placed(record, record[1].cell.variant + REWORDED)
        for record in plain
        if not _changed(record[1]) and _origin(record[1]) in reworded
    ]
    described = [_traits(question, screens.get(question.screen)) for _, question, _ in placed]
    columns = zip(*described, strict=True) if described else [()] * len(TRAITS)
    return SensitivityTable(
        tabulate(placed),
        {trait: _labels(values) for trait, values in zip(TRAITS, columns, strict=True)},
        _labels(_said(question) for _, question, _ in placed),
        np.arange(len(placed)) >= len(plain),
    )


def _changed(question: Question) -> bool:
    return question.instruction.wording not in _OWN_WORDS


def _origin(question: Question) -> tuple[object, ...]:
    """Tell what a rewording shares with its original; the model does not matter."""
    cell = question.cell
    return question.pair, cell.variant, cell.reasoning, question.instruction.expression


def _view(question: Question) -> str:
    return question.cell.variant + REWORDED * _changed(question)


def _placed(record: Record, view: str) -> Record:
    model, question, answer = record
    cell = Cell(view, "", question.cell.reasoning)
    return model, msgspec.structs.replace(question, cell=cell), answer


def _traits(question: Question, screen: Screen | None) -> tuple[str, ...]:
    words = question.instruction
    shown = (screen.toolkit, screen.platform, screen.site) if screen else ("", "", "")
    return (words.kind, words.specificity, words.wording or AS_WRITTEN, *shown)


def _said(question: Question) -> str:
    words = question.instruction
    return f"{words.wording} {words.expression}"


def _labels(values: Iterable[str]) -> Labels:
    names, codes = np.unique(np.array(list(values), dtype=np.str_), return_inverse=True)
    return Labels(tuple(names.tolist()), codes.astype(np.int64))
