"""
Units that nodes of a Ray cluster do in the tests, and a driver that the tests kill.

Usage: ray_units.py FOLDER LOG COUNT.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from surefoot.core.ledger import Ledger
from surefoot.core.store import ObjectStore
from surefoot.run.engine.pool import Unit, run_units
from surefoot.run.engine.processes import Workers
from surefoot.run.engine.progress import Progress, Tally
from surefoot.run.engine.worker import UnitFunction
from surefoot.run.folders.objects import pictures_held

SECONDS = 0.4  # a unit takes


@contextlib.contextmanager
def open_drawing(*, folder: str, log: str) -> Iterator[UnitFunction]:
    """Store what follows from a unit's number and picture, after a while; log who began it."""
    store = ObjectStore(Path(folder))

    def work(body: dict[str, Any]) -> bytes:
        with Path(log).open("a", encoding="utf-8") as stream:
            stream.write(f"{body['number']} {os.getpid()} {os.getppid()} {folder}\n")
        time.sleep(SECONDS)
        drawn = store.get(body["image"]) + b"%d" % body["number"] * 1000
        return json.dumps({"image": store.put(drawn), "number": body["number"]}).encode()

    yield work


def units_of(folder: Path, count: int) -> list[Unit]:
    """Return so many units that name a picture of the folder."""
    image = ObjectStore(folder).put(b"the picture of all units")
    return [Unit(f"unit-{n}", {"number": n, "image": image}) for n in range(count)]


def draw(folder: Path, log: Path, count: int, engine: str) -> Tally:
    """Do so many units with two workers of an engine, or go on with them."""
    units = units_of(folder, count)
    workers = Workers(
        factory="tests.run.engine.ray_units:open_drawing",
        arguments={"folder": str(folder), "log": str(log)},
        engine=engine,
    )
    with Ledger.open(folder, {"plan": 1}) as ledger, Progress("units") as progress:
        return run_units(units, ledger, workers, progress=progress, whole=pictures_held(folder))


if __name__ == "__main__":
    draw(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), "ray")
