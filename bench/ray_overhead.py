"""
Print the processor time of a capture by workers of this machine, and by those of a Ray cluster.

A cluster of this machine is started for the second capture, with the same number of workers. All
processes are waited for, so that their seconds are the kernel's own; what the cluster's servers
took of them (GCS, raylet, agents and spare workers) and what the actors took is asked of them four
times a second. What a server of Ray's ends and does not wait for is not in the kernel's sum. Both
captures have to be of the same bytes.

Usage: ray_overhead.py [PAGES]; in an environment with the extra ``ray``, on Linux.
"""

from __future__ import annotations

import ctypes
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import psutil

PAGES: Final = 40
ROWS: Final = 20  # of a page, of three elements each
WORKERS: Final = 2
PAUSE_S: Final = 0.25
PR_SET_CHILD_SUBREAPER: Final = 36
ACTOR: Final = "ray::NodeWorker"
SERVERS: Final = ("gcs_server", "raylet", "ray::", "/ray/_private/", "/ray/dashboard/")


def main() -> None:
    """Capture drawn pages with either engine and print seconds a page."""
    count = int(sys.argv[1]) if sys.argv[1:] else PAGES
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # what is orphaned is ours
    os.environ.pop("RAY_ADDRESS", None)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        draw_pages(folder / "site", count)
        for engine in ("", "ray"):
            words = ["capture", f"folder:{folder / 'site'}", "--workers", str(WORKERS)]
            words += [
                "--out",
                str(folder / f"out{engine}"),
                *(["--engine", engine] * bool(engine)),
            ]
            total, servers, actors = seconds_of([sys.executable, "-m", "surefoot", *words])
            rest = total - servers - actors
            print(
                f"{engine or 'local':5} {total:6.1f} s: {servers:.1f} of the cluster, "
                f"{actors:.1f} of actors, {rest:.1f} of the rest; "
                f"{(total - servers) / count:.3f} a page without the cluster"
            )
        same = [(folder / f"out{engine}" / "manifest.json").read_bytes() for engine in ("", "ray")]
        print("the same bytes" if same[0] == same[1] else "OTHER BYTES")


def draw_pages(folder: Path, count: int) -> None:
    """Write so many pages of text, buttons and fields."""
    folder.mkdir()
    for number in range(count):
        rows = "".join(
            f"<p>Row {row} of {number} <button>Open {row}</button> <input aria-label='Name {row}'>"
            for row in range(ROWS)
        )
        page = f"<!doctype html><html lang=en><title>{number}</title><h1>{number}</h1>{rows}"
        (folder / f"{number:03}.html").write_text(page, encoding="utf-8")


def seconds_of(command: list[str]) -> tuple[float, float, float]:
    """Return the processor time of a command and all it starts, the cluster's, and the actors'."""
    before = _reaped()
    servers: dict[int, float] = {}
    actors: dict[int, float] = {}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            for pid, kind, seconds in _running():
                (actors if kind == ACTOR else servers)[pid] = seconds
            time.sleep(PAUSE_S)
    if process.returncode:
        raise SystemExit(process.returncode)
    while psutil.Process().children():
        os.wait()
    spare = {pid: seconds for pid, seconds in servers.items() if pid not in actors}
    return _reaped() - before, sum(spare.values()), sum(actors.values())


def _running() -> Iterator[tuple[int, str, float]]:
    """Yield the number, the kind and the seconds of all processes of a cluster below us."""
    for process in psutil.Process().children(recursive=True):
        try:
            words = f"{process.name()} {' '.join(process.cmdline())}"
            times = process.cpu_times()
        except psutil.Error:
            continue
        if ACTOR in words:
            yield process.pid, ACTOR, times.user + times.system
        elif any(word in words for word in SERVERS):
            yield process.pid, "server", times.user + times.system


def _reaped() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    main()
