"""
The modes of the failures are the report's, and are told once.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from surefoot.failures.modes import MODES
from surefoot.failures.shares import NOT_JUDGED
from surefoot.view import modes
from surefoot.view.looking import LookedAt
from surefoot.view.modes import tell_modes
from surefoot.view.table import AnswerOutcome


def test_modes_fit_the_outcomes_and_are_kept(
    looked_at: LookedAt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refusal and an unreadable reply have their modes, a hit has none, and a cache has all."""
    monkeypatch.setenv("SUREFOOT_CACHE", str(tmp_path))
    table, names = looked_at.table, tuple(MODES)
    told = tell_modes(table)

    assert (told[table.outcome == AnswerOutcome.REFUSED] == names.index("refused")).all()
    assert (told[table.outcome == AnswerOutcome.UNPARSED] == names.index("unparsed")).all()
    assert (told[table.outcome == AnswerOutcome.MISS] != NOT_JUDGED).all()
    assert (told[table.outcome == AnswerOutcome.HIT] == NOT_JUDGED).all()

    monkeypatch.setattr(modes, "judge_failures", None)
    assert np.array_equal(tell_modes(table), told)
