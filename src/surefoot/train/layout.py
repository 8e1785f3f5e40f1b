"""
A layout: how examples are written for one family of trainers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from surefoot.core.canonical import canonical_json
from surefoot.core.errors import InvalidInputError
from surefoot.core.registry import Registry
from surefoot.core.store import ObjectStore
from surefoot.train.examples import TrainingExample

if TYPE_CHECKING:
    import pyarrow as pa

PICTURE: Final = "<image>"
# Marks that trainers replace in strings: LLaMA-Factory's and verl's, and ms-swift's of boxes.
MARKS: Final = (PICTURE, "<video>", "<audio>", "<bbox>", "<ref-object>")
ROWS: Final = 1_000  # of a group


class Layout(msgspec.Struct, frozen=True):
    """
    Describe a layout: ``write`` writes DATA/NAME from the examples and the pictures in DATA.

    Written twice, the files are the same bytes.
    """

    name: str
    version: int
    summary: str
    write: Callable[[Path, Sequence[TrainingExample]], None]


LAYOUTS: Final = Registry(Layout, "surefoot.train.layouts", what="layout")


def by_split(
    examples: Sequence[TrainingExample],
) -> Iterator[tuple[str, Sequence[TrainingExample]]]:
    """Yield each split that has examples, by name, with them."""
    for split in sorted({example.split for example in examples}):
        yield split, [example for example in examples if example.split == split]


def turns_in_strings(example: TrainingExample) -> list[dict[str, str]]:
    """
    Return the turns of a prompt as strings, with a mark for each picture.

    Raises InvalidInputError where words hold a mark, which trainers take for a picture.
    """
    messages = example.messages
    for words in (messages.system, messages.user, example.completion):
        for mark in MARKS:
            if mark in words:
                raise InvalidInputError(
                    f"words without '{mark}', which trainers replace, in '{example.id}'",
                    found=f"{words:.80}",
                    remedy="leave its site out, or write the layout 'trl'",
                )
    pictures = PICTURE * len(example.question.images)
    ends = (pictures, messages.user) if messages.image_first else (messages.user, pictures)
    system = {"role": "system", "content": messages.system}
    return [*([system] if messages.system else []), {"role": "user", "content": "".join(ends)}]


def write_parquet(
    folder: Path,
    examples: Sequence[TrainingExample],
    columns: Callable[[], pa.Schema],
    row_of: Callable[[TrainingExample], dict[str, Any]],
) -> None:
    """
    Write a file for each split in DATA/NAME, which ``datasets.load_dataset`` reads.

    A column ``images`` comes to ``columns``; it is read as pictures, in their own size.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    picture = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    schema = columns().append(pa.field("images", pa.list_(picture)))
    features = {field.name: _feature(field.type) for field in schema} | {
        "images": [{"_type": "Image"}]
    }
    about = canonical_json({"info": {"features": features}}).decode()
    schema = schema.with_metadata({"huggingface": about})
    folder.mkdir(exist_ok=True)
    store = ObjectStore(folder.parent)
    for split, members in by_split(examples):
        with pq.ParquetWriter(folder / f"{split}.parquet", schema, compression="zstd") as writer:
            for start in range(0, len(members), ROWS):
                rows = [
                    {**row_of(example), "images": _pictures(example, store)}
                    for example in members[start : start + ROWS]
                ]
                writer.write_table(pa.Table.from_pylist(rows, schema=schema))


def _pictures(example: TrainingExample, store: ObjectStore) -> list[dict[str, object]]:
    return [
        {"bytes": store.get(image), "path": f"{image}.png"} for image in example.question.images
    ]


def _feature(kind: pa.DataType) -> object:
    """Describe a column as ``datasets`` does, in the form that its older versions read too."""
    import pyarrow as pa

    if pa.types.is_struct(kind):
        return {field.name: _feature(field.type) for field in kind}
    if pa.types.is_list(kind):
        return [_feature(kind.value_type)]
    return {"_type": "Value", "dtype": str(kind)}
