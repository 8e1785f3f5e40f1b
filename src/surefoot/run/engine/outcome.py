"""
How a command over a folder ended: what it wrote, what it counted, what failed.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

import msgspec

from surefoot.core.canonical import decode
from surefoot.core.ledger import Failure, Ledger
from surefoot.run.engine.pool import Unit
from surefoot.run.engine.progress import Tally

__all__ = ["Outcome", "results_of"]

T = TypeVar("T")


class Outcome(msgspec.Struct, frozen=True):
    """Hold the folder that was written, the tally, the failures, and lines to print."""

    folder: Path
    tally: Tally
    failures: tuple[Failure, ...] = ()
    lines: tuple[str, ...] = ()


def results_of(units: Iterable[Unit], ledger: Ledger, kind: type[T]) -> list[T]:
    """Return the results of all units that have one, in the order of the units."""
    payloads = dict(ledger.payloads())
    return [
        decode(payloads[unit.key], kind, what=f"the result {unit.key}")
        for unit in units
        if unit.key in payloads
    ]
