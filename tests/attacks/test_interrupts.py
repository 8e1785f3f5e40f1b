"""
A command ends when it is told to, leaves nothing behind, and goes on from where it was.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from attacks.attack import Attack
from attacks.interrupts import ATTACKS
from tests.attacks.long_trials import assert_held, long_trials


@pytest.mark.browser
@pytest.mark.parametrize(("attack", "number"), long_trials(ATTACKS))
def test_interrupted_commands_end_at_once(attack: Attack, number: int, tmp_path: Path) -> None:
    """Every verb ends soon after Ctrl-C, and what a kill left is gone after the next command."""
    assert_held(attack, number, tmp_path)
