"""
TRL's layout, which unsloth and axolotl read as well: turns in parts, pictures in a column.

Parts have ``type`` and ``text`` alone: a key ``image`` would be None in a part of words, and
templates that ask whether it is there take the words for a picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from surefoot.models.format import ChatMessages
from surefoot.train.examples import TrainingExample
from surefoot.train.layout import Layout, write_parquet

if TYPE_CHECKING:
    import pyarrow as pa


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
    write_parquet(data / "trl", examples, _columns, row_of)


def _columns() -> pa.Schema:
    import pyarrow as pa

    part = pa.struct([("type", pa.string()), ("text", pa.string())])
    turn = pa.list_(pa.struct([("role", pa.string()), ("content", pa.list_(part))]))
    return pa.schema([("id", pa.string()), ("prompt", turn), ("completion", turn)])


TRL: Final = Layout(
    "trl", 1, "TRL, unsloth, axolotl: parquet, turns in parts, pictures in a column", write
)
