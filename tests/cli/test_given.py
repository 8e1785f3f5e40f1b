"""
The command line is noted beside what it wrote, unless it holds a secret.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.cli.given import GIVEN, note_command
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
