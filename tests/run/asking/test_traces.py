"""
Traces in a ledger, beside the answers that they belong to.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.capture.live.protocol import Activation
from surefoot.core.errors import InvalidInputError, NondeterminismError
from surefoot.core.ledger import Done, Ledger
from surefoot.run.asking.spent import seconds_of
from surefoot.run.asking.traces import (
    TracedActivation,
    TracedEnd,
    TracedStep,
    TraceEntry,
    read_traces,
)

CLICK = Activation("a-1", "pointer", (1.0, 2.5), "a Open", 0.5)


def entries(episode: str, question: str, count: int) -> list[TraceEntry]:
    """Return a trace of so many entries, its end the last."""
    heard = TracedActivation(CLICK, right=True, place=(1.0, 2.0), window=(9.0, 9.0))
    middle = [
        TraceEntry(question, episode, number, 0.1 * number, step=TracedStep(f"action {number}"))
        for number in range(1, count - 1)
    ]
    return [
        *middle,
        TraceEntry(question, episode, count - 1, 8.0, heard=heard),
        TraceEntry(question, episode, count, 9.0, end=TracedEnd("right", counts=True)),
    ]


def test_traces_are_read_in_their_order_and_are_no_answers(tmp_path: Path) -> None:
    """Ten entries follow nine, each episode by its question; no trace is among the seconds."""
    first, second = entries("ff", "a", 12), entries("00", "b", 3)
    with Ledger.open(tmp_path, {"kind": "run"}) as ledger:
        ledger.record_many([entry.done() for entry in reversed([*first, *second])])
        ledger.record_many([Done("1f", b"{}", 2.5)])

        assert read_traces(ledger) == [*first, *second]
        assert ledger.all_seconds() != [2.5]
    assert seconds_of(tmp_path) == [2.5]


def test_two_entries_of_one_number_are_never_one(tmp_path: Path) -> None:
    """An entry is written once; another one in its place is refused and kept aside."""
    one = TraceEntry("a", "ff", 1, 0.5, step=TracedStep("this"))
    with Ledger.open(tmp_path, {"kind": "run"}) as ledger:
        ledger.record_many([one.done()])
        with pytest.raises(NondeterminismError):
            ledger.record_many([TraceEntry("a", "ff", 1, 0.5, step=TracedStep("that")).done()])

        assert read_traces(ledger) == [one]
    with pytest.raises(InvalidInputError):
        TraceEntry("a", "ff", 1, float("nan")).done()
