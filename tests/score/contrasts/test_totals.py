"""
Sums of flips: the paper's own table, from the tests that it publishes.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from surefoot.score.contrasts.comparisons import Comparison, Discordance
from surefoot.score.contrasts.totals import sum_over_conditions

# GUI-Perturbed, table 6: the rate before; flips and drop, direct and relational; b, c; k of 4.
PAPER = {
    ("gta1", "precision"): (79.3, 10.3, 21.5, 3.6, 7.9, 169, 79, 3),
    ("gta1", "style"): (79.3, 9.7, 21.5, 1.3, -0.3, 126, 118, 0),
    ("gta1", "text_shrink"): (79.3, 4.2, 16.7, 0.4, 1.8, 90, 73, 0),
    ("qwen25vl", "precision"): (66.0, 13.1, 16.4, 3.3, 4.9, 147, 83, 2),
    ("qwen25vl", "style"): (66.0, 8.7, 19.1, 2.8, 0.1, 120, 97, 1),
    ("qwen25vl", "text_shrink"): (66.0, 7.8, 14.4, 0.1, 2.8, 98, 75, 0),
    ("uitars15", "precision"): (63.0, 13.1, 18.7, 6.2, 5.4, 169, 79, 4),
    ("uitars15", "style"): (63.0, 11.2, 19.2, 2.4, 1.0, 132, 105, 0),
    ("uitars15", "text_shrink"): (63.0, 6.9, 14.1, -0.8, 0.0, 79, 85, 0),
}


def comparison(row: Mapping[str, str]) -> Comparison:
    """Return one published test as a comparison."""
    both, b, c, neither = (
        int(row[name]) for name in ("a_both_correct", "b_orig_only", "c_pert_only", "d_both_wrong")
    )
    n = both + b + c + neither
    p = float(row["mcnemar_p"])
    return Comparison(
        metric="hit", contrast="variant", varies="variant", model=row["model"],
        reasoning=row["use_reasoning"] == "True", instruction=row["query_type"].split("_")[0],
        variant=row["perturbation"], baseline="original", n=n, unmatched=0, clusters=n, unparsed=0,
        before=(both + b) / n, after=(both + c) / n, change=(c - b) / n, interval=None,
        detectable=None, p=p, p_holm=1.0,
        discordance=Discordance(
            both=both, b=b, c=c, neither=neither, flip_rate=(b + c) / n, test="mcnemar", p=p,
            p_mid=p,
        ),
    )  # fmt: skip


def test_the_papers_table_follows_from_its_tests() -> None:
    """All nine rows of the table are the sums of the 36 published tests."""
    beside = Path(__file__).parents[3].parent / "shared" / "data"
    folder = Path(os.environ.get("SUREFOOT_SHARED_DATA", beside))
    file = folder / "gui_perturbed" / "published_mcnemar.csv"
    if not file.exists():
        pytest.skip("the published tests are absent; set SUREFOOT_SHARED_DATA to their folder")
    with file.open(encoding="utf-8") as lines:
        compared = [comparison(row) for row in csv.DictReader(lines)]

    totals = sum_over_conditions(compared)

    found = {
        (one.model, one.value): (
            round(100 * one.before, 1),
            *(round(100 * one.kinds[kind].flip_rate, 1) for kind in ("direct", "relational")),
            *(round(-100 * one.kinds[kind].change, 1) for kind in ("direct", "relational")),
            one.b,
            one.c,
            one.significant_uncorrected,
        )
        for one in totals
    }
    assert len(compared) == 36
    assert {one.comparisons for one in totals} == {4}
    assert found.keys() == PAPER.keys()
    for key, row in PAPER.items():
        # The paper rounds 10.25 up.
        assert found[key] == pytest.approx(row, abs=0.0501), key


def test_a_single_kind_is_not_parted() -> None:
    """Where one kind of instruction was asked, the sum stands alone."""
    row = dict.fromkeys(("a_both_correct", "b_orig_only", "c_pert_only", "d_both_wrong"), "2")
    row |= {"model": "m", "use_reasoning": "False", "query_type": "direct_query"}
    row |= {"perturbation": "style", "mcnemar_p": "0.01"}

    (one,) = sum_over_conditions([comparison(row)])

    assert (one.kinds, one.n, one.flips, one.before, one.change) == ({}, 8, 4, 0.5, 0.0)
    assert (one.significant, one.significant_mcnemar, one.significant_uncorrected) == (0, 0, 1)
