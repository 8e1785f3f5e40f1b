"""
Kill actors, nodes and drivers of real captures and builds on a Ray cluster, with SIGKILL.

    python bench/ray_kills.py [capture build run diagnose] [--of actor node driver] [--kills 30]

in an environment with the extra ``ray``. The cluster is of this machine: a head without
processors and two nodes of one processor each. Each run captures or builds drawn pages in Chromium
and suffers one kill of each kind, at random moments: after so many units, and a part of the time
that an undisturbed run takes for the next one; all that comes before the first counts as part of
it, and the tables as one more. The node is one that works; another takes its place, at once or
after the run. The command of a driver that was killed is given again at once. A kill that comes
when a run has ended does not count, and runs are made until there are enough of each kind.
``run`` and ``diagnose`` work on one machine, without Ray: of them the command alone is killed.

What is written must have the bytes that the workers of this machine write, the ledger must keep
what it had before each kill, and no worker may be left.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

import psutil
from ray_overhead import draw_pages  # type: ignore[import-not-found]

from surefoot.core.errors import SurefootError
from surefoot.core.ledger import Ledger
from surefoot.core.scratch import SCRATCH
from surefoot.core.seeds import random_source
from surefoot.run.engine import ray_cluster

PAGES: Final = 8
NODES: Final = 2
SIZE: Final = ("--width", "400", "--height", "300")
BUILD: Final = ("build", "perturbed", "--variants", "original,zoom:1.5,theme,style")
ASK: Final = ("--limit", "4", "--rounds", "2", "--explore", "0", "--shrink", "2")
ON_RAY: Final = ("capture", "build")
OF: Final = ("actor", "node", "driver")
ACTOR: Final = "ray::NodeWorker"
WORKER: Final = "surefoot.run.engine.worker"
SUREFOOT: Final = (sys.executable, "-m", "surefoot")
CLUSTER: Final = ("--engine", "ray", "--workers", str(NODES))
OWN: Final = ("ledger.", "plan.json")  # when and how a folder was written
LIMIT_S: Final = 240.0
LEAVE_S: Final = 60.0
POLL_S: Final = 0.02
Words: TypeAlias = tuple[str, ...]


class Kill(NamedTuple):
    """Say what was killed, at which unit of a run and with so many units kept."""

    of: str
    moment: float
    kept: int


class Nodes:
    """Hold a cluster that RAY_ADDRESS names: a head without processors, and two nodes."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster

        head = {"num_cpus": 0, "include_dashboard": False}
        self.cluster = Cluster(initialize_head=True, head_node_args=head)
        os.environ["RAY_ADDRESS"] = self.cluster.address
        self.fill()

    def fill(self) -> None:
        """Have two nodes again."""
        while len(self.cluster.worker_nodes) < NODES:
            self.cluster.add_node(num_cpus=1)

    def actors(self) -> list[psutil.Process]:
        """Return the processes of all actors that live."""
        found = []
        for process in psutil.Process().children(recursive=True):
            with contextlib.suppress(psutil.Error):
                if process.name().startswith(ACTOR) and process.status() != psutil.STATUS_ZOMBIE:
                    found.append(process)
        return found

    def kill_node_of(self, actor: psutil.Process) -> bool:
        """Kill the raylet whose child an actor is, and all the node's other servers."""
        raylet = actor.ppid()
        for node in list(self.cluster.worker_nodes):
            if any(info.process.pid == raylet for info in node.all_processes["raylet"]):
                self.cluster.remove_node(node, allow_graceful=False)
                return True
        return False


class Trial:
    """Give one command on the cluster again and again, with one kill each time."""

    def __init__(self, folder: Path, words: Words, cluster: Words, nodes: Nodes) -> None:
        self._folder = folder
        folder.mkdir()
        self._words = words
        self._cluster = cluster
        self._nodes = nodes
        self._count = 0
        assert self._begin("local").wait(LIMIT_S) == 0
        self._files = files(folder / "local")
        self._rows = rows(folder / "local")
        self._old: set[int] = set()  # actors whose driver was killed
        self._times = self._measure()

    @property
    def units(self) -> int:
        """How many units a run has."""
        return len(self._rows)

    def suffer(self, kinds: Iterable[str], random: Random) -> tuple[list[Kill], str]:
        """Kill each kind at a random moment of a run; return the kills and what was wrong."""
        self._count += 1
        out = self._folder / str(self._count)
        running, began = self._begin(out.name), time.monotonic()
        kills, lost = list[Kill](), False
        for moment, of in sorted((random.uniform(0, len(self._rows) + 1), of) for of in kinds):
            self._wait_until(moment, out, running, began)
            before = rows(out)
            if not self._kill(of, running, random):
                continue
            kills.append(Kill(of, moment, len(before)))
            lost |= not before.items() <= rows(out).items()
            if of == "driver":
                running = self._begin(out.name)
        code = wait(running)
        self._nodes.fill()
        if code or lost:
            return kills, f"ended with {code}: {out}.log" if code else f"lost results: {out}"
        return kills, self._differs(out) or self._left()

    def _begin(self, name: str) -> subprocess.Popen[bytes]:
        out = ["--out", str(self._folder / name)]
        command = [*SUREFOOT, *self._words, *out, *self._cluster * (name != "local")]
        with (self._folder / f"{name}.log").open("ab") as log:
            return subprocess.Popen(command, stdout=log, stderr=log)

    def _measure(self) -> list[float]:
        """Return when an undisturbed run begins, has kept each of its units, and ends."""
        running, began, times = self._begin("whole"), time.monotonic(), [0.0]
        while len(times) <= len(self._rows):
            assert not running.poll()
            kept = len(rows(self._folder / "whole"))
            times += [time.monotonic() - began] * (kept + 1 - len(times))
            time.sleep(POLL_S)
        assert running.wait(LIMIT_S) == 0
        assert not self._differs(self._folder / "whole")
        return [*times, time.monotonic() - began]

    def _wait_until(
        self, moment: float, out: Path, running: subprocess.Popen[bytes], began: float
    ) -> None:
        """Wait until so many units are kept, and for that part of the time of the next one."""
        kept = int(moment)
        until(running, lambda: len(rows(out)) >= kept)
        seconds = (moment - kept) * (self._times[kept + 1] - self._times[kept])
        time.sleep(max(0.0, seconds - (0 if kept else time.monotonic() - began)))

    def _kill(self, of: str, running: subprocess.Popen[bytes], random: Random) -> bool:
        """Kill what there is of a kind, or will be; return whether a run lost it."""
        if of == "driver":
            self._old = {actor.pid for actor in self._nodes.actors()}
            running.kill()
            return running.wait() == -signal.SIGKILL
        return until(running, lambda: self._kill_on_cluster(of, random))

    def _kill_on_cluster(self, of: str, random: Random) -> bool:
        actors = [actor for actor in self._nodes.actors() if actor.pid not in self._old]
        if not actors:
            return False
        actor = random.choice(actors)
        with contextlib.suppress(psutil.NoSuchProcess):
            if of == "actor":
                actor.kill()
                return True
            if self._nodes.kill_node_of(actor):
                if random.choice((True, False)):
                    self._nodes.fill()
                return True
        return False

    def _differs(self, out: Path) -> str:
        if rows(out) != self._rows:
            return f"other results: {out}"
        return "" if files(out) == self._files else f"other files: {out}"

    def _left(self) -> str:
        """Tell which workers and actors are still there after a minute."""
        deadline = time.monotonic() + LEAVE_S
        while left := [*workers_under(self._folder.parent), *self._nodes.actors()]:
            if time.monotonic() > deadline:
                return f"left running: {left}"
            time.sleep(POLL_S)
        return ""


def until(running: subprocess.Popen[bytes], holds: Callable[[], bool]) -> bool:
    """Wait until something holds, and tell whether it does before a command ends or hangs."""
    deadline = time.monotonic() + LIMIT_S
    while running.poll() is None and time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(POLL_S)
    return False


def wait(running: subprocess.Popen[bytes]) -> int:
    """Return how a command ended, or -1 where it hangs and has to be killed."""
    try:
        return running.wait(LIMIT_S)
    except subprocess.TimeoutExpired:
        running.kill()
        running.wait()
        return -1


def rows(folder: Path) -> dict[str, bytes]:
    """Return all results that a ledger has acknowledged, by their units."""
    with contextlib.suppress(SurefootError), Ledger.read(folder) as ledger:
        return dict(ledger.payloads())
    return {}


def files(folder: Path) -> dict[str, bytes]:
    """Return all files of a folder but those that tell when and how it was written."""
    paths = [
        path for path in folder.rglob("*") if path.is_file() and not path.name.startswith(OWN)
    ]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def workers_under(folder: Path) -> Iterator[int]:
    """Yield the worker processes whose temporary files lie in a folder."""
    for process in psutil.process_iter(["cmdline"]):
        with contextlib.suppress(psutil.Error):
            worker = WORKER in (process.info["cmdline"] or ())
            if worker and Path(process.environ().get(SCRATCH, "/")).is_relative_to(folder):
                yield process.pid


def kill_many(trial: Trial, kinds: Sequence[str], kills: int, command: str, seed: int) -> bool:
    """Print each run, and how many kills of each kind did no harm; tell whether all did none."""
    random = random_source(seed, command, *kinds)
    harmless: dict[str, list[Kill]] = {of: [] for of in kinds}
    harmful: Counter[str] = Counter()
    while any(len(harmless[of]) + harmful[of] < kills for of in kinds):
        suffered, trouble = trial.suffer(kinds, random)
        where = ", ".join(f"{of} at {moment:.1f} ({kept} kept)" for of, moment, kept in suffered)
        print(f"{command}: {where or 'no kill'}: {trouble or 'equal'}", flush=True)
        for kill in suffered:
            if trouble:
                harmful[kill.of] += 1
            else:
                harmless[kill.of].append(kill)
    for of, equal in harmless.items():
        moments = " ".join(f"{kill.moment:.1f}" for kill in sorted(equal))
        kept = " ".join(str(count) for count in sorted(kill.kept for kill in equal))
        print(f"{command}, {of}: {len(equal)} equal, {harmful[of]} other")
        print(f"  at {moments} of {trial.units}, with {kept} kept", flush=True)
    return not harmful


def prepare(folder: Path, wanted: Sequence[str]) -> dict[str, Words]:
    """Make what commands need, and return the words of those that are wanted."""
    screens, bench = str(folder / "screens"), str(folder / "bench")
    model = ("--model", f"simulated:left-right@{bench}")
    all_words: dict[str, Words] = {
        "capture": ("capture", f"folder:{folder / 'site'}", *SIZE),
        "build": (*BUILD, "--screens", screens),
        "run": ("run", bench, *model),
        "diagnose": ("diagnose", bench, *model, *ASK),
    }
    draw_pages(folder / "site", PAGES)
    for command, out in (("capture", screens), ("build", bench)):
        subprocess.run([*SUREFOOT, *all_words[command], "--out", out], check=True)
    return {command: all_words[command] for command in wanted}


def main() -> None:
    """Print each kill, and how many runs came to the bytes of this machine's workers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commands", nargs="*", default=["capture", "build", "run", "diagnose"])
    parser.add_argument("--of", nargs="*", default=OF, choices=OF)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    given: Any = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o711)  # the browser, which is not run as root, passes through
    os.environ["TMPDIR"] = str(folder)  # where workers and actors keep theirs
    os.environ |= ray_cluster.NO_STATISTICS
    nodes, fine = Nodes(), []
    try:
        for command, words in prepare(folder, given.commands).items():
            cluster = CLUSTER if command in ON_RAY else ()
            trial = Trial(folder / command, words, cluster, nodes)
            kinds = given.of if cluster else ["driver"]
            fine.append(kill_many(trial, kinds, given.kills, command, given.seed))
    finally:
        nodes.cluster.shutdown()
    assert all(fine), folder
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
