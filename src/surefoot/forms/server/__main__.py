"""
Serve a folder of form runs until told to stop: ``python -m surefoot.forms.server FOLDER PORT``.

The base URL is printed once the port is open. The process ends when its input does, so
that it does not outlive who started it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from pathlib import Path

from surefoot.core.endings import end_plainly
from surefoot.forms.server.serving import serve_until_told


def main(folder: str, port: str = "0") -> None:
    """Serve a folder; print the address first."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    threading.Thread(target=_stop_with_input, daemon=True).start()
    with contextlib.suppress(KeyboardInterrupt):
        for address in serve_until_told(Path(folder), int(port)):
            sys.stdout.write(f"{address}\n")
            sys.stdout.flush()


def _stop_with_input() -> None:
    while sys.stdin.buffer.read(1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    with end_plainly("surefoot.forms.server"):
        main(*sys.argv[1:])
