"""
Results of units, read back from a ledger.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.benchmarks.benchmark import Fall
from surefoot.core.canonical import canonical_json
from surefoot.core.errors import InvalidInputError
from surefoot.core.ledger import Ledger
from surefoot.run.engine.outcome import Outcome, results_of
from surefoot.run.engine.pool import Unit
from surefoot.run.engine.progress import Tally


def test_results_stand_in_the_order_of_the_units(tmp_path: Path) -> None:
    """Whatever the ledger's order, results follow the units; failed ones are left out."""
    units = [Unit(key, {}) for key in ("z", "failed", "a", "absent")]
    with Ledger.open(tmp_path, {}) as ledger:
        for number, key in enumerate(("a", "stranger", "z")):
            ledger.done(key, canonical_json(Fall(key, "", number)))
        ledger.failed("failed", "timeout", "too slow")
        assert results_of(units, ledger, Fall) == [Fall("z", "", 2), Fall("a", "", 0)]


def test_a_result_of_another_kind_is_named(tmp_path: Path) -> None:
    """A result that is not what was asked for is an error that names its unit."""
    with Ledger.open(tmp_path, {}) as ledger:
        ledger.done("key", b'{"other": 1}')
        with pytest.raises(InvalidInputError, match="the result key"):
            results_of([Unit("key", {})], ledger, Fall)


def test_an_outcome_begins_without_failures() -> None:
    """An outcome needs its folder and tally alone."""
    outcome = Outcome(Path("out"), Tally())
    assert (outcome.failures, outcome.lines) == ((), ())
