"""
Hidden Forms' JSON Lines: one file a split, one record a line, boxes as four numbers.

A benchmark has one statement where Hidden Forms has a long and a short one; it is written
as both, where the set that it came from did not tell the short one (``statement_s``).
"""

from __future__ import annotations

import contextlib
import urllib.parse
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO, Final

from surefoot.core.canonical import canonical_json
from surefoot.core.errors import InvalidInputError
from surefoot.core.files import open_atomic
from surefoot.datasets.exports.exporter import PLACES, Exporter, Part, Sample, plain_number

SEPARATOR: Final = "<SEP>"
MOST_SPLITS: Final = 64


def write_hforms(samples: Iterable[Sample], out: Path) -> None:
    """Write ``hforms-SPLIT.jsonl``; raises InvalidInputError for more than 64 splits."""
    with contextlib.ExitStack() as stack:
        streams: dict[str, BinaryIO] = {}
        for sample in samples:
            split = sample.question.split
            if split not in streams:
                if len(streams) == MOST_SPLITS:
                    raise InvalidInputError(f"at most {MOST_SPLITS} splits", found="more")
                streams[split] = stack.enter_context(open_atomic(out / split_file(split)))
            streams[split].write(canonical_json(hforms_line(sample)) + b"\n")


def split_file(split: str) -> str:
    """
    Return the name of a split's file; a name that is no file name is percent-encoded.

    >>> split_file("train"), split_file("a/b"), split_file("")
    ('hforms-train.jsonl', 'hforms-a%2Fb.jsonl', 'hforms.jsonl')
    """
    return f"hforms-{urllib.parse.quote(split, safe='')}.jsonl" if split else "hforms.jsonl"


def hforms_line(sample: Sample) -> dict[str, object]:
    """Return the record of a sample, in pixels of the image."""
    question = sample.question
    box, text = question.truth, question.instruction.text
    return {
        "image": sample.picture,
        "image_width": question.width,
        "image_height": question.height,
        "statement_l": text,
        "statement_s": question.facts.get("statement_s", text),
        "bbox": SEPARATOR.join(map(plain_number, box.as_tuple())),
        "box_center": SEPARATOR.join(map(plain_number, (box.center.x, box.center.y))),
    }


HFORMS = Exporter(
    name="hforms",
    version=1,
    summary="JSON Lines with the fields of Hidden Forms",
    dataset="hforms",
    write=write_hforms,
    drops=PLACES,
    loses=frozenset(
        {
            Part.POLYGON,
            Part.SEVERAL,
            Part.ANSWERS,
            Part.VARIANT,
            Part.REASONING,
            Part.LANGUAGE,
            Part.ACTION,
        }
    ),
)
