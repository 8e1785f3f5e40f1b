"""
The Ray cluster that a run connects to, or starts: loopback, keys, and addresses without one.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import psutil
import pytest

from surefoot.core.errors import InvalidInputError, SurefootError
from surefoot.core.ledger import Ledger
from surefoot.run.engine.pool import run_units
from surefoot.run.engine.processes import Workers
from surefoot.run.engine.progress import Progress
from tests.run.engine.ray_units import units_of

# It sets what Ray reads as it is imported.
pytest.importorskip("surefoot.run.engine.ray_cluster", reason="the extra 'ray' is not installed")
ROOT: Final = Path(__file__).parents[3]
KEY: Final = "OPENAI_API_KEY"
PATIENCE_S: Final = 150.0  # agents look every 15 s whether their node lives, five times


def _run(engine: str, folder: Path, **arguments: object) -> None:
    workers = Workers(factory="no:where", arguments=arguments, engine=engine)
    with Ledger.open(folder / "out", {"plan": 1}) as ledger, Progress("units") as progress:
        run_units(units_of(folder, 1), ledger, workers, progress=progress)


def test_secrets_stay_here(tmp_path: Path) -> None:
    """Work with a login is refused before anything is connected to."""
    with pytest.raises(InvalidInputError, match="work without secrets") as raised:
        _run("ray:127.0.0.1:1", tmp_path, secrets={"PIN": "7319"})
    assert "7319" not in str(raised.value)


@pytest.mark.parametrize(
    "address", ["6379", "ray://127.0.0.1:1", "127.0.0.1", ":6379", "a:b", "/"]
)
def test_what_is_no_address_is_refused(address: str, tmp_path: Path) -> None:
    """Anything but HOST:PORT is named, and nothing is connected to."""
    with pytest.raises(InvalidInputError, match="the address HOST:PORT") as raised:
        _run(f"ray:{address}", tmp_path)
    assert address in str(raised.value)


def test_a_closed_port_is_named(tmp_path: Path) -> None:
    """Where nothing listens, the address and the reason are told."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{held.getsockname()[1]}"
        with pytest.raises(SurefootError, match=f"at {address}, found connection refused"):
            _run(f"ray:{address}", tmp_path)


@pytest.mark.slow
@pytest.mark.timeout(120)  # Ray itself would try for a quarter of an hour
def test_a_server_that_says_nothing_is_given_up(tmp_path: Path) -> None:
    """What listens and never replies is no cluster, and the environment is as it was."""
    before = dict(os.environ)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        address = f"127.0.0.1:{mute.getsockname()[1]}"
        with pytest.raises(SurefootError, match=f"a Ray cluster that replies at {address}"):
            _run(f"ray:{address}", tmp_path)
    assert dict(os.environ) == before


@pytest.fixture
def driver(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Start a process that works with a cluster of its own, and has a key."""
    words = ("-m", "tests.run.engine.ray_units", tmp_path / "ray", tmp_path / "log", "1000")
    ours = {name: value for name, value in os.environ.items() if name != "RAY_ADDRESS"}
    ours |= {"PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT))), KEY: "sk-7319"}
    with subprocess.Popen([sys.executable, *words], env=ours, cwd=ROOT) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.slow
@pytest.mark.parametrize("victim", ["driver", "raylet"])
def test_a_cluster_of_ones_own_is_of_loopback_and_ends_as_a_whole(
    driver: subprocess.Popen[bytes], tmp_path: Path, victim: str
) -> None:
    """No process of it listens elsewhere or has a key; a kill of driver or node ends all."""
    _wait_for_units(driver, tmp_path / "log")
    processes = {
        process.name(): process for process in psutil.Process(driver.pid).children(recursive=True)
    }
    listening = {host for process in processes.values() for host in _hosts(process)}
    assert {"gcs_server", "raylet"} <= processes.keys()
    assert {host.removeprefix("::ffff:") for host in listening} == {"127.0.0.1"}
    assert not any(KEY in process.environ() for process in processes.values())

    {"driver": driver, "raylet": processes["raylet"]}[victim].kill()
    assert driver.wait(PATIENCE_S)
    assert not psutil.wait_procs(list(processes.values()), PATIENCE_S)[1]


def _hosts(process: psutil.Process) -> set[str]:
    connections: list[Any] = process.net_connections("inet")
    return {at.laddr.ip for at in connections if at.status == psutil.CONN_LISTEN}


def _wait_for_units(driver: subprocess.Popen[bytes], log: Path) -> None:
    while not log.is_file() or len(log.read_text("utf-8").splitlines()) < 3:
        assert driver.poll() is None
        time.sleep(0.1)
