"""
A coordinator that the fault tests start, kill and start again, and what its workers do.

Usage: fault_coordinator.py KIND FOLDER SITE LOG, KIND being "pages" (real Chromium) or
"plain". The environment may name a point at which to die or to fail, as "POINT#COUNT=DEED"
with DEED "kill" or an errno: COORDINATOR_FAULT for this process and WORKER_FAULT, together
with the FAULT_ONCE file, for the first worker that comes there.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from surefoot.core.canonical import canonical_json, decode, digest
from surefoot.core.errors import SurefootError
from surefoot.core.ledger import Ledger
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.run.engine.pool import Unit, run_units
from surefoot.run.engine.processes import Workers
from surefoot.run.engine.progress import Progress
from surefoot.run.folders.folder import export

PLAIN_UNITS = 40
WIDTHS = (320, 400)
COUNT = 2


class Fault:
    """Count the visits to one commit point, and strike at the given one."""

    def __init__(self, text: str, once: str = "") -> None:
        place, _, self.deed = text.partition("=")
        self.point, _, count = place.partition("#")
        self.left = int(count or 1)
        self.once = once

    def __call__(self, point: str) -> None:
        """Be called at every commit point."""
        if point != self.point:
            return
        self.left -= 1
        if self.left == 0 and self._first():
            if self.deed == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            raise OSError(int(self.deed), os.strerror(int(self.deed)))

    def _first(self) -> bool:
        try:
            if self.once:
                Path(self.once).touch(exist_ok=False)
        except FileExistsError:
            return False
        return True


def _log(path: str, line: str) -> None:
    with Path(path).open("a") as stream:
        stream.write(f"{line}\n")


def _store(folder: str, fault: tuple[str, str]) -> ObjectStore:
    return ObjectStore(Path(folder), at=Fault(*fault))


@contextlib.contextmanager
def open_plain(
    folder: str, log: str, fault: tuple[str, str]
) -> Iterator[Callable[[dict[str, Any]], bytes]]:
    """Store a made-up picture for each number, slowly enough to be caught at it."""
    store = _store(folder, fault)

    def work(unit: dict[str, Any]) -> bytes:
        number = int(unit["number"])
        _log(log, str(number))
        time.sleep(0.02)
        image = store.put(f"picture {number}".encode() * 5000)
        return canonical_json(
            Screen(f"{number:03d}", "page", "plain", image, 1, 1, 1.0, "none", "en", ())
        )

    yield work


@contextlib.contextmanager
def open_pages(
    folder: str, log: str, fault: tuple[str, str]
) -> Iterator[Callable[[dict[str, Any]], bytes]]:
    """Capture a page in a real Chromium."""
    from surefoot.capture.settings import Settings
    from surefoot.capture.sources import Address
    from surefoot.capture.web.browser import Browser
    from surefoot.capture.web.page import capture

    store = _store(folder, fault)
    with Browser() as browser:

        def work(unit: dict[str, Any]) -> bytes:
            address = msgspec.convert(unit["address"], Address)
            _log(log, f"{address.page} {unit['width']}")
            settings = Settings(width=unit["width"], height=240)
            captured = capture(browser, address, settings)
            store.put(captured.png)
            return canonical_json(captured.screen)

        yield work


def units(kind: str, site: str) -> list[Unit]:
    """Return what there is to do."""
    if kind == "plain":
        bodies: list[dict[str, object]] = [{"number": number} for number in range(PLAIN_UNITS)]
    else:
        from surefoot.capture.sources import list_addresses

        bodies = [
            {"address": msgspec.to_builtins(address), "width": width}
            for address in list_addresses(f"folder:{site}")
            for width in WIDTHS
        ]
    return [Unit(digest(body), body) for body in bodies]


def main(kind: str, folder: str, site: str, log: str) -> int:
    """Begin or resume the folder; return the exit code that a command would."""
    at = Fault(os.environ.get("COORDINATOR_FAULT", ""))
    # Workers get nothing of our environment but what they need to run.
    fault = [os.environ.get(name, "") for name in ("WORKER_FAULT", "FAULT_ONCE")]
    workers = Workers(
        factory=f"fault_coordinator:open_{kind}",
        arguments={"folder": folder, "log": log, "fault": fault},
        count=COUNT,
    )
    plan = {"kind": kind, "seed": int(os.environ.get("FAULT_SEED", "0"))}
    out = Path(folder)
    try:
        with (
            Ledger.open(out, plan, retry_failed=True, at=at) as ledger,
            Progress("units") as progress,
        ):
            tally = run_units(units(kind, site), ledger, workers, progress=progress)
            screens = [decode(item, Screen, what="a screen") for _, item in ledger.payloads()]
            sys.stderr.writelines(
                f"{failure.reason}: {failure.message}\n" for failure in ledger.failures()
            )
            export(out, "screens", {"screens.jsonl": screens}, at=at)
    except SurefootError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    return 0 if tally.complete else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
