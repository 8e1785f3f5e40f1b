"""
Kills at random moments, in all verbs that write a folder.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from attacks import kills
from attacks.attack import Attack
from tests.attacks.long_trials import assert_held, long_trials


@pytest.mark.browser
@pytest.mark.desktop
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("attack", "number"), long_trials(kills.ATTACKS))
def test_killed_commands_end_in_the_same_bytes(
    attack: Attack, number: int, tmp_path: Path
) -> None:
    """Whatever is killed in a command, given again it writes what it would have written."""
    assert_held(attack, number, tmp_path)


def test_a_changed_byte_is_another_digest(tmp_path: Path) -> None:
    """The comparison that the kills rest on sees one changed byte, and a file more."""
    (tmp_path / "a").write_bytes(b"0")
    before = kills.tree_digest(tmp_path)
    (tmp_path / "a").write_bytes(b"1")
    changed = kills.tree_digest(tmp_path)
    (tmp_path / "b").touch()
    assert len({before, changed, kills.tree_digest(tmp_path)}) == 3
