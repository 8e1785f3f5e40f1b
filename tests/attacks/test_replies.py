"""
Attacks with what a model server says, each in its short form.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from attacks.attack import Attack
from attacks.replies import ATTACKS
from tests.attacks.long_trials import assert_held, long_trials


@pytest.mark.parametrize(("attack", "number"), long_trials(ATTACKS))
def test_one_reply_costs_at_most_its_question(attack: Attack, number: int, tmp_path: Path) -> None:
    """Whatever a server replies, a run exports, scores and reports the rest, and says why."""
    assert_held(attack, number, tmp_path)
