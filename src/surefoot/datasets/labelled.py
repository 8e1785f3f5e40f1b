"""
The seam of labelled sets: a public data set's files become records, one after the other.

A reader is one module that holds a ``LabelledSet``. It declares its box convention, finds
its label files by patterns, and turns each entry of theirs into a ``Record``; what is the
same for all sets (reporting, words, places, pictures) is done here and by the importer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, Literal, Protocol, TypeAlias, TypeVar

import msgspec

from surefoot.core.errors import InvalidInputError, RecordError
from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Action
from surefoot.core.question import Asks
from surefoot.core.registry import Registry
from surefoot.core.screen import Element
from surefoot.datasets.dataset import BadBox, BadRecord, Reports, ignore
from surefoot.datasets.files.boxes import BoxConvention, BoxError
from surefoot.datasets.files.pictures import Pictures, is_hidden
from surefoot.score.scoring import Scoring
from surefoot.score.scorings.hits import HITS
from surefoot.score.stats.units import SITES

Platform: TypeAlias = Literal["", "web", "desktop", "mobile"]

MOST_TEXT: Final = 100_000


class PlacedRecord(Protocol):
    """Ask of an entry that it knows its file's name and its number there, from 1."""

    @property
    def file(self) -> str:
        """Return the file's name."""

    @property
    def number(self) -> int:
        """Return the entry's number in the file."""


E = TypeVar("E", bound=PlacedRecord)


class Record(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """
    Hold one labelled instruction of a data set, its places in pixels of the image.

    ``id`` names the record in the set, and stays the same in every reading. Records that
    share ``pair`` ("" stands for the id) ask the same thing under another ``variant`` or
    kind; ``variant`` is "original" but where the set has changed screens. ``source`` says how
    the screen can be opened again, where it can. ``image`` is a
    path below the folder of pictures, or a picture's bytes. ``width`` and ``height`` are 0
    where only the picture tells them; then the boxes of a normalised set lie in the unit
    square and both are 1.

    ``boxes`` are all places that are right, the first the one to be scored by; ``polygon``
    stands in their stead where it has corners. Where ``answerable`` is false nothing on the
    screen is asked for. ``answers`` are the right words or labels of options; ``asks`` tells
    whether they are what is asked for, and ``options`` are all labels that there are.

    ``kind`` is the set's own word for the kind of instruction, ``page`` what is shown,
    ``site`` the site or the program, ``system`` the operating system, ``role`` the kind of
    element, ``target`` the id of the element that is meant, where there are ``elements``.
    ``facts`` is what else the set says. ``further`` are pictures that are shown after
    ``image``, in that order; places are in ``image`` alone. ``file`` and
    ``number`` say where the record stands; ``convention`` is how the boxes are spelt there, where
    that is not as in the set's own files.
    """

    id: str
    image: str | bytes
    text: str
    boxes: tuple[Box, ...] = ()
    width: int = 0
    height: int = 0
    kind: str = "given"
    language: str = "en"
    action: Action = "click"
    value: str = ""
    polygon: tuple[Point, ...] = ()
    answerable: bool = True
    answers: tuple[str, ...] = ()
    split: str = ""
    page: str = ""
    site: str = ""
    platform: Platform = ""
    system: str = ""
    locale: str = ""
    role: str = ""
    target: str = ""
    elements: tuple[Element, ...] = ()
    facts: dict[str, str] = {}
    pair: str = ""
    variant: str = "original"
    source: str = ""
    asks: Asks = "place"
    options: tuple[str, ...] = ()
    further: tuple[str | bytes, ...] = ()
    file: str = ""
    number: int = 0
    convention: BoxConvention | None = None


class ReadsRecords(Protocol):
    """Read a set record by record; bad ones are reported, or raised where strict."""

    def __call__(
        self,
        path: Path,
        *,
        images: Pictures | None = None,
        strict: bool = False,
        report: Reports = ignore,
    ) -> Iterator[Record]:
        """
        Return the records in the order of the files.

        ``path`` is the set's folder, or one label file. ``images`` is given where pictures
        are at hand; a reader looks there only for sizes that its labels do not tell.
        """


class LabelledSet(msgspec.Struct, frozen=True, kw_only=True):
    """
    Describe one labelled set: how it is read, and what its numbers and files mean.

    ``labels`` are patterns of the label files below the set's folder; ``pictures`` are the
    folders, below it, in which its own pictures may lie. ``splits`` are those that it
    names. ``seen`` says which real files the reader has met, "" for none. ``asks`` is false
    for a set that shows screens and says nothing to do on them: its records have no words
    and no place, one for each screen. ``repeats`` is true for a set in which one picture may
    stand under several names, as in sequences of screens; elsewhere that is taken for damage.
    ``repository`` is its dataset on the Hugging Face Hub, or a mirror of it, "" for none known.
    ``scoring`` says how answers to its questions are scored, and ``clusters`` what its records'
    sites are, in the plural; where it knows none each picture stands for itself.
    """

    name: str
    version: int
    summary: str
    convention: BoxConvention
    licence: str
    labels: tuple[str, ...]
    read: ReadsRecords
    pictures: tuple[str, ...] = ()
    splits: tuple[str, ...] = ()
    seen: str = ""
    asks: bool = True
    repeats: bool = False
    scoring: Scoring = HITS
    clusters: str = SITES
    repository: str = ""


LABELLED = Registry(LabelledSet, "surefoot.datasets", what="dataset")


def label_files(path: Path, patterns: Iterable[str]) -> tuple[Path, ...]:
    """
    Return a set's label files: the file itself, or all that match in the folder, sorted.

    What systems leave beside a set's own files is passed over, such as ``._`` files. The
    patterns' order comes first, so that splits stay in theirs. Raises InvalidInputError where
    nothing matches.
    """
    wanted = tuple(patterns)
    if path.is_file():
        return (path,)
    found: dict[Path, None] = {}
    for pattern in wanted:
        items = (item for item in path.glob(pattern) if item.is_file())
        own = (item for item in items if not is_hidden(item.relative_to(path).as_posix()))
        found.update(dict.fromkeys(sorted(own)))
    if not found:
        raise InvalidInputError(
            f"a label file or a folder with {' or '.join(wanted)}",
            found=f"none in {path}",
            remedy="name the folder that the data set was unpacked into",
        )
    return tuple(found)


def reader_of(
    labels: Sequence[str], entries: Callable[[Path], Iterable[E]], make: Callable[[E], Record]
) -> ReadsRecords:
    """
    Return the reader of a set whose labels say all: a record is made of each entry of its files.

    ``entries`` yields those of one label file; the files come as ``label_files`` orders them.
    """

    def read(
        path: Path,
        *,
        images: Pictures | None = None,  # noqa: ARG001 - the labels tell the sizes
        strict: bool = False,
        report: Reports = ignore,
    ) -> Iterator[Record]:
        found = (entry for file in label_files(path, labels) for entry in entries(file))
        return sift(found, make, strict=strict, report=report)

    return read


def sift(
    entries: Iterable[E],
    make: Callable[[E], Record],
    *,
    strict: bool = False,
    report: Reports = ignore,
    asks: bool = True,
) -> Iterator[Record]:
    """
    Make a record of each entry; report what raises InvalidInputError, or raise it if strict.

    A record without words, or without the place or the answer that it needs, is bad too,
    but in a set that asks nothing.
    """
    for entry in entries:
        try:
            record = _checked(make(entry), asks=asks)
        except InvalidInputError as error:
            fault = placed(error, entry.file, entry.number)
            if strict:
                raise fault from error
            report(_bad(entry, error, fault.reason))
            continue
        yield msgspec.structs.replace(record, file=entry.file, number=entry.number)


def _bad(entry: PlacedRecord, error: InvalidInputError, reason: str) -> BadRecord:
    place = (entry.number, str(error), reason, entry.file)
    if not isinstance(error, BoxError):
        return BadRecord(*place)
    return BadBox(*place, numbers=error.values, convention=error.convention, size=error.size)


def _checked(record: Record, *, asks: bool) -> Record:
    if asks and not record.text.strip():
        raise RecordError("empty-text", "words to act on", found="none")
    if len(record.text) > MOST_TEXT:
        raise RecordError("long-text", f"at most {MOST_TEXT} characters", found="more")
    if not record.id or not record.image:
        raise RecordError("malformed", "an id and a picture", found="an empty one")
    if asks and record.answerable and not (record.boxes or record.polygon or record.answers):
        raise RecordError("no-place", "a box, a polygon or an answer", found="none")
    return record


def placed(error: InvalidInputError, file: str, number: int) -> RecordError:
    """Return an error of one record with its place told, as ``strict`` raises it."""
    return RecordError(
        error.reason if isinstance(error, RecordError) else "malformed",
        f"{error.expected} in {file}, record {number}",
        found=error.found,
        remedy=error.remedy or "leave --strict out to go on without it",
    )


class Attributes(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """
    Hold the fields of a ``Record`` that no format of annotations has a word for.
    """

    kind: str = "given"
    language: str = "en"
    action: Action = "click"
    value: str = ""
    answerable: bool = True
    answers: tuple[str, ...] = ()
    split: str = ""
    page: str = ""
    site: str = ""
    platform: Platform = ""
    system: str = ""
    locale: str = ""
    role: str = ""
    target: str = ""
    facts: dict[str, str] = {}
    asks: Asks = "place"
    options: tuple[str, ...] = ()


def attributes_of(fields: Attributes) -> dict[str, Any]:
    """
    Return attributes as the arguments of a ``Record``.

    >>> attributes_of(Attributes(split="test"))["split"]
    'test'
    """
    return {name: getattr(fields, name) for name in fields.__struct_fields__}
