"""
Faults of disks, limits, signals and paths, over all verbs.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from attacks.attack import Attack
from attacks.faults import ATTACKS
from tests.attacks.long_trials import assert_held, long_trials


@pytest.mark.parametrize(("attack", "number"), long_trials(ATTACKS))
def test_the_promise_holds(attack: Attack, number: int, tmp_path: Path) -> None:
    """No trial of the attack breaks the promise."""
    assert_held(attack, number, tmp_path)
