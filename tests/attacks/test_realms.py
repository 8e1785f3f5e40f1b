"""
Pages that draw what is random from every realm give one picture.
"""

from pathlib import Path

import pytest

from attacks import realms
from attacks.attack import Attack
from tests.attacks.few_and_many import assert_held, few_and_many


@pytest.mark.browser
@pytest.mark.parametrize(("attack", "number"), few_and_many(realms.ATTACKS))
def test_realms_hold(attack: Attack, number: int, tmp_path: Path) -> None:
    """Frames, workers and worklets draw the same at every capture, or do not begin."""
    assert_held(attack, number, tmp_path)
