"""
TRL's layout, which unsloth and axolotl read as well: turns in parts, pictures in a column.

Parts have ``type`` and ``text`` alone: a key ``image`` would be None in a part of words, and
templates that ask whether it is there take the words for a picture.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from surefoot.core.store import ObjectStore
from surefoot.models.format import ChatMessages
from surefoot.train.examples import TrainingExample
from surefoot.train.layout import Layout

ROWS: Final = 1_000  # of a group


def turns(messages: ChatMessages, pictures: int) -> list[dict[str, Any]]:
    """Return a prompt as turns in parts, with so many pictures in the user's."""
    shown = [{"type": "image", "text": None}] * pictures
    words = [{"type": "text", "text": messages.user}]
    content = [*shown, *words] if messages.image_first else [*words, *shown]
    system = {"role": "system", "content": [{"type": "text", "text": messages.system}]}
    return [*([system] if messages.system else []), {"role": "user", "content": content}]


def row_of(example: TrainingExample) -> dict[str, Any]:
    """Return an example's columns but for its pictures."""
    reply = [{"type": "text", "text": example.completion}]
    return {
        "id": example.id,
        "prompt": turns(example.messages, len(example.question.images)),
        "completion": [{"role": "assistant", "content": reply}],
    }


def write(data: Path, examples: Sequence[TrainingExample]) -> None:
    """Write a parquet file for each split, which ``datasets.load_dataset`` reads."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    part = pa.struct([("type", pa.string()), ("text", pa.string())])
    turn = pa.list_(pa.struct([("role", pa.string()), ("content", pa.list_(part))]))
    picture = pa.list_(pa.struct([("bytes", pa.binary()), ("path", pa.string())]))
    schema = pa.schema(
        [("id", pa.string()), ("prompt", turn), ("completion", turn), ("images", picture)]
    ).with_metadata({"huggingface": FEATURES})
    folder, store = data / "trl", ObjectStore(data)
    folder.mkdir(exist_ok=True)
    for split in sorted({example.split for example in examples}):
        members = [example for example in examples if example.split == split]
        with pq.ParquetWriter(folder / f"{split}.parquet", schema, compression="zstd") as writer:
            for group in _groups(members):
                rows = [
                    row_of(one)
                    | {
                        "images": [
                            {"bytes": store.get(i), "path": f"{i}.png"}
                            for i in one.question.images
                        ]
                    }
                    for one in group
                ]
                writer.write_table(pa.Table.from_pylist(rows, schema=schema))


def _groups(examples: Sequence[TrainingExample]) -> Iterator[Sequence[TrainingExample]]:
    for start in range(0, len(examples), ROWS):
        yield examples[start : start + ROWS]


_PARTS: Final = (
    '{"feature":{"content":{"feature":{"text":{"dtype":"string","_type":"Value"},'
    '"type":{"dtype":"string","_type":"Value"}},"_type":"List"},'
    '"role":{"dtype":"string","_type":"Value"}},"_type":"List"}'
)
FEATURES: Final = (
    '{"info":{"features":{"id":{"dtype":"string","_type":"Value"},'
    f'"prompt":{_PARTS},"completion":{_PARTS},'
    '"images":{"feature":{"_type":"Image"},"_type":"List"}}}}'
)

TRL: Final = Layout(
    "trl", 1, "TRL, unsloth, axolotl: parquet, turns in parts, pictures in a column", write
)
