"""
Whoever takes over a renderer, the browser or a desktop program finds nothing of ours.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from attacks.attack import Attack
from attacks.confinement import ATTACKS
from surefoot.capture.confinement import walls_hold
from tests.attacks.long_trials import assert_held, long_trials


@pytest.mark.browser
@pytest.mark.desktop
@pytest.mark.parametrize(("attack", "number"), long_trials(ATTACKS))
def test_confinement_holds(attack: Attack, number: int, tmp_path: Path) -> None:
    """No probe reads, writes or signals what is ours, and the kernel names every restriction."""
    if walls_hold() is None:
        pytest.skip("no walls can be built here: apt-get install bubblewrap, allow namespaces")
    assert_held(attack, number, tmp_path)
