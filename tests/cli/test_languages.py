"""
The command that prints a language for a native reader.
"""

from __future__ import annotations

import json

import pytest

from surefoot.cli.languages import languages
from surefoot.refer.languages.tables import codes


def test_languages_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a code, every language is named by itself."""
    languages()

    listed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in listed] == list(codes())


def test_a_language_is_printed_whole(capsys: pytest.CaptureFixture[str]) -> None:
    """Sentences come first, then nouns in their forms; JSON holds the same sentences."""
    languages("ru")
    printed = capsys.readouterr().out
    languages("ru", json=True)
    (found,) = json.loads(capsys.readouterr().out)

    assert "genitive кнопки" in printed
    said = [one for pattern in found["patterns"] for one in pattern["examples"]]
    assert len(said) > 150
    assert all(one in printed for one in said)
