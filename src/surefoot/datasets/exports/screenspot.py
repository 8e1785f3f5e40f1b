"""
ScreenSpot's own JSON: one array for each platform, x, y, width, height in pixels.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from surefoot.core.canonical import canonical_json
from surefoot.core.files import open_atomic
from surefoot.datasets.exports.exporter import PLACES, Exporter, Part, Sample, xywh


def write_screenspot(samples: Iterable[Sample], out: Path) -> None:
    """Write ``screenspot_PLATFORM.json`` for each platform that there is."""
    with contextlib.ExitStack() as stack:
        streams: dict[str, BinaryIO] = {}
        for sample in samples:
            name = sample.platform
            first = name not in streams
            if first:
                path = out / f"screenspot_{name}.json"
                streams[name] = stack.enter_context(open_atomic(path))
            streams[name].write((b"[\n" if first else b",\n") + canonical_json(_entry(sample)))
        for stream in streams.values():
            stream.write(b"\n]\n")


def _entry(sample: Sample) -> dict[str, object]:
    question = sample.question
    return {
        "img_filename": sample.picture,
        "bbox": xywh(question.truth),
        "instruction": question.instruction.text,
        "data_type": question.facts.get("data_type", question.role),
        "data_source": question.system or sample.site,
    }


SCREENSPOT_JSON = Exporter(
    name="screenspot",
    version=1,
    summary="ScreenSpot's own JSON, a file for each platform",
    dataset="screenspot",
    write=write_screenspot,
    drops=PLACES | {Part.PLATFORMLESS},
    loses=frozenset(
        {
            Part.POLYGON,
            Part.SEVERAL,
            Part.ANSWERS,
            Part.SPLIT,
            Part.VARIANT,
            Part.REASONING,
            Part.LANGUAGE,
            Part.ACTION,
        }
    ),
)
