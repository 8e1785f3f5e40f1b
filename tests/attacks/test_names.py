"""
Pages whose names are those of the browser's own properties are seen as any other.
"""

from pathlib import Path

import pytest

from attacks import names
from attacks.attack import Attack
from tests.attacks.long_trials import assert_held, long_trials


@pytest.mark.browser
@pytest.mark.parametrize(("attack", "number"), long_trials(names.ATTACKS))
def test_names_hold(attack: Attack, number: int, tmp_path: Path) -> None:
    """A page has the same elements and pictures whatever its forms and fields are called."""
    assert_held(attack, number, tmp_path)
