"""
The published form of a BENCH: parquet shards, a manifest and a dataset card.

Two tables: ``screens`` holds each picture once, with its elements; ``questions`` refers to
them by screen. Both are read by DuckDB, polars and, as two configurations of one data set,
by Hugging Face's ``datasets``, to which the schema says that ``image`` is a picture.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final

import pyarrow as pa
import pyarrow.parquet as pq

from surefoot.core.canonical import canonical_json, readable_json, sha256
from surefoot.core.errors import InvalidInputError
from surefoot.core.files import open_atomic, remove_partial, write_atomic
from surefoot.core.question import Question
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.run.folder import Exported, manifest_digest, read_questions, read_screens

__all__ = ["SHARD_BYTES", "publish"]

SHARD_BYTES: Final = 384 * 2**20
GROUP_ROWS: Final = 100

_OURS: Final = re.compile(r"(questions|screens)-\d{5}\.parquet|README\.md|manifest\.json")
_CORNERS: Final = 4
_BOX: Final = pa.list_(pa.float64(), _CORNERS)
_IMAGE: Final = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
_SCREENS: Final = pa.schema(
    [
        ("id", pa.string()),
        ("page", pa.string()),
        ("source", pa.string()),
        ("variant", pa.string()),
        ("title", pa.string()),
        ("width", pa.int32()),
        ("height", pa.int32()),
        ("scale", pa.float64()),
        ("platform", pa.string()),
        ("locale", pa.string()),
        ("image", _IMAGE),
        ("elements", pa.string()),
        ("edits", pa.string()),
    ]
)
_QUESTIONS: Final = pa.schema(
    [
        ("id", pa.string()),
        ("pair", pa.string()),
        ("cluster", pa.string()),
        ("variant", pa.string()),
        ("kind", pa.string()),
        ("reasoning", pa.bool_()),
        ("screen", pa.string()),
        ("image_sha256", pa.string()),
        ("width", pa.int32()),
        ("height", pa.int32()),
        ("text", pa.string()),
        ("language", pa.string()),
        ("action", pa.string()),
        ("value", pa.string()),
        ("role", pa.string()),
        ("target", pa.string()),
        ("truth", _BOX),
        ("instruction", pa.string()),
    ]
)
_CARD: Final = """---
configs:
- config_name: questions
  default: true
  data_files:
  - split: test
    path: questions-*.parquet
- config_name: screens
  data_files:
  - split: test
    path: screens-*.parquet
tags:
- gui-grounding
- robustness
---

# A Surefoot benchmark

{questions} questions about {pairs} targets on {pages} pages, asked of {screens} screens.

`questions` holds what is asked: `text`, the true box `truth` (left, top, right, bottom in
pixels of the image, origin top left) and the cell (`variant`, `kind`, `reasoning`).
Questions that share `pair` differ only in their cell; questions that share `cluster` are
about one page and not independent. `screens` holds each picture once, with its `elements`;
`questions.screen` is `screens.id`.

Made from the benchmark with the manifest `{bench}`. The pages keep their own licences.
"""


def publish(bench: Path, out: Path, *, shard_bytes: int = SHARD_BYTES) -> None:
    """
    Write a BENCH as parquet shards with a dataset card, README.md, and ``manifest.json``.

    A shard is closed once it is larger than ``shard_bytes``; the manifest is written last.
    Equal benchmarks give equal bytes with one version of pyarrow. Raises InvalidInputError
    where ``bench`` is no finished BENCH or lacks a picture, or ``out`` holds other things.
    """
    digest = manifest_digest(bench, "bench")
    questions, screens = read_questions(bench), read_screens(bench)
    store = ObjectStore(bench)
    _make_empty(out)
    files = {
        **_write(out, "questions", _QUESTIONS, map(_question_row, questions), shard_bytes),
        **_write(out, "screens", _SCREENS, (_screen_row(e, store) for e in screens), shard_bytes),
    }
    card = _CARD.format(
        questions=len(questions),
        pairs=len({question.pair for question in questions}),
        pages=len({question.cluster for question in questions}),
        screens=len(screens),
        bench=digest,
    ).encode()
    write_atomic(out / "README.md", card)
    files["README.md"] = Exported(sha256(card), 1)
    write_atomic(out / "manifest.json", readable_json({"bench": digest, "files": files}))


def _make_empty(out: Path) -> None:
    """Clear what an earlier publication left; refuse a folder that holds anything else."""
    out.mkdir(parents=True, exist_ok=True)
    remove_partial(out)
    present = sorted(out.iterdir())
    strange = [each.name for each in present if not _OURS.fullmatch(each.name)]
    if strange:
        raise InvalidInputError(
            f"{out} to be empty or an earlier publication",
            found=f"'{strange[0]}' in it",
            remedy="name another folder",
        )
    for each in reversed(present):
        each.unlink()


def _write(
    out: Path, name: str, schema: pa.Schema, rows: Iterator[dict[str, Any]], shard_bytes: int
) -> dict[str, Exported]:
    """Write one table in shards; an empty one is one shard without rows."""
    files: dict[str, Exported] = {}
    more = True
    while more:
        shard = f"{name}-{len(files):05d}.parquet"
        with open_atomic(out / shard) as stream:
            count, more = _write_shard(stream, schema, rows, shard_bytes)
        if count == 0 and files:
            (out / shard).unlink()
        else:
            with (out / shard).open("rb") as stream:
                files[shard] = Exported(hashlib.file_digest(stream, "sha256").hexdigest(), count)
    return files


def _write_shard(
    stream: BinaryIO, schema: pa.Schema, rows: Iterator[dict[str, Any]], shard_bytes: int
) -> tuple[int, bool]:
    """Return how many rows went into the shard, and whether it ended because it was full."""
    described = schema.with_metadata({"huggingface": _features(schema)})
    compression = {_leaf(field): _codec(field) for field in schema}
    count = 0
    with pq.ParquetWriter(
        stream, described, compression=compression, use_dictionary=False, write_page_index=True
    ) as writer:
        while group := list(itertools.islice(rows, GROUP_ROWS)):
            writer.write_table(pa.Table.from_pylist(group, schema=described))
            count += len(group)
            if stream.tell() >= shard_bytes:
                return count, True
    return count, False


def _leaf(field: pa.Field) -> str:
    suffixes = {_IMAGE: ".bytes", _BOX: ".list.element"}
    return str(field.name) + suffixes.get(field.type, "")


def _codec(field: pa.Field) -> str:
    """Leave pictures as they are: PNG is compressed already."""
    return "none" if field.type == _IMAGE else "zstd"


def _features(schema: pa.Schema) -> str:
    """Describe the columns to Hugging Face's ``datasets``, which else sees no picture."""
    features = {field.name: _feature(field.type) for field in schema}
    return json.dumps({"info": {"features": features}}, sort_keys=True)


def _feature(kind: pa.DataType) -> dict[str, object]:
    if kind == _IMAGE:
        return {"_type": "Image"}
    if kind == _BOX:
        number = {"dtype": "float64", "_type": "Value"}
        return {"feature": number, "length": _CORNERS, "_type": "Sequence"}
    names = {"double": "float64"}
    return {"dtype": names.get(str(kind), str(kind)), "_type": "Value"}


def _question_row(question: Question) -> dict[str, Any]:
    instruction = question.instruction
    return {
        "id": question.id,
        "pair": question.pair,
        "cluster": question.cluster,
        "variant": question.cell.variant,
        "kind": question.cell.instruction,
        "reasoning": question.cell.reasoning,
        "screen": question.screen,
        "image_sha256": question.image,
        "width": question.width,
        "height": question.height,
        "text": instruction.text,
        "language": instruction.language,
        "action": instruction.action,
        "value": instruction.value,
        "role": question.role,
        "target": instruction.target,
        "truth": [float(side) for side in question.truth.as_tuple()],
        "instruction": canonical_json(instruction).decode(),
    }


def _screen_row(screen: Screen, store: ObjectStore) -> dict[str, Any]:
    return {
        "id": screen.id,
        "page": screen.page,
        "source": screen.source,
        "variant": screen.variant,
        "title": screen.title,
        "width": screen.width,
        "height": screen.height,
        "scale": float(screen.scale),
        "platform": screen.platform,
        "locale": screen.locale,
        "image": {"bytes": store.get(screen.image), "path": f"{screen.image}.png"},
        "elements": canonical_json(screen.elements).decode(),
        "edits": canonical_json(screen.edits).decode(),
    }
