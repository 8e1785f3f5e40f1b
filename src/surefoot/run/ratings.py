"""
The work behind ``surefoot agreement``: what people said of items, read from files.

A file is CSV (or what a spreadsheet writes with semicolons or tabs) or JSON Lines. It has either
a rating a line, in the columns ``item`` and ``rating``, or an item a line, in the column ``item``
and a column for each category with how many gave it. A column ``site`` names what items share,
over which intervals are then computed; of ratings, ``rater`` says whose they are, the file's name
where it has none. Where lines have a ``revision``, as those of ``surefoot view --judge`` do, of a
rater's lines on an item the highest counts, and a last line that a kill has cut off is dropped.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from surefoot.core.errors import InvalidInputError
from surefoot.score.stats.agreement import UNRATED, AgreementRow, agreement_rows
from surefoot.score.stats.arrays import Ints

ITEM: Final = "item"
RATING: Final = "rating"
RATER: Final = "rater"
SITE: Final = "site"
BENCH: Final = "bench"
REVISION: Final = "revision"
MOST_RATINGS: Final = 10_000_000  # places of a table of items and raters
MOST_BYTES: Final = 256 * 2**20
LONGEST_CELL: Final = 100_000  # characters
_MARKS: Final = ",;\t"
_ENDINGS: Final = (".jsonl", ".ndjson")
_BEGINNING: Final = b'{"bench":"'  # of a line that `surefoot view --judge` writes
_SAVE: Final = "save it as CSV in UTF-8"
_REMEDY: Final = "name the columns item and rating, or item and each category, in the first line"


class Ratings(msgspec.Struct, frozen=True, eq=False):
    """
    Hold what was said of items: ``table`` is (items, raters), a category's place or `UNRATED`.

    ``raters`` is empty where only counts are known; a column of the table is nobody then.
    ``sites`` are those of the items, "" where none is told.
    """

    items: tuple[str, ...]
    sites: tuple[str, ...]
    raters: tuple[str, ...]
    categories: tuple[str, ...]
    table: Ints


class PeopleAgreement(msgspec.Struct, frozen=True):
    """
    Hold how far people agree, with how often each category was given.

    ``items`` counts those that at least one person rated. ``over`` names what the intervals
    are computed over.
    """

    items: int
    raters: tuple[str, ...]
    counts: dict[str, int]
    over: str
    rows: tuple[AgreementRow, ...]


class _Line(msgspec.Struct, frozen=True):
    file: str
    number: int
    cells: Mapping[str, str]

    def fault(self, expected: str, found: str) -> InvalidInputError:
        return InvalidInputError(f"{expected} in {self.file}, line {self.number}", found=found)


class RatingLines(msgspec.Struct, frozen=True):
    """
    Hold the lines of files, and say of which the last one was dropped, as a kill has cut it off.
    """

    files: tuple[Path, ...]
    lines: tuple[_Line, ...]
    cut: tuple[str, ...]

    @property
    def columns(self) -> frozenset[str]:
        """Return the columns that every line has."""
        found = [frozenset(line.cells) for line in self.lines]
        return frozenset.intersection(*found) if found else frozenset()


def agreement_of(
    read: RatingLines, categories: Sequence[str] = (), column: str = RATING
) -> PeopleAgreement:
    """
    Return how far people agree in a column.

    ``categories`` are those that could be given, besides those that were. Intervals are over
    sites where every item has one, else over items. Raises InvalidInputError as
    ``ratings_of`` does.
    """
    found = ratings_of(read, categories, column=column)
    over = SITE if all(found.sites) else ITEM
    clusters = found.sites if over == SITE else found.items
    rows = agreement_rows(
        found.table, found.raters, len(found.categories), clusters, over=f"{over}s"
    )
    given = np.bincount(found.table[found.table != UNRATED], minlength=len(found.categories))
    return PeopleAgreement(
        items=int((found.table != UNRATED).any(axis=1).sum()),
        raters=found.raters,
        counts=dict(zip(found.categories, given.tolist(), strict=True)),
        over=f"{over}s",
        rows=tuple(rows),
    )


def is_cut_off(line: bytes) -> bool:
    """
    Tell whether a last line is the beginning of a judgement of a page, and no more.

    >>> is_cut_off(b'{"bench":"ab","it'), is_cut_off(b"{}"), is_cut_off(b"item,rating")
    (True, False, False)
    """
    if not (line.startswith(_BEGINNING) or _BEGINNING.startswith(line)):
        return False
    try:
        msgspec.json.decode(line)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return True
    return False


def cut_words(file: Path, number: int) -> str:
    """
    Say that a line was dropped.

    >>> cut_words(Path("ann.jsonl"), 3)
    'dropped line 3 of ann.jsonl, which was cut off: its verdict was never acknowledged'
    """
    return (
        f"dropped line {number} of {file}, which was cut off: its verdict was never acknowledged"
    )


def read_lines(files: Iterable[Path]) -> RatingLines:
    """Read files, each once; raises InvalidInputError for one that cannot be read."""
    named, lines, cut = tuple(files), list[_Line](), list[str]()
    for file in named:
        data = _bytes(file)
        whole = _whole(data) if file.suffix in _ENDINGS else data
        if whole != data:
            cut.append(cut_words(file, data.count(b"\n") + 1))
        lines += _lines(_text(whole, file), file)
    return RatingLines(named, tuple(lines), tuple(cut))


def ratings_of(
    read: RatingLines,
    categories: Sequence[str] = (),
    *,
    column: str = RATING,
    empty: bool = False,
) -> Ratings:
    """
    Return ratings, or counts, from the lines of files.

    Categories are told apart whatever their case; a rating that is empty is none. Ratings stand
    in a ``column``, and where they may be ``empty``, nobody need have rated. Raises
    InvalidInputError for two ratings of one item by one rater, for an item of two sites, for
    counts that are no whole numbers, and where nobody rated.
    """
    lines = _latest(read.lines)
    counted = [line for line in lines if column not in line.cells]
    if counted and (column != RATING or len(read.files) > 1 or len(counted) < len(lines)):
        raise counted[0].fault(f"a column '{column}', as ratings have", "none")
    given = dict.fromkeys(_plain(name) for name in categories)
    found = _of_counts(lines, given) if counted else _of_ratings(lines, given, column)
    if not empty and not (found.table != UNRATED).any():
        raise InvalidInputError(
            f"ratings in {', '.join(map(str, read.files)) or 'a file'}",
            found="none",
            remedy=_REMEDY,
        )
    return found


def _latest(lines: Sequence[_Line]) -> list[_Line]:
    """Return the lines without those that a later revision by the same rater replaces."""
    revisions: dict[tuple[str, str, str], int] = {}
    for line in lines:
        if REVISION in line.cells:
            sample = line.cells.get(BENCH, ""), line.cells[ITEM], _rater(line)
            revisions[sample] = max(revisions.get(sample, 0), _revision(line))
    return [
        line
        for line in lines
        if REVISION not in line.cells
        or _revision(line) == revisions[line.cells.get(BENCH, ""), line.cells[ITEM], _rater(line)]
    ]


def _revision(line: _Line) -> int:
    return _number(line, REVISION, "the number of a revision")


def _of_ratings(lines: Sequence[_Line], given: dict[str, None], column: str) -> Ratings:
    ratings: dict[tuple[str, str], str] = {}
    for line in lines:
        rating, rater = _plain(line.cells[column]), _rater(line)
        if not rating:
            continue
        key = line.cells[ITEM], rater
        if key in ratings:
            raise line.fault("one rating of an item by a rater", f"two of '{key[0]}' by '{rater}'")
        ratings[key] = rating
        given.setdefault(rating)
    sites = _sites(lines)
    items, raters = tuple(sites), tuple(sorted({rater for _, rater in ratings}))
    table = _empty(len(items), len(raters))
    rows, columns, codes = (
        {name: at for at, name in enumerate(names)} for names in (items, raters, given)
    )
    for (item, rater), rating in ratings.items():
        table[rows[item], columns[rater]] = codes[rating]
    return Ratings(items, tuple(sites.values()), raters, tuple(given), table)


def _of_counts(lines: Sequence[_Line], given: dict[str, None]) -> Ratings:
    counts: list[dict[str, int]] = []
    for line in lines:
        own = {
            _plain(name): _number(line, name, f"how many gave '{name}'")
            for name in line.cells
            if name not in (ITEM, SITE) and name.strip()
        }
        given |= dict.fromkeys(own)
        counts.append(own)
    sites = _sites(lines)
    if len(sites) < len(lines):
        raise lines[-1].fault("each item on one line", f"{len(lines) - len(sites)} of them again")
    most = max((sum(own.values()) for own in counts), default=0)
    table = _empty(len(lines), most)
    for row, own in enumerate(counts):
        codes = np.repeat(np.arange(len(given)), [own.get(name, 0) for name in given])
        table[row, : len(codes)] = codes
    return Ratings(tuple(sites), tuple(sites.values()), (), tuple(given), table)


def _empty(items: int, raters: int) -> Ints:
    if items * raters > MOST_RATINGS:
        raise InvalidInputError(
            f"at most {MOST_RATINGS:,} ratings", found=f"{items:,} items by {raters:,} raters"
        )
    return np.full((items, raters), UNRATED, dtype=np.int64)


def _number(line: _Line, name: str, what: str) -> int:
    text = line.cells[name].strip() or "0"
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(MOST_RATINGS))):
        raise line.fault(f"{what}, a whole number", f"'{text[:40]}'")
    return int(text)


def _sites(lines: Sequence[_Line]) -> dict[str, str]:
    """Return the items in the order of the lines, with their sites."""
    found: dict[str, str] = {}
    for line in lines:
        item, site = line.cells[ITEM], line.cells.get(SITE, "").strip()
        if not item:
            raise line.fault("the name of an item", "none")
        if found.setdefault(item, site) != site:
            raise line.fault("one site of an item", f"'{found[item]}' and '{site}' of '{item}'")
    return found


def _rater(line: _Line) -> str:
    if RATER not in line.cells:
        return Path(line.file).stem
    rater = line.cells[RATER].strip()
    if not rater:
        raise line.fault("the name of a rater", "none")
    return rater


def _plain(rating: str) -> str:
    return " ".join(rating.casefold().split())


def _lines(text: str, file: Path) -> Iterator[_Line]:
    rows = _objects(text, file) if file.suffix in _ENDINGS else _cells(text, file)
    for number, row in rows:
        cells = {name.strip(): value for name, value in row.items()}
        if ITEM not in cells:
            raise InvalidInputError(
                f"a column '{ITEM}' in {file}, line {number}",
                found=", ".join(f"'{name[:40]}'" for name in list(cells)[:9]) or "nothing",
                remedy=_REMEDY,
            )
        yield _Line(str(file), number, cells | {ITEM: cells[ITEM].strip()})


def _text(data: bytes, file: Path) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInputError(
            f"ratings as UTF-8 in {file}", found=error, remedy=_SAVE
        ) from error


def _bytes(file: Path) -> bytes:
    try:
        with file.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise InvalidInputError(
            f"ratings as UTF-8 in {file}", found=error, remedy=_SAVE
        ) from error
    if len(data) > MOST_BYTES:
        raise InvalidInputError(
            f"a file of at most {MOST_BYTES:,} bytes, {file}", found="a larger one"
        )
    return data


def _cells(text: str, file: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the lines of CSV below its first, by the names that stand there."""
    head = text.partition("\n")[0]
    mark = max(_MARKS, key=head.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    try:
        names = [name.strip() for name in next(reader, [])]
        named = [name for name in names if name]
        if len(set(named)) < len(named):
            raise InvalidInputError(
                f"columns of different names in {file}", found=f"'{head.strip()[:80]}'"
            )
        for row in reader:
            if len(row) > len(names) and any(row[len(names) :]):
                raise InvalidInputError(
                    f"{len(names)} cells in {file}, line {reader.line_num}",
                    found=f"{len(row)}",
                    remedy="put quotation marks around text that has the mark between cells",
                )
            # The reader has a limit too, but any library may lift it for the whole process.
            if any(len(cell) > LONGEST_CELL for cell in row):
                raise InvalidInputError(
                    f"CSV with cells of at most {LONGEST_CELL:,} characters in {file}, "
                    f"line {reader.line_num}",
                    found="a longer cell",
                )
            if any(cell.strip() for cell in row):
                padded = [*row, *[""] * (len(names) - len(row))]
                yield reader.line_num, dict(zip(names, padded, strict=False))
    except csv.Error as error:
        raise InvalidInputError(f"CSV in {file}, line {reader.line_num}", found=error) from error


def _objects(text: str, file: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the lines of JSON Lines, numbers as text."""
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            found = msgspec.json.decode(line, type=dict[str, str | int | float | None])
        except (msgspec.MsgspecError, RecursionError) as error:
            raise InvalidInputError(
                f"an object of text and numbers in {file}, line {number}", found=error
            ) from error
        yield number, {name: "" if value is None else str(value) for name, value in found.items()}


def _whole(data: bytes) -> bytes:
    """Return JSON Lines without a last line that was cut off."""
    before, end, last = data.rpartition(b"\n")
    return before + end if last and is_cut_off(last) else data
