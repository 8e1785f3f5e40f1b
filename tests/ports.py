"""
A port for a server that takes no listener: free, and not given to anybody who wants any port.
"""

from __future__ import annotations

import contextlib
import random
import socket

# Below what the kernel gives to port 0, from which all other servers of the suite take theirs.
PRIVATE = range(20_000, 32_000)


def private_port() -> int:
    """Return a free port of loopback, drawn anew at each call."""
    draws = random.SystemRandom()
    while True:
        port = draws.choice(PRIVATE)
        with socket.socket() as found, contextlib.suppress(OSError):
            found.bind(("127.0.0.1", port))
            return port
