"""
Damage done to finished folders, found and made good.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from attacks.attack import Attack
from attacks.damage import ATTACKS
from tests.attacks.long_trials import assert_held, long_trials


@pytest.mark.parametrize(("attack", "number"), long_trials(ATTACKS))
def test_damage_is_found_and_made_good(attack: Attack, number: int, tmp_path: Path) -> None:
    """Whatever is damaged in a folder is named, and made again to the same bytes."""
    assert_held(attack, number, tmp_path)
