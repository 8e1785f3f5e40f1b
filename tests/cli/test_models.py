"""
``surefoot models`` names every backend and format.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from surefoot.models import BACKENDS, FORMATS


def test_json_is_one_object(surefoot: Callable[..., Any]) -> None:
    """With --json a program reads every backend and every format."""
    listed = json.loads(surefoot("models", "--json").out)

    assert [each["name"] for each in listed["backends"]] == list(BACKENDS.entries)
    assert [each["name"] for each in listed["formats"]] == list(FORMATS.entries)
    assert {"oracle", "center", "ocr", "openai"} <= {each["name"] for each in listed["backends"]}


def test_text_says_what_to_type(surefoot: Callable[..., Any]) -> None:
    """A person reads how each backend is written, and each format's space."""
    shown = surefoot("models").out

    assert all(each.usage in shown for each in BACKENDS.entries.values())
    assert all(f"{name}@" in shown for name in FORMATS.entries)
