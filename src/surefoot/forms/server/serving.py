"""
Serve a folder of runs on loopback: in a thread beside the driver, or in a process of its own.
"""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.core.children import child_environment
from surefoot.core.errors import SurefootError
from surefoot.loopback.serving import address_of, listening, make_server, needing, running_beside

if TYPE_CHECKING:
    import uvicorn
    from starlette.routing import BaseRoute

    from surefoot.forms.server.limits import ServerLimits


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
        yield stack.enter_context(running_beside(server, listener))


def serve_until_told(folder: Path, port: int = 0) -> Iterator[str]:
    """
    Serve a folder from this very thread: yield the base URL, and serve when asked for more.

    The end comes with an interrupt or the signal to terminate.
    """
    with contextlib.ExitStack() as stack:
        server, listener = _prepare(stack, folder, port, None, ())
        yield address_of(listener)
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
            line = process.stdout.readline().decode().strip() if process.stdout else ""
            if not line.startswith("http://"):
                raise SurefootError(
                    "a form server that comes up", found=f"'{line}' from {' '.join(command)}"
                )
            yield line, process.pid
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
    with needing("forms"):
        from surefoot.forms.server.application import application
    from surefoot.forms.server.store import Store

    listener = stack.enter_context(listening(port))
    store = stack.enter_context(Store(folder))
    return make_server(application(store, limits=limits, extra_routes=extra_routes)), listener
