"""
``surefoot apps`` lists what is there, installs what is named, and says what it removed.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from surefoot.capture.applications.installing import RECIPES
from surefoot.core.errors import ExitCode


@pytest.mark.usefixtures("quay")
def test_list_tells_what_is_installed(surefoot: Callable[..., Any]) -> None:
    """The list, for people and for programs, follows an installation and a removal."""
    before = {item["name"]: item for item in json.loads(surefoot("apps", "--json").out)}
    surefoot("apps", "install", "quay")
    after = {item["name"]: item for item in json.loads(surefoot("apps", "--json").out)}
    shown = surefoot("apps").out
    removed = surefoot("apps", "remove", "quay", "quay-broken").out

    assert list(before) == list(RECIPES.entries)
    assert [name for name in after if after[name] != before[name]] == ["quay"]
    assert all(recipe.title in shown for recipe in RECIPES.entries.values())
    assert removed == "removed: quay\n"


@pytest.mark.usefixtures("quay")
def test_unknown_application_is_the_user_s_mistake(surefoot: Callable[..., Any]) -> None:
    """A name that no recipe bears ends the command with 2 and the nearest names."""
    ended = surefoot("apps", "check", "quai")

    assert ended.code == ExitCode.USER_ERROR
    assert "Did you mean 'quay'" in ended.err
