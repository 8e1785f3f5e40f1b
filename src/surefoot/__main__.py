"""
The program ``surefoot``: Ctrl-C ends it without a traceback also while it is being imported.
"""

from __future__ import annotations

import signal

# Python's own handler raises wherever the import is; one that ignores the signal stays.
_LISTENS = signal.getsignal(signal.SIGINT) is signal.default_int_handler
if _LISTENS:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from surefoot.cli import main as program  # noqa: E402 - the signal goes first

__all__ = ["main"]


def main() -> None:
    """Run the command line of this process."""
    if _LISTENS:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    program.main()


if __name__ == "__main__":
    main()
