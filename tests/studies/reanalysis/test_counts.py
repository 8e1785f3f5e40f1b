"""
The published tables: every number follows from the published counts.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.score.stats.mcnemar import mcnemar, mcnemar_chi_square
from surefoot_studies.reanalysis.agreement import exact_bounds
from surefoot_studies.reanalysis.counts import read_rates, read_tests

RATES, TESTS = "published_confidence_intervals.csv", "published_mcnemar.csv"


def test_every_exact_interval_is_reproduced(published_folder: Path) -> None:
    """All 48 Clopper-Pearson intervals and rates agree to the printed digits."""
    rates = read_rates(published_folder / RATES)
    assert len(rates) == 48
    for row in rates:
        ours = exact_bounds(row.k, row.n)
        assert ours == pytest.approx((row.cp_ci_lo, row.cp_ci_hi), abs=1e-14)
        assert row.k / row.n == pytest.approx(row.hit_rate, abs=1e-15)


def test_every_mcnemar_row_is_reproduced(published_folder: Path) -> None:
    """All 36 chi-squares and differences agree to the printed digits, and their counts fit."""
    tests = read_tests(published_folder / TESTS)
    assert len(tests) == 36
    for row in tests:
        b, c = row.b_orig_only, row.c_pert_only
        assert row.a_both_correct + b + c + row.d_both_wrong == row.n_matched == 390
        assert mcnemar_chi_square(b, c) == pytest.approx(row.mcnemar_chi2, rel=1e-14)
        assert (b - c) / 390 == pytest.approx(row.diff, abs=1e-15)


def test_every_p_value_is_reproduced_by_the_test_that_we_choose(published_folder: Path) -> None:
    """All 36 'exact' p-values are ours: binomial under 25 flips, chi-square from there on."""
    tests = read_tests(published_folder / TESTS)
    for row in tests:
        ours = mcnemar(row.b_orig_only, row.c_pert_only)
        assert ours.p == pytest.approx(row.mcnemar_p_exact, rel=1e-11)
    assert sum(row.b_orig_only + row.c_pert_only < 25 for row in tests) == 3


def test_both_tables_tell_of_the_same_hits(published_folder: Path) -> None:
    """The hits of the intervals are the sums of the paired counts."""
    hits = {row.condition: row.k for row in read_rates(published_folder / RATES)}
    for row in read_tests(published_folder / TESTS):
        assert row.a_both_correct + row.c_pert_only == hits[row.condition]
        original = (*row.condition[:3], "original")
        assert row.a_both_correct + row.b_orig_only == hits[original]


@pytest.mark.parametrize("data", [b"model,n\na,b\n", b"\xff\xff", b'model\n"'])
def test_another_table_is_refused(tmp_path: Path, data: bytes) -> None:
    """A table without the columns, and bytes that are no text, raise."""
    path = tmp_path / "table.csv"
    path.write_bytes(data)
    with pytest.raises(InvalidInputError, match="a published table"):
        read_rates(path)
    with pytest.raises(InvalidInputError, match="a published table"):
        read_tests(tmp_path / "absent.csv")
