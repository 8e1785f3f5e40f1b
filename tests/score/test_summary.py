"""
The summary: complete, the same in any order of its rows, and open to metrics from outside.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from surefoot.core.canonical import canonical_json
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Point
from surefoot.core.question import Answer, Choice, Question, Text
from surefoot.phrasing.tables import summary_lines
from surefoot.score.contrasts.comparisons import VARIANTS
from surefoot.score.metric import METRICS, Metric
from surefoot.score.outcomes import Record, by_model, tabulate
from surefoot.score.scoring import Scoring, tabulate_for
from surefoot.score.scorings.hits import HITS
from surefoot.score.summary import summarise

RecordMaker = Callable[..., Record]
HIT, MISS = Point(120.0, 110.0), Point(900.0, 400.0)


def test_the_order_of_the_rows_does_not_matter(record: RecordMaker) -> None:
    """Shuffled answers give the same bytes."""
    random = np.random.default_rng(2)
    rows = [
        record(
            HIT if random.random() < 0.7 else MISS, pair=f"p{pair:02}", cluster=f"c{pair % 7}",
            variant=variant, model=model,
        )
        for model in "ba"
        for pair in range(40)
        for variant in ("zoom", "original")
    ]  # fmt: skip
    mixed = [rows[place] for place in random.permutation(len(rows))]
    first, again = (summarise(tabulate_for(HITS, by_model(item)), HITS) for item in (rows, mixed))

    assert msgspec.json.decode(canonical_json(first.comparisons)) == msgspec.json.decode(
        canonical_json(again.comparisons)
    )
    assert [score.amount for score in first.scores] == pytest.approx(
        [score.amount for score in again.scores]
    )


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32 - 1), shared=st.booleans())
def test_a_further_model_changes_no_number_of_the_others(
    record: RecordMaker, seed: int, *, shared: bool
) -> None:
    """Scores, intervals, tests and corrections of two models stand as they are beside a third."""
    random = np.random.default_rng(seed)

    def rows(model: str, first: int, rate: float) -> list[Record]:
        return [
            record(
                HIT if random.random() < rate else MISS,
                pair=f"p{pair:02}", cluster=f"c{pair % 6}",
                variant=variant, instruction=instruction, model=model,
            )
            for pair in range(first, first + 18)
            for variant in ("original", "zoom", "style")
            for instruction in ("direct", "relational")
        ]  # fmt: skip

    two = rows("a", 0, 0.8) + rows("b", 0, 0.5)
    third = rows("c", 0 if shared else 9, 0.2)
    alone, beside = (
        summarise(tabulate_for(HITS, by_model(item)), HITS) for item in (two, two + third)
    )

    kept = [one for one in beside.comparisons if "c" not in (one.model, one.baseline)]
    assert len(beside.comparisons) > len(alone.comparisons)
    for one, other in zip(kept, alone.comparisons, strict=True):
        numbers = [
            (item.p, item.p_holm, item.family, item.change, item.n) for item in (one, other)
        ]
        assert numbers[0] == pytest.approx(numbers[1])
        assert one.interval is not None
        assert other.interval is not None
        ends = [(item.low, item.high) for item in (one.interval, other.interval)]
        assert ends[0] == pytest.approx(ends[1])
        assert one.discordance == other.discordance


def test_metrics_that_say_nothing_are_left_out(record: RecordMaker) -> None:
    """Where no words are asked for there is no token F1, and where they are there is."""
    clicks = [record(HIT, pair=f"p{n}") for n in range(3)]
    worded = [
        (model, msgspec.structs.replace(question, asks="words", answers=("red car",)), answer)
        for model, question, answer in [record(Text("red"), pair=f"w{n}") for n in range(3)]
    ]
    plain, mixed = (
        summarise(tabulate_for(HITS, by_model(rows)), HITS)
        for rows in (clicks, [*clicks, *worded])
    )

    assert "f1" not in {metric.name for metric in plain.metrics}
    (score,) = (item for item in mixed.scores if item.metric == "f1")
    assert score.amount == pytest.approx(2 / 3)
    assert score.n == 3


def test_few_sites_failures_and_missing_contrasts_are_said(record: RecordMaker) -> None:
    """Few elements, a question without a reply, and nothing to compare have a sentence each."""
    table = tabulate_for(HITS, by_model([record(HIT), record(None, pair="b")]))
    said = " ".join(summarise(table, HITS).warnings)

    assert "Only 1 element: nothing can be concluded about others" in said
    assert "1 questions got no reply" in said
    assert "No two conditions can be compared" in said


def test_options_are_not_spoken_of_as_clicks(record: RecordMaker) -> None:
    """Where no question asks for a place, nothing said of the scores is of hits or targets."""
    rows: list[Record] = []
    for at in range(24):
        model, question, _ = record(None, pair=f"e{at}", cluster=f"s{at % 6}")
        asked = msgspec.structs.replace(
            question, asks="option", options=("A", "B"), answers=("A",)
        )
        rows.append((model, asked, Answer(asked.id, "", Choice("AB"[at % 4 == 0]))))
    summary = summarise(tabulate_for(HITS, by_model(rows)), HITS)
    said = " ".join(summary_lines(summary))

    assert "answers 75.0 % of its questions rightly" in said
    assert "accuracy" in said
    assert not re.search(r"\b(hit|hits|target|targets|click|clicks)\b", said)


def test_what_cannot_be_scored_is_refused(record: RecordMaker) -> None:
    """An empty table, two answers to one place, and a pair on two sites raise."""
    with pytest.raises(InvalidInputError, match="at least one question"):
        summarise(tabulate([]), HITS)
    with pytest.raises(InvalidInputError, match="different ids"):
        summarise(tabulate_for(HITS, by_model([record(HIT), record(MISS)])), HITS)
    apart = tabulate_for(
        HITS, by_model([record(HIT), record(HIT, variant="zoom", cluster="other")])
    )
    with pytest.raises(InvalidInputError, match="in one cluster"):
        summarise(apart, HITS)


def test_a_run_that_failed_whole_has_a_summary(record: RecordMaker) -> None:
    """With no reply at all nothing is measured, and nothing is NaN."""
    rows = [
        record(None, pair=pair, variant=literal)
        for pair in "ab"
        for literal in ("original", "zoom")
    ]
    summary = summarise(tabulate_for(HITS, by_model(rows)), HITS)

    assert (summary.failed, summary.answers, summary.metrics) == (4, 0, ())
    assert b"nan" not in canonical_json(summary).lower()


def _length(_question: Question, answer: Answer | None) -> float | None:
    return float(len(answer.raw)) if answer else None


def test_a_metric_from_outside_gets_all_that_ours_have(
    record: RecordMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A function of a question and its answer has scores, intervals, tests and slices."""
    length = Metric(
        name="reply-length", version=3, title="length of the reply", summary="its letters",
        unit="", higher_is_better=False, bounds=(0.0, float("inf")), reference="a test",
        measure=_length,
    )  # fmt: skip
    monkeypatch.setitem(METRICS.entries, "reply-length", length)
    scoring = Scoring(
        name="chatter", metrics=("reply-length",), contrasts=(VARIANTS,), slices=("role",)
    )
    rows = []
    for pair in range(24):
        for variant in ("original", "zoom"):
            model, question, answer = record(
                HIT, pair=f"p{pair}", cluster=f"s{pair % 12}", variant=variant,
                role=("link", "button")[pair % 2],
            )  # fmt: skip
            assert answer is not None
            words = "x" * (10 + pair % 12 + 5 * (variant == "zoom"))
            rows.append((model, question, msgspec.structs.replace(answer, raw=words)))
    summary = summarise(tabulate_for(scoring, by_model(rows)), scoring)
    (change,) = summary.comparisons

    assert [(score.variant, score.amount) for score in summary.scores] == [
        ("original", 15.5),
        ("zoom", 20.5),
    ]
    assert (change.change, change.n, change.clusters, change.discordance) == (5.0, 24, 12, None)
    assert change.p < 0.01
    assert all(score.interval for score in summary.scores)
    assert {item.value for item in summary.slices} == {"link", "button"}
    assert summary.metric("reply-length").version == 3
    with pytest.raises(InvalidInputError, match="a metric of this summary"):
        summary.metric("hit")
