"""
Scoring by scatter: how far the clicks at one element lie apart over its descriptions.

A view is a variant of the picture. The rewordings of an instruction make a view of their
own, together with the instruction that they reword, so that a picture's view holds the
same kinds of expression whether or not its words were changed as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from surefoot.core.instruction import identifiers_of
from surefoot.core.perturbation import REWORDED
from surefoot.core.question import Cell, Question
from surefoot.core.screen import Screen
from surefoot.score.conditions.rows import DIRECT
from surefoot.score.conditions.scores import Score
from surefoot.score.contrasts.comparisons import (
    BASES,
    MODELS_BY_VARIANT,
    REASONING_BY_VARIANT,
    VARIANTS,
    Contrast,
)
from surefoot.score.scoring import Scoring

AS_WRITTEN: Final = "as written"
_OWN_WORDS: Final = {"", "writer", "judged"}


def _by_view(questions: Iterable[Question]) -> Iterator[Question]:
    """
    Set the cells of questions to views, sorted by question.

    An instruction that was reworded stands twice: among its view's instructions and, "as
    written", among its rewordings.
    """
    plain = sorted(questions, key=lambda question: question.id)
    reworded = {_origin(question) for question in plain if _changed(question)}
    for question in plain:
        yield _placed(question, question.cell.variant + REWORDED * _changed(question))
    for question in plain:
        if not _changed(question) and _origin(question) in reworded:
            yield _placed(question, question.cell.variant + REWORDED)


def _changed(question: Question) -> bool:
    return question.instruction.wording not in _OWN_WORDS


def _origin(question: Question) -> tuple[object, ...]:
    """Tell what a rewording shares with its original; the model does not matter."""
    cell = question.cell
    return question.pair, cell.variant, cell.reasoning, question.instruction.expression


def _placed(question: Question, view: str) -> Question:
    cell = Cell(view, "", question.cell.reasoning)
    return msgspec.structs.replace(question, cell=cell)


def _traits(question: Question, screen: Screen | None) -> dict[str, str]:
    words = question.instruction
    return {
        "kind": words.kind,
        "specificity": words.specificity,
        "identifiers": "" if words.proof else identifiers_of(words.expression),
        "wording": words.wording or AS_WRITTEN,
        "toolkit": screen.toolkit if screen else "",
        "platform": screen.platform if screen else "",
        "said": f"{words.wording} {words.text if words.proof else words.expression}",
    }


def _warnings(scores: Sequence[Score], _details: Mapping[str, object]) -> Iterator[str]:
    lost = sum(row.unparsed + row.refused + row.failed for row in scores if row.metric == "s_oob")
    if lost:
        yield (
            f"{lost:,} of {sum(row.rows for row in scores if row.metric == 's_oob'):,} answers "
            "name no place; they count as out of bounds, and have no part in the deviations."
        )
    still, missed = (
        {
            (score.model, score.reasoning, score.variant)
            for score in scores
            if score.metric == metric and score.amount is not None and (score.amount > 0) == moves
        }
        for metric, moves in (("s_mean", False), ("s_oob", True))
    )
    if still & missed:
        yield "A mean deviation of 0 beside misses is a click that never moves, not a sure one."


SCATTER: Final = Scoring(
    name="scatter",
    metrics=("s_mean", "s_worst", "s_oob"),
    contrasts=(
        VARIANTS,
        BASES,
        MODELS_BY_VARIANT,
        REASONING_BY_VARIANT,
        Contrast(name="kind", varies="kind", baseline=DIRECT, alike=False),
        Contrast(name="specificity", varies="specificity", baseline="high", alike=False),
        Contrast(name="identifiers", varies="identifiers", baseline="place alone", alike=False),
        Contrast(name="wording", varies="wording", baseline=AS_WRITTEN, alike=False),
    ),
    slices=("kind", "specificity", "identifiers", "wording", "toolkit", "platform", "site"),
    arrange=_by_view,
    traits=("kind", "specificity", "identifiers", "wording", "toolkit", "platform", "said"),
    looks=True,
    describe=_traits,
    warn=_warnings,
)
