"""
The ledger: what is acknowledged is kept, by one writer, under one plan.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surefoot.core.archives import PACKED, packed
from surefoot.core.canonical import canonical_json
from surefoot.core.errors import (
    DamageError,
    ExitCode,
    FolderBusyError,
    InvalidInputError,
    NondeterminismError,
    PlanMismatchError,
    SurefootError,
)
from surefoot.core.ledger import Done, Failure, Ledger, read_plan
from surefoot.core.ledger.repair import inspect_ledger, rebuild_ledger
from surefoot.core.plan import plan_digest
from surefoot.core.seeds import random_source

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
            assert [record.values[2] for record in ledger.records("units")] == [0.0, 2.5]
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
        assert [record.values[2] for record in ledger.records("units")] == [1.0]
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


def test_a_ledger_whose_maker_was_killed_is_read_and_begun_anew(tmp_path: Path) -> None:
    """What SQLite has to roll back, which takes writing, keeps no reader and no writer out."""
    killed = (
        "import os, sqlite3, sys\n"
        "made = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "for words in ('cache_size = 1', 'synchronous = FULL'):\n"
        "    made.execute(f'PRAGMA {words}')\n"
        "made.execute('BEGIN')\n"
        "made.execute('CREATE TABLE units (payload)')\n"
        "for _ in range(50):\n"
        "    made.execute('INSERT INTO units VALUES (zeroblob(9000))')\n"
        "os.kill(os.getpid(), 9)\n"
    )
    file = tmp_path / "ledger.sqlite"
    subprocess.run([sys.executable, "-c", killed, str(file)], check=False)
    assert (tmp_path / "ledger.sqlite-journal").stat().st_size

    with pytest.raises(InvalidInputError, match="found format 0"):
        Ledger.read(tmp_path)
    with Ledger.open(tmp_path, PLAN) as ledger:
        ledger.done("a", b"one")
    with Ledger.read(tmp_path) as ledger:
        assert ledger.finished() == {"a"}


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
    torn = tmp_path / "objects" / ".x.png.00112233445566ff.partial"
    with Ledger.open(tmp_path, PLAN):
        torn.parent.mkdir()
        torn.write_bytes(b"x")
        with Ledger.read(tmp_path):
            assert torn.exists()
    assert not torn.exists()
    torn.write_bytes(b"x")
    with Ledger.open(tmp_path, PLAN):
        assert not torn.exists()


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        PACKED,
        PACKED + b"x",
        packed(b"x"),
        b"\0" * 10**6,
        random_source(1, "payload").randbytes(9999),
    ],
)
def test_a_payload_is_read_as_it_was_given(tmp_path: Path, payload: bytes) -> None:
    """Short, long, random, or packed already: it comes back, and the same one changes nothing."""
    with Ledger.open(tmp_path, PLAN) as ledger:
        ledger.done("a", payload)
        ledger.done("a", payload)
        with pytest.raises(NondeterminismError):
            ledger.done("a", payload + b"x")
    with Ledger.read(tmp_path) as ledger:
        assert ledger.payload("a") == payload
        assert list(ledger.payloads()) == [("a", payload)]
        assert ledger.conflicts() == [("a", payload + b"x")]


def test_long_payloads_are_packed_and_checked(tmp_path: Path) -> None:
    """A long payload takes little room; one changed byte of it is found, and repair drops it."""
    line = b'{"role": "button", "name": "Save"}' * 3000
    with Ledger.open(tmp_path, PLAN) as ledger:
        ledger.done("a", line)
        ledger.done("b", line[1:])
    path = tmp_path / "ledger.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        ((kept,),) = connection.execute("SELECT payload FROM units WHERE key = 'a'").fetchall()
        assert len(kept) < len(line) / 100
        changed = kept[:-3] + bytes([kept[-3] ^ 1]) + kept[-2:]
        for damaged in (changed, kept[:-1], packed(line + b" ")):
            connection.execute("UPDATE units SET payload = ? WHERE key = 'a'", (damaged,))
            connection.commit()
            with Ledger.read(tmp_path) as ledger, pytest.raises(DamageError):
                ledger.payload("a")
    assert [part.key for part in inspect_ledger(tmp_path).unsound] == ["a"]
    rebuild_ledger(tmp_path, plan_digest(PLAN))
    with Ledger.open(tmp_path, PLAN) as ledger:
        assert list(ledger.payloads()) == [("b", line[1:])]


def test_a_ledger_of_format_2_goes_on(tmp_path: Path) -> None:
    """Its rows stay as they are, new ones are packed, and both are read and checked."""
    line = b'{"role": "button"}' * 1000
    with Ledger.open(tmp_path, PLAN) as ledger:
        ledger.done("a", line)
    path = tmp_path / "ledger.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE units SET payload = ?", (line,))
        connection.execute("PRAGMA user_version = 2")
        connection.commit()
    with Ledger.read(tmp_path) as ledger:
        assert ledger.payload("a") == line
    with Ledger.open(tmp_path, PLAN) as ledger:
        ledger.done("b", line)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (3,)
        sizes = [size for (size,) in connection.execute("SELECT length(payload) FROM units")]
    assert sizes[0] == len(line) > 100 * sizes[1]
    with Ledger.read(tmp_path) as ledger:
        assert list(ledger.payloads()) == [("a", line), ("b", line)]


def _future(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda path: path.write_bytes(b"no database at all" * 100), "to be a ledger"),
        (_future, "in format 3, found format 99"),
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


def _filled(folder: Path) -> Path:
    """Write a ledger of three results, two failures and a conflict; return its file."""
    with Ledger.open(folder, PLAN) as ledger:
        for key in "abc":
            ledger.done(key * 8, f"the result of {key}".encode(), seconds=0.25)
        ledger.failed("d" * 8, "timeout", "Expected a page.", seconds=60.0)
        ledger.failed("e" * 8, "crash", "The page crashed.", seconds=1.0)
        with pytest.raises(NondeterminismError):
            ledger.done("a" * 8, b"another")
    return folder / "ledger.sqlite"


def _everything(folder: Path) -> object:
    with Ledger.read(folder) as ledger:
        return (list(ledger.payloads()), ledger.failures(), ledger.conflicts())


def test_a_flipped_bit_is_noticed_or_harmless(tmp_path: Path) -> None:
    """Whatever bit of a ledger is flipped: it is refused by name, or reads as before."""
    path = _filled(tmp_path)
    before, data = _everything(tmp_path), path.read_bytes()
    used = [at for at, byte in enumerate(data) if byte] + [0, 27, len(data) - 1]
    noticed = 0
    for at in random_source(0, "flips").sample(used, 150):
        path.write_bytes(data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :])
        try:
            assert _everything(tmp_path) == before, at
        except InvalidInputError as error:
            assert "ledger.sqlite" in str(error)  # noqa: PT017 - either outcome is right
            noticed += 1
    assert noticed > 50


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("UPDATE units SET payload = CAST('the result of x' AS BLOB)", "unit aaaaaaaa"),
        ("UPDATE units SET key = 'x' WHERE key = 'bbbbbbbb'", "unit x"),
        ("UPDATE units SET seconds = 0.26 WHERE key = 'bbbbbbbb'", "unit bbbbbbbb"),
        ("UPDATE units SET payload = 5 WHERE key = 'bbbbbbbb'", "unit bbbbbbbb"),
        ("UPDATE units SET payload = 1e18 WHERE key = 'cccccccc'", "unit cccccccc"),
        ("UPDATE failures SET reason = 'crash'", "unit dddddddd"),
        ("UPDATE conflicts SET payload = CAST('x' AS BLOB)", "unit aaaaaaaa"),
        ("DELETE FROM units WHERE key = 'bbbbbbbb'", "3 records in the table 'units'"),
        ("DELETE FROM failures", "2 records in the table 'failures'"),
        ("INSERT INTO units SELECT 'new', payload, 1, checksum FROM units LIMIT 1", "unit new"),
        ("UPDATE totals SET sum = zeroblob(32)", "the records of the table 'units'"),
        ("UPDATE totals SET count = 2", "2 records in the table 'units'"),
    ],
)
def test_a_changed_record_is_named(tmp_path: Path, change: str, message: str) -> None:
    """A record that was changed, lost or added is named, to readers and to writers."""
    with sqlite3.connect(_filled(tmp_path)) as connection:
        connection.execute(change)
    connection.close()

    with pytest.raises(DamageError, match=message):
        _everything(tmp_path)
    with pytest.raises(DamageError, match=rf"{message}.*surefoot verify .* --repair"):
        Ledger.open(tmp_path, PLAN)


def test_a_damaged_plan_is_told_from_another_plan(tmp_path: Path) -> None:
    """Where the ledger belongs to the plan and plan.json does not, plan.json is damaged."""
    Ledger.open(tmp_path, PLAN).close()
    for damaged in (b'{"variants": ["original", "zoom:0.7"], "seed": 8}', b"{"):
        (tmp_path / "plan.json").write_bytes(damaged)
        with pytest.raises(DamageError, match=r"plan\.json to be the plan of the ledger"):
            Ledger.open(tmp_path, PLAN)


OLD_SCHEMA = """
CREATE TABLE plan (digest TEXT NOT NULL);
CREATE TABLE units (key TEXT PRIMARY KEY, payload BLOB NOT NULL);
CREATE TABLE failures (key TEXT PRIMARY KEY, reason TEXT NOT NULL, message TEXT NOT NULL);
CREATE TABLE timings (key TEXT PRIMARY KEY, seconds REAL NOT NULL);
CREATE TABLE conflicts (key TEXT NOT NULL, payload BLOB NOT NULL);
INSERT INTO units VALUES ('a', CAST('one' AS BLOB)), ('b', CAST('two' AS BLOB));
INSERT INTO failures VALUES ('c', 'timeout', 'Expected a page.');
INSERT INTO timings VALUES ('a', 1.5), ('b', 2), ('c', 60.0);
PRAGMA user_version = 1;
"""


def test_a_ledger_without_checksums_is_read_and_given_them(tmp_path: Path) -> None:
    """A ledger of format 1 is read unchecked; the first writer adds checksums, and keeps all."""
    (tmp_path / "plan.json").write_bytes(canonical_json(PLAN))
    with sqlite3.connect(tmp_path / "ledger.sqlite") as connection:
        connection.executescript(OLD_SCHEMA)
        connection.execute("INSERT INTO plan VALUES (?)", (plan_digest(PLAN),))
    connection.close()
    expected: tuple[list[Any], list[Any], list[Any]] = (
        [("a", b"one"), ("b", b"two")],
        [Failure("c", "timeout", "Expected a page.", 60.0)],
        [],
    )

    assert _everything(tmp_path) == expected
    with Ledger.read(tmp_path) as ledger:
        assert not ledger.checked
        assert ledger.payload("b") == b"two"
        assert ledger.expected("units") == 2
    with Ledger.open(tmp_path, PLAN) as ledger:
        assert ledger.checked
        assert [record.values[2] for record in ledger.records("units")] == [1.5, 2.0]
        ledger.done("d", b"four")
    assert _everything(tmp_path) == ([*expected[0], ("d", b"four")], *expected[1:])


def test_a_message_that_no_file_can_hold_is_recorded(tmp_path: Path) -> None:
    """A lone surrogate in a failure's message does not stop the run."""
    with Ledger.open(tmp_path, PLAN) as ledger:
        ledger.failed("a", "crash", "cut \ud83d off")
        assert ledger.failures() == [Failure("a", "crash", "cut ? off")]
