"""
Labelled sets become ordinary benchmarks: counted, checked against pictures, and alike each time.
"""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import pytest
from PIL import Image

from surefoot.core.errors import (
    InvalidInputError,
    NothingKeptError,
    PlanMismatchError,
    RecordError,
    UnknownNameError,
)
from surefoot.core.geometry import Box
from surefoot.core.store import ObjectStore
from surefoot.run.folders.folder import read_questions, read_screens
from surefoot.run.folders.lines import lines_digest
from surefoot.run.imports.labelled import import_labelled
from surefoot.run.imports.published import import_any

GOOD = {
    "id": "a1",
    "image_path": "a.png",
    "image_size": [200, 100],
    "instruction": "Open the file menu",
    "box_type": "bbox",
    "box_coordinates": [10, 20, 30, 40],
}
TABLES = ("questions.jsonl", "screens.jsonl", "left_out.jsonl", "manifest.json", "import.json")


def write(
    folder: Path, *changes: dict[str, object], pictures: dict[str, str] | None = None
) -> Path:
    """Write an OSWorld-G of good entries with changes, and pictures by name and colour."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [GOOD | {"id": f"r{n}"} | change for n, change in enumerate(changes)]
    (folder / "OSWorld-G.json").write_text(json.dumps(rows))
    for name, colour in (pictures or {}).items():
        path = folder / "images" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (200, 100), colour).save(path)
    return folder


def test_a_set_becomes_a_bench_with_its_pictures(tmp_path: Path) -> None:
    """Questions of one picture share a screen; picture, truth and facts are kept."""
    path = write(
        tmp_path / "set",
        {},
        {"image_path": "b.png"},
        {},
        pictures={"a.png": "red", "b.png": "blue"},
    )
    imported = import_labelled("osworld-g", path, tmp_path / "out")
    questions, screens = read_questions(tmp_path / "out"), read_screens(tmp_path / "out")
    assert [question.id for question in questions] == ["000000001", "000000002", "000000003"]
    assert [question.screen for question in questions] == ["000000001", "000000002", "000000001"]
    assert [screen.id for screen in screens] == ["000000001", "000000002"]
    first = questions[0]
    assert (first.truth, first.width, first.height) == (Box(10, 20, 40, 60), 200, 100)
    assert (first.split, first.platform, first.system) == ("test", "desktop", "linux")
    assert (first.pair, first.cluster) == ("OSWorld-G/r0", "a.png")
    assert first.instruction.kind == "given"
    assert ObjectStore(tmp_path / "out").get(first.image).startswith(b"\x89PNG")
    assert imported.counts == {
        "questions": 3,
        "screens": 2,
        "unpictured": 0,
        "refusals": 0,
        "left_out": {},
        "splits": {"test": 3},
    }


def test_without_pictures_labels_are_read_whole(tmp_path: Path) -> None:
    """Every question is there, without a picture, and the missing pictures are counted."""
    path = write(tmp_path / "set", {}, {"image_path": "b.png"}, {"box_type": "refusal"})
    imported = import_labelled("osworld-g", path, tmp_path / "out")
    assert {question.image for question in read_questions(tmp_path / "out")} == {""}
    assert imported.counts["unpictured"] == 2
    assert imported.counts["refusals"] == 1
    assert "2 pictures missing; name their folder with --images" in imported.outcome.lines


def test_bad_records_are_counted_by_reason_and_kept_in_a_table(tmp_path: Path) -> None:
    """Labels, ids and pictures that are bad leave their record out, each with its place."""
    pictures = {"a.png": "red", "twin.png": "red", "small.png": "green"}
    path = write(
        tmp_path / "set",
        {},
        {"instruction": ""},
        {"id": "r0"},
        {"image_path": "none.png"},
        {"image_path": "twin.png"},
        {"image_path": "small.png"},
        {"image_path": "../OSWorld-G.json"},
        {"image_size": [400, 100], "box_coordinates": [300, 1, 5, 5]},
        {},
        pictures=pictures,
    )
    Image.new("RGB", (20, 10), "green").save(path / "images" / "small.png")
    imported = import_labelled("osworld-g", path, tmp_path / "out")
    assert [question.id for question in read_questions(tmp_path / "out")] == [
        "000000001",
        "000000009",
    ]
    assert imported.counts["left_out"] == {
        "duplicate-id": 1,
        "duplicate-picture": 1,
        "empty-text": 1,
        "missing-picture": 1,
        "unsafe-path": 1,
        "wrong-size": 2,
    }
    rows = [
        json.loads(line) for line in (tmp_path / "out/left_out.jsonl").read_bytes().splitlines()
    ]
    assert [row["line"] for row in rows] == [2, 3, 4, 5, 6, 7, 8]
    assert {row["file"] for row in rows} == {"OSWorld-G.json"}
    assert imported.outcome.lines[0].startswith("left out OSWorld-G.json, record 2: ")


def test_strict_stops_at_a_bad_picture_too(tmp_path: Path) -> None:
    """Nothing is left, so that nothing takes the folder for a finished one."""
    path = write(tmp_path / "set", {}, {"image_path": "none.png"}, pictures={"a.png": "red"})
    with pytest.raises(RecordError, match=r"OSWorld-G\.json, record 2"):
        import_labelled("osworld-g", path, tmp_path / "out", strict=True)
    with pytest.raises(InvalidInputError, match="no such folder"):
        read_questions(tmp_path / "out")


def test_a_first_record_that_is_bad_leaves_the_screen_to_the_next(tmp_path: Path) -> None:
    """A picture's screen is written with its first good record."""
    shared = {"a.png": "red"}
    path = write(
        tmp_path / "set",
        {"image_size": [9, 9], "box_coordinates": [1, 1, 5, 5]},
        {},
        pictures=shared,
    )
    import_labelled("osworld-g", path, tmp_path / "out")
    (question,), (screen,) = read_questions(tmp_path / "out"), read_screens(tmp_path / "out")
    assert question.screen == screen.id == "000000002"


def test_the_same_import_is_the_same_bytes(tmp_path: Path) -> None:
    """From a folder twice, or anew into the same folder, every export is alike."""
    path = write(tmp_path / "set", {}, {"instruction": ""}, {}, pictures={"a.png": "red"})
    for out in ("one", "two", "one"):
        import_labelled("osworld-g", path, tmp_path / out)
    for name in TABLES:
        assert lines_digest(tmp_path / "one" / name) == lines_digest(tmp_path / "two" / name)
    left = {item.name for item in (tmp_path / "one").iterdir()}
    assert not [name for name in left if "partial" in name]


def test_another_set_into_the_same_folder_is_refused(tmp_path: Path) -> None:
    """Other labels, other pictures or another limit are another plan."""
    path = write(tmp_path / "set", {}, {}, pictures={"a.png": "red"})
    import_labelled("osworld-g", path, tmp_path / "out")
    with pytest.raises(PlanMismatchError, match="limit"):
        import_labelled("osworld-g", path, tmp_path / "out", limit=1)
    write(path, {}, {}, {})
    with pytest.raises(PlanMismatchError, match="labels"):
        import_labelled("osworld-g", path, tmp_path / "out")
    write(path, {}, {}, pictures={"b.png": "blue"})
    with pytest.raises(PlanMismatchError, match="pictures"):
        import_labelled("osworld-g", path, tmp_path / "out")


def test_a_limit_keeps_the_first_records(tmp_path: Path) -> None:
    """The first good ones of the file are kept, under the numbers they always have."""
    path = write(tmp_path / "set", {"instruction": ""}, {}, {}, {})
    import_labelled("osworld-g", path, tmp_path / "out", limit=2)
    assert [question.id for question in read_questions(tmp_path / "out")] == [
        "000000002",
        "000000003",
    ]


def test_archives_and_pictures_elsewhere(tmp_path: Path) -> None:
    """A zip of the set with its folder, and a zip of pictures, give the folder's questions."""
    path = write(tmp_path / "set", {}, pictures={"a.png": "red"})
    import_labelled("osworld-g", path, tmp_path / "plain")
    for name, root in (("whole", path), ("pictures", path / "images")):
        with zipfile.ZipFile(tmp_path / f"{name}.zip", "w") as packed:
            for file in sorted(item for item in root.rglob("*") if item.is_file()):
                packed.write(file, file.relative_to(root.parent if name == "whole" else root))
    import_labelled("osworld-g", tmp_path / "whole.zip", tmp_path / "zipped")
    shutil.rmtree(path / "images")
    import_labelled("osworld-g", path, tmp_path / "apart", images=tmp_path / "pictures.zip")
    plain = read_questions(tmp_path / "plain")
    assert read_questions(tmp_path / "zipped") == plain == read_questions(tmp_path / "apart")
    assert not list(tmp_path.rglob("*.partial"))


def test_what_cannot_be_imported_is_the_users_mistake(tmp_path: Path) -> None:
    """Nothing there, pictures nowhere, an unknown name: each is told."""
    path = write(tmp_path / "set", {"instruction": ""})
    out = tmp_path / "out"
    with pytest.raises(InvalidInputError, match="Check the path"):
        import_labelled("osworld-g", tmp_path / "absent", out)
    with pytest.raises(InvalidInputError, match="folder of pictures"):
        import_labelled("osworld-g", path, out, images=tmp_path / "absent")
    with pytest.raises(UnknownNameError, match="'osworld-g'"):
        import_any("osworld", path, out)
    with pytest.raises(InvalidInputError, match="published run"):
        import_any("gui-perturbed", path, out, limit=3)


@pytest.mark.parametrize("before", [None, "kept.txt"])
def test_an_import_of_nothing_writes_nothing(tmp_path: Path, before: str | None) -> None:
    """Where no record is good the folder is gone, or holds what it held before."""
    path = write(tmp_path / "set", {"instruction": ""})
    out = tmp_path / "deep" / "out"
    if before:
        out.mkdir(parents=True)
        (out / before).write_text("mine")

    with pytest.raises(NothingKeptError, match="none that is good"):
        import_labelled("osworld-g", path, out)

    assert (tmp_path / "deep").exists() is bool(before)
    assert [item.name for item in out.glob("*")] == [before] * bool(before)


def test_polygons_and_refusals_are_carried(tmp_path: Path) -> None:
    """The truth of a polygon is the box around it, that of a refusal is empty."""
    polygon: dict[str, object] = {"box_type": "polygon", "box_coordinates": [5, 5, 50, 5, 5, 45]}
    path = write(tmp_path / "set", polygon, {"box_type": "refusal"})
    import_labelled("osworld-g", path, tmp_path / "out")
    bent, refused = read_questions(tmp_path / "out")
    assert bent.truth == Box(5, 5, 50, 45)
    assert len(bent.polygon) == 3
    assert (refused.answerable, refused.truth.area) == (False, 0.0)
