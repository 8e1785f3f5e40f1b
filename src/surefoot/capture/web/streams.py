"""
Connections that stay open: whether a page that has some still waits for what they bring.
"""

from __future__ import annotations

import time
from typing import Any, Final

from playwright.sync_api import WebSocket

# How long one that has said nothing yet is waited for, and how long one must be quiet.
FIRST_S: Final = 1.0
QUIET_S: Final = 0.25
EVENTS: Final = "events"


class _Stream:
    def __init__(self) -> None:
        self.since = time.monotonic()
        self.spoken = False
        self.owes = False  # an answer to what the page sent


class Streams:
    """
    Hold the websockets and event streams of a page, and when they spoke last.

    ``listens`` holds once the messages of event streams are heard.
    """

    def __init__(self) -> None:
        self.listens = False
        self._open: dict[object, _Stream] = {}
        self._free = False

    def begin(self, socket: WebSocket) -> None:
        """Note a websocket, and hear what is said on it."""
        stream = self._open[socket] = _Stream()

        def sent(_: object) -> None:
            stream.since, stream.owes = time.monotonic(), True

        def received(_: object) -> None:
            stream.since, stream.owes, stream.spoken = time.monotonic(), False, True

        socket.on("framesent", sent)
        socket.on("framereceived", received)

        def ended(_: object) -> None:
            self._open.pop(socket, None)

        socket.on("close", ended)
        socket.on("socketerror", ended)

    def begin_events(self) -> None:
        """Note an event stream; all of a page count as one."""
        self._open.setdefault(EVENTS, _Stream())

    def spoke(self, _: dict[str, Any]) -> None:
        """Note a message of an event stream."""
        stream = self._open.setdefault(EVENTS, _Stream())
        stream.since, stream.spoken = time.monotonic(), True

    def awaited(self) -> int:
        """Return how many streams the page may be about to hear from."""
        if self._free:
            return 0
        now = time.monotonic()
        return sum(
            stream.owes or now - stream.since < (QUIET_S if stream.spoken else FIRST_S)
            for stream in self._open.values()
        )

    def let_go(self) -> None:
        """Wait for none of them any more."""
        self._free = True
