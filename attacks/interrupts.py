"""
Attacks on the end of a command: Ctrl-C at any moment, and a kill that nobody can catch.

Each trial runs a real command in a session of its own, as a terminal does, with a folder of its
own for temporary files. Pages that never end and servers that never answer are among what is
interrupted.
"""

from __future__ import annotations

import contextlib
import functools
import http.server
import os
import random
import signal
import socketserver
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import psutil

from attacks.attack import Attack, Trial
from surefoot.core.seeds import random_source

SUREFOOT: Final = (sys.executable, "-c", "from surefoot.cli.main import main; main()")
# The promise itself; what a bare process takes to be interrupted on this machine now is added.
PROMISED_S: Final = 2.0
PROCESSES: Final = 6  # that a command ends one after the other, each slower on a busy machine
LATEST_S: Final = 60.0
BARE: Final = "import psutil, time; print(flush=True); time.sleep(60)"
PAGES: Final = 3


def interruptions(seed: int, number: int, folder: Path) -> Iterator[Trial]:
    """Interrupt each verb at a random moment; then let it go on to its end."""
    # A shell's background jobs ignore SIGINT, and what they start would, too.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    source = random_source(seed, "endings")
    site, hung = _site(folder / "site"), _site(folder / "hung", hung=True)
    screens, bench = folder / "screens", folder / "bench"
    _whole("capture", str(site), "--out", str(screens))
    _whole("build", "perturbed", "--screens", str(screens), "--out", str(bench))
    with _silent_server() as silent:
        model = ("--format", "json", "--no-self-check", "--model", f"openai:m@{silent}")
        verbs: list[tuple[str, tuple[str, ...], Path | None]] = [
            ("capture", ("capture", str(site)), screens),
            ("capture of a page without end", ("capture", str(hung)), None),
            ("run on a silent server", ("run", str(bench), *model), None),
            ("forms serve", ("forms", "serve"), None),
            ("build", ("build", "perturbed", "--screens", str(screens)), bench),
            ("forms run", ("forms", "run", "--agent", "oracle", "--form", "bug_report"), None),
            (
                "diagnose on a silent server",
                ("diagnose", str(bench), *model[2:], *model[:2]),
                None,
            ),
            ("run of the reader", ("run", str(bench), "--model", "ocr"), None),
        ]
        for trial in range(number):
            name, words, whole = verbs[trial % len(verbs)]
            twice = trial >= len(verbs) and source.choice([True, False])
            out = folder / f"out-{trial}"
            moment = source.uniform(0.0, 4.0)
            stop = functools.partial(_interrupt, twice=twice, source=source)
            seen = _ended(words, out, folder / f"temporary-{trial}", moment, stop)
            if whole is not None and not seen:
                _whole(*words, "--out", str(out))
                seen += _differences(whole, out)
            yield Trial(f"{name}, {moment:.1f} s in{', twice' * twice}", not seen, "; ".join(seen))


def kills(seed: int, number: int, folder: Path) -> Iterator[Trial]:
    """Kill a capture at a random moment; the next command removes what it left."""
    source = random_source(seed, "kills")
    site = _site(folder / "site")
    for trial in range(number):
        temporary = folder / f"temporary-{trial}"
        out = folder / f"out-{trial}"
        moment = source.uniform(0.0, 4.0)
        seen = _ended(("capture", str(site)), out, temporary, moment, _kill, swept=False)
        if not seen:
            _whole("capture", str(site), "--out", str(out), temporary=temporary)
            seen += _left_in(temporary)
        yield Trial(f"capture, {moment:.1f} s in", not seen, "; ".join(seen))


def _site(folder: Path, *, hung: bool = False) -> Path:
    folder.mkdir()
    for at in range(PAGES):
        page = f"<h1>Page {at}</h1><p><button>Send {at}</button> <button>Save {at}</button>"
        (folder / f"{at}.html").write_text(page, encoding="utf-8")
    if hung:
        (folder / "0.html").write_text("<script>while (true);</script>", encoding="utf-8")
    return folder


def _environment(temporary: Path) -> dict[str, str]:
    temporary.mkdir(exist_ok=True)
    return {**os.environ, "TMPDIR": str(temporary), "SUREFOOT_UNCONFINED": "1"}


def _whole(*words: str, temporary: Path | None = None) -> None:
    environment = _environment(temporary) if temporary else {**os.environ}
    subprocess.run([*SUREFOOT, *words], env=environment, capture_output=True, check=True)


def _ended(
    words: tuple[str, ...],
    out: Path,
    temporary: Path,
    moment: float,
    stop: Callable[[int], None],
    *,
    swept: bool = True,
) -> list[str]:
    """Start a command, stop it at a moment, and say what was not as promised."""
    environment = _environment(temporary)
    with subprocess.Popen(
        [*SUREFOOT, *words, "--out", str(out)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        _await_start(temporary)
        time.sleep(moment)
        family = psutil.Process(process.pid).children(recursive=True)
        began = time.monotonic()
        stop(process.pid)
        said = b""
        try:
            said, _ = process.communicate(timeout=LATEST_S)
        except subprocess.TimeoutExpired:
            process.kill()
        seconds = time.monotonic() - began
    limit = PROMISED_S + PROCESSES * _round_trip()
    seen = [f"ended after {seconds:.1f} s, promised were {limit:.1f}"] if seconds > limit else []
    seen += [f"a traceback: {said[-300:]!r}"] if b"Traceback" in said else []
    _, alive = psutil.wait_procs(family, timeout=LATEST_S if not swept else PROMISED_S)
    seen += [f"still running: {', '.join(item.name() for item in alive)}"] if alive else []
    return seen + (_left_in(temporary) if swept else [])


def _interrupt(pid: int, *, twice: bool, source: random.Random) -> None:
    os.killpg(pid, signal.SIGINT)
    if twice:
        time.sleep(source.uniform(0.0, 0.5))
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGINT)


def _kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


def _await_start(temporary: Path) -> None:
    """Wait for the first temporary file, else a loaded machine is only ever stopped too early."""
    end = time.monotonic() + LATEST_S
    while not any(temporary.iterdir()) and time.monotonic() < end:
        time.sleep(0.02)


def _round_trip() -> float:
    """Return the seconds that a bare process takes here to start and to be interrupted."""
    began = time.monotonic()
    command = [sys.executable, "-c", BARE]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        if process.stdout:
            process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.wait()
    return time.monotonic() - began


def _left_in(temporary: Path) -> list[str]:
    left = sorted(path.name for path in temporary.iterdir())
    return [f"left behind: {', '.join(left)}"] if left else []


def _differences(one: Path, other: Path) -> list[str]:
    """Name what two folders export otherwise."""
    files = sorted(path.name for path in one.glob("*.json*"))
    return [
        f"{name} differs after going on"
        for name in files
        if (one / name).read_bytes() != (other / name).read_bytes()
    ]


class _Silent(http.server.BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        """Never answer."""
        time.sleep(LATEST_S)

    do_GET = do_POST  # noqa: N815

    def log_message(self, *_: object) -> None:
        """Stay quiet."""


@contextlib.contextmanager
def _silent_server() -> Iterator[str]:
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Silent) as server:
        server.daemon_threads = True
        server.block_on_close = False
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        server.shutdown()


ATTACKS: Final = (
    Attack(
        name="interruptions",
        promise="Ctrl-C ends any command within two seconds and leaves nothing behind",
        does="Press Ctrl-C, once or twice, at a random moment of each verb; then go on",
        trials=interruptions,
        many=8,
        whole=16,
    ),
    Attack(
        name="kills-leave-no-folders",
        promise="The next command removes temporary folders that a killed one left",
        does="Kill a capture at a random moment, and capture once more",
        trials=kills,
        many=2,
        whole=4,
    ),
)
