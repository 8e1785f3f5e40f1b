"""
Where real data from outside lies, and records made by hand in each set's layout.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

LineMaker = Callable[..., bytes]


class Layout(msgspec.Struct, frozen=True):
    """
    Hold one good entry of a set, in the file that it stands in, about a 200 x 100 picture.

    Its box is (10, 20, 40, 60); ``text``, ``box`` and ``image`` name its fields.
    """

    file: str
    entry: dict[str, Any]
    text: str
    box: str
    image: str
    convention: str = "pixel"

    def write(self, folder: Path, *entries: dict[str, object]) -> Path:
        """Write a file of entries, each the good one with some fields changed."""
        rows = [self.entry | entry for entry in entries]
        return self.write_bytes(folder, json.dumps(rows, ensure_ascii=False).encode())

    def write_bytes(self, folder: Path, data: bytes) -> Path:
        """Write the file, and return the set's folder."""
        path = folder / self.file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return folder


def make_line(**changes: object) -> bytes:
    """Spell one valid record as JSON, with some fields changed."""
    record: dict[str, object] = {
        "model": "gta1",
        "reasoning": False,
        "instruction_type": "direct",
        "variant": "original",
        "split": "test",
        "task_id": "task",
        "step_index": 3,
        "instruction": "Click on 'May' button",
        "raw_prediction": "(683,324)",
        "box_xywh": [657, 300.5, 44, 42],
        "seconds": 2.3,
    }
    return json.dumps(record | changes).encode()


@pytest.fixture
def line() -> LineMaker:
    """Make one line of the published file."""
    return make_line


def _screenspot(file: str) -> Layout:
    entry = {
        "img_filename": "a.png",
        "bbox": [10, 20, 30, 40],
        "instruction": "close this window",
        "data_type": "icon",
        "data_source": "windows",
    }
    return Layout(file, entry, "instruction", "bbox", "img_filename")


LAYOUTS = {
    "screenspot": _screenspot("screenspot_desktop.json"),
    "screenspot-v2": _screenspot("screenspot_desktop_v2.json"),
    "screenspot-pro": Layout(
        "annotations/blender_windows.json",
        {
            "id": "blender_windows_0",
            "img_filename": "a.png",
            "img_size": [200, 100],
            "bbox": [10, 20, 40, 60],
            "instruction": "select the knife tool",
            "instruction_cn": "\u9009\u62e9\u5207\u5272\u5de5\u5177",
            "application": "blender",
            "platform": "windows",
            "group": "CAD",
            "ui_type": "icon",
        },
        "instruction",
        "bbox",
        "img_filename",
    ),
    "osworld-g": Layout(
        "OSWorld-G.json",
        {
            "id": "a1",
            "image_path": "a.png",
            "image_size": [200, 100],
            "instruction": "Open the file menu",
            "box_type": "bbox",
            "box_coordinates": [10, 20, 30, 40],
            "GUI_types": ["Menu", "Text"],
        },
        "instruction",
        "box_coordinates",
        "image_path",
    ),
    "mmbench-gui-l2": Layout(
        "L2_annotations.json",
        {
            "platform": "os_windows",
            "image_path": "a.png",
            "image_size": [200, 100],
            "instruction": "The back arrow",
            "bbox": [0.05, 0.2, 0.2, 0.6],
            "grounding_type": "advanced",
            "data_type": "icon",
            "app_name": "Settings",
        },
        "instruction",
        "bbox",
        "image_path",
        convention="norm1",
    ),
    "ui-vision": Layout(
        "annotations/element_grounding/element_grounding_spatial.json",
        {
            "image_path": "a.png",
            "image_size": [200, 100],
            "prompt_to_evaluate": "the icon left of the search box",
            "bbox": [10, 20, 40, 60],
            "platform": "GIMP",
            "element_type": "Sidebar",
        },
        "prompt_to_evaluate",
        "bbox",
        "image_path",
    ),
}


@pytest.fixture(params=sorted(LAYOUTS))
def layout(request: pytest.FixtureRequest) -> tuple[str, Layout]:
    """Return each set's name and layout in turn, of those that are JSON arrays."""
    return request.param, LAYOUTS[request.param]


@pytest.fixture
def layouts() -> dict[str, Layout]:
    """Return all layouts."""
    return LAYOUTS
