"""
What a quickstart wrote.
"""

from __future__ import annotations

import msgspec

from surefoot.api.benches import Bench
from surefoot.api.runs import ModelRun
from surefoot.api.scores import Report
from surefoot.api.screens import Screens
from surefoot.run.engine.outcome import Outcome


class Quickstart(msgspec.Struct, frozen=True):
    """Hold all that a quickstart wrote; the first of the ``runs`` is what the report is on."""

    screens: Screens
    bench: Bench
    runs: tuple[ModelRun, ...]
    report: Report

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """Return how each of its steps ended."""
        return (self.screens.outcome, self.bench.outcome, *(run.outcome for run in self.runs))
