"""
How a command that serves waits for its end.
"""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator

__all__ = ["until_told"]


@contextlib.contextmanager
def until_told() -> Iterator[None]:
    """End a block quietly on Ctrl-C or the signal to terminate, in a background job too."""
    kinds = (signal.SIGINT, signal.SIGTERM)  # a shell's background job starts deaf to the first
    before = [signal.signal(kind, signal.default_int_handler) for kind in kinds]
    try:
        with contextlib.suppress(KeyboardInterrupt):
            yield
    finally:
        for kind, handler in zip(kinds, before, strict=True):
            signal.signal(kind, handler)
