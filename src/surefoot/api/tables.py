"""
Records as tables: one Arrow table, and what pandas, polars and datasets make of it.
"""

from __future__ import annotations

import abc
import functools
import importlib
import itertools
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

import msgspec

from surefoot.core.canonical import canonical_json
from surefoot.core.errors import InvalidInputError, MissingComponentError
from surefoot.core.extras import missing_package
from surefoot.core.perturbation import variant_title

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    import datasets


R = TypeVar("R", bound=msgspec.Struct)

BATCH: Final = 1000  # rows that are Python objects at once
SHOWN: Final = 10  # rows that a notebook shows
PICTURE: Final = "image"
VARIANT, TITLE = "variant", "variant_title"
MOST_ROWS: Final = 30  # of a whole table
LONGEST: Final = 80  # characters of a cell that a notebook shows
STYLE: Final = "text-align:left;vertical-align:top;font-variant-numeric:tabular-nums"


class RecordTable(abc.ABC, Generic[R]):
    """
    Offer records one by one, and as a table with a row for each of them.
    """

    @abc.abstractmethod
    def __iter__(self) -> Iterator[R]:
        """Yield the records in their order."""

    @abc.abstractmethod
    def __len__(self) -> int:
        """Count the records."""

    @abc.abstractmethod
    def schema(self) -> pa.Schema:
        """Return the columns."""

    @abc.abstractmethod
    def row(self, record: R) -> dict[str, Any]:
        """Return a record's cells, by the names of their columns."""

    def picture_bytes(self, record: R) -> bytes | None:
        """Return the PNG that a record is about, None where there is none."""
        raise InvalidInputError(
            "records that have pictures",
            found=f"{type(record).__name__}, which has none",
            remedy="leave pictures=True out",
        )

    def to_arrow(self, *, pictures: bool = False) -> pa.Table:
        """
        Return the table; with ``pictures`` the PNG of each record stands in a column "image".

        Raises InvalidInputError where records have none.
        """
        pa = optional_package("pyarrow")
        from surefoot.run.parquet.layout import IMAGE, features

        schema = self.schema()
        if pictures:
            schema = schema.append(pa.field(PICTURE, IMAGE))
        schema = schema.with_metadata({"huggingface": features(schema)})
        rows = (self._pictured(record) if pictures else self.row(record) for record in self)
        batches = []
        while batch := list(itertools.islice(rows, BATCH)):
            batches.append(pa.RecordBatch.from_pylist(batch, schema=schema))
        return pa.Table.from_batches(batches, schema=schema)

    def to_pandas(self, *, pictures: bool = False) -> pd.DataFrame:
        """
        Return the table for pandas; raises MissingComponentError without it.

        What is true or false stays so where it may be missing: pandas' own "boolean".
        """
        package, pa = optional_package("pandas"), optional_package("pyarrow")
        kept = {pa.bool_(): package.BooleanDtype()}
        frame: pd.DataFrame = self.to_arrow(pictures=pictures).to_pandas(types_mapper=kept.get)
        return frame

    def to_polars(self, *, pictures: bool = False) -> pl.DataFrame:
        """Return the table for polars; raises MissingComponentError without it."""
        package = optional_package("polars")
        frame: pl.DataFrame = package.from_arrow(self.to_arrow(pictures=pictures))
        return frame

    def to_datasets(self, *, pictures: bool = False) -> datasets.Dataset:
        """Return the table for Hugging Face's datasets; MissingComponentError without it."""
        package = optional_package("datasets")
        made: datasets.Dataset = package.Dataset(self.to_arrow(pictures=pictures))
        return made

    def _pictured(self, record: R) -> dict[str, Any]:
        data = self.picture_bytes(record)
        return {**self.row(record), PICTURE: {"bytes": data, "path": None} if data else None}

    @abc.abstractmethod
    def shown(self, record: R) -> dict[str, object]:
        """Return what a notebook shows of a record, by the heads of columns."""

    def _repr_html_(self) -> str:
        rows = [self.shown(record) for record in itertools.islice(self, SHOWN)]
        return html_table(rows, self.caption())

    def caption(self) -> str:
        """Return what stands above the table in a notebook."""
        return counted(len(self), "record")


class FlatTable(RecordTable[R]):
    """
    Hold records whose columns are their fields; what a field holds in a list is JSON.
    """

    def __init__(self, records: Sequence[R], kind: type[R]) -> None:
        self.records = tuple(records)
        self._kind = kind

    def __iter__(self) -> Iterator[R]:
        """Yield the records in their order."""
        return iter(self.records)

    def __len__(self) -> int:
        """Count the records."""
        return len(self.records)

    def __getitem__(self, place: int) -> R:
        """Return a record by its place."""
        return self.records[place]

    def schema(self) -> pa.Schema:
        """Return the columns, whatever the records at hand hold."""
        import pyarrow as pa

        types = {"bool": pa.bool_(), "int": pa.int64(), "float": pa.float64()}
        columns = _columns_of(self._kind).items()
        return pa.schema([(name, types.get(what, pa.string())) for name, what in columns])

    def row(self, record: R) -> dict[str, Any]:
        """Return a record's fields."""
        return flat_row(record)

    def shown(self, record: R) -> dict[str, object]:
        """Return a record's fields."""
        return flat_row(record)


def counted(count: int, noun: str) -> str:
    """
    Count something by its singular.

    >>> counted(1, "screen"), counted(1200, "question")
    ('1 screen', '1,200 questions')
    """
    return f"{count:,} {noun}{'s' * (count != 1)}"


def optional_package(name: str) -> Any:  # noqa: ANN401 - a module that may be absent
    """
    Import a package that is no dependency; raises MissingComponentError.

    >>> optional_package("json").dumps([1])
    '[1]'
    """
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        remedy = f"install it: pip install {name}"
        raise missing_package(error) or MissingComponentError(
            f"the package {name}", found="none", remedy=remedy
        ) from error


def flat_row(record: msgspec.Struct) -> dict[str, Any]:
    """
    Return a record's fields as the cells of a row, and those of a record in it.

    Beside a variant stands its title. Whatever else is no number and no text is JSON.

    >>> from surefoot.core.geometry import Point
    >>> flat_row(Point(1.0, 2.0))
    {'x': 1.0, 'y': 2.0}
    """
    row: dict[str, Any] = {}
    for name, inner in _fields_of(type(record)).items():
        value = getattr(record, name)
        if inner is None:
            row[name] = _plain_cell(value)
            if name == VARIANT:
                row[TITLE] = variant_title(str(value))
            continue
        for part in _fields_of(inner):
            row[f"{name}_{part}"] = None if value is None else _plain_cell(getattr(value, part))
    return row


def html_table(rows: Sequence[Mapping[str, object]], caption: str) -> str:
    """
    Draw rows as an HTML table; every text is escaped, and a long one cut, as a table is.

    >>> "&lt;b&gt;" in html_table([{"words": "<b>", "n": 2}], "one record")
    True
    """
    if not rows:
        return f"<p>{escape(caption)}</p>"
    if len(rows) > MOST_ROWS:
        rows, caption = rows[:MOST_ROWS], f"{caption}, the first {MOST_ROWS} of them"
    head = "".join(f'<th scope="col" style="{STYLE}">{escape(name)}</th>' for name in rows[0])
    body = "".join(
        "<tr>"
        + "".join(f'<td style="{STYLE}">{_cell(cell)}</td>' for cell in row.values())
        + "</tr>"
        for row in rows
    )
    return (
        f'<div style="overflow-x:auto"><table><caption style="{STYLE}">{escape(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = f"{value:.4g}" if isinstance(value, float) else str(value)
    return escape(
        text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}\N{HORIZONTAL ELLIPSIS}"
    )


def _columns_of(kind: type) -> dict[str, str]:
    """Return the names of a record's columns, and what stands in each."""
    found: dict[str, str] = {}
    types = {field.name: field.type for field in msgspec.structs.fields(kind)}
    for name, inner in _fields_of(kind).items():
        if inner is None:
            found[name] = _plain_type(types[name])
            if name == VARIANT:
                found[TITLE] = "text"
        else:
            parts = msgspec.structs.fields(inner)
            found |= {f"{name}_{part.name}": _plain_type(part.type) for part in parts}
    return found


@functools.cache
def _fields_of(kind: type) -> dict[str, type | None]:
    """Return a record's fields, with the kind of record that is in one, None for all else."""
    return {field.name: _struct_of(field.type) for field in msgspec.structs.fields(kind)}


def _struct_of(annotation: object) -> type | None:
    form = msgspec.inspect.type_info(annotation)
    if isinstance(form, msgspec.inspect.UnionType):
        several = [kind for kind in form.types if not isinstance(kind, msgspec.inspect.NoneType)]
        form = several[0] if len(several) == 1 else form
    return form.cls if isinstance(form, msgspec.inspect.StructType) else None


def _plain_type(annotation: object) -> str:
    form = msgspec.inspect.type_info(annotation)
    kinds = form.types if isinstance(form, msgspec.inspect.UnionType) else (form,)
    names = {"BoolType": "bool", "IntType": "int", "FloatType": "float"}
    found = {names.get(type(kind).__name__, "text") for kind in kinds if not _is_none(kind)}
    return found.pop() if len(found) == 1 else "text"


def _is_none(kind: object) -> bool:
    return isinstance(kind, msgspec.inspect.NoneType)


def _plain_cell(value: object) -> object:
    plain = value is None or isinstance(value, str | bool | int | float)
    return value if plain else canonical_json(value).decode()
