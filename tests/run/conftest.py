"""
A BENCH to read, and a series: the fault tests' coordinator, killed, resumed and checked.
"""

from __future__ import annotations

import contextlib
import functools
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Self

import psutil
import pytest

from surefoot.core.canonical import sha256
from surefoot.core.edit import Zoom
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.ledger import Ledger
from surefoot.core.question import Cell, Question
from surefoot.core.screen import Element, Screen
from surefoot.core.store import ObjectStore
from surefoot.run.folders.folder import export
from surefoot.run.folders.lines import read_lines, table_file

HERE = Path(__file__).parent
ORPHANS_S = 5.0
PATIENCE_S = 240.0
IN_FLIGHT = {"coordinator": 2, "worker": 1, "browser": 1}
VICTIMS = {"plain": ["coordinator", "worker"], "pages": ["coordinator", "worker", "browser"]}
PAGES = 10


class Series:
    """
    One folder, from its first run to its last, with everything that happened to it.

    ``kills`` counts them by kind; ``seen`` are all keys ever found in the ledger; ``calls``
    are all units that workers ever began.
    """

    def __init__(self, place: Path, kind: str, site: Path) -> None:
        self.folder = place / "out"
        self.log = place / "log"
        self.errors = place / "stderr"
        place.mkdir(exist_ok=True)
        # A short path: Chromium's socket below it must fit into 108 bytes.
        self.temporary = Path(tempfile.mkdtemp(prefix="faults-"))
        self.kind = kind
        self.site = site
        self.kills: Counter[str] = Counter()
        self.seen: set[str] = set()
        self.family: dict[int, psutil.Process] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.temporary, ignore_errors=True)

    def start(self, **environment: str) -> subprocess.Popen[bytes]:
        """Start a coordinator in a session of its own."""
        names = [self.kind, str(self.folder), str(self.site), str(self.log)]
        with self.errors.open("ab") as errors:
            return subprocess.Popen(
                [sys.executable, str(HERE / "fault_coordinator.py"), *names],
                env={
                    **os.environ,
                    "PYTHONPATH": os.pathsep.join([str(HERE), *sys.path]),
                    "TMPDIR": str(self.temporary),
                    **environment,
                },
                stdout=errors,
                stderr=errors,
                start_new_session=True,
            )

    def run(self, **environment: str) -> int:
        """Run a coordinator to its end, expect no orphan, and return its exit status."""
        process = self.start(**environment)
        self.end(process)
        self.check()
        return process.returncode

    def finish(self) -> None:
        """Resume until nothing is left to do."""
        for _ in range(3):
            if self.run() == 0:
                return
        raise AssertionError(self.said())

    def torment(self, source: random.Random, kills: int) -> None:
        """Kill so many times, at random moments, what a random choice says; then finish."""
        goal = self.kills.total() + kills
        while self.kills.total() < goal:
            process = self.start()
            while process.poll() is None and self.kills.total() < goal:
                self.wait_for_work(process, source)
                self.strike(process, source.choice(VICTIMS[self.kind]))
            self.end(process)
            self.check()
            assert process.returncode in (0, 1, -signal.SIGKILL), self.said()
            if process.returncode == 0:
                break
        self.finish()

    def end(self, process: subprocess.Popen[bytes]) -> None:
        """Let a coordinator go on to its own end."""
        deadline = time.monotonic() + PATIENCE_S
        while process.poll() is None:
            assert time.monotonic() < deadline, self.said()
            self.remember(process)
            time.sleep(0.05)

    def wait_for_work(self, process: subprocess.Popen[bytes], source: random.Random) -> None:
        """Wait until some more units were begun, and then for a random moment."""
        target = len(self.calls()) + source.choice([0, 1, 1, 2])
        deadline = time.monotonic() + PATIENCE_S
        while process.poll() is None and len(self.calls()) < target:
            assert time.monotonic() < deadline, self.said()
            self.remember(process)
            time.sleep(0.01)
        time.sleep(source.random() * 0.5)
        self.remember(process)

    def strike(self, process: subprocess.Popen[bytes], kind: str) -> None:
        """Kill one process of a kind, if there is one now, as an unlucky machine would."""
        victims = self.victims(process, kind)
        if not victims or process.poll() is not None:
            return
        with contextlib.suppress(psutil.NoSuchProcess):
            victims[0].kill()
            self.kills[kind] += 1
        if kind == "coordinator":
            process.wait(10)

    def victims(self, process: subprocess.Popen[bytes], kind: str) -> list[psutil.Process]:
        """Return the living processes of a kind."""
        self.remember(process)
        if kind == "coordinator":
            return [self.family[process.pid]] if process.pid in self.family else []
        return [item for item in self.family.values() if _kind(item) == kind]

    def remember(self, process: subprocess.Popen[bytes]) -> None:
        """Note every process below a coordinator, to look for them when it is gone."""
        with contextlib.suppress(psutil.NoSuchProcess):
            root = psutil.Process(process.pid)
            for child in [root, *root.children(recursive=True)]:
                self.family.setdefault(child.pid, child)

    def calls(self) -> list[str]:
        """Return every unit that a worker ever began, in order."""
        return self.log.read_text().splitlines() if self.log.exists() else []

    def said(self) -> str:
        """Return what the coordinators wrote."""
        return self.errors.read_text(errors="replace")[-3000:]

    def check(self) -> None:
        """Hold the promises that must hold whenever no coordinator runs."""
        deadline = time.monotonic() + ORPHANS_S
        while orphans := self.orphans():
            assert time.monotonic() < deadline, f"orphans: {orphans}"
            time.sleep(0.1)
        self.family.clear()
        now = self.keys()
        assert self.seen <= now, f"lost: {self.seen - now}"
        self.seen = now

    def keys(self) -> set[str]:
        """Return the keys of the units whose result is committed."""
        try:
            with Ledger.read(self.folder) as ledger:
                return {key for key, _ in ledger.payloads()}
        except InvalidInputError:
            assert not self.seen
            return set()

    def orphans(self) -> list[str]:
        """Return the living processes that belong to this series."""
        mine = [item for item in psutil.process_iter() if self._belongs(item)]
        return [_describe(item) for item in mine if _alive(item)]

    def export(self) -> str:
        """Return the hash of what the folder exports, pictures included."""
        names = [table_file(self.folder / "screens.jsonl"), self.folder / "manifest.json"]
        pictures = sorted(path.name for path in (self.folder / "objects").rglob("*.png"))
        return sha256(
            b"\n".join([*(name.read_bytes() for name in names), repr(pictures).encode()])
        )

    def lines(self) -> list[str]:
        """Return the lines of the exported table, for a readable comparison."""
        return [line.decode() for line in read_lines(self.folder / "screens.jsonl")]

    def leftovers(self) -> list[Path]:
        """Return temporary files in the folder."""
        return [path for path in self.folder.rglob("*") if path.name.endswith(".partial")]

    def recomputed(self) -> tuple[int, int]:
        """Return how many units were begun more than once, and how many may have been."""
        calls = self.calls()
        allowed = sum(IN_FLIGHT[kind] * count for kind, count in self.kills.items())
        return len(calls) - len(set(calls)), allowed

    def _belongs(self, process: psutil.Process) -> bool:
        if process == self.family.get(process.pid):
            return True
        with contextlib.suppress(psutil.Error, OSError):
            words = [process.environ().get("TMPDIR", ""), *process.cmdline()]
            return any(str(self.temporary) in word for word in words)
        return False


def write_site(folder: Path) -> Path:
    """Write small pages that differ from each other."""
    folder.mkdir()
    for number in range(PAGES):
        buttons = "".join(
            f"<button>Save {number} {index}</button> " for index in range(number % 5)
        )
        text = f"<!doctype html><title>{number}</title><h1>Page {number}</h1>{buttons}"
        (folder / f"{number:02d}.html").write_text(f"{text}<input aria-label=Name>")
    return folder


def make_question(number: int, image: str = "0" * 64) -> Question:
    """Return one of many questions that differ in their number."""
    return Question(
        id=f"q{number:03d}",
        pair=f"pair{number // 2}",
        cluster=f"page{number // 4}",
        cell=Cell("original" if number % 2 == 0 else "zoom", "direct"),
        screen=f"s{number // 2}",
        image=image,
        width=100,
        height=50,
        instruction=Instruction(
            f"Click 'Größe {number}'", "en", "direct", "high", Expression(role="button"), "e1"
        ),
        truth=Box(1.0, 2.0, 3.0, 4.5),
        role="button",
    )


def make_bench(folder: Path, count: int = 12) -> Path:
    """Write a BENCH with that many questions, two of them about each screen."""
    store = ObjectStore(folder)
    with Ledger.open(folder, {"kind": "bench", "seed": 0}):
        images = [store.put(f"picture {number}".encode() * 40) for number in range(count // 2)]
        screens = [
            Screen(
                f"s{number}",
                "page",
                "folder:x",
                image,
                100,
                50,
                2.0,
                "web",
                "en-US",
                (Element("e1", "button", Box(0.0, 0.0, 5.0, 5.0)),),
                edits=(Zoom(0.7),),
            )
            for number, image in enumerate(images)
        ]
        questions = [make_question(number, images[number // 2]) for number in range(count)]
        export(folder, "bench", {"screens.jsonl": screens, "questions.jsonl": questions})
    return folder


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    """Return a BENCH of twelve questions about six screens."""
    return make_bench(tmp_path / "bench")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of small pages."""
    return write_site(tmp_path_factory.mktemp("site") / "site")


@pytest.fixture(scope="session")
def uninterrupted(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Series]:
    """Return, for a kind of unit, a series in which nothing happened."""

    @functools.cache
    def run(kind: str) -> Series:
        with Series(tmp_path_factory.mktemp("whole"), kind, site) as series:
            assert series.run() == 0, series.said()
        return series

    return run


def _kind(process: psutil.Process) -> str:
    with contextlib.suppress(psutil.Error):
        words = process.cmdline()
        if "surefoot.run.engine.worker" in words:
            return "worker"
        if any("--remote-debugging-pipe" in word for word in words) and not any(
            word.startswith("--type=") for word in words
        ):
            return "browser"
    return ""


def _alive(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.Error):
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    return False


def _describe(process: psutil.Process) -> str:
    with contextlib.suppress(psutil.Error):
        return f"{process.pid} {' '.join(process.cmdline())[:200]}"
    return str(process.pid)
