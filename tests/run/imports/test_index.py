"""
The index of an import: it tells what it has seen, and leaves nothing behind.
"""

from __future__ import annotations

from pathlib import Path

from surefoot.run.imports.index import INDEX, Shot, open_index


def test_ids_are_new_once(tmp_path: Path) -> None:
    """Only the first of equal ids is new, odd letters and halves of pairs too."""
    with open_index(tmp_path) as index:
        for name in ("a", "b", "", "\ud800", "\u9009"):
            assert index.is_new(name)
            assert not index.is_new(name)


def test_pictures_are_found_by_name_and_by_bytes(tmp_path: Path) -> None:
    """What was added comes back whole; nothing else is found."""
    shot = Shot("a.png", "000000001", "f" * 64, 200, 100)
    with open_index(tmp_path) as index:
        assert index.find("a.png") is None
        index.add(shot)
        assert index.find("a.png") == shot == index.find_same("f" * 64)
        assert index.find("b.png") is None
        assert index.find_same("e" * 64) is None


def test_nothing_stays_and_leftovers_are_dropped(tmp_path: Path) -> None:
    """The file is gone afterwards, and what a killed import left is not taken over."""
    (tmp_path / INDEX).write_bytes(b"left by a kill")
    with open_index(tmp_path) as index:
        assert index.is_new("a")
    assert list(tmp_path.iterdir()) == []
    with open_index(tmp_path) as index:
        assert index.is_new("a")
