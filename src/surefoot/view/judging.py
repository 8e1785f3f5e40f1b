"""
What people say of samples: every verdict is on the disk before it is acknowledged.

The file is JSON Lines and only grows. A line is all that one person says of one sample, in the
columns of a sheet of ``surefoot audit``; of a person's lines on a sample the one of the highest
revision counts.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final, Self

import msgspec
import numpy as np

from surefoot.core.canonical import canonical_json
from surefoot.core.errors import InvalidInputError, SurefootError
from surefoot.core.files import sync_folder
from surefoot.run.ratings import RATING, cut_words, is_cut_off
from surefoot.run.verdicts import CRITERIA
from surefoot.score.stats.agreement import UNRATED, AgreementRow, agreement_rows

VERDICTS: Final = ("yes", "no", "unclear")
COLUMNS: Final[Mapping[str, str]] = {RATING: "the sample is right as a whole", **CRITERIA}
NOTE: Final = "note"
_NAMES: Final = ("bench", "item", "site", "rater")
_KEYS: Final = frozenset({*_NAMES, "revision", *COLUMNS, NOTE})
Sample = tuple[str, str, str]


class SampleChoice(msgspec.Struct, frozen=True):
    """
    Say which samples are shown, and what is asked of each.

    A ``limit`` above 0 draws as many by the seed, as ``surefoot audit --count`` does.
    """

    criteria: tuple[str, ...] = tuple(COLUMNS)
    limit: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        unknown = [name for name in self.criteria if name not in COLUMNS]
        if unknown or not self.criteria:
            raise InvalidInputError(
                f"criteria among {', '.join(COLUMNS)}",
                found=", ".join(f"'{name[:40]}'" for name in unknown) or "none",
            )


class SentCell(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Hold what a page sends: what now stands in one column of a sample, "" for nothing."""

    row: Annotated[int, msgspec.Meta(ge=0)]
    column: Annotated[str, msgspec.Meta(max_length=40)]
    value: Annotated[str, msgspec.Meta(max_length=4000)]


class Judgement(msgspec.Struct, frozen=True):
    """
    Hold all that one person says of one sample; ``bench`` is the digest of its benchmark.

    ``said`` has every column that is not empty, the note among them.
    """

    bench: str
    item: str
    site: str
    rater: str
    revision: int = 0
    said: dict[str, str] = {}

    @property
    def sample(self) -> Sample:
        """Return what a later judgement has to share to replace this one."""
        return self.rater, self.bench, self.item

    def with_cell(self, column: str, value: str) -> Judgement:
        """
        Return the next revision, with another value in a column.

        Raises InvalidInputError for a column or a value that is none.
        """
        if column != NOTE:
            _require_verdict(column, value)
        said = {name: text for name, text in self.said.items() if name != column}
        said |= {column: value} if value else {}
        return msgspec.structs.replace(self, revision=self.revision + 1, said=said)

    def line(self) -> bytes:
        """Return the line of the file."""
        names = {name: getattr(self, name) for name in (*_NAMES, "revision")}
        empty = dict.fromkeys((*COLUMNS, NOTE), "")
        return canonical_json({**names, **empty, **self.said}) + b"\n"


class Judgements:
    """
    Keep what one person says in a file, beside others who do the same, each with a server.

    A last line that a kill has cut off is dropped, and ``said`` tells so. Raises
    InvalidInputError for a name that is none and a file that holds anything else, which is
    left as it is, and OSError as the file system does.
    """

    def __init__(self, path: Path, person: str) -> None:
        if not person.strip():
            raise InvalidInputError("a name of who judges", found="none", remedy="name yourself")
        self.path = path
        self.person = person.strip()
        self.said: tuple[str, ...] = ()
        self._latest: dict[Sample, Judgement] = {}
        self._end = 0
        self._lines = 0
        self._lock = threading.Lock()
        # Opened for reading and writing, a pipe that nobody reads does not hold us up.
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        with contextlib.ExitStack() as undo:
            undo.callback(os.close, self._handle)
            if not stat.S_ISREG(os.fstat(self._handle).st_mode):
                raise InvalidInputError(f"{path} to be a file", found="something else")
            with self._locked():
                sync_folder(path.parent)
            self._opened = undo.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def add(self, bench: str, item: str, site: str, column: str, value: str) -> Judgement:
        """
        Keep what now stands in one column of a sample; on return it is on the disk.

        What stands there already is not written again. Raises InvalidInputError for a column
        or a value that is none, and SurefootError where the file is no longer the one opened.
        """
        fresh = Judgement(bench, item, site, self.person)
        with self._locked():
            known = self._latest.get(fresh.sample, fresh)
            judgement = known.with_cell(column, value)
            if judgement.said == known.said:
                return known
            self._append(judgement.line())
            self._note(judgement)
        return judgement

    def latest(self) -> list[Judgement]:
        """Return each person's latest judgement of each sample, in the order of their making."""
        with self._locked():
            return list(self._latest.values())

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Let nobody else write meanwhile, whatever others wrote before being read."""
        with self._lock:
            fcntl.flock(self._handle, fcntl.LOCK_EX)
            try:
                self._catch_up()
                yield
            finally:
                fcntl.flock(self._handle, fcntl.LOCK_UN)

    def _catch_up(self) -> None:
        self._require_same_file()
        *lines, tail = self._unread().split(b"\n")
        for line in lines:
            self._lines += 1
            if line.strip():
                self._note(_read(line, self.path, self._lines))
            self._end += len(line) + 1
        if tail and is_cut_off(tail):
            os.ftruncate(self._handle, self._end)
            self.said += (cut_words(self.path, self._lines + 1),)
        elif tail:  # somebody's editor has saved the last line without its end
            self._note(_read(tail, self.path, self._lines + 1))
            self._end += len(tail)
            self._append(b"\n")
            self._lines += 1

    def _unread(self) -> bytes:
        with open(self._handle, "rb", closefd=False) as stream:
            stream.seek(self._end)
            return stream.read()

    def _append(self, data: bytes) -> None:
        written = 0
        try:
            while written < len(data):
                written += os.write(self._handle, data[written:])
            os.fsync(self._handle)
        except OSError:
            with contextlib.suppress(OSError):  # what went wrong first is told
                os.ftruncate(self._handle, self._end)
            raise
        self._end += len(data)
        self._lines += 1

    def _note(self, judgement: Judgement) -> None:
        known = self._latest.get(judgement.sample)
        if known is None or known.revision <= judgement.revision:
            self._latest.pop(judgement.sample, None)
            self._latest[judgement.sample] = judgement

    def _require_same_file(self) -> None:
        """Refuse to write what nobody would find: an editor may have put a file in its place."""
        there = self.path.stat() if self.path.exists() else None
        own = os.fstat(self._handle)
        same = there is not None and os.path.samestat(there, own)
        if not same or own.st_size < self._end:
            raise SurefootError(
                f"{self.path} to be the file that was opened",
                found="another one" if there else "none",
                remedy="stop the command, and give it again",
            )


def agreements(judgements: Sequence[Judgement], column: str = RATING) -> list[AgreementRow]:
    """
    Return how far the persons agree in a column: all, and each two, with intervals over sites.
    """
    rated = [judgement for judgement in judgements if column in judgement.said]
    persons = tuple(sorted({judgement.rater for judgement in rated}))
    samples = {(judgement.bench, judgement.item): judgement.site for judgement in rated}
    place = {sample: number for number, sample in enumerate(samples)}
    ratings = np.full((len(samples), len(persons)), UNRATED, dtype=np.int64)
    for judgement in rated:
        at = place[judgement.bench, judgement.item], persons.index(judgement.rater)
        ratings[at] = VERDICTS.index(judgement.said[column])
    sites = list(samples.values())
    return agreement_rows(ratings, persons, len(VERDICTS), sites, over="sites")


def _read(line: bytes, path: Path, number: int) -> Judgement:
    what = f"a judgement in {path}, line {number}"
    remedy = "name another file with --judgements"
    try:
        cells = msgspec.json.decode(line, type=dict[str, str | int])
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise InvalidInputError(what, found=error, remedy=remedy) from error
    if cells.keys() != _KEYS:
        other = sorted(cells.keys() ^ _KEYS)[:9]
        raise InvalidInputError(
            what, found=f"{', '.join(repr(name[:40]) for name in other)} amiss", remedy=remedy
        )
    revision = cells.pop("revision")
    texts = {name: text for name, text in cells.items() if isinstance(text, str)}
    if not isinstance(revision, int) or revision < 1 or len(texts) < len(cells):
        raise InvalidInputError(what, found="a number for text, or text for a number")
    for column in COLUMNS:
        _require_verdict(column, texts[column])
    said = {name: text for name, text in texts.items() if name not in _NAMES and text}
    return Judgement(texts["bench"], texts["item"], texts["site"], texts["rater"], revision, said)


def _require_verdict(column: str, value: str) -> None:
    if column not in COLUMNS or value not in (*VERDICTS, ""):
        raise InvalidInputError(
            f"{', '.join(VERDICTS)} or nothing in one of the columns {', '.join(COLUMNS)}",
            found=f"'{value[:40]}' in '{column[:40]}'",
        )
