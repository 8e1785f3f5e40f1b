"""
Whatever a folder holds is compared with what it should be, and can be made again.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from surefoot.core.errors import FolderBusyError, InvalidInputError
from surefoot.core.ledger import Ledger, note_hint, read_plan
from surefoot.core.store import ObjectStore
from surefoot.run.verifying import DamagedPart, verify_folders


def an_object(folder: Path) -> Path:
    """Return the first picture of a folder."""
    return min((folder / "objects").rglob("*.png"))


def exchange(folder: Path) -> None:
    """Exchange two pictures."""
    one, two = sorted((folder / "objects").rglob("*.png"))[:2]
    first, second = one.read_bytes(), two.read_bytes()
    one.write_bytes(second)
    two.write_bytes(first)


@pytest.fixture
def bench(drawn: Path, tmp_path: Path) -> Path:
    """Return a copy of a benchmark to damage."""
    return Path(shutil.copytree(drawn, tmp_path / "bench"))


def test_a_whole_folder_is_counted(bench: Path) -> None:
    """Records, objects and exports of a folder that nothing was done to are counted."""
    (check,) = verify_folders(bench)

    assert (check.kind, check.objects, check.exports, check.damaged) == ("bench", 9, 3, ())
    assert (check.unfinished, check.partial, check.unnamed, check.repaired) == (False,) * 4


@pytest.mark.parametrize(
    ("damage", "path", "why"),
    [
        (lambda b: an_object(b).unlink(), "objects/", "no such file, and a record names it"),
        (lambda b: an_object(b).write_bytes(b"x"), "objects/", "other bytes than those"),
        (exchange, "objects/", "other bytes than those"),
        (
            lambda b: (b / "objects/ab/x.txt").touch(),
            "objects/ab/x.txt",
            "not the name",
        ),
        (lambda b: (b / "questions.jsonl").write_bytes(b""), "questions.jsonl", "other bytes"),
        (lambda b: (b / "funnel.json").unlink(), "funnel.json", "no such file"),
        (lambda b: (b / "extra.jsonl").touch(), "manifest.json", "says nothing of extra.jsonl"),
        (lambda b: (b / "manifest.json").write_bytes(b"{}"), "manifest.json", "cannot be read"),
        (lambda b: (b / "plan.json").write_bytes(b"["), "plan.json", "cannot be read"),
        (lambda b: (b / "plan.json").write_bytes(b"{}"), "plan.json", "not the plan that"),
        (lambda b: (b / "ledger.sqlite").unlink(), "ledger.sqlite", "no such file"),
    ],
)
def test_what_is_damaged_is_named(
    bench: Path, damage: Callable[[Path], object], path: str, why: str
) -> None:
    """Each kind of damage is found, and told by the path of what is damaged."""
    (bench / "objects" / "ab").mkdir(exist_ok=True)
    damage(bench)
    (check,) = verify_folders(bench)

    assert check.damaged
    assert all(part.path.startswith(path) for part in check.damaged), check.damaged
    assert why in check.damaged[0].why


def test_what_killed_writers_left_and_nothing_names_is_no_damage(bench: Path) -> None:
    """Half written files and objects that no record names are counted apart."""
    (bench / ".plan.json.0a.partial").touch()
    with Ledger.open(bench, read_plan(bench)):
        pass
    (bench / ".plan.json.0b.partial").touch()
    ObjectStore(bench).put(b"nobody's")
    (check,) = verify_folders(bench)

    assert (check.damaged, check.partial, check.unnamed) == ((), 1, 1)
    verify_folders(bench, repair=True)
    assert not list(bench.glob(".*.partial"))


def test_a_repair_drops_what_is_damaged(bench: Path) -> None:
    """What is damaged goes, whatever lies in its place, and all else stays."""
    kept = {path for path in bench.rglob("*") if path.is_file()}
    shutil.rmtree(bench / "ledger.lock", ignore_errors=True)
    (bench / "ledger.lock").unlink(missing_ok=True)
    (bench / "ledger.lock").mkdir()
    (bench / "questions.jsonl").unlink()
    (bench / "questions.jsonl").mkdir()
    picture = an_object(bench)
    picture.unlink()
    picture.symlink_to("nowhere")
    (check,) = verify_folders(bench, repair=True)

    assert check.repaired
    assert sorted(part.path for part in check.damaged) == [
        str(picture.relative_to(bench)),
        "questions.jsonl",
    ]
    assert not os.path.lexists(picture)
    assert {path for path in bench.rglob("*") if path.is_file()} >= kept - {
        picture,
        bench / "questions.jsonl",
    }


def test_a_folder_that_is_being_written_is_not_repaired(bench: Path) -> None:
    """A repair takes the folder's lock; looking at it does not."""
    with Ledger.open(bench, read_plan(bench)):
        assert verify_folders(bench)[0].damaged == ()
        with pytest.raises(FolderBusyError):
            verify_folders(bench, repair=True)


def test_the_command_is_named_as_it_was_given(
    bench: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A noted command is told with where it was given; without a note as much as is known."""
    assert verify_folders(bench)[0].command.startswith("surefoot build ... --out ")
    note_hint(bench, "command", "..\nsurefoot build perturbed --out bench")
    assert verify_folders(bench)[0].command == (
        f"cd {bench.parent} && surefoot build perturbed --out bench"
    )
    monkeypatch.chdir(bench.parent)
    assert verify_folders(Path("bench"))[0].command == "surefoot build perturbed --out bench"


def test_folders_within_are_checked_and_others_refused(bench: Path, tmp_path: Path) -> None:
    """A folder of folders is checked whole; one that Surefoot did not write is a mistake."""
    shutil.copytree(bench, bench / "failing")
    (bench / "failing" / "funnel.json").unlink()
    checks = verify_folders(tmp_path)
    (tmp_path / "empty").mkdir()

    assert [(Path(check.folder).name, check.damaged) for check in checks] == [
        ("bench", ()),
        ("failing", (DamagedPart("funnel.json", "no such file"),)),
    ]
    with pytest.raises(InvalidInputError, match="a folder that surefoot wrote"):
        verify_folders(tmp_path / "empty")
