"""
The ledger: what is acknowledged is kept, by one writer, under one plan.
"""

from __future__ import annotations

import errno
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from surefoot.core.canonical import canonical_json
from surefoot.core.errors import (
    ExitCode,
    FolderBusyError,
    InvalidInputError,
    NondeterminismError,
    PlanMismatchError,
    SurefootError,
)
from surefoot.core.ledger import Done, Failure, Ledger, read_plan

PLAN: dict[str, object] = {"variants": ["original", "zoom:0.7"], "seed": 7}


def test_what_is_recorded_is_read_back(tmp_path: Path) -> None:
    """Results come back by key and sorted, after the folder was opened again too."""
    with Ledger.open(tmp_path, PLAN) as ledger:
        ledger.done("b", b"\x00two", seconds=2.5)
        ledger.done("a", b"one")
    for opened in (Ledger.open(tmp_path, PLAN), Ledger.read(tmp_path)):
        with opened as ledger:
            assert list(ledger.payloads()) == [("a", b"one"), ("b", b"\x00two")]
            assert ledger.payload("b") == b"\x00two"
            assert ledger.finished() == {"a", "b"}
            assert ledger.seconds() == {"a": 0.0, "b": 2.5}
            with pytest.raises(InvalidInputError, match="unit c"):
                ledger.payload("c")


def test_the_plan_is_written_for_people_and_programs(tmp_path: Path) -> None:
    """The plan lies beside the ledger, sorted and indented, from the start."""
    with Ledger.open(tmp_path / "new" / "folder", PLAN):
        assert read_plan(tmp_path / "new" / "folder") == PLAN
    text = (tmp_path / "new" / "folder" / "plan.json").read_text()
    assert text.startswith('{\n  "seed": 7,\n  "variants": [')


def test_another_plan_is_refused(tmp_path: Path) -> None:
    """Resuming with another plan names the first difference, with exit code 2."""
    Ledger.open(tmp_path, PLAN).close()
    now = {**PLAN, "variants": ["original", "zoom:0.5"]}
    with pytest.raises(PlanMismatchError, match=r"variants\[1\]: 'zoom:0.7' then") as caught:
        Ledger.open(tmp_path, now)
    assert caught.value.exit_code == ExitCode.USER_ERROR
    Ledger.open(tmp_path, dict(reversed(PLAN.items()))).close()


def test_an_exchanged_plan_file_is_noticed(tmp_path: Path) -> None:
    """A ledger knows its plan, even where plan.json was replaced to agree with another."""
    Ledger.open(tmp_path, PLAN).close()
    (tmp_path / "plan.json").write_bytes(canonical_json({"seed": 8}))
    with pytest.raises(PlanMismatchError, match="a ledger of another plan"):
        Ledger.open(tmp_path, {"seed": 8})
    (tmp_path / "plan.json").unlink()
    Ledger.open(tmp_path, PLAN).close()
    assert read_plan(tmp_path) == PLAN


def test_the_same_result_again_changes_nothing(tmp_path: Path) -> None:
    """A unit recorded twice with equal bytes is one unit, with its first timing."""
    with Ledger.open(tmp_path, PLAN) as ledger:
        ledger.done("a", b"one", seconds=1)
        ledger.done("a", b"one", seconds=9)
        assert list(ledger.payloads()) == [("a", b"one")]
        assert ledger.seconds() == {"a": 1.0}
        assert ledger.conflicts() == []


def test_another_result_is_recorded_and_raised(tmp_path: Path) -> None:
    """Different bytes for one key keep the first, are set aside, and do not pass silently."""
    with Ledger.open(tmp_path, PLAN) as ledger:
        ledger.done("a", b"one")
        with pytest.raises(NondeterminismError, match="unit a"):
            ledger.record_many([Done("b", b"two"), Done("a", b"uno"), Done("c", b"three")])
    with Ledger.read(tmp_path) as ledger:
        assert dict(ledger.payloads()) == {"a": b"one", "b": b"two", "c": b"three"}
        assert ledger.conflicts() == [("a", b"uno")]


def test_failures_are_kept_until_they_are_retried(tmp_path: Path) -> None:
    """A failed unit counts as finished when resuming, unless failures are forgotten."""
    with Ledger.open(tmp_path, PLAN) as ledger:
        ledger.failed("a", "timeout", "Expected a page.", seconds=60.0)
        ledger.done("b", b"two")
    with Ledger.open(tmp_path, PLAN) as ledger:
        assert ledger.finished() == {"a", "b"}
        assert ledger.failures() == [Failure("a", "timeout", "Expected a page.", 60.0)]
    with Ledger.open(tmp_path, PLAN, retry_failed=True) as ledger:
        assert ledger.finished() == {"b"}
        assert ledger.failures() == []


def test_a_result_outweighs_a_failure(tmp_path: Path) -> None:
    """Whichever comes first, a unit with a result has not failed."""
    with Ledger.open(tmp_path, PLAN) as ledger:
        ledger.failed("a", "timeout", "")
        ledger.done("a", b"one")
        ledger.done("b", b"two")
        ledger.failed("b", "timeout", "")
        assert ledger.failures() == []
        assert ledger.finished() == {"a", "b"}
        ledger.failed("c", "timeout", "")
        ledger.failed("c", "crash", "again")
        assert [failure.reason for failure in ledger.failures()] == ["crash"]


def test_the_state_of_a_unit(tmp_path: Path) -> None:
    """A unit is unknown, failed, or done; a result outweighs a failure."""
    with Ledger.open(tmp_path, PLAN) as ledger:
        ledger.failed("a", "timeout", "too slow")
        ledger.done("b", b"two")
        assert [ledger.state(key) for key in "abc"] == ["failed", "done", ""]
        ledger.done("a", b"one")
        assert ledger.state("a") == "done"


def test_a_folder_has_one_writer_and_any_readers(tmp_path: Path) -> None:
    """A second writer is refused while the first is open, a reader sees what is committed."""
    with Ledger.open(tmp_path, PLAN) as ledger:
        with pytest.raises(FolderBusyError, match="another surefoot process"):
            Ledger.open(tmp_path, PLAN)
        with Ledger.read(tmp_path) as reader:
            assert reader.finished() == set()
            ledger.done("a", b"one")
            assert reader.finished() == {"a"}
            with pytest.raises(SurefootError, match="readonly"):
                reader.done("b", b"two")
    Ledger.open(tmp_path, PLAN).close()


def test_a_refused_opening_gives_the_lock_back(tmp_path: Path) -> None:
    """An opening that fails for its plan does not lock the folder for the next one."""
    Ledger.open(tmp_path, PLAN).close()
    with pytest.raises(PlanMismatchError):
        Ledger.open(tmp_path, {})
    Ledger.open(tmp_path, PLAN).close()


HOLDER = """
import sys
from pathlib import Path
from surefoot.core.ledger import Ledger
ledger = Ledger.open(Path(sys.argv[1]), {"seed": 1})
number = 0
while True:
    ledger.done(f"{number:06d}", b"x" * 1000)
    sys.stdout.write(f"{number:06d}\\n")
    sys.stdout.flush()
    number += 1
"""


def test_a_killed_writer_loses_no_acknowledged_row(tmp_path: Path) -> None:
    """Rows whose recording returned are there after kill -9, and the lock is free."""
    for _ in range(5):
        process = subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        said = [process.stdout.readline().strip() for _ in range(20)]
        os.kill(process.pid, signal.SIGKILL)
        said += process.stdout.read().split()
        process.stdout.close()
        process.wait()
        with Ledger.open(tmp_path, {"seed": 1}) as ledger:
            assert {item for item in said if len(item) == 6} <= ledger.finished()


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
def test_a_commit_that_fails_records_nothing(tmp_path: Path, number: int) -> None:
    """An error before the commit leaves none of its rows, and the ledger usable."""
    failing = [True]

    def fail(point: str) -> None:
        if point == "ledger:before-commit" and failing:
            raise OSError(number, "disk")

    with Ledger.open(tmp_path, PLAN, at=fail) as ledger:
        with pytest.raises(OSError, match="disk"):
            ledger.record_many([Done("a", b"one"), Failure("b", "crash", "")])
        assert ledger.finished() == set()
        failing.clear()
        ledger.done("a", b"one")
        assert ledger.finished() == {"a"}


def test_records_of_one_call_are_one_commit(tmp_path: Path) -> None:
    """Fifty rows pass the commit points once."""
    points: list[str] = []
    with Ledger.open(tmp_path, PLAN, at=points.append) as ledger:
        points.clear()
        ledger.record_many(Done(f"{number}", b"x") for number in range(50))
    assert points == ["ledger:before-commit", "ledger:after-commit"]


def test_the_file_is_durable_as_promised(tmp_path: Path) -> None:
    """The connection writes ahead and syncs at every commit."""
    with Ledger.open(tmp_path, PLAN) as ledger:
        pragma = ledger._connection.execute  # noqa: SLF001 - the setting is the promise
        assert pragma("PRAGMA journal_mode").fetchone() == ("wal",)
        assert pragma("PRAGMA synchronous").fetchone() == (2,)


def test_a_jumping_clock_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the wall clock running backwards, the same rows are read back."""
    instants = iter(range(10_000, 0, -100))
    monkeypatch.setattr(time, "time", lambda: float(next(instants)))
    for key in ("b", "a"):
        with Ledger.open(tmp_path, PLAN) as ledger:
            ledger.done(key, key.encode())
    with Ledger.read(tmp_path) as ledger:
        assert list(ledger.payloads()) == [("a", b"a"), ("b", b"b")]


def test_leftovers_go_when_a_writer_opens_and_closes(tmp_path: Path) -> None:
    """Temporary files of killed processes are gone with the lock held, not before."""
    torn = tmp_path / "objects" / ".x.png.1.partial"
    with Ledger.open(tmp_path, PLAN):
        torn.parent.mkdir()
        torn.write_bytes(b"x")
        with Ledger.read(tmp_path):
            assert torn.exists()
    assert not torn.exists()
    torn.write_bytes(b"x")
    with Ledger.open(tmp_path, PLAN):
        assert not torn.exists()


def _future(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda path: path.write_bytes(b"no database at all" * 100), "to be a ledger"),
        (_future, "in format 1, found format 99"),
    ],
)
def test_foreign_files_are_refused(
    tmp_path: Path, damage: Callable[[Path], object], message: str
) -> None:
    """A file that is no ledger, or one of another version, is neither read nor written."""
    Ledger.open(tmp_path, PLAN).close()
    damage(tmp_path / "ledger.sqlite")
    with pytest.raises(InvalidInputError, match=message):
        Ledger.read(tmp_path)
    with pytest.raises(InvalidInputError, match=message):
        Ledger.open(tmp_path, PLAN)


def test_reading_nothing_says_so(tmp_path: Path) -> None:
    """A folder without ledger or plan is named, with what to do."""
    with pytest.raises(InvalidInputError, match="a folder with a ledger"):
        Ledger.read(tmp_path)
    with pytest.raises(InvalidInputError, match="a folder with a plan"):
        read_plan(tmp_path)
