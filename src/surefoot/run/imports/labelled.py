"""
The work behind ``surefoot import`` for labelled sets: records become a BENCH, as they come.

A set that asks nothing becomes a SCREENS in the same way.

Questions and screens are written while the set is read, named by the record's number with
leading zeros, so that they are sorted as they stand; what must be remembered lies on disk.
So the memory that an import takes does not grow with the set.
"""

from __future__ import annotations

import contextlib
import itertools
import shutil
from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec

from surefoot.benchmarks.benchmark import Funnel
from surefoot.capture.settings import Settings
from surefoot.core.archives import is_archive
from surefoot.core.errors import (
    DamageError,
    InvalidInputError,
    NothingKeptError,
    RecordError,
)
from surefoot.core.ledger import Ledger
from surefoot.core.store import ObjectStore
from surefoot.datasets.dataset import BadBox, BadRecord
from surefoot.datasets.files.boxes import BoxConvention, Fitting, numbers_of
from surefoot.datasets.files.pictures import Pictures
from surefoot.datasets.labelled import LABELLED, LabelledSet, Record, placed
from surefoot.run.engine.outcome import Outcome
from surefoot.run.engine.progress import Tally
from surefoot.run.folders.folder import seal
from surefoot.run.folders.lines import TableStream, open_table
from surefoot.run.imports.index import ImportIndex, Shot, open_index
from surefoot.run.imports.records import Shots, check_size, question_of, screen_of
from surefoot.run.imports.sources import laid_out, pictures_digest, snapshot_in, source_digests

# Raised whenever the same files would give other questions.
IMPORT_VERSION: Final = 3
TABLES: Final = ("questions.jsonl", "screens.jsonl", "left_out.jsonl")
DOCUMENT: Final = "import.json"
TOLD: Final = 20  # bad records that are named on the terminal; all stand in left_out.jsonl


class ImportCounts(msgspec.Struct, frozen=True, kw_only=True):
    """
    Count what an import kept, what it left out by reason, and what it had no picture of.

    ``unpictured`` counts the pictures, not the questions, that were not at hand.
    """

    questions: int
    screens: int
    unpictured: int
    refusals: int
    left_out: dict[str, int]
    splits: dict[str, int]


class ImportResult(msgspec.Struct, frozen=True):
    """Hold how an import ended, and what it counted, for programs."""

    outcome: Outcome
    counts: dict[str, object]


class _Import:
    """Take records one by one, write them, and count."""

    def __init__(
        self, about: LabelledSet, tables: Mapping[str, TableStream], shots: Shots, *, strict: bool
    ) -> None:
        self._about, self._tables, self._shots, self._strict = about, tables, shots, strict
        self.told: list[str] = []
        self._left_out: Counter[str] = Counter()
        self._splits: Counter[str] = Counter()
        self._refusals = self._unpictured = self._kept = 0
        self._fittings: dict[tuple[str, BoxConvention], Fitting] = {}

    def leave_out(self, bad: BadRecord) -> None:
        """Write down a bad record."""
        self._tables["left_out.jsonl"].write(bad)
        if isinstance(bad, BadBox):
            self._fitting(bad.file, BoxConvention(bad.convention)).add(bad.numbers, bad.size)
        self._left_out[bad.reason] += 1
        if len(self.told) < TOLD:
            self.told.append(f"left out {bad.place}: {bad.why}")

    def take(self, record: Record, index: ImportIndex) -> None:
        """Write a record's question, and those of its screens that it is the first of."""
        number = self._kept + self._left_out.total() + 1
        try:
            found = self._shots.find(record, number)
            shots = [shot for shot, _ in found]
            check_size(record, shots[0])
            self._fit(record, shots[0])
            question = question_of(record, number, *shots) if self._about.asks else None
            _require_new(record, index)
        except RecordError as error:
            if self._strict:
                raise placed(error, record.file, record.number) from error
            self.leave_out(BadRecord(record.number, str(error), error.reason, record.file))
            return
        for shot in (shot for shot, is_new in found if is_new):
            self._shots.keep(shot)
            self._tables["screens.jsonl"].write(screen_of(record, shot, self._about.name))
            self._unpictured += not shot.sha
        self._kept += 1
        if question is not None:
            self._tables["questions.jsonl"].write(question)
            self._splits[record.split] += 1
            self._refusals += not record.answerable

    def check_boxes(self) -> None:
        """Raise InvalidInputError for a file of another convention, and note what is odd."""
        for (file, _), fitting in self._fittings.items():
            fitting.check(file or self._about.name)
            if doubt := fitting.doubt():
                self.told.append(f"in doubt: {file or self._about.name}: {doubt}")

    def _fit(self, record: Record, shot: Shot) -> None:
        convention = record.convention or self._about.convention
        fitting = self._fitting(record.file, convention)
        size = (shot.width, shot.height)
        for box in record.boxes:
            fitting.add(numbers_of(box, convention, size if record.width > 1 else (0, 0)), size)

    def _fitting(self, file: str, convention: BoxConvention) -> Fitting:
        return self._fittings.setdefault((file, convention), Fitting(convention))

    def counts(self, screens: int) -> ImportCounts:
        """Return what was counted."""
        return ImportCounts(
            questions=self._kept if self._about.asks else 0,
            screens=screens,
            unpictured=self._unpictured,
            refusals=self._refusals,
            left_out=dict(sorted(self._left_out.items())),
            splits=dict(sorted(self._splits.items())),
        )


def import_labelled(
    name: str,
    path: Path,
    out: Path,
    *,
    images: Path | None = None,
    strict: bool = False,
    limit: int = 0,
    fetched: Mapping[str, str] | None = None,
) -> ImportResult:
    """
    Read a labelled set into the BENCH ``out``, ready to be asked, scored and exported.

    One that asks nothing becomes a SCREENS. ``path`` is the set's folder, one of its label
    files, or an archive of the folder; ``images`` is the folder (or archive) of the pictures
    where they lie elsewhere. Without pictures the labels are read whole, and the pictures
    counted as missing. A bad record is counted, written to ``left_out.jsonl`` and left out,
    or raises RecordError where ``strict``. ``limit`` above 0 keeps that many records; ``fetched``
    is what the plan keeps of where the set came from.

    Raises InvalidInputError where the files cannot be read or their boxes are of another
    convention than the set's, and NothingKeptError, with
    nothing written, where they hold no good record.
    """
    about, path = LABELLED.get(name), snapshot_in(path)
    digests = source_digests(path, about.labels)
    own = None if images or is_archive(path) else _own_pictures(about, path)
    plan = {
        **_kind(about),
        "dataset": f"{about.name}@{about.version}",
        "import": IMPORT_VERSION,
        "labels": digests,
        "pictures": pictures_digest(images or own),
        "limit": limit,
        **({"fetched": dict(fetched)} if fetched else {}),
    }
    with kept_or_undone(out), Ledger.open(out, plan), contextlib.ExitStack() as stack:
        root = stack.enter_context(laid_out(path, out / ".labels.partial"))
        folder = images or _own_pictures(about, root)
        if folder is not None:
            folder = stack.enter_context(laid_out(folder, out / ".pictures.partial"))
        pictures = None if folder is None else Pictures(folder)
        return _import(about, path, root, out, pictures, strict=strict, limit=limit)


def _import(
    about: LabelledSet,
    path: Path,
    root: Path,
    out: Path,
    pictures: Pictures | None,
    *,
    strict: bool,
    limit: int,
) -> ImportResult:
    names = TABLES if about.asks else TABLES[1:]
    with contextlib.ExitStack() as stack:
        tables = {name: stack.enter_context(open_table(out / name)) for name in names}
        index = stack.enter_context(open_index(out))
        shots = Shots(pictures, ObjectStore(out), index, repeats=about.repeats)
        work = _Import(about, tables, shots, strict=strict)
        records = about.read(root, images=pictures, strict=strict, report=work.leave_out)
        stack.callback(_end, records)
        for record in itertools.islice(records, limit or None):
            work.take(record, index)
        exported = {name: table.exported for name, table in tables.items()}
    if about.asks:
        work.check_boxes()
    counts = work.counts(exported["screens.jsonl"].count)
    if not (counts.questions or counts.screens):
        raise NothingKeptError(
            f"records of {about.name} in {path}",
            found="none that is good",
            remedy=work.told[0] if work.told else "check that this is the published set",
        )
    about_set = {"dataset": about.name, "licence": about.licence, "boxes": about.convention}
    documents: dict[str, object] = {DOCUMENT: {**about_set, "counts": counts}}
    if about.asks:
        documents["funnel.json"] = Funnel((), {})
    seal(out, "bench" if about.asks else "screens", exported, documents)
    return ImportResult(
        Outcome(out, _tally(counts), (), _lines(work.told, counts)), msgspec.to_builtins(counts)
    )


@contextlib.contextmanager
def kept_or_undone(folder: Path) -> Iterator[None]:
    """Take away what a refused import wrote into a folder, and the folder if it is new."""
    paths = (folder, *folder.parents)
    begun = next((path for path in reversed(paths) if not path.exists()), None)
    before = set() if begun else set(folder.iterdir())
    try:
        yield
    except (NothingKeptError, InvalidInputError) as error:
        if isinstance(error, DamageError):  # what another run wrote is not ours to take away
            raise
        for path in [begun] if begun else set(folder.iterdir()) - before:
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
        raise


def _end(records: Iterator[Record]) -> None:
    """End a reader that was not read to its end, and with it whatever it has open."""
    if isinstance(records, Generator):
        records.close()


def _kind(about: LabelledSet) -> dict[str, object]:
    """Return what a plan says of the folder's kind; SCREENS tell how they were captured."""
    if about.asks:
        return {"kind": "bench"}
    return {
        "kind": "screens",
        "settings": msgspec.to_builtins(Settings()),
        "renderer": {"dataset": f"{about.name}@{about.version}"},
    }


def _require_new(record: Record, index: ImportIndex) -> None:
    if not index.is_new(record.id):
        raise RecordError("duplicate-id", "each id once", found=f"'{record.id}' again")


def _own_pictures(about: LabelledSet, root: Path) -> Path | None:
    """Return the folder in which a set's own pictures lie, where there is one."""
    found = (root / picture for picture in about.pictures)
    return next((path for path in found if path.is_dir()), None)


def _tally(counts: ImportCounts) -> Tally:
    done = counts.questions or counts.screens
    return Tally(total=done + sum(counts.left_out.values()), done=done)


def _lines(lines_before: list[str], counts: ImportCounts) -> tuple[str, ...]:
    lines = list(lines_before)
    bad = sum(counts.left_out.values())
    named = sum(line.startswith("left out") for line in lines_before)
    if bad > named:
        lines.append(f"and {bad - named:,} more, all in left_out.jsonl")
    if bad:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in counts.left_out.items())
        lines.append(f"{bad:,} records left out: {reasons}")
    if counts.unpictured:
        lines.append(f"{counts.unpictured:,} pictures missing; name their folder with --images")
    lines.append(f"{counts.questions:,} questions on {counts.screens:,} screens")
    return tuple(lines)
