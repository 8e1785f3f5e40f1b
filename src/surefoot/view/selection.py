"""
What is looked at, as the query of an address: every state has a link.
"""

from __future__ import annotations

import urllib.parse
from collections.abc import Callable, Mapping
from typing import Final, Literal, TypeAlias

import msgspec
import numpy as np

from surefoot.core.errors import InvalidInputError
from surefoot.failures.modes import MODES
from surefoot.failures.shares import NOT_JUDGED
from surefoot.score.stats.arrays import Bools, Floats, Ints
from surefoot.view.table import REPLIED, AnswerOutcome, Flip, QuestionTable

Result: TypeAlias = Literal["", "hit", "wrong", "miss", "refused", "unparsed", "failed"]
OUTCOMES: Final[dict[Result, str]] = {
    "hit": "hit",
    "wrong": "a reply, and no hit",
    "miss": "missed",
    "refused": "declined",
    "unparsed": "unreadable reply",
    "failed": "no reply",
}
FlipName: TypeAlias = Literal["", "lost", "gained"]
FLIPS: Final[dict[FlipName, str]] = {
    "lost": "right on the original, wrong here",
    "gained": "wrong on the original, right here",
}
Order: TypeAlias = Literal["", "site", "small", "large", "far", "hard", "easy"]
ORDERS: Final[dict[Order, str]] = {
    "": "in the benchmark's order",
    "site": "by site and page",
    "small": "smallest target first",
    "large": "largest target first",
    "far": "farthest click first",
    "hard": "missed by most models first",
    "easy": "missed by fewest models first",
}
NOT_TOLD: Final = "not told"
WRONG: Final = [outcome for outcome in REPLIED if outcome != AnswerOutcome.HIT]


class Selection(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """
    Say which questions are looked at, and in which order; "" leaves a column alone.

    ``model`` narrows ``outcome``, ``mode`` and ``flip`` to that model's answers; without one
    any model's will do, as long as one and the same answer is meant. ``other`` is the outcome
    of the model ``against``. ``words`` must all occur, each in the instruction or in a reply.
    """

    bench: str = ""
    variant: str = ""
    kind: str = ""
    role: str = ""
    size: str = ""
    site: str = ""
    reasoning: str = ""
    sample: str = ""
    proof: str = ""
    model: str = ""
    outcome: Result = ""
    mode: str = ""
    flip: FlipName = ""
    against: str = ""
    other: Result = ""
    words: str = ""
    order: Order = ""


def read_selection(query: Mapping[str, str]) -> Selection:
    """
    Read a selection from the parts of a query that are its own.

    Raises InvalidInputError for an outcome, a flip or an order that there is not.

    >>> chosen = read_selection({"role": "link", "outcome": "miss", "page": "3"})
    >>> chosen == Selection(role="link", outcome="miss")
    True
    """
    own = {name: query[name] for name in Selection.__struct_fields__ if query.get(name)}
    try:
        return msgspec.convert(own, Selection)
    except msgspec.ValidationError as error:
        raise InvalidInputError("a selection that there is", found=error) from error


def query_of(selection: Selection, **changed: object) -> str:
    """
    Return the query that leads to a selection with some parts changed, and to what else is told.

    >>> query_of(Selection(role="link", site="a b"), role="", page=2)
    '?site=a+b&page=2'
    """
    parts = {**msgspec.to_builtins(selection), **changed}
    told = urllib.parse.urlencode({name: value for name, value in parts.items() if value})
    return f"?{told}" if told else "?"


def select(table: QuestionTable, selection: Selection) -> Ints:
    """Return the rows that a selection holds, in its order; none for a name that there is not."""
    kept = np.ones(len(table), dtype=np.bool_)
    for name, column in table.labels.items():
        wanted = getattr(selection, name)
        if wanted:
            code = column.names.index(wanted) if wanted in column.names else -1
            kept &= column.codes == code
    answers = _answers(table, selection)
    if answers is not None:
        kept &= answers
    for word in selection.words.split():
        kept &= table.texts.holding(word)
    rows = np.flatnonzero(kept)
    return rows[np.argsort(_keys(table, selection)(rows), kind="stable")]


def _answers(table: QuestionTable, selection: Selection) -> Bools | None:
    """Tell which questions have the answers that are wanted; None where any will do."""
    asked = selection.outcome or selection.mode or selection.flip
    if not (asked or selection.model or selection.other):
        return None
    kept = table.outcome != AnswerOutcome.NOT_ASKED
    if selection.outcome:
        kept &= _with_result(table.outcome, selection.outcome)
    if selection.mode:
        code = NOT_JUDGED
        if selection.mode != NOT_TOLD:
            code = list(MODES).index(selection.mode) if selection.mode in MODES else NOT_JUDGED - 1
        failed = _with_result(table.outcome, "wrong")
        kept &= failed & (table.mode == code)
    if selection.flip:
        kept &= table.flip == (Flip.LOST if selection.flip == "lost" else Flip.GAINED)
    found = kept[_models(table, selection.model)].any(axis=0)
    if selection.against and selection.other:
        others = _with_result(table.outcome[_models(table, selection.against)], selection.other)
        found &= others.any(axis=0)
    return np.asarray(found)


def _models(table: QuestionTable, name: str) -> list[int]:
    return [number for number, model in enumerate(table.models) if name in ("", model)]


def _with_result(outcome: Ints, result: Result) -> Bools:
    if result == "wrong":
        return np.isin(outcome, WRONG)
    return np.asarray(outcome == AnswerOutcome[result.upper()])


def _keys(table: QuestionTable, selection: Selection) -> Callable[[Ints], Ints | Floats]:
    """Return what gives the key that rows are sorted by."""
    wide, tall = (table.truth[:, side + 2] - table.truth[:, side] for side in (0, 1))
    models = _models(table, selection.model)
    site = table.labels["site"]

    def missed(rows: Ints) -> Ints:
        wrong = _with_result(table.outcome[models][:, rows], "wrong")
        return np.asarray(wrong.sum(axis=0))

    def away(rows: Ints) -> Floats:
        told = np.nan_to_num(table.miss[models][:, rows], nan=-1.0)
        return np.asarray(-told.max(axis=0, initial=-1.0))

    order = {name: place for place, name in enumerate(sorted(site.names))}
    ranks = np.array([order[name] for name in site.names], dtype=np.int64)
    keys: dict[Order, Callable[[Ints], Ints | Floats]] = {
        "": lambda rows: rows,
        "site": lambda rows: (
            ranks[site.codes[rows]] * (int(table.group.max(initial=0)) + 1) + table.group[rows]
        ),
        "small": lambda rows: (wide * tall)[rows],
        "large": lambda rows: -(wide * tall)[rows],
        "far": away,
        "hard": lambda rows: -missed(rows),
        "easy": missed,
    }
    return keys[selection.order]
