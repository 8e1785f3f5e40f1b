"""
How a command that serves waits for its end.
"""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable
from typing import TYPE_CHECKING

from surefoot.cli.output import say

if TYPE_CHECKING:
    from surefoot.api.serving import ServedPages

__all__ = ["serve_until_told"]


def serve_until_told(begin: Callable[[], ServedPages], ended: str) -> bool:
    """
    Serve pages until nothing is left to do on them, and return True; or until they are stopped.

    What stops them is Ctrl-C or the signal to terminate, in a background job too; then
    ``ended`` is said, and False returned.
    """
    kinds = (signal.SIGINT, signal.SIGTERM)  # a shell's background job starts deaf to the first
    before = [signal.signal(kind, signal.default_int_handler) for kind in kinds]
    try:
        with contextlib.suppress(KeyboardInterrupt), begin() as served:
            say(f"open {served.address} in a browser; Ctrl-C ends it")
            return served.finished.wait()
    finally:
        for kind, handler in zip(kinds, before, strict=True):
            signal.signal(kind, handler)
    say(ended)
    return False
