"""
Sets are read as tools, systems and the Hub leave them, or what is wrong is named.
"""

from __future__ import annotations

import json
import shutil
import unicodedata
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from surefoot.core.errors import SurefootError
from surefoot.run.imports.labelled import import_labelled

POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"


def entry(name: str = "a.png", box: tuple[int, ...] = (20, 10, 60, 30)) -> dict[str, Any]:
    """Return a record of ScreenSpot."""
    told = {"instruction": "press", "data_type": "text", "data_source": "shop"}
    return {"img_filename": name, "bbox": list(box), **told}


BOTH = [entry(), entry(box=(120, 60, 60, 30))]
PLAIN = json.dumps(BOTH)
LINES = "\n".join(map(json.dumps, BOTH))


def scene(file: Path) -> None:
    """Draw a picture of 200 x 100."""
    file.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (200, 100), "#ddd").save(file, "PNG")


def count(folder: Path, name: str = "screenspot", path: Path | None = None) -> int:
    """Import a set and return how many questions it gives, all of its records being good."""
    found = import_labelled(name, path or folder, folder / "out").counts
    assert found["left_out"] == {}
    assert found["unpictured"] == 0
    return int(str(found["questions"]))


WRITTEN: dict[str, bytes] = {
    "utf-8": PLAIN.encode(),
    "utf-8 with a mark": PLAIN.encode("utf-8-sig"),
    "utf-16": PLAIN.encode("utf-16"),
    "utf-16, big end first, with a mark": b"\xfe\xff" + PLAIN.encode("utf-16-be"),
    "utf-16 without a mark": PLAIN.encode("utf-16-le"),
    "utf-16, big end first": PLAIN.encode("utf-16-be"),
    "utf-32": PLAIN.encode("utf-32"),
    "lines": LINES.encode(),
    "lines with a mark": LINES.encode("utf-8-sig"),
    "lines in utf-16": LINES.encode("utf-16"),
    "lines of Windows": LINES.replace("\n", "\r\n").encode(),
    "lines with blank ones": ("\n\n" + LINES.replace("\n", "\n \n") + "\n\n").encode(),
    "indented": json.dumps(BOTH, indent=2).encode("utf-8-sig"),
    "blank before": b"\n\t " + PLAIN.encode(),
    "nulls": json.dumps([{**item, "data_source": None} for item in BOTH]).encode(),
}


@pytest.mark.parametrize("how", WRITTEN)
def test_labels_are_read_as_tools_write_them(tmp_path: Path, how: str) -> None:
    """Encoding, marks, lines and nulls say nothing of the records."""
    scene(tmp_path / "images/a.png")
    (tmp_path / "screenspot_web.json").write_bytes(WRITTEN[how])

    assert count(tmp_path) == 2


@pytest.mark.parametrize("how", ["utf-8", "utf-8-sig", "utf-16", "array"])
def test_lines_are_read_as_tools_write_them(tmp_path: Path, how: str) -> None:
    """A set of JSON Lines is read in other encodings, and where one array stands for them."""
    scene(tmp_path / "images/a.png")
    line = {"image": "a.png", "image_width": 200, "image_height": 100, "statement_l": "the box"}
    rows = [{**line, "bbox": "20<SEP>10<SEP>80<SEP>40"}, {**line, "bbox": "2<SEP>1<SEP>8<SEP>4"}]
    text = json.dumps(rows, indent=1) if how == "array" else "\n".join(map(json.dumps, rows))
    encoded = text.encode("utf-8" if how == "array" else how)
    (tmp_path / "hforms-test.jsonl").write_bytes(encoded)

    assert count(tmp_path, "hforms") == 2


BROKEN: dict[str, tuple[bytes, str]] = {
    "a pointer": (POINTER, "Git LFS"),
    "a pointer of xet": (b"# xet version 0\nfilesize = 12\n", "Git LFS"),
    "cut": (PLAIN.encode()[:-9], "end of the file"),
    "cut in utf-16": (PLAIN.encode("utf-16")[:-9], "screenspot_web.json"),
    "half a letter": (b"\xff\xfe" + PLAIN.encode("utf-16-le")[:-1], "screenspot_web.json"),
    "one object": (b'{"data": [\n{}]}', "one JSON array"),
    "a page of a server": (b"<!DOCTYPE html><title>401</title>", "one JSON array"),
    "nothing": (b"", "screenspot_web.json"),
    "only a mark": (b"\xef\xbb\xbf", "screenspot_web.json"),
    "zeros": (bytes(64), "screenspot_web.json"),
}


@pytest.mark.parametrize("how", BROKEN)
def test_labels_that_are_none_are_named(tmp_path: Path, how: str) -> None:
    """A file that was not fetched, or not whole, ends the import by its name."""
    data, named = BROKEN[how]
    scene(tmp_path / "images/a.png")
    (tmp_path / "screenspot_web.json").write_bytes(data)

    with pytest.raises(SurefootError, match=named):
        import_labelled("screenspot", tmp_path, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def decomposed(text: str) -> str:
    """Return letters and their accents apart, as macOS writes names."""
    return unicodedata.normalize("NFD", text)


# The name in the label, and that of the file.
NAMES: dict[str, tuple[str, str]] = {
    "upper suffix of the file": ("a.png", "a.PNG"),
    "upper suffix of the label": ("a.PNG", "a.png"),
    "other case": ("Shot A.png", "shot a.png"),
    "apart in the file": ("café.png", decomposed("café.png")),
    "apart in the label": (decomposed("über/ä.png"), "über/ä.png"),
    "percent in the label": ("my%20shot%2B1.png", "my shot+1.png"),
    "percent in the file": ("my shot.png", "my%20shot.png"),
    "percent of two bytes": ("%C3%A9.png", decomposed("é.png")),
    "percent that is meant": ("50%25.png", "50%25.png"),
    "dot before": ("./a.png", "a.png"),
    "with the folder": ("images/a.png", "a.png"),
    "with the folder and below": ("images/web/a.png", "web/a.png"),
    "JPG for a PNG": ("a.JPG", "a.jpg"),
    "Hangul": (decomposed("한글.png"), "한글.png"),
}


@pytest.mark.parametrize("how", NAMES)
def test_pictures_are_found_as_systems_spell_names(tmp_path: Path, how: str) -> None:
    """Case, composed letters and percent signs do not part a label from its picture."""
    label, file = NAMES[how]
    scene(tmp_path / "images" / file)
    (tmp_path / "screenspot_web.json").write_text(json.dumps([entry(label)]))

    assert count(tmp_path) == 1


@pytest.mark.parametrize(
    "label",
    [
        "%2e%2e/secret.png",
        "..%2fsecret.png",
        "x%00.png",
        "sub/%2e%2e/a.png",
        "b.png",
        "secret.png",
    ],
)
def test_a_spelling_leads_nowhere_else(tmp_path: Path, label: str) -> None:
    """Percent signs lead to no file outside, and a name that fits two files to none."""
    scene(tmp_path / "secret.png")
    scene(tmp_path / "images/B.png")
    scene(tmp_path / "images/B.PNG")
    (tmp_path / "screenspot_web.json").write_text(json.dumps([entry(label)]))

    with pytest.raises(SurefootError, match=r"no file|relative path"):
        import_labelled("screenspot", tmp_path, tmp_path / "out")


LITTER = (
    "._screenspot_web.json", "__MACOSX/._screenspot_web.json", ".DS_Store",
    ".cache/huggingface/download/screenspot_web.json.metadata", ".git/screenspot_web.json",
    "images/._a.png",
)  # fmt: skip


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("litter", LITTER)
def test_what_systems_leave_is_passed_over(tmp_path: Path, litter: str, *, packed: bool) -> None:
    """Files of macOS, git and the Hub's client are no labels, in a folder and in an archive."""
    folder = tmp_path / "set"
    scene(folder / "images/a.png")
    (folder / "screenspot_web.json").write_text(PLAIN)
    (folder / litter).parent.mkdir(parents=True, exist_ok=True)
    (folder / litter).write_bytes(b"\0\5\x16\7\0\2\0\0Mac OS X        ")
    archive = tmp_path / "set.zip"
    with zipfile.ZipFile(archive, "w") as zipped:
        for file in sorted(folder.rglob("*")):
            zipped.write(file, file.relative_to(tmp_path))
        zipped.write(folder / litter, "__MACOSX/._set")

    assert count(tmp_path, path=archive if packed else folder) == 2


def cached(root: Path) -> Path:
    """Lay a set out as huggingface_hub caches it, and return the repository's folder."""
    repository = root / "datasets--x--ScreenSpot"
    snapshot = repository / "snapshots" / "0a1b"
    (snapshot / "images").mkdir(parents=True)
    scene(repository / "blobs" / "9f1")
    (repository / "blobs" / "7c2").write_text(PLAIN)
    (snapshot / "screenspot_web.json").symlink_to("../../blobs/7c2")
    (snapshot / "images" / "a.png").symlink_to("../../../blobs/9f1")
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text("0a1b")
    return repository


def linked(root: Path) -> Path:
    """Return a link to a snapshot."""
    (root / "current").symlink_to(cached(root) / "snapshots/0a1b")
    return root / "current"


def older(root: Path) -> Path:
    """Return a repository of two snapshots, of which the second is the one in use."""
    repository = cached(root)
    (repository / "snapshots" / "0000").mkdir()
    return repository


LAID: dict[str, Callable[[Path], Path]] = {
    "the snapshot": lambda root: cached(root) / "snapshots/0a1b",
    "the repository": cached,
    "a link to the snapshot": linked,
    "one label file": lambda root: cached(root) / "snapshots/0a1b/screenspot_web.json",
    "two snapshots": older,
}


@pytest.mark.parametrize("how", LAID)
def test_a_snapshot_of_links_is_read(tmp_path: Path, how: str) -> None:
    """The Hub's cache, where every file is a link into blobs, is a set like others."""
    path = LAID[how](tmp_path)
    images = path.parent / "images" if path.is_file() else None
    found = import_labelled("screenspot", path, tmp_path / "out", images=images).counts

    assert (found["questions"], found["unpictured"], found["left_out"]) == (2, 0, {})


@pytest.mark.parametrize("to", ["../../../../secret.png", "../../refs/secret.png"])
def test_a_snapshot_links_to_blobs_alone(tmp_path: Path, to: str) -> None:
    """A link out of the blobs is refused as any other."""
    snapshot = cached(tmp_path) / "snapshots/0a1b"
    link = snapshot / "images" / "a.png"
    link.unlink()
    link.symlink_to(to)
    scene((link.parent / to).resolve())

    with pytest.raises(SurefootError, match="the link"):
        import_labelled("screenspot", snapshot, tmp_path / "out")


def test_a_picture_that_was_not_fetched_is_named(tmp_path: Path) -> None:
    """A pointer in a picture's place is told as what it is, with what to do."""
    scene(tmp_path / "images/b.png")
    (tmp_path / "images/a.png").write_bytes(POINTER)
    (tmp_path / "screenspot_web.json").write_text(json.dumps([entry(), entry("b.png")]))
    found = import_labelled("screenspot", tmp_path, tmp_path / "out")
    (told,) = (tmp_path / "out/left_out.jsonl").read_text().splitlines()

    assert found.counts["left_out"] == {"bad-picture": 1}
    assert "Git LFS pointer" in told
    assert "git lfs pull" in told


def test_the_schema_of_appendix_b_is_read(tmp_path: Path) -> None:
    """Hidden Forms' own example, with its path from the set's folder, is one question."""
    scene(tmp_path / "image_files/5.jpg")
    Image.new("RGB", (1080, 1920)).save(tmp_path / "image_files/5.jpg")
    row = {
        "image": "image_files/5.jpg", "image_width": 1080, "image_height": 1920,
        "statement_l": "There are 12 exercises in total to do.", "statement_s": "12",
        "bbox": "509<SEP>116<SEP>569<SEP>169", "box_center": "539.0<SEP>142.5",
    }  # fmt: skip
    (tmp_path / "test.jsonl").write_text(json.dumps(row))

    assert count(tmp_path, "hforms") == 2
    shutil.rmtree(tmp_path / "out")
    found = import_labelled("hforms", tmp_path, tmp_path / "out", images=tmp_path)
    assert found.counts["unpictured"] == 0


COCO: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "numbers": ({"id": 7}, {"id": 1, "image_id": 7}),
    "words": ({"id": "7f"}, {"id": "a1", "image_id": "7f"}),
    "a number and a word": ({"id": 7}, {"id": "1", "image_id": "7"}),
    "as pandas writes them": ({"id": 7}, {"id": 1.0, "image_id": 7.0}),
    "a large number": ({"id": 2**70}, {"id": 1, "image_id": 2**70}),
    "a path": ({"id": "web/a.png"}, {"id": "web/a.png#0", "image_id": "web/a.png"}),
    "no size": ({"id": 7, "width": None, "height": None}, {"id": 1, "image_id": 7}),
    "no outline": ({"id": 7}, {"id": 1, "image_id": 7, "segmentation": None}),
    "a mask": ({"id": 7}, {"id": 1, "image_id": 7, "segmentation": {"counts": "x"}}),
    "no attributes": ({"id": 7}, {"id": 1, "image_id": 7, "attributes": None}),
    "null attributes": (
        {"id": 7, "license": None, "date_captured": None},
        {"id": 1, "image_id": 7, "attributes": {"split": None, "site": "shop", "role": None}},
    ),
    "other fields": (
        {"id": 7, "coco_url": None}, {"id": 1, "image_id": 7, "iscrowd": None, "area": 1.5},
    ),
}  # fmt: skip


@pytest.mark.parametrize("how", COCO)
def test_coco_is_read_with_nulls_and_any_ids(tmp_path: Path, how: str) -> None:
    """Ids are numbers or words, and null is what is not told."""
    image, annotation = COCO[how]
    scene(tmp_path / "images/a.png")
    size = {"file_name": "a.png", "width": 200, "height": 100}
    row = {"bbox": [20, 10, 60, 30], "instruction": "press"}
    whole = {"images": [{**size, **image}], "annotations": [{**row, **annotation}]}
    (tmp_path / "annotations.json").write_text(json.dumps({"info": None, **whole}))

    assert count(tmp_path, "coco") == 1
