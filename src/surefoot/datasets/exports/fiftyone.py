"""
FiftyOne: one sample a question, boxes and polygons as shares of the picture's sides.

The layout is that of FiftyOne's own data sets on disk in their first form, in which a
sample's fields describe themselves: ``samples.json``, ``metadata.json`` and ``data/``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from surefoot.core.canonical import readable_json
from surefoot.core.files import open_atomic, write_atomic
from surefoot.core.question import Question
from surefoot.datasets.exports.coco import NAMELESS
from surefoot.datasets.exports.exporter import (
    Exporter,
    Part,
    Sample,
    attributes_from,
    places,
    write_members,
    xywh,
)

METADATA: Final = {"media_type": "image", "info": {"made_by": "surefoot"}}


def write_fiftyone(samples: Iterable[Sample], out: Path) -> None:
    """Write ``samples.json`` and ``metadata.json``."""
    with open_atomic(out / "samples.json") as stream:
        write_members(stream, {"samples": _samples(samples)})
    write_atomic(out / "metadata.json", readable_json(METADATA))


def _samples(samples: Iterable[Sample]) -> Iterator[dict[str, object]]:
    for sample in samples:
        question = sample.question
        yield {
            "filepath": f"data/{sample.picture}",
            "tags": [question.split] if question.split else [],
            "metadata": {
                "_cls": "ImageMetadata",
                "width": question.width,
                "height": question.height,
            },
            "instruction": question.instruction.text,
            "boxes": {"_cls": "Detections", "detections": _detections(question)},
            "polygons": {"_cls": "Polylines", "polylines": _polylines(question)},
            "attributes": attributes_from(sample),
        }


def _detections(question: Question) -> list[dict[str, object]]:
    across, down = 1 / question.width, 1 / question.height
    return [
        {
            "_cls": "Detection",
            "label": question.role or NAMELESS,
            "bounding_box": xywh(box, across, down),
        }
        for box in places(question)
    ]


def _polylines(question: Question) -> list[dict[str, object]]:
    if not question.polygon:
        return []
    corners = [[point.x / question.width, point.y / question.height] for point in question.polygon]
    return [
        {
            "_cls": "Polyline",
            "label": question.role or NAMELESS,
            "points": [corners],
            "closed": True,
            "filled": True,
        }
    ]


FIFTYONE = Exporter(
    name="fiftyone",
    version=1,
    summary="FiftyOne's samples, with boxes as shares",
    dataset="fiftyone",
    write=write_fiftyone,
    pictures="data",
    drops=frozenset({Part.UNSIZED}),
    loses=frozenset({Part.REASONING}),
)
