"""
WebUI: pages of the web on six devices, with their accessibility trees; nothing is asked.

For each page a folder, and in it for each device ``<device>-axtree.json.gz`` (what Chromium's
accessibility domain tells: ``nodes`` with ``nodeId``, ``parentId``, ``backendDOMNodeId``,
``ignored``, ``role``, ``name``, ``properties``), ``<device>-bb.json.gz`` (the box of each
``backendDOMNodeId``, ``x``, ``y``, ``width``, ``height``, or null), ``<device>-url.txt`` and
``<device>-screenshot.webp``, the page's first viewport. Boxes are CSS pixels of the page;
pixels of the picture are so many times more as the device has pixels to one of CSS. A
device whose ratio is not known here is reported.

What lies wholly below or beside the picture is no element. A tree does not tell what covers
what, so elements have no hits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Final

import msgspec

from surefoot.core.errors import RecordError
from surefoot.core.geometry import Box
from surefoot.core.screen import Element
from surefoot.core.sites import site_of
from surefoot.datasets.dataset import Reports, ignore
from surefoot.datasets.files.boxes import BoxConvention
from surefoot.datasets.files.json_records import decode_record
from surefoot.datasets.files.pictures import Pictures
from surefoot.datasets.labelled import LabelledSet, Platform, Record, sift
from surefoot.datasets.single_files import SingleFile, read_single, single_files

CONVENTION: Final = BoxConvention.PIXEL_XYWH
TREE: Final = "-axtree.json.gz"
LABELS: Final = (f"*/*{TREE}", f"*{TREE}")
# Image pixels to one CSS pixel; a device's name may go on with its viewport.
RATIOS: Final = {"default": 1.0, "iPad-Pro": 2.0, "iPhone-13 Pro": 3.0}
# Chromium's own names of roles, in ARIA's; other names of its own are no roles.
ROLES: Final = {"StaticText": "text", "image": "img"}
STATES: Final = {
    "checked", "disabled", "expanded", "focused", "pressed", "readonly", "required", "selected",
}  # fmt: skip
NAMELESS: Final = {"none", "generic", "presentation"}
MOST_NODES: Final = 50_000
Size = tuple[int, int]
UNKNOWN: Final[Size] = (0, 0)


class _Value(msgspec.Struct, frozen=True):
    value: str | float | bool | None = None


class _Property(msgspec.Struct, frozen=True):
    name: str
    value: _Value | None = None


class _Node(msgspec.Struct, frozen=True, rename="camel"):
    node_id: str
    ignored: bool = False
    role: _Value = _Value()
    name: _Value = _Value()
    properties: list[_Property] = []
    parent_id: str | None = None
    backend_id: int | None = msgspec.field(name="backendDOMNodeId", default=None)


class _Tree(msgspec.Struct, frozen=True):
    nodes: list[_Node]


class _Bounds(msgspec.Struct, frozen=True):
    x: float
    y: float
    width: float
    height: float


def read_webui(
    path: Path, *, images: Pictures | None = None, strict: bool = False, report: Reports = ignore
) -> Iterator[Record]:
    """Read the trees of all pages, or one; raises InvalidInputError as the seam says."""

    def make(entry: SingleFile) -> Record:
        return _record(entry, entry.name.removesuffix(TREE), images)

    return sift(single_files(path, LABELS), make, strict=strict, report=report, asks=False)


def _record(entry: SingleFile, stem: str, images: Pictures | None) -> Record:
    device = PurePosixPath(stem).name.partition("_")[0]
    if device not in RATIOS:
        raise RecordError("unknown-device", f"one of {', '.join(RATIOS)}", found=device)
    tree = decode_record(read_single(entry.root, entry.name), _Tree)
    if len(tree.nodes) > MOST_NODES:
        raise RecordError("malformed", f"at most {MOST_NODES:,} nodes", found="more")
    image = f"{stem}-screenshot.webp"
    size = images.size(image) if images else _viewport(stem)
    bounds = decode_record(
        read_single(entry.root, f"{stem}-bb.json.gz"), dict[str, _Bounds | None]
    )
    boxes = {name: _box(bound, RATIOS[device], size) for name, bound in bounds.items() if bound}
    elements = _elements(tree, {name: box for name, box in boxes.items() if box is not None})
    if not elements:
        raise RecordError("no-elements", "a node with a role and a box", found="none")
    platform: Platform = "web" if device == "default" else "mobile"
    return Record(
        id=stem,
        image=image,
        text="",
        width=size[0],
        height=size[1],
        page=(entry.root.resolve() / stem).parent.name,
        site=_site(entry.root, f"{stem}-url.txt"),
        platform=platform,
        elements=elements,
    )


def _viewport(stem: str) -> Size:
    """Return the size that a device's name tells, default_1280-720, or (0, 0)."""
    width, _, height = PurePosixPath(stem).name.partition("_")[2].partition("-")
    return (int(width), int(height)) if width.isdecimal() and height.isdecimal() else UNKNOWN


def _box(bounds: _Bounds, ratio: float, size: Size) -> Box | None:
    """Return a box in pixels of the picture, None for one without an area in it."""
    if bounds.width < 0 or bounds.height < 0:
        raise RecordError("reversed-box", "sizes of 0 and more", found=f"{bounds}")
    box = Box.from_xywh(bounds.x, bounds.y, bounds.width, bounds.height).scaled(ratio)
    picture = Box(0.0, 0.0, float(size[0]), float(size[1]))
    if size != UNKNOWN and box.intersection(picture) is None:
        return None
    return box if box.area > 0 else None


def _elements(tree: _Tree, boxes: Mapping[str, Box]) -> tuple[Element, ...]:
    nodes = {item.node_id: item for item in tree.nodes}
    if len(nodes) != len(tree.nodes):
        raise RecordError("malformed", "each nodeId once", found="one twice")
    kept = {name for name, node in nodes.items() if _role(node) and _key(node) in boxes}
    found: dict[str, Element] = {}
    for name in (item for item in nodes if item in kept):
        node = nodes[name]
        above = _above(node, nodes, kept)
        found.setdefault(_key(node), _element(node, boxes[_key(node)], above))
    return tuple(found.values())


def _element(node: _Node, box: Box, above: str) -> Element:
    words = node.name.value if isinstance(node.name.value, str) else ""
    states = (prop.name for prop in node.properties if prop.value and prop.value.value is True)
    role = _role(node)
    return Element(
        _key(node),
        role,
        box,
        name=" ".join(words.split()),
        text=" ".join(words.split()) if role == "text" else "",
        parent=above,
        states=tuple(sorted(STATES.intersection(states))),
    )


def _above(node: _Node, nodes: Mapping[str, _Node], kept: set[str]) -> str:
    """Return the element that a node lies in, "" for none; raises RecordError for a ring."""
    passed = {node.node_id}
    above = node.parent_id
    while above is not None and above in nodes:
        if above in passed:
            raise RecordError("malformed", "a tree", found=f"a ring of parents at {above}")
        if above in kept and _key(nodes[above]) != _key(node):
            return _key(nodes[above])
        passed.add(above)
        above = nodes[above].parent_id
    return ""


def _role(node: _Node) -> str:
    """Return a node's ARIA role, "" for one that is no element."""
    role_value = node.role.value
    if node.ignored or node.backend_id is None or not isinstance(role_value, str):
        return ""
    role = ROLES.get(role_value, role_value)
    return role if role.islower() and role not in NAMELESS else ""


def _key(node: _Node) -> str:
    return "" if node.backend_id is None else str(node.backend_id)


def _site(root: Path, name: str) -> str:
    """Return the site of the page's address, "" where no file tells it."""
    try:
        address = read_single(root, name, most=2**14).decode().strip()
        return site_of(address)
    except RecordError as error:
        if error.reason == "missing-file":
            return ""
        raise
    except ValueError as error:
        raise RecordError("malformed", f"an address in '{name}'", found=error) from error


WEBUI = LabelledSet(
    name="webui",
    version=1,
    summary="pages of the web on several devices, with their accessibility trees",
    convention=CONVENTION,
    licence="for research, under the terms of its COPYRIGHT.txt",
    labels=LABELS,
    pictures=(".",),
    read=read_webui,
    asks=False,
)
