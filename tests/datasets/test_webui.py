"""
WebUI: trees and boxes of several devices, and files that are packed, missing or hostile.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from PIL import Image

from surefoot.core.errors import RecordError
from surefoot.core.geometry import Box
from surefoot.datasets.dataset import BadRecord
from surefoot.datasets.labelled import Record
from surefoot.datasets.webui import read_webui
from surefoot.run.folders.folder import read_screens
from surefoot.run.imports.labelled import import_labelled

PAGE = "1656554031731"
DEVICE = "default_1280-720"


def node(number: int, role: str, parent: int | None = None, **told: object) -> dict[str, object]:
    """Spell one node; its number is its place in the document too."""
    spelled: dict[str, object] = {
        "nodeId": f"n{number}",
        "ignored": False,
        "role": {"type": "role", "value": role},
        "name": {"type": "computedString", "value": f"name {number}"},
        "properties": [],
        "childIds": [],
        "backendDOMNodeId": number,
    }
    return spelled | ({"parentId": f"n{parent}"} if parent else {}) | told


NODES = [
    node(1, "RootWebArea"),
    node(2, "navigation", 1),
    node(3, "generic", 2),
    node(4, "link", 3, properties=[{"name": "focused", "value": {"type": "b", "value": True}}]),
    node(5, "StaticText", 4),
    node(6, "button", 1),
    node(7, "button", 1),
    node(8, "link", 1, ignored=True),
    node(9, "link", 1),
]
BOXES = {
    "1": {"x": 0, "y": 0, "width": 1280, "height": 2000},
    "2": {"x": 0, "y": 0, "width": 1280, "height": 60},
    "3": {"x": 10, "y": 10, "width": 100, "height": 40},
    "4": {"x": 10, "y": 10, "width": 100.5, "height": 40},
    "5": {"x": 12, "y": 12, "width": 90, "height": 20},
    "6": {"x": 10, "y": 1900, "width": 100, "height": 40},
    "7": {"x": 10, "y": 100, "width": 0, "height": 0},
    "8": {"x": 10, "y": 100, "width": 10, "height": 10},
    "9": None,
}


def write(
    folder: Path,
    nodes: object = NODES,
    boxes: object = BOXES,
    *,
    device: str = DEVICE,
    size: tuple[int, int] = (1280, 720),
) -> Path:
    """Write a page's files for one device, with its picture."""
    page = folder / PAGE
    page.mkdir(parents=True, exist_ok=True)
    for name, value in (("axtree", {"nodes": nodes}), ("bb", boxes)):
        (page / f"{device}-{name}.json.gz").write_bytes(gzip.compress(json.dumps(value).encode()))
    (page / f"{device}-url.txt").write_text("https://example.org/download?a=1")
    colour = (len(device), size[0] % 255, 0)
    Image.new("RGB", size, colour).save(page / f"{device}-screenshot.webp", lossless=True)
    return folder


def read(folder: Path) -> tuple[list[Record], list[BadRecord]]:
    """Read a set without its pictures, and what it reports."""
    reported: list[BadRecord] = []
    return list(read_webui(folder, report=reported.append)), reported


def test_what_can_be_seen_becomes_elements(tmp_path: Path) -> None:
    """Nodes with a role and a box in the viewport, each below the next one kept above it."""
    (record,), reported = read(write(tmp_path))
    assert not reported
    assert [(element.id, element.role, element.parent) for element in record.elements] == [
        ("2", "navigation", ""),
        ("4", "link", "2"),
        ("5", "text", "4"),
    ]
    link = record.elements[1]
    assert (link.name, link.states, link.hits) == ("name 4", ("focused",), ())
    assert link.box == Box(10.0, 10.0, 110.5, 50.0)
    assert (record.id, record.page, record.site) == (f"{PAGE}/{DEVICE}", PAGE, "example.org")
    assert (record.width, record.height, record.platform) == (1280, 720, "web")


@pytest.mark.parametrize(
    ("device", "size", "ratio"),
    [("iPad-Pro", (640, 720), 2.0), ("iPhone-13 Pro", (390, 720), 3.0)],
)
def test_boxes_are_in_pixels_of_the_picture(
    tmp_path: Path, device: str, size: tuple[int, int], ratio: float
) -> None:
    """A device with several pixels to one of CSS has boxes as many times as large."""
    import_labelled("webui", write(tmp_path, device=device, size=size), tmp_path / "out")
    (screen,) = read_screens(tmp_path / "out")
    assert (screen.width, screen.height, screen.platform) == (*size, "mobile")
    text = next(element for element in screen.elements if element.role == "text")
    assert text.box == Box(12.0, 12.0, 102.0, 32.0).scaled(ratio)


def test_devices_of_one_page_are_one_cluster(tmp_path: Path) -> None:
    """Each device is a screen of its own; they share the page. An unknown one is reported."""
    write(tmp_path)
    write(tmp_path, device="iPad-Pro", size=(2048, 2732))
    write(tmp_path, device="Nokia-3310")
    imported = import_labelled("webui", tmp_path, tmp_path / "out")
    assert imported.counts["left_out"] == {"unknown-device": 1}
    assert [screen.page for screen in read_screens(tmp_path / "out")] == [PAGE, PAGE]


@pytest.mark.parametrize(
    ("nodes", "boxes", "reason"),
    [
        ({}, BOXES, "malformed"),
        ([], BOXES, "no-elements"),
        ([{"role": {"value": "link"}}], BOXES, "malformed"),
        ([*NODES, NODES[3]], BOXES, "malformed"),
        ([node(1, "link", 2), node(2, "generic", 1)], BOXES, "malformed"),
        ([node(1, "link", 1)], BOXES, "malformed"),
        (NODES, [], "malformed"),
        (NODES, {"4": [10, 10, 100, 40]}, "malformed"),
        (NODES, {"4": {"x": 10, "y": 10, "width": 100}}, "malformed"),
        (NODES, BOXES | {"4": {"x": 10, "y": 10, "width": -5, "height": 4}}, "reversed-box"),
        (NODES, BOXES | {"4": {"x": 10, "y": 1e308, "width": 5, "height": 1e308}}, "malformed"),
        (NODES, BOXES | {"4": {"x": float("nan"), "y": 1, "width": 5, "height": 4}}, "malformed"),
        (NODES, {}, "no-elements"),
    ],
)
def test_bad_pages_are_reported(tmp_path: Path, nodes: object, boxes: object, reason: str) -> None:
    """One bad page is left out with its reason, and the next is read; strict stops."""
    write(tmp_path, device="iPad-Pro")
    found, reported = read(write(tmp_path, nodes, boxes))
    assert [record.id for record in found] == [f"{PAGE}/iPad-Pro"]
    name = f"{PAGE}/{DEVICE}-axtree.json.gz"
    assert [(record.file, record.reason) for record in reported] == [(name, reason)]
    with pytest.raises(RecordError, match=DEVICE):
        list(read_webui(tmp_path, strict=True))


@pytest.mark.parametrize("name", ["axtree", "bb"])
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no gzip",
        gzip.compress(b"{}", mtime=0)[:-3],
        gzip.compress(b'{"nodes": []}', mtime=0)[:12],
        gzip.compress(b"[" * 30_000, mtime=0),
        gzip.compress(b"\xff", mtime=0),
        gzip.compress(bytes(65 * 2**20), mtime=0),
    ],
)
def test_hostile_files_cost_their_page(tmp_path: Path, name: str, data: bytes) -> None:
    """What is no gzip, is cut, nested without end or unfolds without measure is reported."""
    folder = write(tmp_path)
    (folder / PAGE / f"{DEVICE}-{name}.json.gz").write_bytes(data)
    found, reported = read(folder)
    assert not found
    assert [record.reason for record in reported] == ["malformed"]


def test_files_beside_a_tree_are_needed_or_not(tmp_path: Path) -> None:
    """Without its boxes a tree is left out; without its address the site is not known."""
    folder = write(tmp_path)
    (folder / PAGE / f"{DEVICE}-url.txt").unlink()
    (record,), _ = read(folder)
    assert record.site == ""
    (folder / PAGE / f"{DEVICE}-url.txt").write_bytes(b"http://[broken")
    assert [item.reason for item in read(folder)[1]] == ["malformed"]
    (folder / PAGE / f"{DEVICE}-bb.json.gz").unlink()
    assert [item.reason for item in read(folder)[1]] == ["missing-file"]


def test_a_link_out_of_the_folder_is_reported(tmp_path: Path) -> None:
    """Boxes that are a link to elsewhere are not read."""
    folder = write(tmp_path / "set")
    boxes = folder / PAGE / f"{DEVICE}-bb.json.gz"
    boxes.rename(tmp_path / "secret.gz")
    boxes.symlink_to(tmp_path / "secret.gz")
    assert [record.reason for record in read(folder)[1]] == ["unsafe-path"]
