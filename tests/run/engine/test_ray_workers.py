"""
Workers in the actors of a Ray cluster: the same results, whatever is killed meanwhile.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import psutil
import pytest

from surefoot.benchmarks.benchmark import BuildOptions
from surefoot.capture.settings import Settings
from surefoot.capture.sources import list_addresses
from surefoot.core.errors import InvalidInputError
from surefoot.core.ledger import Ledger
from surefoot.run.building.capturing import capture_screens, renderer
from surefoot.run.building.pages import build_benchmark
from surefoot.run.engine.pool import run_units
from surefoot.run.engine.processes import Workers
from surefoot.run.engine.progress import Progress, Tally
from surefoot.run.engine.wire import FromWorker, ToWorker, Trouble
from tests.run.engine.ray_units import draw, units_of

pytest.importorskip("ray", reason="the extra 'ray' is not installed")
ROOT = Path(__file__).parents[3]
SOURCE = ROOT / "src"
VERSION = Path("surefoot", "core", "version.py")
KILLS = [2, pytest.param(30, marks=pytest.mark.long)]
ENDS = (signal.SIGKILL, signal.SIGTERM)  # in turns
PATIENCE_S = 60.0
LONG_S = 900
Strike = Callable[["Began"], None]


class Began(NamedTuple):
    """Who began which unit: the worker's process, the actor's, and the scratch folder."""

    number: int
    worker: int
    actor: int
    folder: str


class Nodes:
    """Hold a cluster on this host: a head without processors, and nodes of one each."""

    def __init__(self, cluster: Any, patch: pytest.MonkeyPatch) -> None:  # noqa: ANN401
        self._cluster = cluster
        self._patch = patch
        self._nodes: list[Any] = []

    def add(self, source: Path = SOURCE) -> None:
        """Add a node whose Surefoot lies in a folder."""
        self._patch.setenv("PYTHONPATH", os.pathsep.join(map(str, (source, ROOT))))
        self._nodes.append(self._cluster.add_node(num_cpus=1))

    def kill_oldest(self) -> None:
        """Kill all processes of a node, and add another."""
        self._cluster.remove_node(self._nodes.pop(0), allow_graceful=False)
        self.add()


@pytest.fixture
def nodes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Nodes]:
    """Start a cluster that RAY_ADDRESS names, of loopback alone."""
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, (SOURCE, ROOT))))
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    head = {"num_cpus": 0, "include_dashboard": False, "node_ip_address": "127.0.0.1"}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    try:
        monkeypatch.setenv("RAY_ADDRESS", cluster.address)
        yield Nodes(cluster, monkeypatch)
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
@pytest.mark.parametrize("which", ["worker", "actor"])
def test_killed_workers_and_actors_cost_nothing(
    nodes: Nodes, tmp_path: Path, which: str, kills: int
) -> None:
    """Units whose worker or whole actor is killed are done again, once, to the same bytes."""
    nodes.add()
    nodes.add()
    count = 2 * kills + 6
    _drawn_under(tmp_path, count, kills, lambda begun: _kill(getattr(begun, which)))
    _require_equal(tmp_path, count)


@pytest.mark.slow
@pytest.mark.timeout(LONG_S)
@pytest.mark.parametrize("kills", KILLS)
def test_killed_nodes_cost_nothing(nodes: Nodes, tmp_path: Path, kills: int) -> None:
    """Units of a node that vanishes are done on another."""
    nodes.add()
    nodes.add()
    count = 4 * kills + 6
    _drawn_under(tmp_path, count, kills, lambda _: nodes.kill_oldest())
    _require_equal(tmp_path, count)


@pytest.mark.slow
@pytest.mark.timeout(LONG_S)
@pytest.mark.parametrize("kills", KILLS)
def test_a_killed_driver_resumes(nodes: Nodes, tmp_path: Path, kills: int) -> None:
    """With the driver its workers end; the next one does what is left, and nothing twice."""
    nodes.add()
    nodes.add()
    log, count = tmp_path / "log", 4 * kills + 6
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
    nodes.add(other)

    with pytest.raises(InvalidInputError, match=r"surefoot 0\.1\.0, found surefoot 0\.0\.7 on "):
        draw(tmp_path / "ray", tmp_path / "log", 3, "ray")
    assert not _begun(tmp_path / "log")


@pytest.mark.slow
def test_a_node_with_another_renderer_or_other_files_is_refused(
    nodes: Nodes, site: Path, tmp_path: Path
) -> None:
    """What the plan says of fonts and files has to hold on the node."""
    nodes.add()
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
    asyncio.run(cluster.require_alike(worker, "a-node"))
    assert not worker.alive


class Silent:
    """Reply to everything with one trouble."""

    def __init__(self, trouble: Trouble) -> None:
        self._trouble = trouble
        self.alive = True

    async def ask(self, _message: ToWorker, _seconds: float) -> FromWorker:
        """Return the trouble."""
        return self._trouble

    async def finish(self) -> None:
        """End."""
        self.alive = False

    async def kill(self) -> None:
        """End."""
        self.alive = False


def test_secrets_stay_here(tmp_path: Path) -> None:
    """Work with a login is refused before anything is connected to."""
    workers = Workers(factory="no:where", arguments={"secrets": {"PIN": "7"}}, engine="ray")
    with (
        Ledger.open(tmp_path / "out", {"plan": 1}) as ledger,
        Progress("units") as progress,
        pytest.raises(InvalidInputError, match="work without secrets") as raised,
    ):
        run_units(units_of(tmp_path, 1), ledger, workers, progress=progress)
    assert "7" not in str(raised.value)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Write three pages with controls."""
    folder = tmp_path / "site"
    folder.mkdir()
    for name in "abc":
        buttons = "".join(f"<button>{word} {name}</button>" for word in ("Save", "Send", "Drop"))
        (folder / f"{name}.html").write_text(
            f"<!doctype html><html lang=en><h1>{name}</h1>{buttons}"
        )
    return folder


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.timeout(LONG_S)
def test_a_capture_and_a_build_are_the_same_bytes(
    nodes: Nodes, site: Path, tmp_path: Path
) -> None:
    """Two nodes write the manifests, tables and pictures that this machine writes."""
    nodes.add()
    nodes.add()
    for engine in ("", "ray"):
        screens, bench = tmp_path / f"screens{engine}", tmp_path / f"bench{engine}"
        captured = capture_screens(
            [f"folder:{site}"], screens, Settings(width=300, height=200), engine=engine
        )
        assert captured.tally == Tally(total=3, done=3)
        options = BuildOptions(variants=("original", "zoom:1.5"))
        build_benchmark("perturbed", tmp_path / "screens", bench, options, engine=engine)
    for name in ("screens", "bench"):
        assert _files(tmp_path / f"{name}ray") == _files(tmp_path / name)


def _files(folder: Path) -> dict[str, bytes]:
    """Return all files of a folder but those that tell when and how it was written."""
    own = {"ledger.sqlite", "ledger.lock", "plan.json"}
    paths = [path for path in folder.rglob("*") if path.is_file() and path.name not in own]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
