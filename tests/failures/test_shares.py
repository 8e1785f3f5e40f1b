"""
Shares of the failures by mode: counts by hand, intervals of the one engine, nothing hidden.
"""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Answer, Cell, Parsed, Question, Unparsed
from surefoot.failures import shares
from surefoot.failures.modes import MODES, FailureMode
from surefoot.failures.shares import (
    NOT_JUDGED,
    FailedCondition,
    Failures,
    JudgedRows,
    draw_failures,
    failure_shares,
)
from surefoot.failures.words import failure_sentences
from surefoot.score.conditions.rows import rows_of
from surefoot.score.conditions.scores import score_rows
from surefoot.score.metric import Metric, Ruler
from surefoot.score.outcomes import Outcomes, Record, tabulate
from surefoot.score.stats.clusters import RATE

HIT, MISS = Point(5.0, 5.0), Point(50.0, 50.0)
PLACES = {mode: place for place, mode in enumerate(MODES)}


def answered(
    number: int, parsed: Parsed | None, *, model: str = "m", site: str = "a", variant: str = "v"
) -> Record:
    """Return a record about a box at the origin; None is a question without a reply."""
    cell = Cell(variant, ("direct", "relational")[number % 2])
    words = Instruction("x", "en", "direct", "high", Expression(), "t")
    name = f"{site} {number} {variant}"
    question = Question(
        name, f"{site} {number}", site, cell, "s", "", 100, 100, words, Box(0, 0, 10, 10)
    )
    return model, question, None if parsed is None else Answer(name, "", parsed)


def summed(
    table: Outcomes, modes: list[FailureMode | None], thoughts: list[bool] | None = None
) -> Failures:
    """Sum up a table whose failures have these modes, in the order of its rows."""
    drawn = draw_failures(table, Ruler())
    mode = np.full(len(table), NOT_JUDGED)
    mode[drawn.drawn] = [NOT_JUDGED if literal is None else PLACES[literal] for literal in modes]
    thoughtful = np.zeros(len(table), dtype=bool)
    thoughtful[drawn.drawn] = thoughts or [False] * len(modes)
    moved = np.zeros(len(table), dtype=bool)
    moved[mode == PLACES["scale brittleness"]] = True
    nobody = np.zeros(len(table), dtype=bool)
    rows = JudgedRows(drawn, mode, thoughtful, moved, nobody, nobody)
    return failure_shares(table, rows)


def share(condition: FailedCondition, mode: FailureMode) -> tuple[int, int]:
    """Return how many failures of a condition are of a mode, and of how many."""
    return next((one.count, one.of) for one in condition.modes if one.mode == mode)


def test_failures_are_counted_by_mode_and_variant() -> None:
    """Hits and questions without a reply are no failures, and kinds of instruction are one."""
    table = tabulate(
        [answered(n, HIT) for n in range(3)]
        + [answered(n, MISS) for n in range(3, 7)]
        + [answered(7, None), answered(8, Unparsed("?"))]
        + [answered(9, MISS, variant="w")]
    )

    first, second = summed(
        table, ["visual confusion", "undecided", "undecided", None, "unparsed", "undecided"]
    ).conditions

    assert (first.variant, first.answers, first.failures) == ("v", 8, 5)
    assert (first.drawn, first.unjudged, first.judged, first.thoughtful) == (5, 1, 4, 0)
    assert share(first, "visual confusion") == (1, 4)
    assert share(first, "undecided") == (2, 4)
    assert share(first, "unparsed") == (1, 4)
    assert share(first, "refused") == (0, 4)
    assert (second.variant, second.failures) == ("w", 1)


def test_modes_of_thought_are_shares_of_the_thoughts() -> None:
    """A failure without a thought is in no share of a mode that only a thought can show."""
    table = tabulate([answered(n, MISS) for n in range(4)])

    (one,) = summed(
        table, ["goal hallucination", "undecided", "undecided", "undecided"],
        [True, True, False, False],
    ).conditions  # fmt: skip
    (silent,) = summed(table, ["undecided"] * 4).conditions

    assert share(one, "goal hallucination") == (1, 2)
    assert share(one, "undecided") == (3, 4)
    assert share(silent, "reasoning drift") == (0, 0)
    drift = next(mode for mode in silent.modes if mode.mode == "reasoning drift")
    assert (drift.share, drift.interval) == (None, None)


def test_intervals_are_those_of_a_score() -> None:
    """A mode's interval is that of a metric that is 1 for its failures and 0 for the others."""
    random = np.random.default_rng(4)
    table = tabulate(
        answered(n, MISS if random.random() < 0.7 else HIT, site=f"site{n % 9}")
        for n in range(200)
    )
    drawn = draw_failures(table, Ruler()).drawn
    modes: list[FailureMode] = [
        "undecided" if random.random() < 0.4 else "visual confusion" for _ in range(drawn.sum())
    ]
    values = np.full(len(table), np.nan)
    values[drawn] = [mode == "undecided" for mode in modes]
    metric = Metric(
        name="x", version=1, title="x", summary="x", unit="share", higher_is_better=True,
        bounds=RATE, reference="x", column=lambda _outcomes, _ruler: values,
    )  # fmt: skip

    (found,) = summed(table, list(modes)).conditions
    rows = rows_of(table, Ruler())
    whole = msgspec.structs.replace(
        rows, conditions=rows.conditions[:1], condition=np.zeros_like(rows.condition)
    )
    (score,) = score_rows(whole, metric, values)

    one = next(mode for mode in found.modes if mode.mode == "undecided")
    assert one.share == pytest.approx(score.amount)
    assert one.interval == score.interval
    assert one.interval is not None
    assert (one.interval.clusters, one.interval.over) == (9, "sites")


def test_many_failures_are_drawn_by_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """At most so many of a condition are looked at, the same ones for a seed; others are whole."""
    monkeypatch.setattr(shares, "MOST_JUDGED", 10)
    table = tabulate(
        [answered(n, MISS) for n in range(60)]
        + [answered(n, MISS, variant="few") for n in range(60, 64)]
    )

    drawn, again, other = (draw_failures(table, Ruler(), seed=seed).drawn for seed in (1, 1, 2))
    found = summed(table, ["undecided"] * 14)

    assert drawn.sum() == 14
    assert drawn[60:].all()
    assert (drawn == again).all()
    assert (drawn != other).any()
    assert [(one.variant, one.failures, one.drawn) for one in found.conditions] == [
        ("few", 4, 4),
        ("v", 60, 10),
    ]
    assert "Of the 60 failures of m, v 10 were drawn and looked at." in failure_sentences(found)


def test_what_cannot_be_told_is_said() -> None:
    """Sentences name the failures without a mode, and the modes that no thought could show."""
    table = tabulate(
        [answered(n, MISS) for n in range(3)] + [answered(n, MISS, model="k") for n in range(2)]
    )
    found = summed(
        table, ["visual confusion", "undecided", None, "undecided", "reasoning drift"],
        [False, False, False, True, True],
    )  # fmt: skip

    said = failure_sentences(found)

    assert said[0].startswith("k, v: 2 of 2 answers failed: reasoning drift 1 (50.0 %); ")
    assert said[1].startswith(
        "m, v: 3 of 3 answers failed (shares of the 2 whose mode could be told): "
    )
    assert said[2].startswith("1 of 5 failures could not be told by a mode: not one element ")
    assert said[3].startswith("Not judged for m: goal hallucination and reasoning drift, which ")
    assert len(said) == 4


def test_silent_modes_are_told_from_those_that_reason() -> None:
    """Of a model that was asked in both modes, the one without thoughts is named as such."""
    plain = [answered(n, MISS) for n in range(2)]
    reasoned = [
        (
            model,
            msgspec.structs.replace(
                question, id=f"{question.id} r", cell=Cell("v", "direct", reasoning=True)
            ),
            Answer(f"{question.id} r", "", MISS),
        )
        for model, question, _ in plain
    ]

    said = failure_sentences(
        summed(
            tabulate([*plain, *reasoned]),
            ["undecided", "undecided", "reasoning drift", "undecided"],
            [False, False, True, True],
        )
    )

    assert said[-1].startswith("Not judged for m, without reasoning: goal hallucination")


def test_no_failure_says_nothing() -> None:
    """Where nothing failed there is no sentence, and no warning of what was not judged."""
    assert failure_sentences(summed(tabulate([answered(n, HIT) for n in range(3)]), [])) == []
