"""
Pages that read what tells time or machine, and pages that the browser moves, give one picture.
"""

from pathlib import Path

import pytest

from attacks import sources
from attacks.attack import Attack
from tests.attacks.long_trials import assert_held, long_trials


@pytest.mark.browser
@pytest.mark.parametrize(("attack", "number"), long_trials(sources.ATTACKS))
def test_sources_hold(attack: Attack, number: int, tmp_path: Path) -> None:
    """What is read is the same at every capture, or the page is refused."""
    assert_held(attack, number, tmp_path)
