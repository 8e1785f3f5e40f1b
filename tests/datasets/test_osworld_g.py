"""
OSWorld-G: boxes, polygons and refusals, in plain and in refined words.
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from surefoot.core.geometry import Box, Point
from surefoot.datasets.dataset import BadRecord
from surefoot.datasets.osworld_g import OSWORLD_G


class Layout(Protocol):
    """See conftest."""

    def write(self, folder: Path, *entries: dict[str, object]) -> Path:
        """Write entries."""


def test_each_kind_of_place(layouts: dict[str, Layout], tmp_path: Path) -> None:
    """A polygon keeps its corners, a refusal has no place and is not answerable."""
    path = layouts["osworld-g"].write(
        tmp_path,
        {},
        {"id": "a2", "box_type": "polygon", "box_coordinates": [0, 0, 9, 0, 0, 9.5]},
        {"id": "a3", "box_type": "refusal", "box_coordinates": [-1, -1, -1, -1]},
    )
    box, polygon, refusal = OSWORLD_G.read(path)
    assert (box.boxes, box.polygon, box.answerable) == ((Box(10, 20, 40, 60),), (), True)
    assert polygon.polygon == (Point(0, 0), Point(9, 0), Point(0, 9.5))
    assert polygon.boxes == ()
    assert (refusal.boxes, refusal.polygon, refusal.answerable) == ((), (), False)


def test_bad_polygons_and_kinds_are_reported(layouts: dict[str, Layout], tmp_path: Path) -> None:
    """An odd list, a line, what lies outside, and an unknown kind are left out."""
    polygons = [[0, 0, 9, 0, 5], [0, 0, 9, 9, 18, 18], [0, 0, 900, 0, 0, 9], []]
    entries: list[dict[str, object]] = [
        {"box_type": "polygon", "box_coordinates": polygon} for polygon in polygons
    ]
    path = layouts["osworld-g"].write(tmp_path, *entries, {"box_type": "circle"})
    reported: list[BadRecord] = []
    assert list(OSWORLD_G.read(path, report=reported.append)) == []
    reasons = ["malformed", "empty-box", "outside", "malformed", "malformed"]
    assert [record.reason for record in reported] == reasons


def test_refined_words_are_another_kind(layouts: dict[str, Layout], tmp_path: Path) -> None:
    """The second file's records have ids and a kind of their own."""
    path = layouts["osworld-g"].write(tmp_path, {})
    plain = (path / "OSWorld-G.json").read_bytes()
    (path / "OSWorld-G_refined.json").write_bytes(plain)
    records = list(OSWORLD_G.read(path))
    assert [(record.kind, record.id) for record in records] == [
        ("given", "OSWorld-G/a1"),
        ("refined", "OSWorld-G_refined/a1"),
    ]
