"""
Print the processor time of a capture by workers of this machine, and by those of a Ray cluster.

A cluster of this machine is started for the second capture, with the same number of workers. Every
process is asked for its seconds ten times a second, and counted as one of the cluster's servers
(GCS, raylet, agents and spare workers), as an actor, or as the rest, which both engines need. What
the kernel sums of children that ended would lack those that nobody waited for. Both captures have
to be of the same bytes; the seconds of two counts of pages tell a page's from the start's.

Usage: ray_overhead.py [PAGES]; in an environment with the extra ``ray``.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

import psutil

PAGES: Final = 40
ROWS: Final = 20  # of a page, of three elements each
WORKERS: Final = 2
PAUSE_S: Final = 0.1
ACTOR: Final = "ray::NodeWorker"
KINDS: Final = ("servers", "actors", "rest")
SERVERS: Final = ("gcs_server", "raylet", "ray::", "/ray/_private/", "/ray/dashboard/")


def main() -> None:
    """Capture drawn pages with either engine and print seconds a page."""
    count = int(sys.argv[1]) if sys.argv[1:] else PAGES
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
            took = seconds_of([sys.executable, "-m", "surefoot", *words])
            parts = ", ".join(f"{took[kind]:.1f} {kind}" for kind in KINDS)
            print(f"{engine or 'local':5} {sum(took.values()):6.1f} s: {parts}")
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


def seconds_of(command: list[str]) -> dict[str, float]:
    """Return the processor time of a command and all that it starts, by kind."""
    seen: dict[tuple[int, float], tuple[str, float]] = {}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as running:
        while running.poll() is None:
            for process in psutil.Process().children(recursive=True):
                with contextlib.suppress(psutil.Error):
                    times = process.cpu_times()
                    key = process.pid, process.create_time()
                    seen[key] = kind_of(process), times.user + times.system
            time.sleep(PAUSE_S)
    if running.returncode:
        raise SystemExit(running.returncode)
    took = dict.fromkeys(KINDS, 0.0)
    for kind, seconds in seen.values():
        took[kind] += seconds
    return took


def kind_of(process: psutil.Process) -> str:
    """Tell whether a process is an actor, a server of the cluster, or neither."""
    words = f"{process.name()} {' '.join(process.cmdline())}"
    if ACTOR in words:
        return "actors"
    return "servers" if any(word in words for word in SERVERS) else "rest"


if __name__ == "__main__":
    main()
