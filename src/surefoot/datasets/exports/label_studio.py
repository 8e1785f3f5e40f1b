"""
Label Studio: one task a question, with its places in percent, and the project's interface.

The pictures are named as Label Studio's local file storage serves them, below the export.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final
from xml.sax.saxutils import quoteattr

from surefoot.core.files import open_atomic, write_atomic
from surefoot.core.geometry import Box
from surefoot.core.question import Question
from surefoot.datasets.exports.coco import NAMELESS
from surefoot.datasets.exports.exporter import (
    Exporter,
    Part,
    Sample,
    attributes_from,
    places,
    write_array,
    xywh,
)

SERVED: Final = "/data/local-files/?d=images/"
WHOLE: Final = 100.0
CONFIG: Final = """<View>
  <Text name="instruction" value="$instruction"/>
  <Image name="image" value="$image" zoom="true"/>
  <RectangleLabels name="box" toName="image">
{labels}
  </RectangleLabels>
  <PolygonLabels name="polygon" toName="image">
{labels}
  </PolygonLabels>
</View>
"""


def write_label_studio(samples: Iterable[Sample], out: Path) -> None:
    """Write ``tasks.json`` and, with every role as a label, ``config.xml``."""
    roles: set[str] = set()
    with open_atomic(out / "tasks.json") as stream:
        write_array(stream, _tasks(samples, roles))
    labels = "\n".join(f"    <Label value={quoteattr(role)}/>" for role in sorted(roles))
    write_atomic(out / "config.xml", CONFIG.format(labels=labels).encode())


def _tasks(samples: Iterable[Sample], roles: set[str]) -> Iterator[dict[str, object]]:
    for number, sample in enumerate(samples, start=1):
        roles.add(sample.question.role or NAMELESS)
        yield {
            "id": number,
            "data": {
                "image": SERVED + sample.picture,
                "instruction": sample.question.instruction.text,
                "attributes": attributes_from(sample),
            },
            "annotations": [{"ground_truth": True, "result": list(_results(sample.question))}],
        }


def _results(question: Question) -> Iterator[dict[str, object]]:
    label = question.role or NAMELESS
    across, down = WHOLE / question.width, WHOLE / question.height
    if question.polygon:
        corners = [[point.x * across, point.y * down] for point in question.polygon]
        value = {"points": corners, "closed": True, "polygonlabels": [label]}
        yield _result(question, "polygon", "0", value)
    for number, box in enumerate(places(question)):
        value = {**_percent(box, across, down), "rotation": 0, "rectanglelabels": [label]}
        yield _result(question, "box", str(number), value)


def _percent(box: Box, across: float, down: float) -> dict[str, object]:
    return dict(zip(("x", "y", "width", "height"), xywh(box, across, down), strict=True))


def _result(
    question: Question, tool: str, number: str, value: dict[str, object]
) -> dict[str, object]:
    return {
        "id": f"{tool}{number}",
        "from_name": tool,
        "to_name": "image",
        "type": {"box": "rectanglelabels", "polygon": "polygonlabels"}[tool],
        "original_width": question.width,
        "original_height": question.height,
        "image_rotation": 0,
        "value": value,
    }


LABEL_STUDIO = Exporter(
    name="label-studio",
    version=1,
    summary="Label Studio's tasks, in percent, with a labelling interface",
    dataset="label-studio",
    write=write_label_studio,
    drops=frozenset({Part.UNSIZED}),
    loses=frozenset({Part.REASONING}),
)
