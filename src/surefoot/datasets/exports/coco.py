"""
COCO: images, annotations with x, y, width, height in pixels, and roles as categories.

The instruction and what else a question says stand in the annotation, which tools for COCO
carry along or ignore. There is one annotation for each question.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from surefoot.core.files import open_atomic
from surefoot.core.geometry import Box
from surefoot.datasets.exports.exporter import (
    PLACES,
    Exporter,
    Part,
    Sample,
    attributes_from,
    write_members,
    xywh,
)

NAMELESS: Final = "element"  # the category of a question that names no role


def write_coco(samples: Iterable[Sample], out: Path) -> None:
    """Write ``annotations.json``."""
    categories: dict[str, int] = {}
    with open_atomic(out / "annotations.json") as stream:
        write_members(
            stream,
            {
                "images": _images(samples),
                "annotations": _annotations(samples, categories),
                "categories": _categories(categories),
            },
        )


def _by_picture(samples: Iterable[Sample]) -> Iterator[tuple[int, list[Sample]]]:
    groups = itertools.groupby(samples, key=lambda sample: sample.question.screen)
    return ((number, list(group)) for number, (_, group) in enumerate(groups, start=1))


def _images(samples: Iterable[Sample]) -> Iterator[dict[str, object]]:
    for number, group in _by_picture(samples):
        question = group[0].question
        yield {
            "id": number,
            "file_name": group[0].picture,
            "width": question.width,
            "height": question.height,
        }


def _annotations(
    samples: Iterable[Sample], categories: dict[str, int]
) -> Iterator[dict[str, object]]:
    count = itertools.count(1)
    for image, group in _by_picture(samples):
        for sample in group:
            role = sample.question.role or NAMELESS
            category = categories.setdefault(role, len(categories) + 1)
            yield {
                "id": next(count),
                "image_id": image,
                "category_id": category,
                **_places(sample),
                "iscrowd": 0,
                "instruction": sample.question.instruction.text,
                "attributes": attributes_from(sample),
            }


def _places(sample: Sample) -> dict[str, object]:
    """Spell a polygon as a segmentation, else the truth alone; other boxes stand beside."""
    question = sample.question
    box = question.truth
    outline = [side for corner in question.polygon for side in (corner.x, corner.y)]
    return {
        "bbox": xywh(box),
        "area": box.area,
        "segmentation": [outline or _corners(box)],
        "polygonal": bool(outline),
        "other_bboxes": [xywh(item) for item in question.boxes],
    }


def _corners(box: Box) -> list[float]:
    left, top, right, bottom = box.as_tuple()
    return [left, top, right, top, right, bottom, left, bottom]


def _categories(categories: dict[str, int]) -> Iterator[dict[str, object]]:
    for name, number in categories.items():
        yield {"id": number, "name": name, "supercategory": NAMELESS}


COCO = Exporter(
    name="coco",
    version=1,
    summary="COCO's annotations, with the instruction in each",
    dataset="coco",
    write=write_coco,
    drops=PLACES,
    loses=frozenset({Part.REASONING}),
)
