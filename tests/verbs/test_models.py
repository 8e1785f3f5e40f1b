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

    assert [item["name"] for item in listed["backends"]] == list(BACKENDS.entries)
    assert [item["name"] for item in listed["formats"]] == list(FORMATS.entries)
    assert {"oracle", "center", "ocr", "openai"} <= {item["name"] for item in listed["backends"]}


def test_text_says_what_to_type(surefoot: Callable[..., Any]) -> None:
    """A person reads how each backend is written, and each format's space."""
    shown = surefoot("models").out

    assert all(entry.usage in shown for entry in BACKENDS.entries.values())
    assert all(f"{name}@" in shown for name in FORMATS.entries)


def test_each_family_is_listed_with_space_and_source(surefoot: Callable[..., Any]) -> None:
    """One line a format has its space and the document that it follows, as --json has."""
    lines = surefoot("models").out.splitlines()
    listed = json.loads(surefoot("models", "--json").out)["formats"]

    for item in listed:
        (line,) = [line for line in lines if line.startswith(f"  {item['name']}@")]
        assert item["space"] == FORMATS.get(item["name"]).space.kind
        assert item["space"] in line
        assert line.endswith(f"[{item['source']}]")
    ours = {item["name"] for item in listed if item["source"] == "Surefoot's own"}
    assert ours == {"json", "json-1000", "hforms"}
