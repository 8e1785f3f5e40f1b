"""
The reanalysis of the published replies, on the replies themselves.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from surefoot.report.reanalysis.page import Findings, find, write_reanalysis

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def predictions() -> Path:
    """Return the published replies; skip where they are absent."""
    folder = Path(os.environ.get("SUREFOOT_SHARED_DATA", ROOT.parent / "shared" / "data"))
    path = folder / "gui_perturbed" / "predictions.jsonl.gz"
    if not path.exists():
        pytest.skip("the published files are absent; set SUREFOOT_SHARED_DATA to their folder")
    return path


@pytest.fixture(scope="module")
def found(predictions: Path) -> Findings:
    """Compute the reanalysis once."""
    return find(predictions)


def test_all_published_numbers_are_reproduced(found: Findings) -> None:
    """Exact numbers agree to their last digits, bootstrap bounds to one count of 390."""
    distances = {each.what: (each.rows, each.distance) for each in found.agreement}
    assert sum(rows for rows, _ in distances.values()) == 96 + 36 * 3 + 96 + 72
    for what, (_, distance) in distances.items():
        assert distance <= (1 + 1e-9 if "bootstrap" in what else 1e-13), what


def test_no_choice_of_steps_gives_the_published_counts_at_tolerance_20(found: Findings) -> None:
    """Tolerance 20 misses the counts of each model, however its coordinates are read."""
    wide = [each for each in found.rulers if each.tolerance == 20]
    assert len(wide) == 7
    assert all(each.miscount > 10 for each in wide)


def test_two_models_counts_fit_tolerance_0(found: Findings) -> None:
    """UI-TARS fits with converted coordinates, and Qwen only with coordinates as said."""
    fits = [
        (each.models, each.converted, each.tolerance) for each in found.rulers if not each.miscount
    ]
    assert fits == [(("qwen25vl",), (False,), 0.0), (("uitars15",), (True,), 0.0)]


def test_known_rates_are_found(found: Findings) -> None:
    """GTA1's relational rate falls by 9.6 points at tolerance 0 and by 6.8 at 20."""
    for summary, expected in ((found.exact, -9.6), (found.grown, -6.8)):
        (ours,) = (
            each
            for each in summary.comparisons
            if (each.model, each.reasoning, each.instruction, each.variant, each.contrast)
            == ("gta1", False, "relational", "precision", "variant")
        )
        assert ours.change == pytest.approx(expected / 100, abs=0.0005)
    assert found.bad == ()


def test_the_page_in_the_docs_is_what_the_replies_give(predictions: Path, tmp_path: Path) -> None:
    """Writing the page gives the bytes that the documentation holds."""
    write_reanalysis(predictions, tmp_path / "page.md")
    page = (tmp_path / "page.md").read_bytes()
    assert page == (ROOT / "docs" / "reanalysis.md").read_bytes()
