"""
Transfer: each model on what failed the others.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.diagnose.diagnosing import diagnose_model
from surefoot.diagnose.findings import Transfer, TransferCell
from surefoot.diagnose.rates import MISSED
from surefoot.diagnose.search.options import DiagnoseOptions
from surefoot.diagnose.transfer import transfer_failures, transfer_lines
from surefoot.models import Options
from surefoot.run.folders.folder import read_document
from surefoot.score.conditions.scores import mean_of


@pytest.fixture(scope="module")
def diagnoses(bench: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return diagnoses of two models with different weaknesses."""
    folder = tmp_path_factory.mktemp("transfer")
    for weakness in ("left-right", "ordinals"):
        diagnose_model(
            bench,
            f"simulated:{weakness}@{bench}",
            folder / weakness,
            DiagnoseOptions(most=24, limit=8, rounds=4, shrink=3),
            options=Options(),
        )
    return [folder / "left-right", folder / "ordinals"]


@pytest.mark.long
def test_each_fails_its_own_and_not_the_others(diagnoses: list[Path], tmp_path: Path) -> None:
    """Unlike weaknesses do not transfer: own failures fail again, others' rarely."""
    found = transfer_failures(diagnoses, tmp_path / "out", options=Options())

    rates = {(cell.found_on, cell.asked_of): cell.failed.amount for cell in found.cells}
    names = ("simulated-left-right", "simulated-ordinals")
    assert rates[names[0], names[0]] == rates[names[1], names[1]] == 1.0
    across = [rates[names[0], names[1]], rates[names[1], names[0]]]
    assert all(rate is not None and rate < 0.3 for rate in across)
    assert read_document(tmp_path / "out", "transfer.json", Transfer, kind="diagnosis") == found
    assert len(transfer_lines(found)) == 4


def test_going_on_gives_the_same_bytes(diagnoses: list[Path], tmp_path: Path) -> None:
    """A comparison that is begun again writes what it wrote."""
    transfer_failures(diagnoses, tmp_path / "out", options=Options())
    first = (tmp_path / "out" / "transfer.json").read_bytes()

    transfer_failures(diagnoses, tmp_path / "out", options=Options())

    assert (tmp_path / "out" / "transfer.json").read_bytes() == first


def test_one_model_is_no_comparison(diagnoses: list[Path], tmp_path: Path) -> None:
    """One diagnosis, or twice the same, is refused."""
    for folders in (diagnoses[:1], [diagnoses[0], diagnoses[0]]):
        with pytest.raises(InvalidInputError, match="two or more"):
            transfer_failures(folders, tmp_path / "out", options=Options())


def test_no_line_claims_certainty() -> None:
    """Where every site agrees a line still tells how far the rate may be off."""
    failed = mean_of(MISSED, [(f"p{page}", True) for page in range(10)], "b")

    (line,) = transfer_lines(Transfer(("a", "b"), (TransferCell("a", "b", failed, 0),)))

    assert line == "b fails 100 % (66 to 100 %) of the 10 that failed a"
