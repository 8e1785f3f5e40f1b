"""
A damaged ledger is rebuilt from its sound records, and what is made again is compared.
"""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest

from surefoot.core.errors import DamageError, InvalidInputError, NondeterminismError
from surefoot.core.ledger import Ledger
from surefoot.core.ledger.repair import UnsoundRecord, inspect_ledger, rebuild_ledger
from surefoot.core.plan import plan_digest

PLAN: dict[str, object] = {"seed": 7}
DIGEST = plan_digest(PLAN)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with three results and a failure."""
    with Ledger.open(tmp_path, PLAN) as ledger:
        for key in "abc":
            ledger.done(key, key.encode() * 3, seconds=0.5)
        ledger.failed("d", "timeout", "Expected a page.")
    return tmp_path


def change(folder: Path, *statements: str) -> None:
    """Change a ledger behind Surefoot's back."""
    path = folder / "ledger.sqlite"
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def test_a_sound_ledger_is_whole(folder: Path) -> None:
    """Nothing is wrong with what was written, and rebuilding it keeps all."""
    state = inspect_ledger(folder)
    assert (state.whole, state.plan, state.checked) == (True, DIGEST, True)
    assert state.sound == {"units": 3, "failures": 1, "conflicts": 0}

    assert rebuild_ledger(folder, DIGEST) == 4
    with Ledger.open(folder, PLAN) as ledger:
        assert list(ledger.payloads()) == [("a", b"aaa"), ("b", b"bbb"), ("c", b"ccc")]


@pytest.mark.parametrize(
    ("damage", "key"),
    [
        ("UPDATE units SET payload = CAST('bbx' AS BLOB) WHERE key = 'b'", "b"),
        ("UPDATE units SET checksum = zeroblob(32) WHERE key = 'b'", "b"),
        ("UPDATE units SET seconds = 9 WHERE key = 'b'", "b"),
        ("UPDATE units SET key = 'x' WHERE key = 'b'", "x"),
    ],
)
def test_a_dropped_record_is_made_again_to_the_same_bytes(
    folder: Path, damage: str, key: str
) -> None:
    """Whichever part was damaged: the same result is taken, and another one is refused."""
    change(folder, damage)
    assert inspect_ledger(folder).unsound == (UnsoundRecord("units", key),)
    with pytest.raises(DamageError):
        Ledger.open(folder, PLAN)

    rebuild_ledger(folder, DIGEST)
    assert inspect_ledger(folder).dropped == 1
    with Ledger.open(folder, PLAN) as ledger:
        assert ledger.finished() == {"a", "c", "d"}
        ledger.done("b", b"bbb", seconds=2.0)
    assert (inspect_ledger(folder).whole, inspect_ledger(folder).dropped) == (True, 0)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE units SET payload = CAST('bbx' AS BLOB) WHERE key = 'b'",
        "UPDATE units SET key = 'x' WHERE key = 'b'",
    ],
)
def test_another_result_than_the_dropped_one_is_told(folder: Path, damage: str) -> None:
    """A unit that comes out otherwise than before its record was damaged is no silent change."""
    change(folder, damage)
    rebuild_ledger(folder, DIGEST)

    with (
        Ledger.open(folder, PLAN) as ledger,
        pytest.raises(NondeterminismError, match="one result for the unit b"),
    ):
        ledger.done("b", b"something else")


def test_what_stood_in_for_another_record_tells_nothing_of_it(folder: Path) -> None:
    """A record that was copied over another is known by its checksum."""
    columns = "(payload, seconds, checksum)"
    copied = f"SELECT {columns[1:-1]} FROM units WHERE key = 'a'"  # noqa: S608 - a fixed text
    change(folder, f"UPDATE units SET {columns} = ({copied}) WHERE key = 'b'")  # noqa: S608 - too
    rebuild_ledger(folder, DIGEST)

    with Ledger.open(folder, PLAN) as ledger:
        ledger.done("b", b"bbb")
        assert ledger.conflicts() == []


def test_lost_rows_and_wrong_sums_are_told(folder: Path) -> None:
    """A deleted row, a wrong sum and a missing plan are complaints; rebuilding settles them."""
    change(folder, "DELETE FROM units WHERE key = 'a'", "DELETE FROM plan")
    change(folder, "UPDATE totals SET sum = zeroblob(32) WHERE name = 'failures'")
    state = inspect_ledger(folder)
    assert state.lost == {"units": 1}
    assert state.complaints == ("the sum over the table 'failures' is another", "no plan")

    assert rebuild_ledger(folder, DIGEST) == 3
    assert inspect_ledger(folder).whole


def test_what_can_be_read_of_a_torn_file_is_kept(tmp_path: Path) -> None:
    """Of a ledger of which a page is gone, the records on the other pages are kept."""
    with Ledger.open(tmp_path, PLAN) as ledger:
        for number in range(200):
            ledger.done(f"{number:064d}", b"x" * 500)
    path = tmp_path / "ledger.sqlite"
    data = bytearray(path.read_bytes())
    middle = len(data) // 4096 // 2 * 4096
    data[middle : middle + 4096] = bytes(4096)
    path.write_bytes(data)

    assert not inspect_ledger(tmp_path).whole
    assert 0 < rebuild_ledger(tmp_path, DIGEST) <= 200
    Ledger.open(tmp_path, PLAN).close()


@pytest.mark.parametrize("data", [b"", b"no database" * 500, b"SQLite format 3\0"])
def test_what_is_no_ledger_is_told(folder: Path, data: bytes) -> None:
    """A file that is no database is a complaint, and rebuilding starts afresh."""
    (folder / "ledger.sqlite").write_bytes(data)
    assert inspect_ledger(folder).complaints

    assert rebuild_ledger(folder, DIGEST) == 0
    with Ledger.open(folder, PLAN) as ledger:
        assert ledger.finished() == set()


@pytest.mark.parametrize(("name", "kept"), [("ledger.sqlite", 0), ("ledger.sqlite-wal", 4)])
def test_a_folder_in_the_place_of_a_file_costs_that_file_alone(
    folder: Path, name: str, kept: int
) -> None:
    """Where a folder stands in the way of a ledger, what the other files hold is kept."""
    (folder / name).unlink(missing_ok=True)
    (folder / name / "inside").mkdir(parents=True)
    assert inspect_ledger(folder).complaints
    with pytest.raises(InvalidInputError, match="a folder that holds files, which are left"):
        rebuild_ledger(folder, DIGEST)
    (folder / name / "inside").rmdir()

    assert rebuild_ledger(folder, DIGEST) == kept
    assert inspect_ledger(folder).whole
