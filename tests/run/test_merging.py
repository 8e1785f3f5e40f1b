"""
Parts that do not make a whole are refused, and nothing is run that was not read.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from surefoot.core.errors import InvalidInputError, NondeterminismError, PlanMismatchError
from surefoot.core.ledger import Done, Failure, Ledger, note_hint
from surefoot.core.store import ObjectStore
from surefoot.run.engine.shards import THROUGH
from surefoot.run.folders.folder import COMMAND
from surefoot.run.merging import merge_shards

PLAN: dict[str, object] = {"kind": "screens", "seed": 0}


def part(
    folder: Path,
    shard: str,
    units: dict[str, bytes],
    *,
    plan: dict[str, object] = PLAN,
    through: bool = True,
    command: str = "surefoot capture demo: --shard={} --out part",
) -> Path:
    """Write a part with some units, one failure, and a picture of its own."""
    number, _, count = shard.partition("/")
    with Ledger.open(folder, {**plan, "shard": [int(number), int(count)]}) as ledger:
        ledger.record_many(Done(key, payload, 2.5) for key, payload in units.items())
        ledger.record_many([Failure(f"failed in {shard}", "timeout", "too long")])
    ObjectStore(folder).put(shard.encode())
    if through:
        note_hint(folder, THROUGH, shard)
    note_hint(folder, COMMAND, f"..\n{command.format(shard)}")
    return folder


def test_all_records_and_objects_come_together(tmp_path: Path) -> None:
    """Results, their seconds, failures and pictures of all parts are there, each once."""
    first = part(tmp_path / "a", "1/2", {"u1": b"one", "u2": b"two" * 999})
    second = part(tmp_path / "b", "2/2", {"u3": b"three"})
    merged = merge_shards([second, first], tmp_path / "out")

    with Ledger.read(tmp_path / "out") as ledger:
        assert dict(ledger.payloads()) == {"u1": b"one", "u2": b"two" * 999, "u3": b"three"}
        assert ledger.all_seconds() == [2.5] * 3
        assert [failure.key for failure in ledger.failures()] == ["failed in 1/2", "failed in 2/2"]
        assert ledger.hint(THROUGH) == ""
    for name in (b"1/2", b"2/2"):
        assert ObjectStore(tmp_path / "out").put(name)
    assert len(list((tmp_path / "out" / "objects").rglob("*.png"))) == 2
    assert (merged.parts, merged.units, merged.failures) == (2, 3, 2)
    assert merged.words == ("capture", "demo:", "--out", str(tmp_path / "out"))
    assert merged.where == tmp_path
    assert merged.runs


@pytest.mark.parametrize(
    "command",
    [
        "surefoot capture https://app.example/ --login enter.py --shard {} --out part",
        "surefoot run bench --model openai:x --header 'X-Tenant: ***' --shard {} --out part",
        "surefoot quickstart --shard {} --out part",
        "surefoot login https://app.example/ --out part",
        "rm -rf part",
        "",
    ],
)
def test_a_command_that_does_more_is_only_named(tmp_path: Path, command: str) -> None:
    """What reads a login, hides a header or is no command with parts is not run by itself."""
    folder = part(tmp_path / "a", "1/1", {"u1": b"one"}, command=command)
    merged = merge_shards([folder], tmp_path / "out")
    assert not merged.runs
    assert "1/1" not in merged.words


Spoil = Callable[[Path, Path], list[Path]]


def _missing(first: Path, second: Path) -> list[Path]:
    del second
    return [first]


def _twice(first: Path, second: Path) -> list[Path]:
    del second
    return [first, first]


def _stopped(first: Path, second: Path) -> list[Path]:
    return [first, part(second / "stopped", "2/2", {"u9": b""}, through=False)]


def _of_more(first: Path, second: Path) -> list[Path]:
    return [first, second, part(second / "third", "2/3", {})]


def _of_another_plan(first: Path, second: Path) -> list[Path]:
    return [first, part(second / "other", "2/2", {}, plan=PLAN | {"seed": 1})]


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (_missing, "1 missing, such as 2/2"),
        (_twice, "each part once"),
        (_stopped, "was stopped"),
        (_of_more, "2/3 among them"),
        (_of_another_plan, "seed: 0 then, 1 now"),
    ],
)
def test_what_is_no_whole_is_refused(tmp_path: Path, spoil: Spoil, why: str) -> None:
    """Nothing is written where a part is missing, there twice, unfinished or of other things."""
    first = part(tmp_path / "a", "1/2", {"u1": b"one"})
    folders = spoil(first, part(tmp_path / "b", "2/2", {"u2": b"two"}))
    with pytest.raises((InvalidInputError, PlanMismatchError), match=why):
        merge_shards(folders, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_two_results_of_one_unit_are_an_error(tmp_path: Path) -> None:
    """Machines that disagree about a unit are told of, as one that disagrees with itself is."""
    first = part(tmp_path / "a", "1/2", {"u1": b"one"})
    second = part(tmp_path / "b", "2/2", {"u1": b"another"})
    with pytest.raises(NondeterminismError, match="u1"):
        merge_shards([first, second], tmp_path / "out")
