"""
RICO as a set: hierarchies become screens, in pixels of their pictures, and nothing is asked.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from surefoot.core.errors import InvalidInputError, RecordError
from surefoot.core.geometry import Box
from surefoot.datasets.dataset import BadRecord
from surefoot.datasets.files.pictures import Pictures
from surefoot.datasets.labelled import LABELLED, Record
from surefoot.datasets.rico import read_rico_set
from surefoot.run.folders.folder import read_manifest, read_screens
from surefoot.run.imports.labelled import import_labelled

BUTTON = {
    "bounds": [144, 256, 288, 512],
    "class": "android.widget.Button",
    "text": "Save",
    "clickable": True,
}


def tree(*children: object, bounds: tuple[int, ...] = (0, 0, 1440, 2560)) -> bytes:
    """Spell a hierarchy."""
    root = {
        "bounds": bounds,
        "class": "com.android.internal.policy.PhoneWindow$DecorView",
        "package": "com.example.notes",
        "children": children,
    }
    return json.dumps({"activity_name": "a/b", "activity": {"root": root}}).encode()


def write(folder: Path, **files: bytes) -> Path:
    """Write hierarchies by their ids, which begin with an underscore here."""
    for name, data in files.items():
        path = folder / "combined" / f"{name[1:]}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def draw(folder: Path, name: str, size: tuple[int, int]) -> None:
    """Draw a picture beside the hierarchies."""
    (folder / "combined").mkdir(exist_ok=True)
    Image.new("RGB", size, "white").save(folder / "combined" / f"{name}.jpg")


def read(folder: Path, images: Pictures | None = None) -> tuple[list[Record], list[BadRecord]]:
    """Read a set and what it reports."""
    reported: list[BadRecord] = []
    return list(read_rico_set(folder, images=images, report=reported.append)), reported


def test_without_pictures_boxes_keep_the_sets_pixels(tmp_path: Path) -> None:
    """A screen is 1440 x 2560 there, or lies where its root is wider than high."""
    lying = tree(BUTTON, bounds=(0, 0, 2560, 1440))
    found, reported = read(write(tmp_path, _12=tree(BUTTON), _7=lying))
    assert not reported
    assert [(record.id, record.width, record.height) for record in found] == [
        ("12", 1440, 2560),
        ("7", 2560, 1440),
    ]
    button = next(element for element in found[0].elements if element.role == "button")
    assert (button.name, button.box) == ("Save", Box(144.0, 256.0, 288.0, 512.0))
    assert (found[0].image, found[0].site, found[0].text) == ("12.jpg", "com.example.notes", "")


def test_boxes_are_scaled_to_the_picture(tmp_path: Path) -> None:
    """With a picture of 540 x 960 every box is three eighths as large."""
    write(tmp_path, _12=tree(BUTTON))
    draw(tmp_path, "12", (540, 960))
    (record,), _ = read(tmp_path, Pictures(tmp_path / "combined"))
    button = next(element for element in record.elements if element.role == "button")
    assert button.box == Box(54.0, 96.0, 108.0, 192.0)
    assert (record.width, record.height) == (540, 960)
    assert button.hit


def test_an_imported_set_is_screens(tmp_path: Path) -> None:
    """Good screens become a folder SCREENS, with pictures; the bad are counted by reason."""
    write(tmp_path, _1=tree(BUTTON), _2=tree(BUTTON), _3=tree(BUTTON), _4=b"{")
    draw(tmp_path, "1", (540, 960))
    draw(tmp_path, "2", (540, 540))
    draw(tmp_path, "4", (540, 960))
    out = tmp_path / "out"
    imported = import_labelled("rico", tmp_path, out, images=tmp_path / "combined")
    left_out = imported.counts["left_out"]
    assert left_out == {"bad-picture": 1, "bad-record": 1, "missing-picture": 1}
    assert (imported.counts["questions"], imported.counts["screens"]) == (0, 1)
    assert read_manifest(out).kind == "screens"
    (screen,) = read_screens(out)
    assert (screen.page, screen.platform, screen.width) == ("1", "mobile", 540)
    assert (out / "objects" / screen.image[:2] / f"{screen.image}.png").is_file()


def test_without_pictures_an_import_is_whole(tmp_path: Path) -> None:
    """All screens are there, and every picture is counted as missing."""
    write(tmp_path, _1=tree(BUTTON), _2=tree(BUTTON))
    imported = import_labelled("rico", tmp_path, tmp_path / "out")
    assert (imported.counts["screens"], imported.counts["unpictured"]) == (2, 2)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "bad-record"),
        (b"[]", "bad-record"),
        (b"\xff", "bad-record"),
        (b'{"activity": null}', "bad-tree"),
        (b'{"activity": {"root": null}}', "bad-tree"),
        (tree({"bounds": [1, 2, 3]}), "bad-box"),
        (tree({"bounds": [1, 2, 3, "4"]}), "bad-record"),
        (tree({"bounds": [1, 2, 3, 4], "children": 5}), "bad-record"),
        (tree(BUTTON, bounds=(0, 9000, 10, 9001))[:-1] + b"", "bad-record"),
        (b'{"a":' * 50_000, "bad-record"),
        (tree(*[BUTTON] * 50_001), "too-large"),
    ],
)
def test_bad_hierarchies_are_reported(tmp_path: Path, data: bytes, reason: str) -> None:
    """One bad file is left out with its reason, and the next is read; strict stops."""
    found, reported = read(write(tmp_path, _1=data, _2=tree(BUTTON)))
    assert [record.id for record in found] == ["2"]
    assert [(record.file, record.reason) for record in reported] == [("combined/1.json", reason)]
    with pytest.raises(RecordError, match=r"combined/1\.json"):
        list(read_rico_set(tmp_path, strict=True))


def test_a_link_out_of_the_folder_is_reported(tmp_path: Path) -> None:
    """A hierarchy that is a link to elsewhere is not read."""
    folder = write(tmp_path / "set", _2=tree(BUTTON))
    (tmp_path / "secret.json").write_bytes(tree(BUTTON))
    (folder / "combined" / "1.json").symlink_to(tmp_path / "secret.json")
    found, reported = read(folder)
    assert [record.id for record in found] == ["2"]
    assert [record.reason for record in reported] == ["unsafe-path"]


def test_one_file_alone_is_a_set(tmp_path: Path) -> None:
    """The path may be one hierarchy, and a folder without any is the user's mistake."""
    write(tmp_path, _1=tree(BUTTON))
    (record,), _ = read(tmp_path / "combined" / "1.json")
    assert record.id == "1"
    assert not LABELLED.get("rico").asks
    with pytest.raises(InvalidInputError, match=r"\.json"):
        read(tmp_path / "combined" / "none")
