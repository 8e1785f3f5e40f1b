"""
What a check-up wrote.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from surefoot.api.filled_forms import FilledForms
from surefoot.api.runs import ModelRun
from surefoot.api.suites import Suite
from surefoot.run.engine.outcome import Outcome

if TYPE_CHECKING:
    from surefoot.api.scores import ModelCard


class CheckUp(msgspec.Struct, frozen=True):
    """Hold the suite, the model's runs over its pillars and forms, and the card."""

    suite: Suite
    runs: tuple[ModelRun | FilledForms, ...]
    card: ModelCard
    outcomes: tuple[Outcome, ...]
