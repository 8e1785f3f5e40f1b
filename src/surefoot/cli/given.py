"""
The command line as it was given, for those who note how a folder was made.
"""

from __future__ import annotations

import contextvars
import itertools
import os
import re
import shlex
from pathlib import Path
from typing import Final

__all__ = ["GIVEN", "note_command", "without_secrets"]

GIVEN: Final[contextvars.ContextVar[tuple[str, ...]]] = contextvars.ContextVar("given", default=())
_KEEPS_SECRET: Final = re.compile("KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH", re.IGNORECASE)
_SECRET: Final = re.compile(r"//[^/@\s]*@|(?i:key|token|secret|password)=")


def without_secrets(text: str) -> str:
    """Return text without the values of the environment's keys, tokens and passwords."""
    from surefoot.models.scrubbing import Scrubber

    given = GIVEN.get()
    named = {after for word, after in itertools.pairwise(given) if word == "--key-variable"}
    for name, value in sorted(os.environ.items()):
        if (name in named or _KEEPS_SECRET.search(name)) and not value.startswith("/"):
            text = Scrubber(value)(text)
    return text


def note_command(folder: Path) -> None:
    """
    Note in a folder's ledger the command line that wrote it, and from where it was given.

    A hint for ``surefoot verify``, and no part of the plan. Nothing is noted of a command
    line that holds what looks like a secret.
    """
    from surefoot.core.ledger import note_hint

    line = shlex.join(["surefoot", *GIVEN.get()])
    if GIVEN.get() and not _SECRET.search(line):
        note_hint(folder, "command", f"{os.path.relpath(Path.cwd(), folder.resolve())}\n{line}")
