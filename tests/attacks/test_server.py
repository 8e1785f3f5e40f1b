"""
Crowds that hold on to the form server keep nobody else from it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from attacks.attack import Attack
from attacks.server import ATTACKS
from tests.attacks.long_trials import assert_held, long_trials


@pytest.mark.parametrize(("attack", "number"), long_trials(ATTACKS))
def test_honest_clients_are_served(attack: Attack, number: int, tmp_path: Path) -> None:
    """Every honest client is answered, and what it told is kept."""
    assert_held(attack, number, tmp_path)
