"""
The process engine with real worker processes, and every way in which a unit can go.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import psutil
import pytest

from surefoot.core.errors import InvalidInputError, MissingComponentError, SurefootError
from surefoot.core.ledger import Ledger
from surefoot.core.scratch import SCRATCH
from surefoot.run.engine.pool import Unit, kept, run_units
from surefoot.run.engine.processes import Workers
from surefoot.run.engine.progress import Progress, Tally
from surefoot.run.engine.worker import load_factory


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let worker processes import the factories beside this file."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent), prepend=os.pathsep)


def _workers(folder: Path, *, count: int = 2, deadline_s: float = 60.0) -> Workers:
    return Workers(
        factory="pool_workers:open_plain",
        arguments={"folder": str(folder)},
        count=count,
        unit_s=deadline_s / 2,
        grace_s=deadline_s / 2,
    )


def _run(
    folder: Path, *units: Mapping[str, object], count: int = 2, deadline_s: float = 60.0
) -> tuple[Ledger, Tally]:
    ledger = Ledger.open(folder / "out", {"plan": 1})
    marks = folder / "marks"
    marks.mkdir(exist_ok=True)
    jobs = [Unit(f"unit-{index}", body) for index, body in enumerate(units)]
    workers = _workers(marks, count=count, deadline_s=deadline_s)
    with contextlib.ExitStack() as stack:
        stack.callback(ledger.close)
        with Progress("units") as progress:
            tally = run_units(jobs, ledger, workers, progress=progress)
        stack.pop_all()
    return ledger, tally


def test_results_reach_the_ledger_whole(tmp_path: Path) -> None:
    """Payloads of any size and byte arrive, whatever the unit prints meanwhile."""
    units = [{"do": "answer", "number": number} for number in range(5)]
    ledger, tally = _run(tmp_path, *units, {"do": "large", "number": 4000})
    with ledger:
        assert ledger.payload("unit-3") == b'{"square": 9}'
        assert ledger.payload("unit-5") == bytes(range(256)) * 4000
        assert tally == Tally(total=6, done=6)
        assert tally.complete


def test_finished_units_are_not_computed_again(tmp_path: Path) -> None:
    """A second run of the same units computes nothing and keeps failures."""
    bodies = ({"do": "refuse", "name": "a"}, {"do": "answer", "number": 2})
    _run(tmp_path, *bodies)[0].close()
    ledger, tally = _run(tmp_path, *bodies)
    ledger.close()
    assert tally == Tally(total=2, kept=1, failed=1)
    assert (tmp_path / "marks" / "a").stat().st_size == 1


def test_a_dead_worker_costs_nothing_but_time(tmp_path: Path) -> None:
    """A unit whose worker dies twice is computed by the third."""
    ledger, tally = _run(tmp_path, {"do": "die", "name": "a", "times": 2}, count=1)
    with ledger:
        assert ledger.payload("unit-0") == b"try 3"
    assert tally.complete


def test_a_deadly_unit_fails_alone(tmp_path: Path) -> None:
    """A unit that kills three workers is recorded with their last words; others go on."""
    deadly = {"do": "die", "name": "a", "times": 99}
    ledger, tally = _run(tmp_path, deadly, {"do": "answer", "number": 2})
    with ledger:
        (failure,) = ledger.failures()
        assert failure.reason == "worker-died"
        assert "last words" in failure.message
        assert ledger.payload("unit-1") == b'{"square": 4}'
    assert (tmp_path / "marks" / "a").stat().st_size == 3
    assert (tally.done, tally.failed, tally.complete) == (1, 1, False)


def test_a_lost_browser_is_not_blamed_on_the_page(tmp_path: Path) -> None:
    """A unit that lost its browser is tried again in a fresh worker."""
    ledger, _ = _run(tmp_path, {"do": "lose_browser", "name": "a"})
    with ledger:
        assert ledger.payload("unit-0") == b"again"


@pytest.mark.parametrize(
    ("unit", "reason", "text", "tries"),
    [
        ({"do": "refuse", "name": "a"}, "popup", "Expected one page, found two.", 1),
        ({"do": "stumble", "name": "a", "zero": 0}, "bug", "ZeroDivisionError", 3),
        ({"do": "mistake"}, "invalid-input", "Expected a page, found mistake.", 0),
    ],
)
def test_failures_keep_their_reason(
    tmp_path: Path, unit: Mapping[str, object], reason: str, text: str, tries: int
) -> None:
    """A unit's error, a bug and bad input are recorded, each with its reason."""
    ledger, _ = _run(tmp_path, unit)
    with ledger:
        (failure,) = ledger.failures()
    assert failure.reason == reason
    assert text in failure.message
    marks = tmp_path / "marks" / "a"
    assert (marks.stat().st_size if marks.exists() else 0) == tries


@pytest.mark.parametrize(("deed", "kind"), [("miss", MissingComponentError), ("fill_disk", None)])
def test_what_no_unit_is_to_blame_for_ends_the_run(
    tmp_path: Path, deed: str, kind: type[SurefootError] | None
) -> None:
    """A missing component or a full disk stops the run and marks no unit as failed."""
    with pytest.raises(kind or SurefootError, match=r"fonts|no space"):
        _run(tmp_path, {"do": deed})
    with Ledger.read(tmp_path / "out") as ledger:
        assert ledger.finished() == set()


@pytest.mark.parametrize(
    ("factory", "kind"),
    [
        ("pool_workers:open_missing", MissingComponentError),
        ("pool_workers:open_dying", SurefootError),
        ("pool_workers:nothing", SurefootError),
    ],
)
def test_workers_that_never_start_end_the_run(
    tmp_path: Path, factory: str, kind: type[SurefootError]
) -> None:
    """A factory that fails, dies or does not exist is reported, not tried for ever."""
    with Ledger.open(tmp_path, {}) as ledger, Progress("units") as progress, pytest.raises(kind):
        run_units([Unit("a", {})], ledger, Workers(factory=factory), progress=progress)


def _sleepers(mark: str) -> list[psutil.Process]:
    processes = psutil.process_iter(["cmdline"])
    return [process for process in processes if mark in (process.info["cmdline"] or [])]


def test_a_hanging_unit_is_killed_with_all_it_started(tmp_path: Path) -> None:
    """The deadline kills the worker, its child and a grandchild in another session."""
    mark = "271.82818"
    ledger, _ = _run(tmp_path, {"do": "hang", "sleep": mark}, deadline_s=1.0)
    with ledger:
        (failure,) = ledger.failures()
    assert failure.reason == "timeout"
    assert _sleepers(mark) == []


@pytest.fixture
def heard() -> Iterator[None]:
    """Let Ctrl-C be heard: a shell starts what runs in its background deaf to it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heard")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_run_leaves_nothing_and_can_go_on(
    tmp_path: Path, number: signal.Signals
) -> None:
    """Ctrl-C and SIGTERM kill the workers, keep what is done and name how it ended."""
    mark = f"314.15{number.value}"

    def stop() -> None:
        while not _sleepers(mark):
            time.sleep(0.05)
        os.kill(os.getpid(), number)

    threading.Thread(target=stop, daemon=True).start()
    units = [Unit("a", {"do": "answer", "number": 1}), Unit("b", {"do": "hang", "sleep": mark})]
    workers = _workers(tmp_path, count=1)
    expected = KeyboardInterrupt if number == signal.SIGINT else SystemExit
    with Ledger.open(tmp_path, {}) as ledger, Progress("units") as progress:
        with pytest.raises(expected):
            run_units(units, ledger, workers, progress=progress)
        assert ledger.finished() == {"a"}
    assert _sleepers(mark) == []


def test_workers_leave_no_temporary_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each worker's folder for temporary files is gone when the run ends."""
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setattr("tempfile.tempdir", None)
    (tmp_path / "tmp").mkdir()
    _run(tmp_path, {"do": "die", "name": "a", "times": 1})[0].close()
    assert list((tmp_path / "tmp").iterdir()) == []


def test_factories_are_found_by_name() -> None:
    """A factory is imported by module and function; anything else is refused clearly."""
    assert load_factory("contextlib:nullcontext")() is not None
    for wrong in ("contextlib", "contextlib:absent", "no.such.module:x", ":", ""):
        with pytest.raises(InvalidInputError, match="module:function"):
            load_factory(wrong)
    assert SCRATCH.startswith("SUREFOOT")


@pytest.mark.parametrize("broken", [False, True])
def test_a_crew_works_on_and_ends_with_its_block(tmp_path: Path, broken: bool) -> None:
    """Three runs have one process, another one where it died between, and none outlives them."""
    workers = _workers(tmp_path, count=1)
    found = []
    with (
        Ledger.open(tmp_path / "out", {"plan": 1}) as ledger,
        Progress("units") as progress,
        contextlib.suppress(InvalidInputError),
        kept() as crew,
    ):
        for at in range(3):
            unit = Unit(f"unit-{at}", {"do": "tell", "in": at})
            run_units([unit], ledger, workers, progress=progress, crew=crew)
            found.append(int(ledger.payload(unit.key).split()[1]))
            if at == 1:
                os.kill(found[-1], signal.SIGKILL)
        if broken:
            raise InvalidInputError("a block that ends", found="an error")
    assert found[0] == found[1] != found[2]
    assert not any(map(psutil.pid_exists, found))
