"""
What a request changes in a run; each change is committed whole or not at all.

Every function makes a change for the writer's connection. The change raises
InvalidInputError where the run has used up what it may send.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence

import msgspec

from surefoot.core.canonical import canonical_json, digest
from surefoot.core.errors import InvalidInputError
from surefoot.forms.instance import FileValue, Value
from surefoot.forms.server.limits import ServerLimits
from surefoot.forms.server.runs import Entered, FormProgress, FormRun, drafts_of
from surefoot.forms.server.writer import Change
from surefoot.forms.specification import Field, Holds


class EntryEvent(msgspec.Struct, frozen=True):
    """Hold one change of a field, before it has its number in the run."""

    page: int
    field: str
    kind: str
    value: str
    at: int


class Arrival(msgspec.Struct, frozen=True):
    """Hold one file that lies in the folder of objects already."""

    field: str
    page: int
    file: FileValue
    size: int
    at: int = 0


class FieldRefusal(msgspec.Struct, frozen=True):
    """Hold one field's value that was refused, with the reason."""

    field: str
    reason: str
    value: str


class AcceptedChange(msgspec.Struct, frozen=True):
    """Hold what a submission is made of."""

    raw: Entered
    values: dict[str, Value]


def add_events(
    run: FormRun,
    events: Sequence[EntryEvent],
    limits: ServerLimits,
    *,
    anew: Sequence[Field] = (),
) -> Change[int]:
    """
    Append events to a run, and return the number of its last one.

    The fields ``anew`` are shown by a page just opened: what was told of them and is not kept
    is gone, which an event of each tells before the others.
    """

    def change(connection: sqlite3.Connection) -> int:
        last = _last(connection, "SELECT MAX(sequence) FROM events WHERE run = ?", run)
        all_events = [*_resets(connection, run, anew), *events]
        _allow("events", last + len(all_events), limits.events_per_run)
        connection.executemany(
            "INSERT INTO events (run, sequence, page, field, kind, value, at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (run.key, last + count, *msgspec.structs.astuple(event))
                for count, event in enumerate(all_events, 1)
            ],
        )
        return last + len(all_events)

    return change


def _resets(
    connection: sqlite3.Connection, run: FormRun, fields: Sequence[Field]
) -> Iterator[EntryEvent]:
    """Yield an event for each field of which something else was told than is kept."""
    query = "SELECT field, value, MAX(sequence) FROM events WHERE run = ? GROUP BY field"
    stored = {name: value for name, value, _ in connection.execute(query, (run.key,))}
    kept = drafts_of(connection, run) if stored else {}
    for field in fields:
        text = _text(field, kept.get(field.id, ()))
        if field.id in stored and stored[field.id] != text:
            yield EntryEvent(run.form.page_of(field.id), field.id, "reset", text, 0)


def _text(field: Field, texts: Sequence[str]) -> str:
    """Return what a field was posted with as an event has it."""
    filled = [text.replace("\r\n", "\n") for text in texts if text]
    if field.traits.holds is Holds.FILE and filled:
        return msgspec.json.encode(FileValue(*filled)).decode()
    return ",".join(filled)


def add_upload(run: FormRun, arrival: Arrival, limits: ServerLimits) -> Change[None]:
    """Note that a file arrived, and append the event that tells so: the file as JSON."""
    file = arrival.file
    text = msgspec.json.encode(file).decode()
    number = add_events(
        run, [EntryEvent(arrival.page, arrival.field, "upload", text, arrival.at)], limits
    )

    def change(connection: sqlite3.Connection) -> None:
        count = allow_upload(connection, run, arrival.size, limits)
        connection.execute(
            "INSERT INTO uploads (run, number, field, name, sha256, size)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (run.key, count, arrival.field, file.name, file.sha256, arrival.size),
        )
        number(connection)

    return change


def allow_upload(
    connection: sqlite3.Connection, run: FormRun, size: int, limits: ServerLimits
) -> int:
    """Return the number that a run's next file would have; raises InvalidInputError."""
    query = "SELECT COUNT(*), COALESCE(SUM(size), 0) FROM uploads WHERE run = ?"
    count, held = connection.execute(query, (run.key,)).fetchone()
    _allow("uploads", count + 1, limits.uploads_per_run)
    _allow("bytes of uploads", held + size, limits.uploaded_bytes_per_run)
    return int(count) + 1


def enter(
    run: FormRun,
    limits: ServerLimits,
    *,
    entered: Entered | None = None,
    refusals: Sequence[FieldRefusal] = (),
    accepted: AcceptedChange | None = None,
    progress: FormProgress | None = None,
) -> Change[int]:
    """
    Keep what a post entered, what of it was refused, the submission, and how far the run is.

    Return the number of the submission, or 0 where there is none.
    """

    def change(connection: sqlite3.Connection) -> int:
        connection.executemany(
            "INSERT INTO drafts (run, field, entered) VALUES (?, ?, ?)"
            " ON CONFLICT (run, field) DO UPDATE SET entered = excluded.entered",
            [
                (run.key, name, msgspec.json.encode(texts))
                for name, texts in (entered or {}).items()
            ],
        )
        _refuse(connection, run, refusals, limits)
        if progress is not None:
            connection.execute(
                "UPDATE progress SET page = ?, reached = ?, done = ? WHERE run = ?",
                (*msgspec.structs.astuple(progress), run.key),
            )
        return 0 if accepted is None else _submit(connection, run, accepted, limits)

    return change


def _refuse(
    connection: sqlite3.Connection,
    run: FormRun,
    refusals: Sequence[FieldRefusal],
    limits: ServerLimits,
) -> None:
    """Append refusals; those of one post share their number."""
    if not refusals:
        return
    rank = _last(connection, "SELECT MAX(rank) FROM refused WHERE run = ?", run)
    number = _last(connection, "SELECT MAX(number) FROM refused WHERE run = ?", run) + 1
    _allow("refused values", rank + len(refusals), limits.refused_per_run)
    connection.executemany(
        "INSERT INTO refused (run, rank, number, field, reason, value) VALUES (?, ?, ?, ?, ?, ?)",
        [
            (run.key, rank + count, number, *msgspec.structs.astuple(refusal))
            for count, refusal in enumerate(refusals, 1)
        ],
    )


def _submit(
    connection: sqlite3.Connection, run: FormRun, accepted: AcceptedChange, limits: ServerLimits
) -> int:
    """Append a submission, unless it is the last one sent again, as by a double click."""
    number = 1 + _last(connection, "SELECT MAX(number) FROM submissions WHERE run = ?", run)
    both = {"raw": accepted.raw, "values": accepted.values}
    query = "SELECT digest FROM submissions WHERE run = ? AND number = ?"
    if connection.execute(query, (run.key, number - 1)).fetchone() == (digest(both),):
        return number - 1
    _allow("submissions", number, limits.submissions_per_run)
    connection.execute(
        "INSERT INTO submissions (run, number, raw, normalised, digest) VALUES (?, ?, ?, ?, ?)",
        (
            run.key,
            number,
            canonical_json(accepted.raw),
            canonical_json(accepted.values),
            digest(both),
        ),
    )
    return number


def _last(connection: sqlite3.Connection, query: str, run: FormRun) -> int:
    (highest,) = connection.execute(query, (run.key,)).fetchone()
    return int(highest or 0)


def _allow(what: str, count: int, most: int) -> None:
    if count > most:
        raise InvalidInputError(f"at most {most} {what} in one run", found=str(count))
