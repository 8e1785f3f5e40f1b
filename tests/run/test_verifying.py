"""
Whatever a folder holds is compared with what it should be, and can be made again.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from surefoot.core.errors import FolderBusyError, InvalidInputError, SurefootError
from surefoot.core.ledger import Ledger, note_hint, read_plan
from surefoot.core.store import ObjectStore
from surefoot.run.asking.traces import TracedStep, TraceEntry
from surefoot.run.engine.shards import THROUGH
from surefoot.run.folders.folder import FolderKind, export
from surefoot.run.folders.lines import read_parts, table_file
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
    ("kind", "table"), [("forms", "seconds.jsonl"), ("trained-model", "curve.jsonl")]
)
def test_what_a_machine_notes_beside_its_exports_is_no_damage(
    tmp_path: Path, kind: FolderKind, table: str
) -> None:
    """A table that no manifest names is sound where machines differ in it, and nowhere else."""
    kinds: tuple[FolderKind, ...] = (kind, "bench")
    for name in kinds:
        folder = tmp_path / name
        with Ledger.open(folder, {"kind": name}):
            export(folder, name, {})
        (folder / table).write_bytes(b"{}\n")
    sound, damaged = verify_folders(tmp_path / kind)[0], verify_folders(tmp_path / "bench")[0]
    assert not sound.damaged
    assert [part.path for part in damaged.damaged] == ["manifest.json"]


def test_a_part_of_a_command_is_whole_without_tables(tmp_path: Path) -> None:
    """A part that came to its end has no tables, and that is no damage; a stopped one's is."""
    with Ledger.open(tmp_path, {"kind": "screens"}) as ledger:
        ledger.done("a", b"{}")
    assert verify_folders(tmp_path)[0].damaged
    note_hint(tmp_path, THROUGH, "1/2")
    assert not verify_folders(tmp_path)[0].damaged


@pytest.mark.parametrize(
    ("damage", "path", "why"),
    [
        (lambda b: an_object(b).unlink(), "objects/", "no such file, and a record names it"),
        (lambda b: an_object(b).write_bytes(b"x"), "objects/", "other bytes than those"),
        (exchange, "objects/", "other bytes than those"),
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
    damage(bench)
    (check,) = verify_folders(bench)

    assert check.damaged
    assert all(part.path.startswith(path) for part in check.damaged), check.damaged
    assert why in check.damaged[0].why


def test_a_picture_that_an_agent_posted_is_missed(tmp_path: Path) -> None:
    """A step whose picture is gone is named, and no repair forgets it."""
    with Ledger.open(tmp_path, {"kind": "run"}) as ledger:
        kept = ObjectStore(tmp_path).put(b"seen")
        ledger.record_many([TraceEntry("q", "e", 1, 0.5, step=TracedStep(image=kept)).done()])
        export(tmp_path, "run", {})
    whole = [part for part in verify_folders(tmp_path)[0].damaged if part.path != "bench.txt"]
    ObjectStore(tmp_path).path(kept).unlink()
    verify_folders(tmp_path, repair=True)
    gone = [part for part in verify_folders(tmp_path)[0].damaged if part.path != "bench.txt"]

    assert whole == []
    assert [(part.path.rpartition("/")[2], part.why.split(";")[0]) for part in gone] == [
        (kept, "no such file, and a step of an episode names it")
    ]


def test_what_killed_writers_left_and_nothing_names_is_no_damage(bench: Path) -> None:
    """Half written files and objects that no record names are counted apart."""
    (bench / ".plan.json.00112233445566aa.partial").touch()
    with Ledger.open(bench, read_plan(bench)):
        pass
    (bench / ".plan.json.00112233445566bb.partial").touch()
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


@pytest.mark.parametrize("plain", [False, True], ids=["alone", "beside a plain table"])
@pytest.mark.parametrize(
    "put",
    [
        Path.mkdir,
        lambda path: path.symlink_to("nowhere"),
        lambda path: path.symlink_to(path.parent),
        os.mkfifo,
    ],
    ids=["a folder", "a link to nothing", "a link to a folder", "a pipe"],
)
def test_what_stands_in_the_place_of_a_packed_table_is_dropped(
    bench: Path, put: Callable[[Path], None], *, plain: bool
) -> None:
    """It is named, and gone after a repair, so that the table can be written again."""
    table = table_file(bench / "screens.jsonl")
    assert table.name == "screens.jsonl.zst"
    if plain:
        (bench / "screens.jsonl").write_bytes(b"".join(part for _, part in read_parts(table)))
    table.unlink()
    put(table)
    (check,) = verify_folders(bench, repair=True)

    assert [part.path for part in check.damaged] == [table.name]
    assert not os.path.lexists(table)


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
    note_hint(bench, "command", f"..\nsurefoot quickstart --out ../{bench.parent.name}")
    assert verify_folders(bench)[0].command.endswith(f"quickstart --out ../{bench.parent.name}")
    note_hint(bench, "command", "..\nsurefoot build perturbed --out bench")
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


def linked_objects(bench: Path) -> Path:
    """Move a benchmark's objects to another disk, as it were, and leave a link."""
    elsewhere = bench.parent / "elsewhere"
    (bench / "objects").rename(elsewhere)
    (bench / "objects").symlink_to(elsewhere)
    return elsewhere


def linked_shelf(bench: Path) -> Path:
    """Move one folder of objects elsewhere, and leave a link."""
    shelf = an_object(bench).parent
    elsewhere = bench.parent / "elsewhere"
    shelf.rename(elsewhere)
    shelf.symlink_to(elsewhere)
    return elsewhere


def write(path: Path) -> Path:
    """Write a file of the user's, and return it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"mine")
    return path


def in_place_of(path: Path, *, damaged: Path | None = None) -> Path:
    """Write a file of the user's into a folder that bears the name of one of ours."""
    path.unlink(missing_ok=True)
    if damaged is not None:
        damaged.write_bytes(b"damaged")
    return write(path / "mine.txt")


NOT_OURS: dict[str, Callable[[Path], Path]] = {
    "in objects": lambda b: write(b / "objects/notes.txt"),
    "in a folder of objects": lambda b: write(an_object(b).with_name("notes.txt")),
    "in a folder of the user's": lambda b: write(b / "objects/photos/summer.jpg"),
    "deep in a folder of the user's": lambda b: write(b / "objects/a/b/c/d.txt"),
    "hidden": lambda b: write(b / "objects/.git/config"),
    "a download": lambda b: write(b / "objects/.holiday.jpg.partial"),
    "a download beside": lambda b: write(b / ".holiday.jpg.partial"),
    "named as an object, elsewhere": lambda b: write(b / "objects/zz" / f"{'0' * 64}.png"),
    "named as an object, in objects": lambda b: write(b / "objects" / f"{'0' * 64}.png"),
    "named as an object, too deep": lambda b: write(b / "objects/00/x" / f"{'0' * 64}.png"),
    "in a folder named as an object": lambda b: write(
        b / "objects/00" / f"{'0' * 64}.png" / "mine.txt"
    ),
    "behind the link of objects": lambda b: write(linked_objects(b) / "notes.txt"),
    "named as an object, behind the link of objects": lambda b: write(
        linked_objects(b) / "00" / f"{'0' * 64}.png"
    ),
    "behind the link of a folder of objects": lambda b: write(linked_shelf(b) / "notes.txt"),
    "named as an object, behind the link of a folder": lambda b: write(
        linked_shelf(b) / f"{an_object(b).name[:2]}{'0' * 62}.png"
    ),
    "in a folder in the lock's place": lambda b: in_place_of(b / "ledger.lock"),
    "in a folder in an export's place": lambda b: in_place_of(b / "funnel.json"),
    "in a folder in the plan's place": lambda b: in_place_of(b / "plan.json"),
    "in a folder in the manifest's place": lambda b: in_place_of(b / "manifest.json"),
    "in a folder in the ledger's place": lambda b: in_place_of(b / "ledger.sqlite"),
    "in a folder in the place of a side of the ledger": lambda b: in_place_of(
        b / "ledger.sqlite-wal", damaged=b / "ledger.sqlite"
    ),
}


@pytest.mark.parametrize("place", NOT_OURS)
def test_a_repair_leaves_what_surefoot_did_not_write(bench: Path, place: str) -> None:
    """Whatever a user keeps in a folder is there after a repair, through links, too."""
    mine = NOT_OURS[place](bench)
    with contextlib.suppress(SurefootError, OSError):  # a folder in the place of a file
        verify_folders(bench, repair=True)

    assert mine.read_bytes() == b"mine"


@pytest.mark.parametrize("link", [linked_objects, linked_shelf])
def test_objects_behind_a_link_are_sound(bench: Path, link: Callable[[Path], Path]) -> None:
    """Pictures that were moved to another disk are compared with their names as others are."""
    link(bench)
    (check,) = verify_folders(bench)

    assert (check.damaged, check.objects, check.foreign) == ((), 9, ())


def test_what_surefoot_did_not_write_is_named_and_no_damage(bench: Path) -> None:
    """A file of the user's among the objects is told apart from what is damaged."""
    write(bench / "objects/ab/x.txt")
    write(bench / "objects/photos/summer.jpg")
    (check,) = verify_folders(bench)

    assert (check.damaged, check.foreign) == ((), ("objects/ab/x.txt", "objects/photos"))


@pytest.mark.parametrize(
    ("line", "moved"),
    [
        ("surefoot build x --out bench", "surefoot build x --out {}"),
        ("surefoot build x --out=bench", "surefoot build x --out={}"),
        ("surefoot build x --out /far/bench", "surefoot build x --out {}"),
        ("surefoot build x --out 'a bench' --seed 1", "surefoot build x --out {} --seed 1"),
        ("surefoot build x", "surefoot build x --out {}"),
        ("surefoot quickstart --out first", "surefoot quickstart --out {.parent}"),
    ],
)
def test_the_command_of_a_copied_folder_names_the_copy(
    bench: Path, tmp_path: Path, line: str, moved: str
) -> None:
    """What a copy is told to run never writes to the folder that it was copied from."""
    note_hint(bench, "command", f"..\n{line}")
    copy = Path(shutil.copytree(bench, tmp_path / "elsewhere" / "copy"))

    said = verify_folders(copy)[0].command
    assert said.partition("  #")[0] == moved.format(copy)
