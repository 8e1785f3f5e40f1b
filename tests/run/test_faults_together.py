"""
Kills coordinator, worker and browser at random moments and at every commit point.

``SUREFOOT_FAULT_KILLS=500`` makes the random part as long as a nightly run wants it.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pytest

from surefoot.core import files
from surefoot.core.ledger import records
from surefoot.core.seeds import random_source

if TYPE_CHECKING:
    from tests.run.conftest import Series

Uninterrupted = Callable[[str], "Series"]


class Begin(Protocol):
    """Begin a series."""

    def __call__(self, kind: str, name: str = "series") -> Series:
        """Return a new series of a kind in a folder of a name."""


KILLS = int(os.environ.get("SUREFOOT_FAULT_KILLS", "24"))
KILLS_OF_A_SERIES = 12
FILE_POINTS = ["after-write", "after-fsync", "after-rename", "after-folder-fsync"]
PLAN, TABLE, MANIFEST = 1, 2, 3
COORDINATOR_POINTS = [
    *(f"files:{point}#{file}" for point in FILE_POINTS for file in (PLAN, TABLE, MANIFEST)),
    *(f"ledger:{point}-commit#{count}" for point in ("before", "after") for count in (1, 2, 20)),
]
# Each point once, among them each file; the long tests take every point of every file.
FEW = {f"{point}#{1 + at % 3}" for at, point in enumerate(map("files:{}".format, FILE_POINTS))}
FEW |= {"ledger:before-commit#2", "ledger:after-commit#2"}
WORKER_POINTS = [f"files:{point}#2" for point in FILE_POINTS]


@pytest.fixture
def begin(tmp_path: Path, site: Path, uninterrupted: Uninterrupted) -> Iterator[Begin]:
    """Return a function that begins a series of a kind in a folder of its own."""
    with contextlib.ExitStack() as stack:

        def make(kind: str, name: str = "series") -> Series:
            series = type(uninterrupted(kind))(tmp_path / name, kind, site)
            return stack.enter_context(series)

        yield make


def settle(series: Series, whole: Series) -> None:
    """Check what must hold at the end of a series, whatever happened in it."""
    recomputed, allowed = series.recomputed()
    assert series.lines() == whole.lines()
    assert series.export() == whole.export()
    assert series.seen == whole.seen
    assert recomputed <= allowed
    assert series.leftovers() == []


def test_every_commit_point_is_killed_at() -> None:
    """The points of these tests are all that the sources of files and ledger name."""
    sources = [Path(str(module.__file__)).read_text("utf-8") for module in (files, records)]
    named = set(re.findall(r'at\("((?:files|ledger):[a-z-]+)"\)', "".join(sources)))
    assert named == {point.partition("#")[0] for point in COORDINATOR_POINTS}
    assert {point.partition("#")[0] for point in WORKER_POINTS} < named


@pytest.mark.parametrize(
    "point",
    [
        pytest.param(point, marks=() if point in FEW else pytest.mark.long)
        for point in COORDINATOR_POINTS
    ],
)
def test_a_coordinator_killed_at_a_commit_point_resumes(
    point: str, begin: Begin, uninterrupted: Uninterrupted
) -> None:
    """Whatever is being committed when the coordinator dies, the export is the same."""
    series = begin("plain")
    assert series.run(COORDINATOR_FAULT=f"{point}=kill") == -signal.SIGKILL, series.said()
    series.kills["coordinator"] += 1
    series.finish()
    settle(series, uninterrupted("plain"))


@pytest.mark.parametrize(
    ("kind", "point"),
    [
        *(("plain", point) for point in WORKER_POINTS),
        *(
            pytest.param("pages", point, marks=[pytest.mark.browser, pytest.mark.long])
            for point in ("files:after-write#2", "files:after-rename#2")
        ),
    ],
)
def test_a_worker_killed_at_a_commit_point_is_replaced(
    kind: str,
    point: str,
    begin: Begin,
    uninterrupted: Uninterrupted,
    tmp_path: Path,
) -> None:
    """A worker that dies while it stores a picture costs that unit's time and no more."""
    once = tmp_path / "once"
    series = begin(kind)
    assert series.run(WORKER_FAULT=f"{point}=kill", FAULT_ONCE=str(once)) == 0, series.said()
    assert once.exists()
    series.kills["worker"] += 1
    settle(series, uninterrupted(kind))


@pytest.mark.parametrize("seed", range(max(1, KILLS // 2 // KILLS_OF_A_SERIES)))
def test_random_kills_without_a_browser(
    seed: int, begin: Begin, uninterrupted: Uninterrupted
) -> None:
    """Coordinators and workers killed at random moments leave the same export."""
    series = begin("plain")
    series.torment(random_source(seed, "plain"), KILLS_OF_A_SERIES)
    settle(series, uninterrupted("plain"))


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.timeout(300 + 20 * KILLS)
@pytest.mark.long
def test_random_kills_with_a_browser(
    begin: Begin,
    uninterrupted: Uninterrupted,
    record_property: Callable[[str, object], None],
) -> None:
    """Coordinators, workers and browsers killed at random moments leave the same export."""
    began = time.monotonic()
    source = random_source(2, "pages")
    kills: Counter[str] = Counter()
    while kills.total() < KILLS or len(kills) < 3:
        series = begin("pages", f"series-{kills.total()}")
        series.torment(source, max(3, min(KILLS_OF_A_SERIES, KILLS - kills.total())))
        settle(series, uninterrupted("pages"))
        kills += series.kills
    record_property("kills", dict(kills))
    record_property("seconds", time.monotonic() - began)


@pytest.mark.long
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
@pytest.mark.parametrize("point", ["ledger:before-commit#9", "files:after-write#2"])
def test_a_disk_that_fails_the_coordinator_loses_nothing(
    number: int, point: str, begin: Begin, uninterrupted: Uninterrupted
) -> None:
    """A full or broken disk ends the run, visibly, and the next one completes it."""
    series = begin("plain")
    assert series.run(COORDINATOR_FAULT=f"{point}={number}") == 1
    assert os.strerror(number) in series.said()
    series.kills["coordinator"] += 1
    series.finish()
    settle(series, uninterrupted("plain"))


def test_a_disk_that_fails_the_workers_blames_no_unit(
    begin: Begin, uninterrupted: Uninterrupted
) -> None:
    """A disk that is full for the workers ends the run with advice and without failures."""
    series = begin("plain")
    assert series.run(WORKER_FAULT=f"files:after-write#1={errno.ENOSPC}") == 1
    assert "Make room on the disk" in series.said()
    with records.Ledger.read(series.folder) as found:
        assert found.failures() == []
    series.finish()
    assert series.export() == uninterrupted("plain").export()
    assert series.leftovers() == []


def test_sigterm_stops_cleanly(begin: Begin, uninterrupted: Uninterrupted) -> None:
    """A terminated coordinator ends its workers, exits with 143, and can be resumed."""
    series = begin("plain")
    process = series.start()
    series.wait_for_work(process, random_source(0, "stop"))
    process.terminate()
    series.end(process)
    assert process.returncode == 143, series.said()
    series.check()
    series.kills["coordinator"] += 1
    series.finish()
    settle(series, uninterrupted("plain"))


def test_a_second_coordinator_is_refused(begin: Begin) -> None:
    """Two coordinators of one folder: the second exits with 2, the first is untouched."""
    series = begin("plain")
    first = series.start()
    while not (series.folder / "ledger.sqlite").exists():
        time.sleep(0.01)
    second = series.start()
    series.end(second)
    assert second.returncode == 2
    assert "another surefoot process" in series.said()
    series.end(first)
    assert first.returncode == 0


def test_another_plan_is_refused(begin: Begin) -> None:
    """Resuming with a changed plan exits with 2, names the difference and changes nothing."""
    series = begin("plain")
    assert series.run() == 0
    before = series.export()
    assert series.run(FAULT_SEED="1") == 2
    assert "seed: 0 then, 1 now" in series.said()
    assert series.export() == before


def test_torn_files_are_swept(begin: Begin) -> None:
    """What killed writers left half written is gone after the next run."""
    series = begin("plain")
    torn = [
        series.folder / "objects/ab/.x.png.00112233445566ff.partial",
        series.folder / ".plan.json.00112233445566aa.partial",
    ]
    for path in torn:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"half a pict")
    assert series.run() == 0, series.said()
    assert series.leftovers() == []
