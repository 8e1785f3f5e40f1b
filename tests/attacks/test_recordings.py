"""
Archived pages that were cut or damaged.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from attacks.attack import Attack
from attacks.recordings import ATTACKS
from tests.attacks.long_trials import assert_held, long_trials

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("attack", "number"), long_trials(ATTACKS))
def test_a_damaged_archive_costs_itself_and_says_why(
    attack: Attack, number: int, tmp_path: Path
) -> None:
    """What is damaged is refused in words, and what stands beside it is captured."""
    assert_held(attack, number, tmp_path)
