"""
Workers in the actors of a Ray cluster: the same results, whatever is killed meanwhile.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, NamedTuple

import psutil
import pytest

from surefoot.capture.sources import list_addresses
from surefoot.core.canonical import canonical_json
from surefoot.core.errors import InvalidInputError, SurefootError
from surefoot.core.ledger import Ledger
from surefoot.core.scratch import scratch_folder
from surefoot.core.version import __version__
from surefoot.run.building.capturing import renderer
from surefoot.run.engine.pool import run_units
from surefoot.run.engine.processes import Workers
from surefoot.run.engine.progress import Progress, Tally
from surefoot.run.engine.wire import (
    FromWorker,
    Ready,
    Result,
    StartMessage,
    ToWorker,
    Trouble,
)
from tests.run.engine.ray_units import draw, units_of

# It sets what Ray reads as it is imported.
pytest.importorskip("surefoot.run.engine.ray_cluster", reason="the extra 'ray' is not installed")
ROOT: Final = Path(__file__).parents[3]
SOURCE: Final = ROOT / "src"
VERSION: Final = Path("surefoot", "core", "version.py")
KILLS: Final = [1, pytest.param(30, marks=pytest.mark.long)]
ENDS: Final = (signal.SIGKILL, signal.SIGTERM)  # in turns
ACTOR: Final = "ray::NodeWorker"
PATIENCE_S: Final = 60.0
LONG_S: Final = 1800
KILLED: Final = """
import asyncio
import msgspec, psutil
from surefoot.run.engine.ray_workers import FACTS, NodeWorker
from surefoot.run.engine.wire import StartMessage

async def work():
    held = NodeWorker("")
    await held.ask(msgspec.json.encode(StartMessage(FACTS, {})), {}, 60.0)
    for process in (*psutil.Process().children(recursive=True), psutil.Process()):
        process.kill()

asyncio.run(work())
"""
Strike = Callable[["Began"], None]


class Began(NamedTuple):
    """Who began which unit: the worker's process, the actor's, and the scratch folder."""

    number: int
    worker: int
    actor: int
    folder: str


class Nodes:
    """Hold a cluster of this host: a head without processors, and nodes of one each."""

    def __init__(self, cluster: Any, patch: pytest.MonkeyPatch) -> None:  # noqa: ANN401
        self._cluster = cluster
        self._patch = patch
        self._nodes: list[tuple[Path, Any]] = []

    def have(self, *sources: Path) -> None:
        """Have as many nodes as folders are named, each with the Surefoot of one."""
        while [source for source, _ in self._nodes] != list(sources):
            if len(self._nodes) < len(sources):
                self._add(sources[len(self._nodes)])
            else:
                self._end_oldest()

    def kill_oldest(self) -> None:
        """Kill all processes of a node, and add another."""
        self._end_oldest()
        self._add(SOURCE)

    def _add(self, source: Path) -> None:
        self._patch.setenv("PYTHONPATH", os.pathsep.join(map(str, (source, ROOT))))
        self._nodes.append((source, self._cluster.add_node(num_cpus=1)))

    def _end_oldest(self) -> None:
        self._cluster.remove_node(self._nodes.pop(0)[1], allow_graceful=False)


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    """Start a cluster that RAY_ADDRESS names, of loopback alone."""
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(map(str, (SOURCE, ROOT))))
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        head = {"num_cpus": 0, "include_dashboard": False}
        cluster = Cluster(initialize_head=True, head_node_args=head)
        try:
            patch.setenv("RAY_ADDRESS", cluster.address)
            yield Nodes(cluster, patch)
        finally:
            cluster.shutdown()


def _begun(log: Path) -> list[Began]:
    if not log.is_file():
        return []
    parts = [line.split() for line in log.read_text("utf-8").splitlines(keepends=True)]
    whole = [part for part in parts if len(part) == len(Began._fields)]
    return [Began(int(n), int(worker), int(actor), at) for n, worker, actor, at in whole]


def _drawn_under(folder: Path, count: int, kills: int, strike: Strike) -> Tally:
    """Do units on the cluster while whoever began the last one is struck, so many times."""
    log, struck = folder / "log", set[int]()
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(draw, folder / "ray", log, count, "ray")
        while not future.done():
            begun = _begun(log)
            if begun and len(struck) < kills and begun[-1].number not in struck:
                struck.add(begun[-1].number)
                strike(begun[-1])
            time.sleep(0.05)
    assert len(struck) == kills
    assert future.result() == Tally(total=count, done=count)
    return future.result()


def _kept(folder: Path) -> tuple[dict[str, bytes], set[str]]:
    """Return all results of a folder, and the names of its objects."""
    with Ledger.open(folder, {"plan": 1}) as ledger:
        payloads = dict(ledger.payloads())
    return payloads, {path.name for path in (folder / "objects").glob("*/*")}


def _require_equal(folder: Path, count: int) -> None:
    """Prove that a cluster's folder holds what this machine's workers make, and nothing runs."""
    draw(folder / "plain", folder / "plain.log", count, "")
    assert _kept(folder / "ray") == _kept(folder / "plain")
    _require_gone(folder / "log")


def _require_gone(log: Path) -> None:
    pids = {pid for begun in _begun(log) for pid in (begun.worker, begun.actor)}
    deadline = time.monotonic() + PATIENCE_S
    while pids := set(filter(_runs, pids)):
        assert time.monotonic() < deadline, f"still running: {pids}"
        time.sleep(0.1)


def _runs(pid: int) -> bool:
    with contextlib.suppress(psutil.NoSuchProcess):
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    return False


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.timeout(LONG_S)
@pytest.mark.parametrize("kills", KILLS)
def test_killed_workers_actors_and_nodes_cost_nothing(
    nodes: Nodes, tmp_path: Path, kills: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Units whose worker, actor or node is killed are done again, silently, to the same bytes."""
    nodes.have(SOURCE, SOURCE)
    strikes: Iterator[Strike] = itertools.cycle(
        [
            lambda begun: _kill(begun.worker),
            lambda begun: _kill(begun.actor),
            lambda _: nodes.kill_oldest(),
        ]
    )

    def strike(begun: Began) -> None:
        next(strikes)(begun)

    count = 8 * kills + 4
    _drawn_under(tmp_path, count, 3 * kills, strike)
    assert "raylet" not in capsys.readouterr().out
    _require_equal(tmp_path, count)


@pytest.mark.slow
@pytest.mark.timeout(LONG_S)
@pytest.mark.parametrize("kills", KILLS)
def test_a_killed_driver_resumes(nodes: Nodes, tmp_path: Path, kills: int) -> None:
    """With the driver its workers end; the next one does what is left, and nothing twice."""
    nodes.have(SOURCE, SOURCE)
    log, count = tmp_path / "log", 5 * kills + 5
    words = ("-m", "tests.run.engine.ray_units", tmp_path / "ray", log, str(count))
    for turn in range(kills):
        before = len(_begun(log))
        with subprocess.Popen([sys.executable, *words]) as driver:
            while len(_begun(log)) < before + 3:
                assert driver.poll() is None
                time.sleep(0.05)
            driver.send_signal(ENDS[turn % len(ENDS)])
        _require_gone(log)
    with Ledger.open(tmp_path / "ray", {"plan": 1}) as ledger:
        kept = len(ledger.finished())
    began = len(_begun(log))
    assert kept

    assert draw(tmp_path / "ray", log, count, "ray") == Tally(
        total=count, kept=kept, done=count - kept
    )
    assert len(_begun(log)) == began + count - kept
    _require_equal(tmp_path, count)


@pytest.mark.slow
def test_a_node_with_another_version_is_refused(nodes: Nodes, tmp_path: Path) -> None:
    """The node is named, with its version and ours, and no unit is begun there."""
    other = tmp_path / "other"
    shutil.copytree(SOURCE / "surefoot", other / "surefoot")
    (other / VERSION).write_text('__version__ = "0.0.7"\n', encoding="utf-8")
    nodes.have(other)

    with pytest.raises(InvalidInputError, match=r"surefoot 0\.1\.0, found surefoot 0\.0\.7 on "):
        draw(tmp_path / "ray", tmp_path / "log", 3, "ray")
    assert not _begun(tmp_path / "log")


@pytest.mark.slow
def test_a_node_with_another_renderer_or_other_files_is_refused(
    nodes: Nodes, site: Path, tmp_path: Path
) -> None:
    """What the plan says of fonts and files has to hold on the node."""
    nodes.have(SOURCE)
    units = units_of(tmp_path, 2)
    place = f"folder:{site}"
    older = {**renderer(list_addresses(place)), "renderer": "chromium 1"}
    differing = {
        "renderer chromium 1, found renderer chromium ": {"renderer": older},
        "'a.html' of folder:": {"sources": (f"{place}#a.html",)},
    }
    for words, facts in differing.items():
        workers = Workers(
            factory="tests.run.engine.ray_units:open_drawing",
            arguments={"folder": str(tmp_path), "contents": {place: {"a.html": "0" * 64}}},
            engine="ray",
            **facts,  # type: ignore[arg-type]
        )
        ledger = Ledger.open(tmp_path / words[:5], {"plan": 1})
        with ledger, Progress("units") as progress:
            with pytest.raises(InvalidInputError) as raised:
                run_units(units, ledger, workers, progress=progress)
            assert words in str(raised.value)


@pytest.mark.parametrize("reason", ["worker-died", "timeout", "browser-error"])
def test_a_node_that_was_not_compared_does_no_unit(reason: str) -> None:
    """A comparison that broke off ends the worker, and says nothing against the node."""
    from surefoot.run.engine.ray_workers import RayCluster

    worker = Silent(Trouble(reason, "gone"))
    cluster = RayCluster(Workers(factory="no:where", engine="ray"))
    asyncio.run(cluster.require_alike(worker, "a-node", "a-key"))
    assert not worker.alive


def test_a_node_is_compared_once() -> None:
    """Of workers that come to one node together a single one compares it."""
    from surefoot.run.engine.ray_workers import RayCluster

    facts = canonical_json({"version": __version__, "renderer": {}})
    workers = [Telling(facts) for _ in range(3)]

    async def compare_all() -> None:
        cluster = RayCluster(Workers(factory="no:where", engine="ray"))
        places = zip(workers, ("one", "one", "other"), strict=True)
        await asyncio.gather(
            *(cluster.require_alike(worker, "a-node", key) for worker, key in places)
        )

    asyncio.run(compare_all())
    assert [worker.asked for worker in workers] == [2, 0, 2]
    assert all(worker.alive for worker in workers)


class Silent:
    """Give one reply to everything."""

    def __init__(self, reply: FromWorker) -> None:
        self._reply = reply
        self.alive = True

    async def ask(self, _message: ToWorker, _seconds: float) -> FromWorker:
        """Return the reply."""
        return self._reply

    async def finish(self) -> None:
        """End."""
        self.alive = False

    async def kill(self) -> None:
        """End."""
        self.alive = False


def test_a_killed_actor_leaves_nothing_for_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next one removes its folder, and that of its worker, which died with it."""
    settings = {**os.environ, "TMPDIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", KILLED], env=settings, check=False, timeout=PATIENCE_S)
    assert list(tmp_path.glob("surefoot-*/surefoot-*"))

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with scratch_folder() as own:
        assert list(tmp_path.iterdir()) == [Path(own)]


class Telling(Silent):
    """Start, and tell the same facts whenever asked for them."""

    def __init__(self, facts: bytes) -> None:
        super().__init__(Ready())
        self._facts = facts
        self.asked = 0

    async def ask(self, message: ToWorker, seconds: float) -> FromWorker:
        """Return the facts after a while."""
        self.asked += 1
        await asyncio.sleep(0)
        if isinstance(message, StartMessage):
            return await super().ask(message, seconds)
        return Result(self._facts, 0.0)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Write pages with controls."""
    folder = tmp_path / "site"
    folder.mkdir()
    for name in "abcdef":
        buttons = "".join(f"<button>{word} {name}</button>" for word in ("Save", "Send", "Drop"))
        (folder / f"{name}.html").write_text(
            f"<!doctype html><html lang=en><h1>{name}</h1>{buttons}"
        )
    return folder


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.timeout(LONG_S)
def test_a_capture_and_a_build_survive_kills(nodes: Nodes, site: Path, tmp_path: Path) -> None:
    """An actor, a node and the driver are killed in each; what is written is of the same bytes."""
    nodes.have(SOURCE, SOURCE)
    screens = tmp_path / "capture"
    commands: dict[str, list[str | Path]] = {
        "capture": ["capture", f"folder:{site}", "--width", "300", "--height", "200"],
        "build": ["build", "perturbed", "--screens", screens, "--variants", "original,zoom:1.5"],
    }
    for name, words in commands.items():
        _done([*words, "--out", tmp_path / name])
        _done_under_kills([*words, "--engine", "ray"], tmp_path / f"{name}-ray", nodes)
        assert _files(tmp_path / f"{name}-ray") == _files(tmp_path / name)


def _done(words: Sequence[str | Path]) -> None:
    subprocess.run([sys.executable, "-m", "surefoot", *words], check=True, capture_output=True)


def _done_under_kills(words: Sequence[str | Path], out: Path, nodes: Nodes) -> None:
    """Kill an actor, a node and the driver as pages get done, and give the command again."""
    command = [sys.executable, "-m", "surefoot", *words, "--out", out]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as driver:
        for done, strike in enumerate((_kill_actor, nodes.kill_oldest, driver.kill)):
            _wait_for(lambda done=done: _finished(out) > done, driver)  # type: ignore[misc]
            strike()
    _done([*words, "--out", out])


def _kill_actor() -> None:
    inside = psutil.Process().children(recursive=True)
    _kill(next(process.pid for process in inside if process.name().startswith(ACTOR)))


def _finished(out: Path) -> int:
    with contextlib.suppress(SurefootError), Ledger.read(out) as ledger:
        return len(ledger.finished())
    return 0


def _wait_for(holds: Callable[[], bool], driver: subprocess.Popen[bytes]) -> None:
    while not holds():
        assert driver.poll() is None
        time.sleep(0.05)


def _files(folder: Path) -> dict[str, bytes]:
    """Return all files of a folder but those that tell when and how it was written."""
    own = {"ledger.sqlite", "ledger.lock", "plan.json"}
    paths = [path for path in folder.rglob("*") if path.is_file() and path.name not in own]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
