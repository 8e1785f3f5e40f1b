"""
The summary against loops and independent tests, and in any order of its rows.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np
import pytest
from statsmodels.stats.contingency_tables import mcnemar as reference

from surefoot.core.canonical import canonical_json
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Point
from surefoot.core.question import Refusal, Unparsed
from surefoot.score.outcomes import Outcomes, Record, tabulate
from surefoot.score.stats.clusters import AGREEING
from surefoot.score.summary import Summary, summarise

RecordMaker = Callable[..., Record]
TableMaker = Callable[..., Outcomes]
PairDrawer = Callable[[int, int, int], list[tuple[str, bool, bool]]]
HIT, MISS = Point(120.0, 110.0), Point(900.0, 400.0)


def test_a_comparison_is_that_of_a_loop(pairs_table: TableMaker, drawn_pairs: PairDrawer) -> None:
    """Counts, rates, change, p, and clusters equal those of a loop and of statsmodels."""
    drawn = drawn_pairs(1, 40, 6)
    summary = summarise(pairs_table(drawn))
    (ours,) = summary.comparisons
    b = sum(before and not after for _, before, after in drawn)
    c = sum(after and not before for _, before, after in drawn)
    theirs = reference([[0, b], [c, 0]], exact=False, correction=True)
    assert (ours.n, ours.b, ours.c, ours.clusters) == (240, b, c, 40)
    assert ours.both == sum(before and after for _, before, after in drawn)
    assert ours.p == pytest.approx(theirs.pvalue)
    assert ours.change == pytest.approx((c - b) / 240)
    assert ours.flip_rate == pytest.approx((b + c) / 240)
    assert ours.p_holm == ours.p
    assert ours.interval is not None
    assert ours.interval.low < (c - b) / 240 < ours.interval.high


def test_clustering_widens_where_sites_differ(pairs_table: TableMaker) -> None:
    """Where whole sites flip together, intervals over sites are wider and p is larger."""
    whole = [(f"c{page}", True, page % 3 > 0) for page in range(30) for _ in range(10)]
    back = [(f"d{page}", page % 4 > 0, True) for page in range(30) for _ in range(10)]
    table = pairs_table([*whole, *back])
    clustered, alone = (summarise(table, cluster=each) for each in (True, False))
    wide, narrow = clustered.comparisons[0], alone.comparisons[0]
    assert wide.interval is not None
    assert narrow.interval is not None
    assert wide.interval.high - wide.interval.low > 2 * (
        narrow.interval.high - narrow.interval.low
    )
    assert wide.p_cluster > narrow.p_cluster
    assert wide.design_effect == pytest.approx(10, rel=0.1)
    assert (wide.units, narrow.units, narrow.clusters) == ("sites", "pairs", 600)


def test_the_order_of_the_rows_does_not_matter(
    pairs_table: TableMaker, drawn_pairs: PairDrawer, record: RecordMaker
) -> None:
    """Shuffled answers give the same bytes, and another seed the same numbers."""
    table = pairs_table(drawn_pairs(2, 35, 3))
    mixed = np.random.default_rng(0).permutation(len(table))
    records = [record(HIT, pair=f"p{n:02}", cluster=f"c{n % 7}") for n in range(40)]
    assert bytes_of(summarise(table)) == bytes_of(summarise(table.take(mixed)))
    assert bytes_of(summarise(tabulate(records))) == bytes_of(
        summarise(tabulate(reversed(records)))
    )
    assert summarise(table, seed=1).comparisons == summarise(table).comparisons


def bytes_of(summary: Summary) -> bytes:
    """Return a summary as canonical JSON."""
    return canonical_json(summary)


def test_every_state_of_an_answer_is_counted(record: RecordMaker) -> None:
    """Unparsed and refused replies are misses inside n; failed units stand outside."""
    replies = [HIT, MISS, Unparsed("?"), Unparsed("?"), Refusal("no"), None]
    table = tabulate(record(reply, pair=f"p{n}") for n, reply in enumerate(replies))
    cell = summarise(table).cells[0]
    assert (cell.n, cell.hits, cell.unparsed, cell.refused, cell.failed) == (5, 1, 2, 1, 1)
    assert cell.located == 2
    assert cell.rate == pytest.approx(0.2)
    assert cell.bias_x == pytest.approx((900 - 120) / 2)


def test_pairs_answered_once_are_counted_and_left_out(record: RecordMaker) -> None:
    """A failed unit and a missing variant make a pair unmatched, not a miss."""
    rows = [
        record(HIT, pair="a"),
        record(MISS, pair="a", variant="zoom"),
        record(HIT, pair="b"),
        record(None, pair="b", variant="zoom"),
        record(HIT, pair="c"),
    ]
    summary = summarise(tabulate(rows))
    (ours,) = summary.comparisons
    assert (ours.n, ours.b, ours.unmatched) == (1, 1, 2)
    assert any("1 questions got no reply" in warning for warning in summary.warnings)


def test_a_perfect_model_gets_no_perfect_interval(pairs_table: TableMaker) -> None:
    """All hits give the exact bound over sites, no NaN, and p = 1 everywhere."""
    summary = summarise(pairs_table([(f"c{n % 40}", True, True) for n in range(80)]))
    cell, ours = summary.cells[0], summary.comparisons[0]
    assert cell.interval is not None
    assert (cell.interval.method, cell.interval.clusters) == (AGREEING, 40)
    assert cell.interval.low == pytest.approx(0.025 ** (1 / 40))
    assert ours.interval is not None
    assert ours.interval.low == pytest.approx(-(1 - 0.025 ** (1 / 40)))
    assert (ours.p, ours.p_cluster, ours.p_z, ours.change) == (1.0, 1.0, 1.0, 0.0)
    assert b"nan" not in bytes_of(summary).lower()


def test_both_contrasts_are_made_within_a_model_and_a_mode(record: RecordMaker) -> None:
    """Variants meet the original, relational meets direct, and models never mix."""
    rows = [
        record(HIT, model=model, variant=variant, instruction=kind, reasoning=reasoning)
        for model in ("m", "k")
        for variant in ("zoom", "original", "style")
        for kind in ("relational", "direct")
        for reasoning in (True, False)
    ]
    comparisons = summarise(tabulate(rows)).comparisons
    variant = [each for each in comparisons if each.contrast == "variant"]
    kind = [each for each in comparisons if each.contrast == "instruction"]
    assert (len(variant), len(kind)) == (16, 12)
    assert {each.baseline for each in variant} == {"original"}
    assert {(each.baseline, each.instruction) for each in kind} == {("direct", "relational")}
    assert {each.family for each in variant} == {16}


def test_few_sites_and_no_variant_are_said(record: RecordMaker) -> None:
    """Under ten sites a warning says what may be concluded; so does one without variants."""
    said = summarise(tabulate([record(HIT)])).warnings
    assert any("Only 1 site: nothing can be concluded" in each for each in said)
    assert any("No variant" in each for each in said)
    few, many = (
        summarise(tabulate(record(HIT, pair=f"p{n}", cluster=f"c{n}") for n in range(sites)))
        for sites in (9, 10)
    )
    assert any(each.startswith("Only 9 sites: a difference whose") for each in few.warnings)
    assert not any("sites" in each for each in many.warnings)


def test_what_cannot_be_scored_is_refused(record: RecordMaker) -> None:
    """An empty table, two answers to one place, and a pair on two sites raise."""
    with pytest.raises(InvalidInputError, match="at least one question"):
        summarise(tabulate([]))
    with pytest.raises(InvalidInputError, match="one answer to a pair"):
        summarise(tabulate([record(HIT), record(MISS)]))
    with pytest.raises(InvalidInputError, match="in one cluster"):
        summarise(tabulate([record(HIT), record(HIT, variant="zoom", cluster="other")]))


def test_a_run_that_failed_whole_has_a_summary(record: RecordMaker) -> None:
    """With no reply at all the rates are absent and nothing is NaN."""
    rows = [
        record(None, pair=pair, variant=each) for pair in "ab" for each in ("original", "zoom")
    ]
    summary = summarise(tabulate(rows))
    assert [cell.rate for cell in summary.cells] == [None, None]
    assert summary.comparisons[0].change is None
    assert msgspec.json.decode(bytes_of(summary))["failed"] == 4
