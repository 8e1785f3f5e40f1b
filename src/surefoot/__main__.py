"""
The program ``surefoot``: Ctrl-C ends it without a traceback, from first import to last line.
"""

from __future__ import annotations

import signal
import sys

# Python's own handler raises wherever the import is; one that ignores the signal stays.
_LISTENS = signal.getsignal(signal.SIGINT) is signal.default_int_handler
if _LISTENS:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from surefoot.cli import main as program  # noqa: E402 - the signal goes first
from surefoot.core.endings import INTERRUPTED  # noqa: E402


def main() -> None:
    """Run the command line of this process."""
    try:
        if _LISTENS:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        program.main()
    except KeyboardInterrupt:  # before the program could say more, or after it had
        sys.exit(INTERRUPTED)
    finally:
        if _LISTENS:
            signal.signal(signal.SIGINT, signal.SIG_DFL)


if __name__ == "__main__":
    main()
