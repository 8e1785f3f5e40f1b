"""
UIBert's RefExp: referring expressions about screens of phones, one element of many meant.

``ref_exp/{train,dev,test}.tfrecord`` hold ``tf.train.Example`` messages: ``image/id``,
``image/ref_exp/text``, ``image/ref_exp/label`` (which object is meant, from 0),
``image/object/bbox/{xmin,ymin,xmax,ymax}`` and ``image/object/num`` (a float), and, under
``image/view_hierarchy/``, ``bbox/...``, ``class/name``, ``class/label``, ``description``,
``id/name`` and ``text``. Boxes are shares of the sides from 0 to 1. The pictures are
RICO's, ``<image/id>.jpg``; without them a screen is an image of 1 x 1.

Objects and views are two descriptions of one screen, whose boxes seldom agree (in the dev
split one object in eleven has a view with an IoU above 0.9): both become elements, told
apart by the attribute "described", the objects without a role. The words of the views were
lower-cased by the set, its punctuation lost.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, TypeVar

from surefoot.core.errors import RecordError
from surefoot.core.geometry import Box
from surefoot.core.screen import Element
from surefoot.datasets.dataset import Reports, ignore
from surefoot.datasets.files.boxes import BoxConvention, read_box
from surefoot.datasets.files.pictures import Pictures
from surefoot.datasets.files.tfrecord import Example, TfRecord, read_example, tf_records
from surefoot.datasets.labelled import LabelledSet, Record, label_files, sift

CONVENTION: Final = BoxConvention.NORM1_XYXY
SPLITS: Final = ("train", "dev", "test")
LABELS: Final = tuple(
    pattern for split in SPLITS for pattern in (f"ref_exp/{split}.tfrecord", f"{split}.tfrecord")
)
SIDES: Final = ("xmin", "ymin", "xmax", "ymax")
VIEWS: Final = "image/view_hierarchy"
# The set's own classes of views; what is not here has no role.
ROLES: Final = {
    "TEXT_VIEW": "text",
    "LABEL": "text",
    "IMAGE_VIEW": "img",
    "IMAGE_BUTTON": "button",
    "TEXT_BUTTON": "button",
    "CHECK_BOX": "checkbox",
    "RADIO_BUTTON": "radio",
    "SWITCH": "switch",
    "TEXT_INPUT": "textbox",
    "PROGRESS_BAR": "progressbar",
}
Size = tuple[int, int]
T = TypeVar("T")


def read_uibert(
    path: Path, *, images: Pictures | None = None, strict: bool = False, report: Reports = ignore
) -> Iterator[Record]:
    """Read the splits, or one of their files; raises InvalidInputError as the seam says."""

    def make(entry: TfRecord) -> Record:
        if not entry.whole:
            raise RecordError("bad-checksum", "data that meets its CRC-32C", found="other data")
        return _record(entry, read_example(entry.data), images)

    entries = (record for file in label_files(path, LABELS) for record in tf_records(file))
    return sift(entries, make, strict=strict, report=report)


def _record(entry: TfRecord, example: Example, images: Pictures | None) -> Record:
    image = _one(example.texts("image/id"), "image/id")
    if not image:
        raise RecordError("malformed", "an image id", found="an empty one")
    name = f"{image}.jpg"
    size = images.size(name) if images else (1, 1)
    label = _one(example.integers("image/ref_exp/label"), "image/ref_exp/label")
    boxes = _boxes(example, "image/object")
    count = _one(example.floats("image/object/num"), "image/object/num")
    if count != len(boxes) or not 0 <= label < len(boxes):
        raise RecordError(
            "malformed",
            "a label and a number that fit the objects",
            found=f"label {label}, number {count}, {len(boxes)} objects",
        )
    elements = (*_objects(boxes, size), *_views(example, size))
    listed = len(boxes) + len(example.texts(f"{VIEWS}/text"))
    return Record(
        id=f"{Path(entry.file).stem}/{entry.number}",
        image=name,
        width=size[0],
        height=size[1],
        text=_one(example.texts("image/ref_exp/text"), "image/ref_exp/text"),
        boxes=(read_box(boxes[label], CONVENTION, size),),
        split=_split(entry.file),
        page=image,
        platform="mobile",
        system="android",
        target=f"object-{label}",
        elements=elements,
        facts={"bad_boxes": str(listed - len(elements))},
    )


def _objects(boxes: Sequence[tuple[float, ...]], size: Size) -> Iterator[Element]:
    for index, box in enumerate(boxes):
        with contextlib.suppress(RecordError):
            place = read_box(box, CONVENTION, size)
            yield Element(f"object-{index}", "", place, attributes={"described": "object"})


def _views(example: Example, size: Size) -> Iterator[Element]:
    """Yield the views whose boxes are good; raises RecordError where lists differ in length."""
    words = [
        example.texts(f"{VIEWS}/{field}")
        for field in ("class/name", "id/name", "text", "description")
    ]
    boxes = _boxes(example, VIEWS)
    if {len(boxes)} != set(map(len, words)):
        raise RecordError("malformed", "each list of views as long as the others", found="not so")
    for index, (box, kind, resource, text, description) in enumerate(
        zip(boxes, *words, strict=True)
    ):
        with contextlib.suppress(RecordError):
            yield _view(
                index, read_box(box, CONVENTION, size), kind, (resource, text, description)
            )


def _view(index: int, box: Box, kind: str, words: tuple[str, str, str]) -> Element:
    resource, text, description = (" ".join(word.split()) for word in words)
    return Element(
        f"view-{index}",
        ROLES.get(kind, ""),
        box,
        name=description or text,
        text=text,
        attributes={"class": kind, "described": "view"}
        | ({"resource": resource} if resource else {}),
    )


def _boxes(example: Example, where: str) -> list[tuple[float, ...]]:
    sides = [example.floats(f"{where}/bbox/{side}") for side in SIDES]
    if len(set(map(len, sides))) != 1:
        raise RecordError("malformed", f"four sides to each box of {where}", found="not so")
    return list(zip(*sides, strict=True))


def _one(values: Sequence[T], name: str) -> T:
    if len(values) != 1:
        raise RecordError("malformed", f"one {name}", found=str(len(values)))
    return values[0]


def _split(file: str) -> str:
    """Return the split that a file's name ends with, "" where it is no split."""
    last = Path(file).stem.rpartition("_")[2]
    return last if last in SPLITS else ""


UIBERT = LabelledSet(
    name="uibert",
    version=2,
    summary="referring expressions about elements of phones' screens",
    convention=CONVENTION,
    licence="CC BY 4.0",
    labels=LABELS,
    splits=SPLITS,
    read=read_uibert,
    seen="the dev split, 509 expressions",
    clusters="screens",
)
