"""
Results of units, read back from a ledger.
"""

from __future__ import annotations

from pathlib import Path

from surefoot.benchmarks.benchmark import Fall
from surefoot.core.canonical import canonical_json
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
        results, failures = results_of(units, ledger, Fall)
        assert results == [Fall("z", "", 2), Fall("a", "", 0)]
        assert [failure.key for failure in failures] == ["failed"]


def test_a_record_of_another_kind_is_one_failure(tmp_path: Path) -> None:
    """A record that is no result fails its unit, says which, and spoils no other."""
    with Ledger.open(tmp_path, {}) as ledger:
        ledger.done("bad", b'{"other": 1}')
        ledger.done("good", canonical_json(Fall("a", "", 1)))
        results, (failure,) = results_of([Unit("bad", {}), Unit("good", {})], ledger, Fall)
    assert results == [Fall("a", "", 1)]
    assert (failure.key, failure.reason) == ("bad", "unreadable-record")
    assert "the record of the unit bad" in failure.message


def test_an_outcome_begins_without_failures() -> None:
    """An outcome needs its folder and tally alone."""
    outcome = Outcome(Path("out"), Tally())
    assert (outcome.failures, outcome.lines) == ((), ())
