"""
RICO: screens of phones with their view hierarchies; nothing is asked about them.

``combined/<id>.json`` holds a tree under ``activity.root``, ``combined/<id>.jpg`` the
picture. Boxes are left, top, right, bottom in pixels of a screen of 1440 x 2560, held
upright or lying, and are scaled to the picture, which must have these proportions. Without
pictures a screen keeps the set's own pixels, and lies where its root is wider than high.

A hierarchy becomes elements as it does in a capture of ``android:DIR``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

import numpy as np
from numpy.typing import NDArray

from surefoot.capture.android.rico import SCREEN, read_rico
from surefoot.capture.android.views import Dump
from surefoot.capture.settings import Limits
from surefoot.capture.sources.android import dump_elements
from surefoot.core.errors import CaptureError, RecordError
from surefoot.datasets.dataset import Reports, ignore
from surefoot.datasets.files.boxes import BoxConvention
from surefoot.datasets.files.pictures import Pictures
from surefoot.datasets.labelled import LabelledSet, Record, sift
from surefoot.datasets.single_files import SingleFile, read_single, single_files

CONVENTION: Final = BoxConvention.PIXEL_XYXY
LABELS: Final = ("combined/*.json", "*.json")
LIMITS: Final = Limits()


def read_rico_set(
    path: Path, *, images: Pictures | None = None, strict: bool = False, report: Reports = ignore
) -> Iterator[Record]:
    """Read all hierarchies, or one of them; raises InvalidInputError as the seam says."""

    def make(entry: SingleFile) -> Record:
        content = read_single(entry.root, entry.name)
        try:
            return _record(entry, content, images)
        except CaptureError as error:
            raise RecordError(error.reason, error.expected, found=error.found) from error

    return sift(single_files(path, LABELS), make, strict=strict, report=report, asks=False)


def _record(entry: SingleFile, content: bytes, images: Pictures | None) -> Record:
    name = PurePosixPath(entry.name).stem
    image = f"{name}.jpg"
    pixels = _pixels(entry, content, images, image)
    height, width = pixels.shape[:2]
    dump = _dump(entry, content, upright=width <= height)
    elements, package = dump_elements(entry.name, dump, pixels)
    return Record(
        id=name,
        image=image,
        text="",
        width=width,
        height=height,
        page=name,
        site=package,
        platform="mobile",
        system="android",
        elements=elements,
    )


def _pixels(
    entry: SingleFile, content: bytes, images: Pictures | None, image: str
) -> NDArray[np.uint8]:
    """Return the picture; without one a white screen of the set's own pixels."""
    if images is not None:
        return images.read(image).pixels
    root = _dump(entry, content, upright=True).views[:1]
    lying = any(view.box and view.box.width > view.box.height for view in root)
    short, long = map(int, SCREEN)
    shape = (short, long, 3) if lying else (long, short, 3)
    return np.broadcast_to(np.uint8(255), shape)


def _dump(entry: SingleFile, content: bytes, *, upright: bool) -> Dump:
    return read_rico(content, entry.name, LIMITS.nodes, upright=upright)


RICO = LabelledSet(
    name="rico",
    version=1,
    summary="screens of phones with their view hierarchies",
    convention=CONVENTION,
    licence="not stated",
    labels=LABELS,
    read=read_rico_set,
    asks=False,
)
