"""
Serve a folder of runs on loopback: in a thread beside the driver, or in a process of its own.
"""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from surefoot.core.children import child_environment
from surefoot.core.errors import MissingComponentError, SurefootError

if TYPE_CHECKING:
    import uvicorn
    from starlette.applications import Starlette
    from starlette.routing import BaseRoute

    from surefoot.forms.server.limits import ServerLimits

__all__ = ["serve", "serve_apart", "serve_application", "serve_until_told"]

_START_S: Final = 30.0
_POLL_S: Final = 0.01
_STOP_S: Final = 1


@contextlib.contextmanager
def serve(
    folder: Path,
    *,
    port: int = 0,
    limits: ServerLimits | None = None,
    extra_routes: Sequence[BaseRoute] = (),
) -> Iterator[str]:
    """
    Serve a folder from a thread for the length of a block, and yield the base URL.

    Port 0 takes a free one. On leaving, requests under way are answered, and the store is
    closed. Raises FolderBusyError where the folder has a server, MissingComponentError
    without the extra "forms", SurefootError where the port is taken.
    """
    with contextlib.ExitStack() as stack:
        server, listener = _prepare(stack, folder, port, limits, extra_routes)
        yield stack.enter_context(_beside(server, listener))


@contextlib.contextmanager
def serve_application(app: Starlette, *, port: int = 0) -> Iterator[str]:
    """
    Serve an application from a thread for the length of a block, and yield the base URL.

    Port 0 takes a free one; raises SurefootError where the port is taken.
    """
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(_listen(port))
        yield stack.enter_context(_beside(_server(app), listener))


def serve_until_told(folder: Path, port: int = 0) -> Iterator[str]:
    """
    Serve a folder from this very thread: yield the base URL, and serve when asked for more.

    The end comes with an interrupt or the signal to terminate.
    """
    with contextlib.ExitStack() as stack:
        server, listener = _prepare(stack, folder, port, None, ())
        yield _address(listener)
        server.run([listener])


@contextlib.contextmanager
def serve_apart(folder: Path, *, port: int = 0) -> Iterator[tuple[str, int]]:
    """
    Serve a folder from a process of its own, and yield the base URL and the process's id.

    The process ends with the block, or when its parent does. Raises SurefootError where it
    does not come up.
    """
    command = [sys.executable, "-m", "surefoot.forms.server", str(folder), str(port)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=child_environment()
    ) as process:
        try:
            said = process.stdout.readline().decode().strip() if process.stdout else ""
            if not said.startswith("http://"):
                raise SurefootError(
                    "a form server that comes up", found=f"'{said}' from {' '.join(command)}"
                )
            yield said, process.pid
        finally:
            process.terminate()


def _prepare(
    stack: contextlib.ExitStack,
    folder: Path,
    port: int,
    limits: ServerLimits | None,
    extra_routes: Sequence[BaseRoute],
) -> tuple[uvicorn.Server, socket.socket]:
    """Open store and port, to be closed by the stack, and return what serves them."""
    with _extra():
        from surefoot.forms.server.application import application
    from surefoot.forms.server.store import Store

    listener = stack.enter_context(_listen(port))
    store = stack.enter_context(Store(folder))
    return _server(application(store, limits=limits, extra_routes=extra_routes)), listener


@contextlib.contextmanager
def _extra() -> Iterator[None]:
    """Turn the lack of a package into an error that says how to get it."""
    try:
        yield
    except ImportError as error:
        raise MissingComponentError(
            "the packages of the form server",
            found=error,
            remedy="install them: pip install 'surefoot[forms]'",
        ) from error


def _server(app: Starlette) -> uvicorn.Server:
    with _extra():
        import uvicorn

        from surefoot.forms.server.connections import LimitedProtocol, LimitedServer

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
def _beside(server: uvicorn.Server, listener: socket.socket) -> Iterator[str]:
    """Let a server run in a thread for the length of a block, and yield its address."""
    thread = threading.Thread(target=server.run, args=([listener],), name="forms-server")
    thread.start()
    try:
        _await_start(server, thread)
        yield _address(listener)
    finally:
        server.should_exit = True
        thread.join()


def _listen(port: int) -> socket.socket:
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


def _address(listener: socket.socket) -> str:
    return f"http://127.0.0.1:{listener.getsockname()[1]}"


def _await_start(server: uvicorn.Server, thread: threading.Thread) -> None:
    end = time.monotonic() + _START_S
    while not server.started:
        if not thread.is_alive() or time.monotonic() > end:
            raise SurefootError("a form server that comes up", found="one that did not")
        time.sleep(_POLL_S)
