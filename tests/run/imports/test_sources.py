"""
Sources of an import: archives laid out for as long as needed, and hashes that tell changes.
"""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.run.imports.sources import laid_out, pictures_digest, source_digests


def test_an_archive_is_entered_and_cleared_away(tmp_path: Path) -> None:
    """One folder inside is entered, a leftover is replaced, and nothing stays."""
    with zipfile.ZipFile(tmp_path / "set.zip", "w") as packed:
        packed.writestr("set/a.json", "[]")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    (scratch / "left").write_text("by a kill")
    with laid_out(tmp_path / "set.zip", scratch) as root:
        assert [path.name for path in root.iterdir()] == ["a.json"]
    assert not scratch.exists()
    with laid_out(tmp_path, scratch) as root:
        assert root == tmp_path


def test_digests_tell_labels_apart(tmp_path: Path) -> None:
    """Only files that the patterns name count, each under its path in the set."""
    (tmp_path / "annotations").mkdir()
    (tmp_path / "annotations" / "a.json").write_text("[]")
    (tmp_path / "notes.txt").write_text("x")
    first = source_digests(tmp_path, ("annotations/*.json",))
    assert list(first) == ["annotations/a.json"]
    (tmp_path / "notes.txt").write_text("y")
    assert source_digests(tmp_path, ("annotations/*.json",)) == first
    (tmp_path / "annotations" / "a.json").write_text("[ ]")
    assert source_digests(tmp_path, ("annotations/*.json",)) != first
    with pytest.raises(InvalidInputError, match="Check the path"):
        source_digests(tmp_path / "absent", ())


def test_a_folder_of_pictures_has_one_hash(tmp_path: Path) -> None:
    """Names and sizes count, the order of making does not; swapped names are a change."""
    sizes = {"a/x.png": 3, "a/y.png": 5, "b/x.png": 7}
    for folder, order in (("one", list(sizes)), ("two", list(sizes)[::-1])):
        for name in order:
            path = tmp_path / folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(bytes(sizes[name]))
    assert pictures_digest(tmp_path / "one") == pictures_digest(tmp_path / "two")
    (tmp_path / "two/a/x.png").write_bytes(bytes(5))
    (tmp_path / "two/a/y.png").write_bytes(bytes(3))
    assert pictures_digest(tmp_path / "one") != pictures_digest(tmp_path / "two")
    assert pictures_digest(None) == ""
    with pytest.raises(InvalidInputError, match="folder of pictures"):
        pictures_digest(tmp_path / "absent")


def test_a_folder_of_pictures_is_known_by_its_contents(tmp_path: Path) -> None:
    """Another picture of the same name and size is another; pipes and lost links are not read."""
    (tmp_path / "set").mkdir()
    (tmp_path / "set/a.png").write_bytes(b"one")
    os.mkfifo(tmp_path / "set/pipe.png")
    (tmp_path / "set/lost.png").symlink_to("nowhere.png")
    before = pictures_digest(tmp_path / "set")
    (tmp_path / "set/a.png").write_bytes(b"two")
    changed = pictures_digest(tmp_path / "set")
    (tmp_path / "blob").write_bytes(b"one")
    (tmp_path / "set/a.png").unlink()
    (tmp_path / "set/a.png").symlink_to("../blob")

    assert changed != before
    assert pictures_digest(tmp_path / "set") == before
