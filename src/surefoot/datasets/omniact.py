"""
OmniACT: tasks on desktop programs and web sites, with the script that fulfils them.

``train.json``, ``val.json`` and ``test.json`` map an id to ``task``, ``image`` and ``box``,
all paths below the set's folder. A task file is "Task: ..." in its first line, "Output
Script:" in its second, and then one pyautogui call a line. A box file maps an id to
``top_left`` and ``bottom_right``, x, y in pixels, and ``label``. The click of the script is
the exact centre of the box that is meant, so that the box is found again; a script that
points at no place, or at several, is no grounding task and is reported as such.
"""

from __future__ import annotations

import contextlib
import functools
import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Final

import msgspec

from surefoot.core.errors import RecordError
from surefoot.core.geometry import Box, Point
from surefoot.core.screen import Element
from surefoot.datasets.dataset import Reports, ignore
from surefoot.datasets.files.boxes import BoxConvention, read_box
from surefoot.datasets.files.json_records import Entry, decode_record, map_records
from surefoot.datasets.files.pictures import Pictures, find_inside
from surefoot.datasets.labelled import LabelledSet, Platform, Record, label_files, sift

CONVENTION: Final = BoxConvention.PIXEL_XYXY
LABELS: Final = ("train.json", "val.json", "test.json")
PLATFORMS: Final[tuple[Platform, ...]] = ("web", "desktop")
MOST_TEXT: Final = 2**16
MOST_BOXES: Final = 4 * 2**20
EXACT: Final = 1.0  # pixels that rounding may put between the click and the centre
HEADER: Final = 2
_POINTING: Final = re.compile(
    r"pyautogui\.(?:click|doubleClick|rightClick|moveTo|dragTo)\(\s*(?:x\s*=\s*)?(-?\d+(?:\.\d+)?)"
    r"\s*,\s*(?:y\s*=\s*)?(-?\d+(?:\.\d+)?)"
)
_TYPING: Final = re.compile(r"pyautogui\.(?:write|typewrite)\(\s*(['\"])(.*?)\1")
Corner = tuple[float, float]


class _Fields(msgspec.Struct, frozen=True):
    task: str
    image: str
    box: str


class _Labelled(msgspec.Struct, frozen=True):
    top_left: Corner
    bottom_right: Corner
    label: str = ""


class Script(msgspec.Struct, frozen=True):
    """Hold a task's words, the places that its script points at, and what it types."""

    text: str
    points: tuple[Point, ...]
    typed: str


def read_omniact(
    path: Path, *, images: Pictures | None = None, strict: bool = False, report: Reports = ignore
) -> Iterator[Record]:
    """Read the three splits, or one of them; raises InvalidInputError as the seam says."""
    root = path if path.is_dir() else path.parent
    boxes = functools.lru_cache(maxsize=64)(functools.partial(_boxes, root))

    def make(entry: Entry) -> Record:
        fields = decode_record(entry.data, _Fields)
        script = read_script(_text(root, fields.task))
        size = images.size(fields.image) if images else (0, 0)
        return _record(entry, fields, script, boxes(fields.box), size)

    entries = (record for file in label_files(path, LABELS) for record in map_records(file))
    return sift(entries, make, strict=strict, report=report)


def read_script(text: str) -> Script:
    r"""
    Read a task file; raises RecordError "malformed" for another layout.

    >>> read_script("Task: Open it\nOutput Script:\npyautogui.click(30.5,40)").points
    (Point(x=30.5, y=40.0),)
    """
    lines = text.splitlines()
    if len(lines) < HEADER or not lines[0].startswith("Task:"):
        raise RecordError("malformed", "'Task: ...' and a script", found=f"{lines[:1]}")
    body = "\n".join(lines[HEADER:])
    points = tuple(Point(float(x), float(y)) for x, y in _POINTING.findall(body))
    typed = " ".join(words for _, words in _TYPING.findall(body))
    return Script(lines[0].removeprefix("Task:").strip(), points, typed)


def _record(
    entry: Entry,
    fields: _Fields,
    script: Script,
    labelled: Mapping[str, _Labelled],
    size: tuple[int, int],
) -> Record:
    if len(set(script.points)) != 1:
        reason = "several-places" if script.points else "no-place"
        raise RecordError(reason, "a script that points once", found=f"{len(script.points)} times")
    target = _meant(script.points[0], labelled)
    truth = _box(labelled[target], size)
    elements = tuple(_elements(labelled, size))
    left_out = len(labelled) - len(elements)
    return Record(
        id=entry.key,
        image=fields.image,
        width=size[0],
        height=size[1],
        text=script.text,
        boxes=(truth,),
        action="type" if script.typed else "click",
        value=script.typed,
        split=Path(entry.file).stem,
        platform=next((platform for platform in PLATFORMS if f"/{platform}/" in fields.task), ""),
        site=PurePosixPath(fields.task).parent.name,
        target=target,
        elements=elements,
        facts={"task": fields.task, "box": fields.box, "bad_boxes": str(left_out)},
    )


def _elements(labelled: Mapping[str, _Labelled], size: tuple[int, int]) -> Iterator[Element]:
    """Yield the boxes that are good; a bad one beside the target costs itself alone."""
    for name, item in labelled.items():
        with contextlib.suppress(RecordError):
            yield Element(name, "", _box(item, size), name=item.label)


def _box(labelled: _Labelled, size: tuple[int, int]) -> Box:
    return read_box((*labelled.top_left, *labelled.bottom_right), CONVENTION, size)


def _meant(point: Point, labelled: Mapping[str, _Labelled]) -> str:
    """Return the box that the point is the centre of, the smallest where several are."""
    centred, nearest = [], math.inf
    for name, item in labelled.items():
        (left, top), (right, bottom) = item.top_left, item.bottom_right
        off = math.hypot(point.x - (left + right) / 2, point.y - (top + bottom) / 2)
        nearest = min(nearest, off)
        if off <= EXACT:
            centred.append((abs((right - left) * (bottom - top)), name))
    if not centred:
        raise RecordError(
            "no-place",
            "a box whose centre the script clicks",
            found=f"{nearest:.1f} px to the nearest",
        )
    return min(centred)[1]


def _boxes(root: Path, name: str) -> dict[str, _Labelled]:
    return decode_record(_read(root, name, "box-file", MOST_BOXES), dict[str, _Labelled])


def _text(root: Path, name: str) -> str:
    try:
        return _read(root, name, "task-file", MOST_TEXT).decode()
    except UnicodeDecodeError as error:
        raise RecordError("malformed", f"UTF-8 in '{name}'", found=error) from error


def _read(root: Path, name: str, what: str, most: int) -> bytes:
    with find_inside(root, name, what=what).open("rb") as stream:
        data = stream.read(most + 1)
    if len(data) > most:
        raise RecordError("malformed", f"at most {most} bytes in '{name}'", found="more")
    return data


OMNIACT = LabelledSet(
    name="omniact",
    version=1,
    summary="tasks on desktop programs and web sites whose script points at one place",
    convention=CONVENTION,
    licence="not stated",
    labels=LABELS,
    pictures=(".",),
    splits=("train", "val", "test"),
    read=read_omniact,
)
