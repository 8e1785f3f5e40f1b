"""
What other people put beside us is left, named, and stops nobody.
"""

from pathlib import Path

import pytest

from attacks import seams
from attacks.attack import Attack
from tests.attacks.long_trials import assert_held, long_trials


@pytest.mark.parametrize(("attack", "number"), long_trials(seams.ATTACKS))
def test_seams_hold(attack: Attack, number: int, tmp_path: Path) -> None:
    """Users' files, plug-ins, pipes in shared folders and hidden letters do no harm."""
    assert_held(attack, number, tmp_path)
