"""
What the tests of attacks share: each attack with its trials, and what is checked of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from attacks.attack import Attack


def long_trials(attacks: Iterable[Attack]) -> list[Any]:
    """Return each attack with its many trials; they are long tests."""
    return [
        pytest.param(attack, attack.many, id=attack.name, marks=pytest.mark.long)
        for attack in attacks
    ]


def assert_held(attack: Attack, number: int, folder: Path) -> None:
    """Try an attack; fail with what was seen in the trials that did not hold."""
    trials = list(attack.trials(0, number, folder))
    assert trials, "nothing was tried"
    fallen = [f"{trial.name}: {trial.seen}" for trial in trials if not trial.held]
    assert not fallen, "\n".join(fallen)
