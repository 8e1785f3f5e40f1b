"""
ScreenSpot: platform from the file, system or site from the source, sizes from the pictures.
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import pytest
from PIL import Image

from surefoot.datasets.dataset import BadRecord
from surefoot.datasets.files.pictures import Pictures
from surefoot.datasets.labelled import Record
from surefoot.datasets.screenspot import read_screenspot


class Layout(Protocol):
    """See conftest."""

    def write(self, folder: Path, *entries: dict[str, object]) -> Path:
        """Write entries."""


@pytest.fixture
def folder(layouts: dict[str, Layout], tmp_path: Path) -> Path:
    """Write a desktop file and its picture, and a web file made of the same."""
    path = layouts["screenspot"].write(tmp_path, {}, {"bbox": [190, 20, 30, 40]})
    web = (path / "screenspot_desktop.json").read_text().replace("windows", "gitlab")
    (path / "screenspot_web.json").write_text(web)
    (path / "images").mkdir()
    Image.new("RGB", (200, 100), "white").save(path / "images" / "a.png")
    return path


def test_platform_system_and_site(folder: Path) -> None:
    """The source is an operating system or a kind of site, and never both."""
    records = list(read_screenspot(folder))
    told = [(record.platform, record.system, record.site, record.role) for record in records]
    assert told == [("desktop", "windows", "", "icon")] * 2 + [("web", "", "gitlab", "icon")] * 2
    assert len({record.id for record in records}) == len(records)


def test_only_pictures_tell_the_size(folder: Path) -> None:
    """Without them no box lies outside; with them one does, and sizes are known."""
    assert {(item.width, item.height) for item in read_screenspot(folder)} == {(0, 0)}
    reported: list[BadRecord] = []
    records: list[Record] = list(
        read_screenspot(folder, images=Pictures(folder / "images"), report=reported.append)
    )
    assert {(record.width, record.height) for record in records} == {(200, 100)}
    assert [(item.place, item.reason) for item in reported] == [
        ("screenspot_desktop.json, record 2", "outside"),
        ("screenspot_web.json, record 2", "outside"),
    ]
