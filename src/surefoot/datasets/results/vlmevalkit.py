"""
VLMEvalKit's result tables: ``MODEL_DATASET.xlsx``, or .tsv, a row of the data set each.

A row has all columns of the data set but the picture (``index``, ``question`` or
``instruction``, ``bbox``, ``image_path`` or ``img_filename``) and ``prediction``. A reply that
was not had is a sentence that begins "Failed to obtain answer". The file holds no verdict, and
ScreenSpot is several files there, one for each platform or group: a folder of them is read whole.
"""

from __future__ import annotations

import csv
import itertools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from surefoot.core.errors import InvalidInputError, RecordError
from surefoot.datasets.dataset import BadRecord, Reports, ignore
from surefoot.datasets.files.boxes import BoxConvention
from surefoot.datasets.results.result import ResultRow, ResultsFile, ResultsHead

FAILED: Final = "Failed to obtain answer"
SUFFIXES: Final = (".xlsx", ".tsv")
WORDS: Final = ("question", "instruction", "description")
PICTURES: Final = ("image_path", "img_filename")
# ScreenSpot's boxes give a size, ScreenSpot-Pro's corners, both in a column of one name.
CONVENTIONS: Final = (BoxConvention.PIXEL_XYWH, BoxConvention.PIXEL_XYXY)
LONGEST: Final = 1 << 24  # characters of one field


def read_tables(
    path: Path, *, strict: bool = False, report: Reports = ignore
) -> Iterator[ResultRow]:
    """
    Read one table, or all of a folder.

    Raises InvalidInputError as the seam says, and for a table without the columns.
    """
    for file in _tables(path):
        for number, row in enumerate(_rows(file), start=2):
            try:
                yield _row(row, file)
            except InvalidInputError as error:
                if strict:
                    raise
                report(BadRecord(number, str(error), "malformed", file.name))


def _tables(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(item for item in path.iterdir() if item.suffix in SUFFIXES)
    if not found:
        raise InvalidInputError(f"a table ({' or '.join(SUFFIXES)}) in {path}", found="none")
    return found


def _rows(file: Path) -> Iterator[Mapping[str, str]]:
    lines = _sheet(file) if file.suffix == ".xlsx" else _lines(file)
    header = next(lines, ())
    wanted = {"index", "bbox", "prediction"} - {*header}
    if wanted or not {*WORDS} & {*header}:
        raise InvalidInputError(
            f"the columns index, question, bbox and prediction in {file.name}",
            found=", ".join(header)[:200] or "none",
            remedy="name the table that VLMEvalKit wrote with the predictions",
        )
    for line in lines:
        if any(line):
            yield dict(zip(header, line, strict=False))


def _lines(file: Path) -> Iterator[Sequence[str]]:
    try:
        with file.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.reader(stream, delimiter="\t")
            while (line := _next_line(reader)) is not None:
                yield line
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InvalidInputError(f"a readable table at {file}", found=error) from error


def _next_line(reader: Iterator[list[str]]) -> list[str] | None:
    """Read a line of long fields; the limit is the whole process's, so it is put back."""
    usual = csv.field_size_limit(LONGEST)
    try:
        return next(reader, None)
    finally:
        csv.field_size_limit(usual)


def _sheet(file: Path) -> Iterator[Sequence[str]]:
    import zipfile

    import openpyxl
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        book = openpyxl.load_workbook(file, read_only=True, data_only=True)
    except (OSError, InvalidFileException, zipfile.BadZipFile, KeyError, ValueError) as error:
        raise InvalidInputError(f"a readable workbook at {file}", found=error) from error
    try:
        for cells in itertools.islice(book.worksheets[:1], 1):
            for row in cells.iter_rows(values_only=True):
                yield ["" if cell is None else str(cell) for cell in row]
    finally:
        book.close()


def _row(row: Mapping[str, str], file: Path) -> ResultRow:
    reply = row.get("prediction", "")
    failed = FAILED in reply
    words = next((row[name] for name in WORDS if row.get(name)), "")
    if not words:
        raise RecordError("malformed", "words that were asked", found="none")
    return ResultRow(
        key=f"index {row['index']} of {file.name}",
        reply=reply,
        text=words,
        picture=next((row[name] for name in PICTURES if row.get(name)), ""),
        box=_box(row["bbox"]),
        conventions=CONVENTIONS,
        failure=reply[:200] if failed else "",
    )


def _box(spelled: str) -> tuple[float, ...]:
    try:
        return tuple(msgspec.json.decode(spelled.replace("(", "[").replace(")", "]"), type=Any))
    except (msgspec.MsgspecError, TypeError) as error:
        raise RecordError("malformed", "a box of four numbers", found=spelled[:80]) from error


def _head(path: Path) -> ResultsHead:
    first = _tables(path)[0]
    folder = first.resolve().parent.name
    own = first.stem
    # Files lie in MODEL/ as MODEL_DATASET.xlsx; elsewhere the data set's name ends the file's.
    return ResultsHead(model=folder if own.startswith(f"{folder}_") else own.partition("_Scr")[0])


VLMEVALKIT_RESULTS = ResultsFile(
    name="vlmevalkit-results",
    version=1,
    summary="VLMEvalKit's MODEL_DATASET.xlsx or .tsv, joined by words, picture and box",
    source="open-compass/VLMEvalKit, vlmeval/inference.py",
    head=_head,
    read=read_tables,
)
