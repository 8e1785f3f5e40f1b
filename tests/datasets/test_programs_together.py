"""
ScreenSpot-Pro, MMBench-GUI and UI-Vision: what each says of platform, program and kind.
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import pytest

from surefoot.datasets.dataset import BadRecord
from surefoot.datasets.labelled import LABELLED


class Layout(Protocol):
    """See conftest."""

    file: str

    def write(self, folder: Path, *entries: dict[str, object]) -> Path:
        """Write entries."""


def test_screenspot_pro_names_program_and_system(
    layouts: dict[str, Layout], tmp_path: Path
) -> None:
    """The platform is the operating system, ids are the set's, Chinese words are kept."""
    (record,) = LABELLED.get("screenspot-pro").read(layouts["screenspot-pro"].write(tmp_path, {}))
    assert (record.platform, record.system, record.site) == ("desktop", "windows", "blender")
    assert record.id == "blender_windows_0"
    assert (record.width, record.height) == (200, 100)
    assert record.facts["instruction_cn"].startswith("\u9009")


@pytest.mark.parametrize(
    ("told", "platform", "system"),
    [
        ("os_windows", "desktop", "windows"),
        ("macOS", "desktop", "macos"),
        ("os_android", "mobile", "android"),
        ("web", "web", ""),
        ("toaster", "", "toaster"),
    ],
)
def test_mmbench_gui_names_platforms(
    layouts: dict[str, Layout], tmp_path: Path, told: str, platform: str, system: str
) -> None:
    """Known systems have a platform, an unknown one has none; the kind is the set's word."""
    path = layouts["mmbench-gui-l2"].write(tmp_path, {"platform": told})
    (record,) = LABELLED.get("mmbench-gui-l2").read(path)
    assert (record.platform, record.system, record.kind) == (platform, system, "advanced")
    assert record.facts["platform"] == told


def test_ui_vision_takes_the_kind_from_the_file(
    layouts: dict[str, Layout], tmp_path: Path
) -> None:
    """Basic, functional and spatial words come in this order, each with its own ids."""
    form = layouts["ui-vision"]
    path = form.write(tmp_path, {}, {"bbox": [40, 60, 10, 20]})
    spatial = path / form.file
    for kind in ("basic", "functional"):
        name = spatial.name.replace("spatial", kind)
        spatial.with_name(name).write_bytes(spatial.read_bytes())
    reported: list[BadRecord] = []
    records = list(LABELLED.get("ui-vision").read(path, report=reported.append))
    assert [record.kind for record in records] == ["basic", "functional", "spatial"]
    assert len({record.id for record in records}) == 3
    assert [item.reason for item in reported] == ["reversed-box"] * 3


@pytest.mark.parametrize("size", [None, [200], [200, 0], [200, 100.5], ["200", "100"], [2e9, 1]])
@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("screenspot-pro", "img_size"),
        ("mmbench-gui-l2", "image_size"),
        ("ui-vision", "image_size"),
    ],
)
def test_a_bad_size_is_reported(
    layouts: dict[str, Layout], tmp_path: Path, name: str, field: str, size: object
) -> None:
    """A declared size that no picture has leaves the record out."""
    reported: list[BadRecord] = []
    path = layouts[name].write(tmp_path, {field: size})
    assert list(LABELLED.get(name).read(path, report=reported.append)) == []
    assert reported[0].reason in {"bad-size", "malformed"}
