"""
OmniACT: scripts, boxes found again by the click, and files that are elsewhere or hostile.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from surefoot.core.errors import InvalidInputError, RecordError
from surefoot.core.geometry import Box, Point
from surefoot.datasets.dataset import BadRecord
from surefoot.datasets.files.pictures import Pictures
from surefoot.datasets.labelled import Record
from surefoot.datasets.omniact import read_omniact, read_script

ENTRY = {
    "task": "data/tasks/desktop/calendar/task_1.txt",
    "image": "data/data/desktop/calendar/screen1.png",
    "box": "data/metadata/desktop/calendar/boxes/screen1.json",
}
BOXES = {
    "0": {"top_left": [10, 20], "bottom_right": [40, 61], "label": "new event"},
    "1": {"top_left": [0, 0], "bottom_right": [50, 81], "label": "panel"},
    "2": {"top_left": [100, 20], "bottom_right": [400, 60], "label": "reaches outside"},
}
SCRIPT = "Task: Make a new event\nOutput Script:\npyautogui.click(25.0,40.5)\n"


def write(folder: Path, *, script: str = SCRIPT, boxes: Any = BOXES, **entry: object) -> Path:  # noqa: ANN401 - also what is no box
    """Write one task of the test split with its three files, in the known layout."""
    files = {
        ENTRY["task"]: script.encode(),
        ENTRY["box"]: json.dumps(boxes).encode(),
        "test.json": json.dumps({"77": ENTRY | entry}).encode(),
    }
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    picture = folder / ENTRY["image"]
    picture.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (200, 100), "white").save(picture)
    return folder


def read(folder: Path, images: Pictures | None = None) -> tuple[list[Record], list[BadRecord]]:
    """Read a set and what it reports."""
    reported: list[BadRecord] = []
    return list(read_omniact(folder, images=images, report=reported.append)), reported


def test_the_clicked_box_is_the_target(tmp_path: Path) -> None:
    """Of two boxes with one centre the smaller is meant; all good ones are elements."""
    (record,), reported = read(write(tmp_path), Pictures(tmp_path))
    assert not reported
    assert record.boxes == (Box(10, 20, 40, 61),)
    assert (record.id, record.split, record.text) == ("77", "test", "Make a new event")
    assert (record.platform, record.site, record.target) == ("desktop", "calendar", "0")
    assert [(element.id, element.name) for element in record.elements] == [
        ("0", "new event"),
        ("1", "panel"),
    ]
    assert record.facts["bad_boxes"] == "1"


def test_what_is_typed_is_the_value(tmp_path: Path) -> None:
    """A click followed by typing at the same place is one action with a value."""
    script = SCRIPT + 'pyautogui.write("lunch, 12:00")\n'
    (record,), _ = read(write(tmp_path, script=script))
    assert (record.action, record.value) == ("type", "lunch, 12:00")


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("Task: Scroll down\nOutput Script:\npyautogui.scroll(-5)\n", "no-place"),
        (SCRIPT + "pyautogui.click(1,2)\n", "several-places"),
        (SCRIPT.replace("25.0", "90.0"), "no-place"),
        (SCRIPT.replace("Make a new event", " "), "empty-text"),
        ("", "malformed"),
        ("pyautogui.click(25.0,40.5)\n" * 3, "malformed"),
    ],
)
def test_a_task_without_one_place_is_reported(tmp_path: Path, script: str, reason: str) -> None:
    """A script that points nowhere, twice or beside every box is no grounding task."""
    found, reported = read(write(tmp_path, script=script))
    assert not found
    assert [(record.place, record.reason) for record in reported] == [
        ("test.json, record 1", reason)
    ]


@pytest.mark.parametrize(
    "boxes",
    [
        [],
        {},
        {"0": {"top_left": [10, 20]}},
        {"0": {"top_left": [10, 20], "bottom_right": [40, "61"]}},
        {"0": {"top_left": [10, 20, 30], "bottom_right": [40, 61]}},
        {"0": {"top_left": [40, 61], "bottom_right": [10, 20]}},
        {"0": None},
    ],
)
def test_bad_boxes_are_reported(tmp_path: Path, boxes: object) -> None:
    """A box file of another layout, and a target turned inside out, leave the record out."""
    found, reported = read(write(tmp_path, boxes=boxes))
    assert not found
    assert len(reported) == 1


@pytest.mark.parametrize("field", ["task", "box"])
@pytest.mark.parametrize("name", ["../secret.txt", "/etc/passwd", "a\\b", "", "x\0y", "data"])
def test_paths_never_leave_the_folder(tmp_path: Path, field: str, name: str) -> None:
    """A path upwards, an absolute one, and a folder in a file's place are reported."""
    (tmp_path / "secret.txt").write_text(SCRIPT)
    found, reported = read(write(tmp_path / "set", **{field: name}))
    assert not found
    assert reported[0].reason in {"unsafe-path", f"missing-{field}-file"}


def test_a_link_out_of_the_folder_is_reported(tmp_path: Path) -> None:
    """A task file that is a link to elsewhere is not read."""
    folder = write(tmp_path / "set")
    (tmp_path / "secret.txt").write_text(SCRIPT)
    task = folder / ENTRY["task"]
    task.unlink()
    task.symlink_to(tmp_path / "secret.txt")
    found, reported = read(folder)
    assert not found
    assert reported[0].reason == "unsafe-path"


def test_hostile_files(tmp_path: Path) -> None:
    """A cut index raises; a nested or twice-keyed box file costs its record; strict stops."""
    folder = write(tmp_path)
    index = folder / "test.json"
    whole = index.read_bytes()
    index.write_bytes(whole[:-1])
    with pytest.raises(InvalidInputError, match=r"test\.json"):
        read(folder)
    index.write_bytes(whole)
    for data in (b"[" * 50_000, b'{"0": 1, "0": 1}', b'{"0": NaN}', b"\xff"):
        (folder / ENTRY["box"]).write_bytes(data)
        found, reported = read(folder)
        assert (len(found), len(reported)) == (0, 1)
    with pytest.raises(RecordError, match=r"test\.json, record 1"):
        list(read_omniact(folder, strict=True))


def test_a_script_is_read_in_its_spellings() -> None:
    """Named arguments, spaces and other pointing calls are the same place."""
    text = "Task: a\nOutput Script:\npyautogui.moveTo( x = 3 , y = 4.5 )\npyautogui.click(3,4.5)"
    assert read_script(text).points == (Point(3.0, 4.5), Point(3.0, 4.5))
