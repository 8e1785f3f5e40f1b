"""
The command line is noted beside what it wrote, unless it holds a secret.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surefoot.cli.given import GIVEN, note_command, without_secrets
from surefoot.cli.main import main
from surefoot.core.ledger import Ledger


@pytest.mark.parametrize(
    ("given", "noted"),
    [
        (("capture", "a page.html"), "surefoot capture 'a page.html'"),
        (("run", "openai:m@http://me:pass@127.0.0.1/v1"), ""),
        (("run", "--set", "api_key=xyz"), ""),
        ((), ""),
    ],
)
def test_a_command_line_is_noted(tmp_path: Path, given: tuple[str, ...], noted: str) -> None:
    """What was given is read back as a shell would take it, and secrets are not kept."""
    Ledger.open(tmp_path, {}).close()
    token = GIVEN.set(given)
    note_command(tmp_path)
    note_command(tmp_path / "absent")
    GIVEN.reset(token)

    with Ledger.read(tmp_path) as ledger:
        assert ledger.hint("command").partition("\n")[2] == noted


def test_a_defect_tells_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command_line: Callable[..., Any]
) -> None:
    """Keys of the environment stand neither in the line of a defect nor in what is saved of it."""
    key = "sk-9876543210abcdef"
    monkeypatch.setenv("SOME_API_KEY", key)
    monkeypatch.setenv("SUREFOOT_CACHE", str(tmp_path))
    monkeypatch.setenv("SUREFOOT_DEBUG", "1")

    def refuse(_first: str) -> None:
        raise KeyError(f"no {key} here, nor %73k-9876543210abcdef")

    monkeypatch.setattr("surefoot.cli.main.find_verbs", refuse)
    ended = command_line(main, "doctor")

    (saved,) = (tmp_path / "defects").iterdir()
    assert ended.code == 4
    assert key[-8:] not in ended.err + saved.read_text()
    assert "KeyError" in ended.err
    assert without_secrets(f"Bearer {key}") == "Bearer ***"
