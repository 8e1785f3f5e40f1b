"""
Paired comparisons against plain loops and an independent package.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import msgspec
import numpy as np
import pytest
from scipy.stats import binom, ttest_rel
from scipy.stats import t as student
from statsmodels.stats.contingency_tables import mcnemar as reference
from statsmodels.stats.multitest import multipletests

from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Expression
from surefoot.core.question import Unparsed
from surefoot.score.conditions.rows import Condition, Rows, measured_rows, rows_of
from surefoot.score.contrasts.comparisons import (
    INSTRUCTIONS,
    MODELS,
    MODELS_BY_VARIANT,
    REASONING,
    VARIANTS,
    Comparison,
    Contrast,
    compare_rows,
    corrected,
)
from surefoot.score.metric import METRICS, GivenMetric, Ruler
from surefoot.score.outcomes import Outcomes, Record, by_model, tabulate
from surefoot.score.scoring import tabulate_for
from surefoot.score.scorings.scatter import SCATTER
from surefoot.score.stats.arrays import Floats
from surefoot.score.stats.clusters import ANY
from surefoot.score.stats.units import Unit

RecordMaker = Callable[..., Record]
TableMaker = Callable[..., Outcomes]
PairDrawer = Callable[[int, int, int], list[tuple[str, bool, bool]]]
HIT, MISS = Point(120.0, 110.0), Point(900.0, 400.0)


def compared(
    table: Outcomes, contrast: Contrast = VARIANTS, metric: str = "hit", *, unit: Unit = "site"
) -> tuple[Comparison, ...]:
    """Compare one metric by one contrast, corrected."""
    rows = rows_of(table.over(unit), Ruler())
    measured = METRICS.get(metric)
    values = measured.values(table, Ruler())
    return corrected(compare_rows(rows, {measured: values}, contrast))


def two_models(
    values: dict[str, Floats],
    *,
    sites: int,
    variants: tuple[str, ...],
) -> Rows:
    """Lay out values of models a and b, each as (2, ..., questions) by variant and site."""
    size = next(iter(values.values())).size // 2
    questions = size // len(variants)
    return measured_rows(
        [
            Condition(name, variant=variant)
            for name in "ab"
            for variant in variants
            for _ in range(questions)
        ],
        list(range(questions)) * 2 * len(variants),
        [f"s{question * sites // questions:02}" for question in range(questions)]
        * 2
        * len(variants),
        {name: numbers.ravel() for name, numbers in values.items()},
        {},
    )


def test_a_comparison_is_that_of_a_loop(pairs_table: TableMaker, drawn_pairs: PairDrawer) -> None:
    """Counts, rates, change and McNemar's p are a loop's and statsmodels'."""
    drawn = drawn_pairs(1, 40, 6)
    (ours,) = compared(pairs_table(drawn))
    b = sum(before and not after for _, before, after in drawn)
    c = sum(after and not before for _, before, after in drawn)
    theirs = reference([[0, b], [c, 0]], exact=False, correction=True)

    assert ours.discordance is not None
    assert (ours.n, ours.clusters) == (240, 40)
    assert (ours.discordance.b, ours.discordance.c) == (b, c)
    assert ours.discordance.both == sum(before and after for _, before, after in drawn)
    assert ours.discordance.p == pytest.approx(theirs.pvalue)
    assert ours.discordance.flip_rate == pytest.approx((b + c) / 240)
    assert ours.change == pytest.approx((c - b) / 240)
    assert ours.before == pytest.approx(sum(before for _, before, _ in drawn) / 240)
    assert ours.interval is not None
    assert ours.interval.low < (c - b) / 240 < ours.interval.high
    assert (ours.p_holm, ours.family) == (ours.p, 1)


def test_clustering_widens_where_sites_differ(pairs_table: TableMaker) -> None:
    """Where whole sites flip together, intervals over sites are wider and p is larger."""
    whole = [(f"c{site}", True, site % 3 > 0) for site in range(30) for _ in range(10)]
    back = [(f"d{site}", site % 4 > 0, True) for site in range(30) for _ in range(10)]
    table = pairs_table([*whole, *back])
    (wide,), (narrow,) = (compared(table), compared(table, unit="element"))

    assert wide.interval is not None
    assert narrow.interval is not None
    assert wide.interval.high - wide.interval.low > 2 * (
        narrow.interval.high - narrow.interval.low
    )
    assert wide.p > narrow.p
    assert wide.discordance is not None
    assert wide.discordance.design_effect == pytest.approx(10, rel=0.1)
    assert (wide.clusters, narrow.clusters) == (60, 600)


def test_pairs_answered_once_are_counted_and_left_out(record: RecordMaker) -> None:
    """A failed unit and a missing variant make an element unmatched, not a miss."""
    rows = [
        record(HIT, pair="a"),
        record(MISS, pair="a", variant="zoom"),
        record(HIT, pair="b"),
        record(None, pair="b", variant="zoom"),
        record(HIT, pair="c"),
        record(HIT, pair="d"),
        record(Unparsed("?"), pair="d", variant="zoom"),
    ]
    (ours,) = compared(tabulate(rows))

    assert (ours.n, ours.unmatched, ours.unparsed) == (2, 2, 1)
    assert ours.change == -1.0


def test_variants_and_kinds_are_compared_within_a_model_and_a_mode(record: RecordMaker) -> None:
    """Variants meet the original, relational meets direct, and models never mix."""
    rows = [
        record(HIT, model=model, variant=variant, instruction=kind, reasoning=reasoning)
        for model in ("m", "k")
        for variant in ("zoom", "original", "style")
        for kind in ("relational", "direct")
        for reasoning in (True, False)
    ]
    variant, kind = (compared(tabulate(rows), contrast) for contrast in (VARIANTS, INSTRUCTIONS))

    assert (len(variant), len(kind)) == (16, 12)
    assert {comparison.baseline for comparison in variant} == {"original"}
    assert {(comparison.baseline, comparison.instruction) for comparison in kind} == {
        ("direct", "relational")
    }
    assert {comparison.family for comparison in variant} == {8}  # of each of the two models


def test_models_and_modes_are_compared_over_all_cells(record: RecordMaker) -> None:
    """An element's change is the mean over the cells that both answered; flips count cells."""
    random = np.random.default_rng(4)
    told: dict[tuple[str, bool, int, str, str], bool | None] = {
        (model, mode, pair, kind, variant): None if random.random() < 0.1 else random.random() < p
        for model, p in (("a", 0.8), ("b", 0.5), ("c", 0.6))
        for mode in (False, True)
        for pair in range(40)
        for kind in ("direct", "relational")[: 1 + pair % 2]
        for variant in ("original", "zoom")[: 2 - (model == "c" and pair > 30)]
    }
    table = tabulate(
        record(
            None if hit is None else HIT if hit else MISS,
            model=model, reasoning=mode, pair=f"p{pair}", cluster=f"s{pair % 9}",
            instruction=kind, variant=variant,
        )
        for (model, mode, pair, kind, variant), hit in told.items()
    )  # fmt: skip
    models = {
        (comparison.model, comparison.baseline, comparison.reasoning): comparison
        for comparison in compared(table, MODELS)
    }
    modes = {comparison.model: comparison for comparison in compared(table, REASONING)}

    assert set(models) == {
        (after, before, mode)
        for before, after in itertools.combinations("abc", 2)
        for mode in (False, True)
    }
    for (after, before, mode), ours in models.items():
        pairs = [
            (key[2], told[before, mode, *key[2:]], hit)
            for key, hit in told.items()
            if key[:2] == (after, mode) and (before, mode, *key[2:]) in told
        ]
        known = [(x, y) for _, x, y in pairs if x is not None and y is not None]
        changes: dict[int, list[int]] = {}
        for element, x, y in pairs:
            if x is not None and y is not None:
                changes.setdefault(element, []).append(y - x)
        means = [sum(several) / len(several) for several in changes.values()]
        assert ours.n == len(means)
        assert ours.change == pytest.approx(sum(means) / len(means))
        assert ours.discordance is not None
        assert ours.discordance.b == sum(x and not y for x, y in known)
        assert ours.discordance.c == sum(y and not x for x, y in known)
        assert (ours.instruction, ours.variant) == ("", "")
    assert set(modes) == {"a", "b", "c"}
    assert all(
        comparison.reasoning and comparison.baseline == "False" for comparison in modes.values()
    )


def test_corrections_are_those_of_an_independent_package(record: RecordMaker) -> None:
    """Holm's values of a family are those of statsmodels, for both tests."""
    random = np.random.default_rng(8)
    rows = [
        record(
            HIT if random.random() < p else MISS, pair=f"p{pair}", cluster=f"s{pair % 12}",
            variant=variant,
        )
        for variant, p in (("original", 0.9), ("a", 0.6), ("b", 0.75), ("c", 0.88))
        for pair in range(60)
    ]  # fmt: skip
    ours = compared(tabulate(rows))
    flips = [our.discordance for our in ours if our.discordance]

    for ps, adjusted in (
        ([our.p for our in ours], [our.p_holm for our in ours]),
        ([flip.p for flip in flips], [flip.p_holm for flip in flips]),
    ):
        assert adjusted == pytest.approx(multipletests(ps, method="holm")[1])


@pytest.mark.parametrize("contrast", [MODELS, MODELS_BY_VARIANT])
def test_unbounded_models_are_compared_as_by_students_paired_test(contrast: Contrast) -> None:
    """Over sites of one size it is scipy's paired t-test, with the jackknife's larger error."""
    metric = GivenMetric(name="score", title="", summary="", bounds=ANY)
    scores = np.random.default_rng(3).normal([[0.0], [0.3]], 1, (2, 60))
    rows = two_models({"score": scores}, sites=12, variants=("original",))
    (ours,) = compare_rows(rows, {metric: scores.ravel()}, contrast)
    one, other = scores.reshape(2, 12, 5).mean(axis=2)

    assert (ours.model, ours.baseline, ours.n, ours.clusters) == ("b", "a", 60, 12)
    statistic = ttest_rel(other, one).statistic * np.sqrt(11 / 12)
    assert ours.p == pytest.approx(2 * student.sf(abs(statistic), 11))


def test_alike_models_seldom_differ() -> None:
    """Of alike models 5 % are told apart, 20 % and more if questions count as independent."""
    random = np.random.default_rng(20)
    studies, sites, variants = 300, 16, ("original", "style", "text", "zoom")
    metric = GivenMetric(name="hit", title="", summary="")
    pooled, families, naive = (np.zeros(studies, dtype=np.bool_) for _ in range(3))
    for study in range(studies):
        lean = random.normal(0, 1.5, (2, 1, sites, 1))
        hard = random.normal(0, 1, (1, 1, sites, 10)) + random.normal(0, 1, (2, 1, sites, 10))
        drawn = lean + hard + random.logistic(0, 1, (2, len(variants), sites, 10)) > 0
        hits = drawn.astype(np.float64)
        rows = two_models({"hit": hits}, sites=sites, variants=variants)
        (whole,) = corrected(compare_rows(rows, {metric: hits.ravel()}, MODELS))
        family = corrected(compare_rows(rows, {metric: hits.ravel()}, MODELS_BY_VARIANT))
        assert {one.family for one in family} == {len(variants)} == {len(family)}
        assert whole.discordance is not None
        pooled[study] = whole.p_holm < 0.05
        families[study] = min(one.p_holm for one in family) < 0.05
        naive[study] = whole.discordance.p < 0.05

    least, most = (float(binom.ppf(tail, studies, 0.05)) / studies for tail in (0.001, 0.999))
    assert least <= pooled.mean() <= most
    assert 0 < families.mean() <= most
    assert naive.mean() > 4 * 0.05


def test_views_are_compared_on_the_instructions_that_both_have(record: RecordMaker) -> None:
    """An instruction asked in one view alone moves no middle of the comparison."""

    def said(row: Record, name: str) -> Record:
        model, question, answer = row
        words = msgspec.structs.replace(question.instruction, expression=Expression(name=name))
        fresh = msgspec.structs.replace(question, instruction=words, id=f"{question.id}{name}")
        return (
            model,
            fresh,
            None if answer is None else msgspec.structs.replace(answer, question=fresh.id),
        )

    box = Box(100.0, 100.0, 130.0, 140.0)
    rows = [
        said(record(Point(x, 110.0), variant=view, truth=box, pair=pair, cluster=pair), name)
        for pair in ("e", "f", "g")
        for view, name, x in (
            ("original", "one", 100.0), ("original", "two", 110.0), ("original", "three", 500.0),
            ("crop", "one", 100.0), ("crop", "two", 130.0),
        )
    ]  # fmt: skip
    (ours,) = compared(tabulate_for(SCATTER, by_model(rows)), metric="s_mean")

    assert [ours.before, ours.after] == pytest.approx([5 / 50, 15 / 50])
    assert (ours.n, ours.discordance) == (3, None)


def test_no_change_is_never_certain(pairs_table: TableMaker) -> None:
    """Where nothing flips there is an interval with a width, and p = 1."""
    (ours,) = compared(pairs_table([(f"c{n % 40}", True, True) for n in range(80)]))

    assert ours.interval is not None
    assert ours.interval.low < 0 < ours.interval.high
    assert (ours.p, ours.change) == (1.0, 0.0)
    assert ours.discordance is not None
    assert (ours.discordance.p, ours.discordance.p_z) == (1.0, 1.0)


def test_sides_without_partners_are_compared_over_their_sites() -> None:
    """Unpaired, all rows of both sides count, and the error is that of leaving each site out."""
    random = np.random.default_rng(4)
    sites = [f"s{at % 7}" for at in range(90)]
    told = ["with" if at % 7 < 2 or random.random() < 0.4 else "without" for at in range(90)]
    values = random.integers(0, 2, 90).astype(np.float64)
    metric = GivenMetric(name="missed", title="", summary="")
    rows = measured_rows(
        [Condition("m")] * 90, range(90), sites, {"missed": values}, {"side": told}
    )
    unpaired = Contrast(name="side", varies="side", baseline="without", paired=False)
    (ours,) = compare_rows(rows, {metric: values}, unpaired)

    def change(without: str = "") -> float:
        kept = [at for at in range(90) if sites[at] != without]
        means = [
            np.mean([values[at] for at in kept if told[at] == side])
            for side in ("without", "with")
        ]
        return float(means[1] - means[0])

    error = np.sqrt(sum((change(site) - change()) ** 2 for site in set(sites)))
    assert (ours.n, ours.unmatched, ours.clusters, ours.discordance) == (90, 0, 7, None)
    assert ours.change == pytest.approx(change())
    assert ours.interval is not None
    assert ours.interval.standard_error == pytest.approx(error)
