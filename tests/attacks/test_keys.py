"""
Attacks on keys, each in its short form.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from attacks.attack import Attack
from attacks.keys import ATTACKS
from tests.attacks.long_trials import assert_held, long_trials


@pytest.mark.browser
@pytest.mark.parametrize(("attack", "number"), long_trials(ATTACKS))
def test_a_key_stays_where_it_was_meant_for(attack: Attack, number: int, tmp_path: Path) -> None:
    """A key is repeated in no file, sent to no other host, and known to no child."""
    assert_held(attack, number, tmp_path)
