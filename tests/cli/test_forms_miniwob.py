"""
Somebody else's form tasks, from the command line.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surefoot.core.errors import MissingComponentError
from surefoot.forms.miniwob.playing import pages_folder

try:
    pages_folder()
    MISSING = ""
except MissingComponentError as error:
    MISSING = str(error)


@pytest.mark.browser
@pytest.mark.skipif(bool(MISSING), reason=MISSING or "there")
def test_a_task_is_played_and_its_reward_written(
    surefoot: Callable[..., Any], tmp_path: Path
) -> None:
    """A task's own reward is printed and written."""
    ended = surefoot(
        "forms", "miniwob", "--task", "focus-text", "--json", str(tmp_path / "o.json")
    )
    assert ended.code == 0
    assert "1 of 1 with reward 1" in ended.out
    (outcome,) = json.loads((tmp_path / "o.json").read_text("utf-8"))
    assert (outcome["task"], outcome["reward"], outcome["done"]) == ("focus-text", 1.0, True)


@pytest.mark.browser
def test_an_unknown_task_is_named(surefoot: Callable[..., Any]) -> None:
    """A misspelt task is the user's mistake, and the nearest is offered."""
    ended = surefoot("forms", "miniwob", "--task", "focus-txt")
    assert ended.code == 2
    assert "focus-text" in ended.err
