"""
The tables of a report as files: CSV and parquet, numbers with all their digits.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from surefoot.core.files import write_atomic
from surefoot.report.html.section import Section, Table

_BYTES: Final = 180  # of a title in a file's name, which may have 255


def named_tables(sections: Iterable[Section]) -> dict[str, Table]:
    """
    Return the tables of sections under the names of their files, in the order of the report.

    A name is the section's anchor and the figure's title.
    """
    found: dict[str, Table] = {}
    for section in sections:
        for figure in section.figures:
            title = re.sub(r"\W+", "-", figure.title.lower()).strip("-").encode()[:_BYTES]
            name = f"{section.id}-{title.decode(errors='ignore').strip('-')}"
            again = sum(bool(re.fullmatch(rf"{re.escape(name)}(-\d+)?", item)) for item in found)
            found[f"{name}-{again + 1}" if again else name] = figure.table
    return found


def write_tables(tables: Mapping[str, Table], folder: Path) -> None:
    """
    Write each table as NAME.csv and NAME.parquet.

    A column has its unit in its name, and nothing where nothing was measured. Raises
    ModuleNotFoundError without pyarrow, the CSV files being written by then.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        write_atomic(folder / f"{name}.csv", table.numbers_csv.encode())

    import pyarrow as pa
    from pyarrow import parquet

    for name, table in tables.items():
        columns = {column.name: pa.array(column.values) for column in table.columns}
        written = io.BytesIO()
        parquet.write_table(pa.table(columns), written)
        write_atomic(folder / f"{name}.parquet", written.getvalue())
