"""
The command that prints a language for a native reader.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from surefoot.refer.languages.tables import codes


def test_languages_are_listed(surefoot: Callable[..., Any]) -> None:
    """Without a code, every language is named by itself."""
    listed = surefoot("languages").out.splitlines()

    assert [line.split()[0] for line in listed] == list(codes())


def test_a_language_is_printed_whole(surefoot: Callable[..., Any]) -> None:
    """Sentences come first, then nouns in their forms; JSON holds the same sentences."""
    printed = surefoot("languages", "ru").out
    (found,) = json.loads(surefoot("languages", "ru", "--json").out)

    assert "genitive кнопки" in printed
    said = [one for pattern in found["patterns"] for one in pattern["examples"]]
    assert len(said) > 150
    assert all(one in printed for one in said)
