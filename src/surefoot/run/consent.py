"""
Ask a person before something large is done for them.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.console import Console


YES: Final = "YES"  # the variable that answers every question, as for `make setup`


def agreed(question: str, console: Console | None) -> bool:
    """
    Return what a person answers; yes where there is no terminal to ask at, or YES is 1.

    >>> agreed("install it?", None)
    True
    """
    if console is None or os.environ.get(YES) == "1":
        return True
    if not (sys.stdin.isatty() and console.is_terminal):
        return True
    console.print(f"{question} [Y/n] ", end="", markup=False, highlight=False)
    return sys.stdin.readline().strip().lower() in {"", "y", "yes"}
