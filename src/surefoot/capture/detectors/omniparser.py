"""
What OmniParser found, read from the files that it was made to write.

``omniparser:DIR`` has ``NAME.json`` for each picture ``NAME``, or ``omniparser:FILE`` is that
of one picture: the list ``parsed_content_list`` alone, or an object that holds it. Each entry
has ``type`` ("text" or "icon"), ``bbox`` (left, top, right, bottom as shares of the sides, from
0 to 1), ``interactivity``, ``content`` and ``source``. The words of a text, and of an icon that
lies around a text that was read ("box_yolo_content_ocr"), are on the screen; an icon's other
content is a caption that a model made up, and names nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from surefoot.capture.described.assembly import ink_lines
from surefoot.capture.detector import BarePicture, DetectedThing, Detector
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box

READ: Final = "ocr"  # what the source of words ends with that were read in the picture
Shares = tuple[float, float, float, float]


class _Entry(msgspec.Struct, frozen=True):
    type: str
    bbox: Shares
    interactivity: bool = False
    content: str | None = None
    source: str = ""


class _Output(msgspec.Struct, frozen=True):
    parsed_content_list: list[_Entry]


def read_output(picture: BarePicture, argument: str) -> tuple[DetectedThing, ...]:
    """
    Return what OmniParser found in a picture.

    Raises InvalidInputError where there is no file of the picture's name, or it is not of
    this shape, or a box does not lie in the picture.
    """
    files = {file.stem: file for file in output_files(argument)}
    alone = next(iter(files.values())) if Path(argument).is_file() else None
    file = files.get(picture.name, alone)
    if file is None:
        raise InvalidInputError(f"{picture.name}.json in {argument}", found="none")
    try:
        decoded = msgspec.json.decode(file.read_bytes(), type=list[_Entry] | _Output)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InvalidInputError(f"OmniParser's output in {file.name}", found=error) from error
    entries = decoded.parsed_content_list if isinstance(decoded, _Output) else decoded
    return tuple(_found(entry, picture, file.name) for entry in entries)


def output_files(argument: str) -> tuple[Path, ...]:
    """Return the files that an argument names, sorted."""
    path = Path(argument or ".")
    return (path,) if path.is_file() else tuple(sorted(path.glob("*.json")))


def _found(entry: _Entry, picture: BarePicture, file: str) -> DetectedThing:
    pixels = picture.pixels
    height, width = pixels.shape[:2]
    left, top, right, bottom = entry.bbox
    if not (0 <= left < right <= 1 and 0 <= top < bottom <= 1):
        raise InvalidInputError(f"boxes from 0 to 1 in {file}", found=f"{entry.bbox}")
    box = Box(left * width, top * height, right * width, bottom * height)
    read = entry.type == "text" or entry.source.endswith(READ)
    words = " ".join((entry.content or "").split()) if read else ""
    role = "button" if entry.interactivity else "text" if entry.type == "text" else "img"
    return DetectedThing(role, box, words, ink_lines(pixels, box) if words else ())


OMNIPARSER: Final = Detector(
    name="omniparser",
    version=1,
    summary="the elements in files that OmniParser wrote: omniparser:DIR",
    find=read_output,
    files=output_files,
)
