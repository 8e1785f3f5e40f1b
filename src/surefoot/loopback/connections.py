"""
Connections of a local server: none may hold it up, however it was opened and left.

A request's head must have arrived within `HEAD_S`, the request be answered within
`REQUEST_S`. Where as many are open as there may be, a new one takes the place of the one that
was heard of longest ago: an honest client sends its request at once, and is answered at once.
"""

from __future__ import annotations

import asyncio
import socket
from typing import Any, Final, cast

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_S: Final = 10.0
REQUEST_S: Final = 60.0
# Well below the descriptors that a process usually has: 1,024.
MOST: Final = 512
# As many are let in between two looks at what they sent; the others wait in the kernel.
AT_ONCE: Final = 32
WAITING: Final = 1024


class LimitedServer(uvicorn.Server):
    """Serve connections of which a few at a time are let in."""

    def __init__(self, config: uvicorn.Config) -> None:
        config.backlog = AT_ONCE
        super().__init__(config)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve; early connections wait."""
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(WAITING)


class LimitedProtocol(H11Protocol):
    """Speak HTTP as uvicorn does, within limits of time and number."""

    def __init__(self, *arguments: Any, **named: Any) -> None:  # noqa: ANN401
        super().__init__(*arguments, **named)
        self._deadline: asyncio.TimerHandle | None = None
        self.since = self.loop.time()

    @property
    def busy(self) -> bool:
        """Tell whether a request is under way."""
        return bool(self.cycle) and not self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a new connection, and give another one up if there are too many."""
        super().connection_made(transport)
        self._arm(HEAD_S)
        if len(self.connections) > MOST:
            others = cast("set[LimitedProtocol]", self.connections - {self})
            min(others, key=lambda other: other.since).abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the deadline with the connection."""
        self._disarm()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on, and hold what has begun to its deadline."""
        before = self.cycle
        super().data_received(data)
        self._hold(before)

    def on_response_complete(self) -> None:
        """
        Wait for the next request; who sent it before this answer has had one turn too many.

        No browser does, and others wait meanwhile.
        """
        self._disarm()
        self.since = self.loop.time()
        if self.conn.trailing_data[0]:
            self.transport.close()
        super().on_response_complete()

    def abort(self) -> None:
        """Close the connection at once, whatever is still to be sent, and end its request."""
        self.connections.discard(self)
        self.transport.abort()

    def _hold(self, before: object) -> None:
        if self.busy and self.cycle is not before:
            self._arm(REQUEST_S)
        elif not self.busy and self._deadline is None:
            self._arm(HEAD_S)

    def _arm(self, seconds: float) -> None:
        self._disarm()
        self.since = self.loop.time()
        self._deadline = self.loop.call_later(seconds, self.abort)

    def _disarm(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
