"""
Pages that draw what is random from every realm give one picture.
"""

from pathlib import Path

import pytest

from attacks import realms
from attacks.attack import Attack
from tests.attacks.long_trials import assert_held, long_trials


@pytest.mark.browser
@pytest.mark.parametrize(("attack", "number"), long_trials(realms.ATTACKS))
def test_realms_hold(attack: Attack, number: int, tmp_path: Path) -> None:
    """Frames, workers and worklets draw the same at every capture, or do not begin."""
    assert_held(attack, number, tmp_path)
