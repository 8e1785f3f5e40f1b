"""
Pages whose parts fail to load.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from attacks.attack import Attack
from attacks.resources import ATTACKS
from tests.attacks.long_trials import assert_held, long_trials

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("attack", "number"), long_trials(ATTACKS))
def test_what_failed_to_load_is_part_of_what_was_seen(
    attack: Attack, number: int, tmp_path: Path
) -> None:
    """A capture shows all that the page has, or says what it lacks, or fails with the address."""
    assert_held(attack, number, tmp_path)
