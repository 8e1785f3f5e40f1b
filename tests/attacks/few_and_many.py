"""
What the tests of attacks share: an attack in its short form, and in its long one.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from attacks.attack import Attack


def few_and_many(attacks: Iterable[Attack]) -> list[Any]:
    """Return each attack with its few trials and, for the long tests, with its many."""
    return [
        pytest.param(attack, number, id=f"{attack.name}-{number}", marks=marks)
        for attack in attacks
        for number, marks in ((attack.few, ()), (attack.many, pytest.mark.long))
        if number
    ]


def assert_held(attack: Attack, number: int, folder: Path) -> None:
    """Try an attack; fail with what was seen in the trials that did not hold."""
    trials = list(attack.trials(0, number, folder))
    assert trials, "nothing was tried"
    fallen = [f"{trial.name}: {trial.seen}" for trial in trials if not trial.held]
    assert not fallen, "\n".join(fallen)
