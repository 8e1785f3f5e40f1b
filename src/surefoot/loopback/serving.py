"""
Serve an application on loopback, in a thread or in this one.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from surefoot.core.errors import MissingComponentError, SurefootError

if TYPE_CHECKING:
    import uvicorn
    from starlette.applications import Starlette


_START_S: Final = 30.0
_POLL_S: Final = 0.01
_STOP_S: Final = 1


@contextlib.contextmanager
def serve_application(app: Starlette, *, port: int = 0) -> Iterator[str]:
    """
    Serve an application from a thread for the length of a block, and yield the base URL.

    Port 0 takes a free one; raises SurefootError where the port is taken.
    """
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(listening(port))
        yield stack.enter_context(running_beside(make_server(app), listener))


@contextlib.contextmanager
def needing(extra: str) -> Iterator[None]:
    """Turn the lack of a package of an extra into an error that says how to get it."""
    try:
        yield
    except ImportError as error:
        raise MissingComponentError(
            f"the packages of the extra '{extra}'",
            found=error,
            remedy=f"install them: pip install 'surefoot[{extra}]'",
        ) from error


def make_server(app: Starlette) -> uvicorn.Server:
    """Return what serves an application within our limits, as soon as it is run."""
    import uvicorn

    from surefoot.loopback.connections import LimitedProtocol, LimitedServer

    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="off",
        http=LimitedProtocol,
        ws="none",
        timeout_keep_alive=30,
        timeout_graceful_shutdown=_STOP_S,
    )
    return LimitedServer(config)


@contextlib.contextmanager
def running_beside(server: uvicorn.Server, listener: socket.socket) -> Iterator[str]:
    """Let a server run in a thread for the length of a block, and yield its address."""
    # A script that never closes what it serves must end all the same.
    thread = threading.Thread(
        target=server.run, args=([listener],), name="local-server", daemon=True
    )
    thread.start()
    try:
        _await_start(server, thread)
        yield address_of(listener)
    finally:
        server.should_exit = True
        thread.join()


def listening(port: int) -> socket.socket:
    """Take a port of loopback, which no other machine reaches."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
        listener.listen()
    except OSError as error:
        listener.close()
        raise SurefootError(
            f"port {port} of loopback to be free", found=error, remedy="name another port"
        ) from error
    return listener


def address_of(listener: socket.socket) -> str:
    """Return the base URL under which a port of loopback is served."""
    return f"http://127.0.0.1:{listener.getsockname()[1]}"


def _await_start(server: uvicorn.Server, thread: threading.Thread) -> None:
    end = time.monotonic() + _START_S
    while not server.started:
        if not thread.is_alive() or time.monotonic() > end:
            raise SurefootError("a local server that comes up", found="one that did not")
        time.sleep(_POLL_S)
