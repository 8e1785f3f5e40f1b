"""
One run of one form: opened before the page is, read again while or after it is answered.

A run knows the number and the seed of its instance, never the instance: what would be right
is nowhere in a server's folder.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import re
import secrets
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from surefoot.core.canonical import canonical_json, decode
from surefoot.core.errors import InvalidInputError, SurefootError, UnknownNameError
from surefoot.forms.instance import Value
from surefoot.forms.record import FieldEvent, RefusedValue, RunRecord, Submission
from surefoot.forms.rendering import Rendering
from surefoot.forms.server.schema import connect, connect_reader
from surefoot.forms.specification import Form
from surefoot.forms.values.normalise import normalise

Entered = dict[str, tuple[str, ...]]

_TOKEN: Final = re.compile(r"[0-9a-f]{32}")
_TOKEN_BYTES: Final = 16


class FormRun(msgspec.Struct, frozen=True):
    """Hold what of a run never changes; ``key`` is its number in the database."""

    key: int
    token: str
    form: Form
    rendering: Rendering
    instance: int
    seed: int

    @property
    def base(self) -> str:
        """Return the prefix of the run's addresses."""
        return f"/r/{self.token}/"


class FormProgress(msgspec.Struct, frozen=True):
    """Say which page is shown, the furthest that was, and whether the form was accepted."""

    page: int = 0
    reached: int = 0
    done: bool = False


def open_run(folder: Path, form: Form, rendering: Rendering, *, instance: int, seed: int) -> str:
    """
    Begin a run and return its token: 128 random bits in 32 hexadecimal digits.

    The form is kept as it is now. A server of the folder, in whatever process, serves the
    run at once. Raises InvalidInputError where the folder is none of ours, and
    SurefootError where it cannot be written.
    """
    token = secrets.token_hex(_TOKEN_BYTES)
    now = dt.datetime.now(dt.UTC).isoformat(timespec="milliseconds")
    frozen = (canonical_json(form), canonical_json(rendering))
    with contextlib.closing(connect(folder)) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
            made = connection.execute(
                "INSERT INTO runs (token, form, rendering, instance, seed, created)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (token, *frozen, instance, seed, now),
            )
            connection.execute("INSERT INTO progress (run) VALUES (?)", (made.lastrowid,))
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise SurefootError(
                f"a folder of form runs that can be written, {folder}",
                found=error,
                remedy="make room on the disk",
            ) from error
    return token


def find_run(connection: sqlite3.Connection, token: str) -> FormRun:
    """Return the run of a token; raises UnknownNameError."""
    row = None
    if _TOKEN.fullmatch(token):
        query = "SELECT id, form, rendering, instance, seed FROM runs WHERE token = ?"
        row = connection.execute(query, (token,)).fetchone()
    if row is None:
        raise UnknownNameError("the token of a run", found="one that no run bears")
    key, form, rendering, instance, seed = row
    return FormRun(
        key,
        token,
        decode(form, Form, what="a kept form"),
        decode(rendering, Rendering, what="a kept rendering"),
        instance,
        seed,
    )


def drafts_of(connection: sqlite3.Connection, run: FormRun) -> Entered:
    """Return the texts that were last entered into each field of a page-by-page form."""
    rows = connection.execute("SELECT field, entered FROM drafts WHERE run = ?", (run.key,))
    return {field: msgspec.json.decode(texts, type=tuple[str, ...]) for field, texts in rows}


def record(folder: Path, token: str) -> RunRecord:
    """
    Read all that is known of a run, as one committed state, also while it goes on.

    A draft is the value that its text means, or the text where it means none. Raises
    InvalidInputError where the folder holds no runs, UnknownNameError for the token.
    """
    with contextlib.closing(connect_reader(folder)) as connection:
        try:
            connection.execute("BEGIN")
            return _read_record(connection, find_run(connection, token))
        except sqlite3.Error as error:
            raise InvalidInputError(f"a whole database in {folder}", found=error) from error


def _read_record(connection: sqlite3.Connection, run: FormRun) -> RunRecord:
    events = connection.execute(
        "SELECT sequence, page, field, kind, value, at FROM events"
        " WHERE run = ? ORDER BY sequence",
        (run.key,),
    )
    refused = connection.execute(
        "SELECT number, field, reason, value FROM refused WHERE run = ? ORDER BY number, rank",
        (run.key,),
    )
    return RunRecord(
        token=run.token,
        form=run.form.id,
        rendering=run.rendering,
        instance=run.instance,
        seed=run.seed,
        events=tuple(FieldEvent(*row) for row in events),
        refused=tuple(RefusedValue(*row) for row in refused),
        submissions=tuple(_submissions(connection, run)),
        drafts=_draft_values(run, drafts_of(connection, run)),
    )


def _submissions(connection: sqlite3.Connection, run: FormRun) -> Iterator[Submission]:
    query = "SELECT number, raw, normalised, digest FROM submissions WHERE run = ? ORDER BY number"
    for number, raw, normalised, digest in connection.execute(query, (run.key,)):
        yield Submission(
            number,
            msgspec.json.decode(raw, type=Entered),
            msgspec.json.decode(normalised, type=dict[str, Value]),
            digest,
        )


def _draft_values(run: FormRun, entered: Entered) -> dict[str, Value]:
    drafts: dict[str, Value] = {}
    for field in run.form.fields:
        texts = entered.get(field.id, ())
        if texts:
            value = normalise(field, texts, language=run.rendering.language)
            drafts[field.id] = ", ".join(texts) if value is None else value
    return drafts
