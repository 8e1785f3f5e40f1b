"""
SIGKILL, at random moments, to any process of any verb that writes a folder.

Every scenario is a command line that runs to its end once, untouched. Then it is begun
anew, and while it runs one process after the other is killed: the command itself, its
workers, the driver, Chromium's browser, network, GPU and page processes, X servers. A command
that died is given again. In the end the folder must be the same bytes as the untouched one;
a command that ended with exit code 0 meanwhile must have written them already.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import http.server
import json
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, AnyStr, Final, NamedTuple

import psutil

from attacks.attack import Attack, Trial
from surefoot.core.seeds import random_source

if TYPE_CHECKING:
    from _typeshed import SupportsRead, SupportsWrite


SUREFOOT: Final = str(Path(sys.executable).with_name("surefoot"))
PATIENCE_S: Final = 240.0
KILLS_OF_A_SERIES: Final = 4
RESUMPTIONS: Final = 4
# What a folder keeps for itself: how far it is, where its bench lies and how long actions took,
# not what came of it.
OWN: Final = re.compile(
    r"(ledger\.sqlite.*|bench\.txt|seconds\.jsonl|speed\.json|.*\.lock|.*\.partial)"
)
KINDS: Final = (
    ("network", "--utility-sub-type=network"),
    ("gpu", "--type=gpu-process"),
    ("page", "--type=renderer"),
    ("zygote", "--type=zygote"),
    ("utility", "--type=utility"),
    ("browser", "--remote-debugging-pipe"),
    ("driver", "run-driver"),
    ("worker", "surefoot.run.engine.worker"),
    ("X server", "Xvfb"),
)
SHORT: Final = ("--limit", "3", "--rounds", "2", "--shrink", "4")
# Replies that hit nothing, as a check on drawn screens would say first.
BLIND: Final = ("--model", "openai:gta1@SERVER/v1", "--format", "json", "--no-self-check")


class Scenario(NamedTuple):
    """
    A verb that writes a folder, as a command line, and how many of the kills it gets.

    Words in capitals stand for folders: OUT for its own, the others for what earlier
    scenarios made.
    """

    name: str
    words: tuple[str, ...]
    share: int = 2
    leaves: str = ""


# In the order in which each finds what it needs.
SCENARIOS: Final = (
    Scenario("capture", ("capture", "folder:SITE", "--out", "OUT"), 4, leaves="SCREENS"),
    Scenario("capture of a server", ("capture", "SERVER/0.html", "--out", "OUT"), 4),
    Scenario(
        "build perturbed",
        ("build", "perturbed", "--screens", "SCREENS", "--out", "OUT", "--targets", "3"),
        4,
        leaves="BENCH",
    ),
    Scenario(
        "build sensitivity",
        ("build", "sensitivity", "--screens", "SCREENS", "--out", "OUT", "--targets", "3"),
        leaves="WORDED",
    ),
    Scenario("build hidden", ("build", "hidden", "--screens", "SCREENS", "--out", "OUT")),
    Scenario("capture desktop", ("capture", "desktop:galculator", "--out", "OUT"), 1),
    Scenario("export", ("export", "BENCH", "--out", "OUT"), 1),
    Scenario(
        "export a set",
        ("export", "BENCH", "--format", "screenspot", "--out", "OUT"),
        1,
        leaves="SET",
    ),
    Scenario("import", ("import", "screenspot", "SET", "--out", "OUT"), 1),
    Scenario("run", ("run", "BENCH", *BLIND, "--out", "OUT"), leaves="RUN"),
    Scenario("report", ("report", "RUN", "--out", "OUT/report.html"), 1),
    Scenario(
        "diagnose",
        ("diagnose", "WORDED", *BLIND, "--out", "OUT", *SHORT),
    ),
    Scenario(
        "forms build", ("forms", "build", "--forms", "6", "--instances", "2", "--out", "OUT")
    ),
    Scenario(
        "forms run", ("forms", "run", "--agent", "oracle", "--form", "A12", "--out", "OUT"), 3
    ),
)


class Series:
    """One folder, from the first time its command is given to the last."""

    def __init__(self, words: list[str], out: Path) -> None:
        self.words = words
        self.out = out
        self.code: int | None = None  # of the command's last end

    def start(self) -> subprocess.Popen[bytes]:
        """Give the command, its output into a file beside the folder."""
        with self.log.open("wb") as log:
            return subprocess.Popen(
                [SUREFOOT, *self.words],
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    @property
    def log(self) -> Path:
        """The file that holds what the command said last."""
        return self.out.with_name(f"{self.out.name}.log")

    def end(self, process: subprocess.Popen[bytes]) -> int:
        """Wait for the command's own end."""
        try:
            self.code = process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            for victim in family(process):
                with contextlib.suppress(psutil.Error):
                    victim.kill()
            process.kill()
            process.wait()
            self.code = -signal.SIGALRM
        return self.code

    def run(self) -> int:
        """Give the command and wait for its end."""
        return self.end(self.start())

    def watch(self) -> set[str]:
        """Give the command, wait for its end, and return the kinds of processes it had."""
        process, kinds = self.start(), set[str]()
        while process.poll() is None:
            kinds |= set(victims(process))
            time.sleep(0.05)
        self.end(process)
        return kinds

    def torment(self, source: random.Random, kills: int, whole: Whole) -> list[str]:
        """
        Kill at most so many processes at random moments; return what was killed.

        One of a kind is waited for, and then for a part of the time that the untouched
        command took.
        """
        killed: list[str] = []
        while len(killed) < kills:
            process = self.start()
            while len(killed) < kills and process.poll() is None:
                kind = source.choice(whole.kinds)
                moment = time.monotonic() + source.random() * whole.seconds / 2
                while process.poll() is None:
                    found = victims(process).get(kind)
                    if found and time.monotonic() >= moment:
                        break
                    time.sleep(0.01)
                else:
                    break
                with contextlib.suppress(psutil.NoSuchProcess):
                    source.choice(found).kill()
                    killed.append(kind)
                if kind == "command":
                    process.wait()
            if self.end(process) == 0:
                break
        return killed

    def finish(self, whole: Whole) -> str:
        """Give the command until it is through; return what is wrong, if anything is."""
        for _ in range(RESUMPTIONS):
            if (code := self.code) is None:
                code = self.run()
            if code == 0:
                same = tree_digest(self.out) == whole.digest
                return "" if same else f"exit 0 with other bytes in {self.out}"
            if code not in (1, -signal.SIGKILL):  # units that failed were named: tried again
                break
            if code == 1 and "--retry-failed" not in self.words:
                self.words.append("--retry-failed")
            self.code = None
        return f"exit {code}: {self.log.read_text(errors='replace')[-1500:]}"


def family(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """Return the living processes below a command."""
    with contextlib.suppress(psutil.NoSuchProcess):
        return list(psutil.Process(process.pid).children(recursive=True))
    return []


def victims(process: subprocess.Popen[bytes]) -> dict[str, list[psutil.Process]]:
    """Return a command and the living processes below it by their kinds."""
    found: dict[str, list[psutil.Process]] = {}
    with contextlib.suppress(psutil.NoSuchProcess):
        found["command"] = [psutil.Process(process.pid)]
    for child in family(process):
        with contextlib.suppress(psutil.Error):
            words = " ".join(child.cmdline())
            kind = next((kind for kind, sign in KINDS if sign in words), "")
            if kind and child.status() != psutil.STATUS_ZOMBIE:
                found.setdefault(kind, []).append(child)
    return found


def tree_digest(folder: Path) -> str:
    """Return one hash over the names and bytes of all that a command has made."""
    return hashlib.sha256("\n".join(contents(folder)).encode()).hexdigest()


def contents(folder: Path) -> list[str]:
    """Return a line for each file: its path in the folder, and the hash of its bytes."""
    return [
        f"{path.relative_to(folder)} {hashlib.sha256(path.read_bytes()).hexdigest()}"
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not OWN.fullmatch(path.name)
    ]


class Server(http.server.SimpleHTTPRequestHandler):
    """Serve the site in halves, and answer questions by what follows from them alone; slowly."""

    protocol_version = "HTTP/1.1"

    def copyfile(self, source: SupportsRead[AnyStr], outputfile: SupportsWrite[AnyStr]) -> None:
        """Send a file in two halves, so that a kill finds it on its way."""
        content = source.read()
        outputfile.write(content[: len(content) // 2])
        time.sleep(0.3)
        outputfile.write(content[len(content) // 2 :])

    def do_POST(self) -> None:
        """Answer one question."""
        body = self.rfile.read(int(self.headers["content-length"]))
        time.sleep(0.05)
        drawn = hashlib.sha256(body).digest()
        reply = json.dumps({"x": drawn[0] * 5, "y": drawn[1] * 3})
        message = {"role": "assistant", "content": reply}
        text = json.dumps({"choices": [{"message": message}]}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as above
        """Say nothing."""


class Quiet(http.server.ThreadingHTTPServer):
    """Say nothing of clients that are killed in the middle of a request."""

    def handle_error(self, request: object, client_address: object) -> None:
        """Let it be."""


@contextlib.contextmanager
def serve(site: Path) -> Iterator[str]:
    """Run the server on loopback for a block, and return its address."""
    handler = functools.partial(Server, directory=str(site))
    with Quiet(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def write_site(folder: Path) -> None:
    """Write pages that need what they load: a style sheet, a script, a picture and a font."""
    folder.mkdir()
    (folder / "look.css").write_text(
        "@import 'more.css'; button { background: #135; color: #fff; margin: 8px; padding: 9px }"
    )
    (folder / "more.css").write_text("body { font: 16px sans-serif; background: #fed }")
    (folder / "act.js").write_text(
        "document.querySelector('main').insertAdjacentHTML('beforeend', '<button>Late</button>')"
    )
    (folder / "mark.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="40">'
        '<circle cx="20" cy="20" r="18" fill="#c33"/></svg>'
    )
    for number, title in enumerate(("Orders", "Customers")):
        fields = "".join(
            f"<p><label>{word} <input name=f{at}></label> <button>{word} now</button></p>"
            for at, word in enumerate(("Save", "Send", "Print", "Close")[: 4 - number])
        )
        (folder / f"{number}.html").write_text(
            f"<!doctype html><html lang=en><title>{title}</title>"
            "<link rel=stylesheet href=look.css><main>"
            f"<h1>{title}</h1><img src=mark.svg alt=Mark>{fields}</main>"
            "<script src=act.js></script>"
        )


class Whole(NamedTuple):
    """What a scenario gives untouched: its folder's hash, its seconds, its kinds of processes."""

    scenario: Scenario
    digest: str
    seconds: float
    kinds: list[str]


def run_untouched(folder: Path, names: dict[str, str]) -> list[Whole]:
    """Run every scenario to its end, and add to the names what later scenarios need."""
    found: list[Whole] = []
    for scenario in SCENARIOS:
        out = folder / scenario.name.replace(" ", "-")
        series = begin(scenario, out, names)
        began = time.monotonic()
        kinds = sorted(series.watch())
        if code := series.code:
            raise RuntimeError(f"{scenario.name} ended with {code}: {series.log.read_text()}")
        found.append(Whole(scenario, tree_digest(out), time.monotonic() - began, kinds))
        if scenario.leaves:
            names[scenario.leaves] = str(out)
    return found


def begin(scenario: Scenario, out: Path, names: dict[str, str]) -> Series:
    """Return a series of a scenario in a folder that is not there yet, or empty."""
    out.parent.mkdir(parents=True, exist_ok=True)
    if any(word.startswith("OUT/") for word in scenario.words):
        out.mkdir()
    known = {**names, "OUT": str(out)}
    spelt = re.compile("|".join(known))
    return Series([spelt.sub(lambda match: known[match[0]], word) for word in scenario.words], out)


def kill_at_random(seed: int, number: int, folder: Path) -> Iterator[Trial]:
    """Kill so many processes, shared out over the scenarios; each kill is a trial."""
    source = random_source(seed, "kills")
    write_site(folder / "site")
    with serve(folder / "site") as address:
        names = {"SITE": str(folder / "site"), "SERVER": address}
        wholes = run_untouched(folder / "whole", names)
        turns = [whole for whole in wholes for _ in range(whole.scenario.share)]
        source.shuffle(turns)
        left = number
        for turn in range(number):
            whole = turns[turn % len(turns)]
            series = begin(whole.scenario, folder / f"killed-{turn}", names)
            kills = series.torment(source, min(left, KILLS_OF_A_SERIES), whole)
            wrong = series.finish(whole)
            for kind in kills:
                yield Trial(f"{whole.scenario.name}, {kind} killed", not wrong, wrong)
            left -= len(kills)
            if not left:
                return


ATTACKS: Final = (
    Attack(
        "kills",
        "A killed command, given again, ends in the same bytes",
        "SIGKILL at random moments to the command, its workers, driver, X server, and Chromium's "
        "browser, network, GPU and page processes, in every verb that writes a folder",
        kill_at_random,
        many=16,
        whole=200,
        longest=True,
    ),
)
