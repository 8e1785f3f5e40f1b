"""
Files that are edited between a capture and what follows it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from attacks.attack import Attack
from attacks.contents import ATTACKS
from tests.attacks.long_trials import assert_held, long_trials

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("attack", "number"), long_trials(ATTACKS))
def test_edited_contents_are_refused_or_the_same(
    attack: Attack, number: int, tmp_path: Path
) -> None:
    """What is built of an edited source is the same bytes, or names the file."""
    assert_held(attack, number, tmp_path)
