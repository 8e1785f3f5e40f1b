"""
The reanalysis of the published replies, on the replies themselves.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot_studies.reanalysis.page import Findings, find


@pytest.fixture(scope="module")
def found(published_folder: Path) -> Findings:
    """Compute the reanalysis once."""
    return find(published_folder / "predictions.jsonl.gz")


@pytest.mark.long
def test_all_published_numbers_are_reproduced(found: Findings) -> None:
    """Exact numbers agree to their last digits, bootstrap bounds to one count of 390."""
    distances = {
        agreement.what: (agreement.rows, agreement.distance) for agreement in found.agreement
    }
    assert sum(rows for rows, _ in distances.values()) == 96 + 36 * 3 + 96 + 72
    for what, (_, distance) in distances.items():
        assert distance <= (1 + 1e-9 if "bootstrap" in what else 1e-13), what


def test_no_choice_of_steps_gives_the_published_counts_at_tolerance_20(found: Findings) -> None:
    """Tolerance 20 misses the counts of each model, however its coordinates are read."""
    wide = [ruler for ruler in found.rulers if ruler.tolerance == 20]
    assert len(wide) == 7
    assert all(item.miscount > 10 for item in wide)


def test_two_models_counts_fit_tolerance_0(found: Findings) -> None:
    """UI-TARS fits with converted coordinates, and Qwen only with coordinates as said."""
    fits = [
        (ruler.models, ruler.converted, ruler.tolerance)
        for ruler in found.rulers
        if not ruler.miscount
    ]
    assert fits == [(("qwen25vl",), (False,), 0.0), (("uitars15",), (True,), 0.0)]


def test_known_rates_are_found(found: Findings) -> None:
    """GTA1's relational rate falls by 9.6 points at tolerance 0 and by 6.8 at 20."""
    for summary, expected in ((found.exact, -9.6), (found.grown, -6.8)):
        (ours,) = (
            comparison
            for comparison in summary.comparisons
            if (
                comparison.model,
                comparison.reasoning,
                comparison.instruction,
                comparison.variant,
                comparison.contrast,
            )
            == ("gta1", False, "relational", "precision", "variant")
        )
        assert ours.change == pytest.approx(expected / 100, abs=0.0005)
    assert found.bad == ()
