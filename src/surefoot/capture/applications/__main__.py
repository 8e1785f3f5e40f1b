"""
What runs beside an application, inside its walls: it fills it, starts it and passes requests on.

The walls leave it a loopback of its own, which nobody outside can reach; so the keeper listens
on a socket in a folder that both sides see. It is run by the application's interpreter, and
needs nothing but Python itself. Where there are no walls it does the same, and everything that
it started ends with it.
"""

from __future__ import annotations

import contextlib
import ctypes
import http.client
import importlib.util
import os
import shutil
import signal
import socket
import socketserver
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Final, NoReturn

from surefoot.capture.applications.recipe import READY, ApplicationRecipe
from surefoot.capture.clock import CLOCK

HOST: Final = "127.0.0.1"
CHUNK: Final = 65_536
POLL_S: Final = 0.05
TRY_S: Final = 10.0
END_WITH_PARENT: Final = 1  # PR_SET_PDEATHSIG


def load(file: Path, name: str) -> ApplicationRecipe:
    """Return the recipe of that name from a module that nobody installed."""
    spec = importlib.util.spec_from_file_location("recipe_of_application", file)
    if spec is None or spec.loader is None:
        raise ImportError(file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    found = [value for value in vars(module).values() if isinstance(value, ApplicationRecipe)]
    return next(recipe for recipe in found if recipe.name == name)


def keep(arguments: list[str], state: Path, work: Path, listener: Path) -> None:
    """
    Serve a copy of ``state`` made in ``work``, pass requests on, until standard input closes.

    ``arguments`` are the recipe's file and name. Prints "ready" when the application answers.
    """
    shutil.copytree(state, work, dirs_exist_ok=True)
    _make_writable(work)
    port = _free_port()
    command = [sys.executable, "-m", __package__, "serve", *arguments, str(work), str(port)]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=sys.stderr, env=dict(os.environ)
    ) as process:
        threading.Thread(target=_end_when_left, args=(process,), daemon=True).start()
        while not _answers(port):
            if process.poll() is not None:
                _end(process.returncode)
            time.sleep(POLL_S)
        server = _Relay(str(listener), port)
        listener.chmod(0o777)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        sys.stdout.write(f"{READY}\n")
        sys.stdout.flush()
        _end(process.wait())


def main(arguments: list[str]) -> None:
    """Do what the first argument says: seed, serve or keep."""
    _end_with_parent()
    verb, file, name, *rest = arguments
    if verb == "keep":
        keep([file, name], *map(Path, rest))
        return
    folder, number = Path(rest[0]), int(rest[1])
    os.chdir(folder)
    recipe = load(Path(file), name)
    _stop_clock()
    (recipe.seed if verb == "seed" else recipe.serve)(folder, number)


class _Relay(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, path: str, port: int) -> None:
        super().__init__(path, _Connection)
        self.port = port


class _Connection(socketserver.BaseRequestHandler):
    server: _Relay

    def handle(self) -> None:
        """Carry bytes both ways until one side ends."""
        with socket.create_connection((HOST, self.server.port)) as inside:
            threading.Thread(target=_pump, args=(self.request, inside), daemon=True).start()
            _pump(inside, self.request)


def _pump(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(CHUNK):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)


def _answers(port: int) -> bool:
    connection = http.client.HTTPConnection(HOST, port, timeout=TRY_S)
    try:
        connection.request("GET", "/")
        connection.getresponse().read()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
    return True


def _free_port() -> int:
    with socket.socket() as found:
        found.bind((HOST, 0))
        return int(found.getsockname()[1])


def _make_writable(folder: Path) -> None:
    """Let the copy be changed, be what it was made of read-only."""
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode | 0o600)


def _stop_clock() -> None:
    """Let the application believe that it is CLOCK, if its environment can."""
    with contextlib.suppress(ImportError):
        import time_machine

        time_machine.travel(CLOCK, tick=False).start()


def _end_when_left(process: subprocess.Popen[bytes]) -> None:
    while os.read(0, CHUNK):
        pass
    process.kill()
    os._exit(0)


def _end(code: int) -> NoReturn:
    """Say how the application ended, and end too: at once, as a thread waits for input."""
    sys.stderr.write(f"the application ended with {code}\n")
    sys.stderr.flush()
    os._exit(1)


def _end_with_parent() -> None:
    """Let the kernel end this process when its parent is killed, where it is Linux."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(END_WITH_PARENT, signal.SIGKILL)


if __name__ == "__main__":
    main(sys.argv[1:])
