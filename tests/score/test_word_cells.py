"""
Token F1 and the level of chance of cells: means by hand, intervals by a slow jackknife.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
import numpy as np
import pytest

from surefoot.core.geometry import Box, Point
from surefoot.core.question import Choice, Parsed, Refusal, Text, Unparsed
from surefoot.score.outcomes import Record, tabulate
from surefoot.score.stats.clusters import AGREEING
from surefoot.score.summary import Summary, summarise
from surefoot.score.words import cell_line

RecordMaker = Callable[..., Record]
NOWHERE = Box(0.0, 0.0, 0.0, 0.0)


def asked(row: Record, **changes: object) -> Record:
    """Make a record one of words or options."""
    model, question, answer = row
    return model, msgspec.structs.replace(question, truth=NOWHERE, **changes), answer


def words_summary(
    record: RecordMaker, replies: Sequence[Parsed | None], answers: tuple[str, ...]
) -> Summary:
    """Score replies to questions with the same right words, two on a site."""
    rows = [
        asked(
            record(each, pair=f"p{n:03}", cluster=f"c{n // 2:03}"), asks="words", answers=answers
        )
        for n, each in enumerate(replies)
    ]
    return summarise(tabulate(rows))


def test_f1_and_exact_match_are_those_of_the_replies(record: RecordMaker) -> None:
    """Unparsed, declined and misplaced replies are 0; a failed unit stands outside."""
    replies = [Text("red car"), Text("red"), Unparsed("?"), Refusal("no"), Point(0.0, 0.0), None]
    (cell,) = words_summary(record, replies, ("the red car",)).cells
    assert (cell.n, cell.hits, cell.unparsed, cell.refused, cell.failed) == (5, 1, 2, 1, 1)
    assert cell.rate == 0.2
    assert cell.f1 == pytest.approx((1 + 2 / 3) / 5)
    assert (cell.located, cell.mse, cell.chance) == (0, None, None)
    assert cell_line(cell).startswith("model, direct, original: 20.0 % (1 of 5; 2 unparsed, 1 f")
    assert "1 failed; 95 % interval " in cell_line(cell)
    assert "; token F1 33.3 %, 95 % interval " in cell_line(cell)


def test_the_interval_of_f1_leaves_out_sites(
    record: RecordMaker, jackknife: Callable[..., tuple[float, float]]
) -> None:
    """It is that of a jackknife over whole sites written out."""
    random = np.random.default_rng(5)
    worth = {"x": 0.0, "red": 2 / 3, "red car": 1.0}
    drawn = [list(worth)[each] for each in random.integers(0, 3, 80)]
    (cell,) = words_summary(record, [Text(each) for each in drawn], ("red car",)).cells
    sites = [[worth[each] for each in drawn[at : at + 2]] for at in range(0, 80, 2)]
    assert cell.f1_interval is not None
    assert (cell.f1_interval.low, cell.f1_interval.high) == pytest.approx(jackknife(sites))


@pytest.mark.parametrize(("said", "f1"), [("red car", 1.0), ("blue", 0.0)])
def test_without_variation_the_interval_counts_sites(
    record: RecordMaker, said: str, f1: float
) -> None:
    """Where every reply is alike the exact bound over sites stands in, never a point."""
    (cell,) = words_summary(record, [Text(said)] * 20, ("red car",)).cells
    interval = cell.f1_interval
    assert cell.f1 == f1
    assert interval is not None
    assert interval.method == AGREEING
    reach = 1 - 0.025 ** (1 / 10)  # of ten sites, all or none
    assert (interval.low, interval.high) == pytest.approx((1 - reach, 1) if f1 else (0, reach))


def test_options_have_accuracy_and_chance(record: RecordMaker) -> None:
    """Accuracy counts exact labels; chance is the mean over what each question offers."""
    rows = [
        asked(
            record(reply, pair=f"p{n}", cluster=f"c{n}"),
            asks="option",
            options=tuple("ABCD")[: 4 - 2 * (n == 0)],
            answers=("B",),
        )
        for n, reply in enumerate([Choice("B"), Choice("A"), Unparsed("?"), Choice("B"), None])
    ]
    (cell,) = summarise(tabulate(rows)).cells
    assert (cell.hits, cell.n, cell.unparsed, cell.failed) == (2, 4, 1, 1)
    assert cell.chance == pytest.approx((0.5 + 3 * 0.25) / 4)
    assert (cell.f1, cell.f1_interval) == (None, None)
    assert cell.interval is not None
    assert cell_line(cell).endswith(" (4 sites)); chance 31.2 %")


def test_places_and_words_may_share_a_table(record: RecordMaker) -> None:
    """Each cell has what its questions ask for, and words have no size and no direction."""
    rows = [
        record(Point(120.0, 110.0), pair="a"),
        asked(record(Text("x"), pair="b", instruction="qa"), asks="words", answers=("x",)),
    ]
    summary = summarise(tabulate(rows))
    place, words = summary.cells
    assert (place.rate, place.f1, place.located) == (1.0, None, 1)
    assert (words.rate, words.f1, words.located) == (1.0, 1.0, 0)
    assert [each.instruction for each in summary.by_size] == ["direct"]
    assert [each.instruction for each in summary.bias] == ["direct"]
