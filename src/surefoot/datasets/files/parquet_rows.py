"""
The rows of parquet files of any size, one at a time, with the columns that are wanted.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from surefoot.core.errors import InvalidInputError, RecordError
from surefoot.datasets.files.json_records import without_nulls
from surefoot.datasets.files.pointers import HEAD, require_fetched

T = TypeVar("T")

BATCH: Final = 8  # rows; each may hold a picture of megabytes
BUFFER: Final = 2**20
MOST_GROUP: Final = 4 * 2**30  # bytes that the wanted columns of a row group may unfold to
_QUOTED: Final = 200


class Row(msgspec.Struct, frozen=True):
    """Hold one row's values by column, the file's name, and its number there from 1."""

    values: dict[str, object]
    file: str
    number: int


class ShownImage(msgspec.Struct, frozen=True):
    """Hold a picture as a column of images spells it: its bytes, or a path, or both."""

    data: bytes | None = msgspec.field(default=None, name="bytes")
    path: str | None = None

    @property
    def image(self) -> bytes | str:
        """Return the bytes, else the path; raises RecordError "missing-picture"."""
        found = self.data or self.path
        if not found:
            raise RecordError("missing-picture", "a picture in the row", found="none")
        return found


def parquet_rows(
    path: Path, columns: tuple[str, ...], *, optional: tuple[str, ...] = ()
) -> Iterator[Row]:
    """
    Yield the rows of a file in its order, a few at a time in memory.

    Columns that are ``optional`` are read where the file has them.

    Raises InvalidInputError for a file that is no parquet, is cut or spoilt, lacks a
    column, or has a row group that unfolds to more than 4 GiB of the wanted columns.
    """
    import pyarrow as pa
    from pyarrow import parquet

    try:
        with path.open("rb") as stream:
            require_fetched(stream.read(HEAD), path.name)
        with parquet.ParquetFile(path, buffer_size=BUFFER, pre_buffer=False) as table:
            names = table.schema_arrow.names
            _check_columns(path, columns, names)
            wanted = (*columns, *(name for name in optional if name in names))
            _check_groups(path, wanted, table.metadata)
            number = 0
            for batch in table.iter_batches(BATCH, columns=list(wanted), use_threads=False):
                for values in batch.to_pylist():
                    number += 1
                    yield Row(values, path.name, number)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InvalidInputError(
            f"{path.name} to be a whole parquet file",
            found=error,
            remedy="fetch the file again",
        ) from error


def decode_row(row: Row, kind: type[T]) -> T:
    """Read one row as a type, nulls as absent; raises RecordError "malformed"."""
    try:
        return msgspec.convert(without_nulls(row.values, kind), kind)
    except msgspec.ValidationError as error:
        found = str(error)[:_QUOTED]
        raise RecordError("malformed", "a row of the known columns", found=found) from error


def _check_columns(path: Path, wanted: tuple[str, ...], found: list[str]) -> None:
    absent = [item for item in wanted if item not in found]
    if absent or len(set(found)) != len(found):
        raise InvalidInputError(
            f"the columns {', '.join(wanted)} in {path.name}, each once",
            found=f"no {', '.join(absent)}" if absent else "one twice",
            remedy="check that this is the published set",
        )


def _check_groups(path: Path, columns: tuple[str, ...], metadata: Any) -> None:  # noqa: ANN401 - pyarrow has no types
    for group in range(metadata.num_row_groups):
        about = metadata.row_group(group)
        chunks = (about.column(index) for index in range(about.num_columns))
        size = sum(
            chunk.total_uncompressed_size
            for chunk in chunks
            if chunk.path_in_schema.partition(".")[0] in columns
        )
        if size > MOST_GROUP:
            raise InvalidInputError(
                f"row groups of at most {MOST_GROUP:,} bytes in {path.name}", found=f"{size:,}"
            )
