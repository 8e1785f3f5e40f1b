"""
The command line as it was given, for those who note how a folder was made.
"""

from __future__ import annotations

import contextvars
import os
import re
import shlex
from pathlib import Path
from typing import Final

__all__ = ["GIVEN", "note_command"]

GIVEN: Final[contextvars.ContextVar[tuple[str, ...]]] = contextvars.ContextVar("given", default=())
_SECRET: Final = re.compile(r"//[^/@\s]*@|(?i:key|token|secret|password)=")


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
