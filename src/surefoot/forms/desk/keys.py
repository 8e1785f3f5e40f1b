"""
The keys of episodes: what names one to who plays it, and what opens its score.

They lie in a database beside the forms' own, which the forms' server never opens.
"""

from __future__ import annotations

import contextlib
import secrets
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal, TypeAlias

import msgspec

from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.forms.letters.writing import USUAL, Level

Handed: TypeAlias = Literal["lines"] | Level
"""
What is handed over with a form: one line a field, or a document of that level.
"""

_BYTES: Final = 16
_BUSY_S: Final = 30.0
_COLUMNS: Final = "id, secret, token, handed, agent"
_TABLE: Final = """CREATE TABLE IF NOT EXISTS episodes (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, secret TEXT NOT NULL UNIQUE,
    token TEXT NOT NULL UNIQUE, handed TEXT NOT NULL, agent TEXT NOT NULL)"""


class EpisodeKeys(msgspec.Struct, frozen=True):
    """
    Hold the keys of a run that a desk opened, and what was handed over with it.

    ``id`` names it to who plays it, and opens its paper and its files; ``secret`` opens its
    score and its right values; ``token`` stands in the form's own address. None tells
    another. ``agent`` is who plays, "" a person at the desk.
    """

    id: str
    secret: str
    token: str
    handed: Handed = USUAL
    agent: str = ""


def keep_episode(folder: Path, token: str, *, handed: Handed, agent: str) -> EpisodeKeys:
    """Give a run its keys, for good; raises InvalidInputError where it has some already."""
    made = EpisodeKeys(
        secrets.token_hex(_BYTES), secrets.token_hex(_BYTES), token, handed=handed, agent=agent
    )
    with _opened(folder) as connection:
        connection.execute(_TABLE)
        connection.execute(
            f"INSERT INTO episodes ({_COLUMNS}) VALUES (?, ?, ?, ?, ?)",  # noqa: S608 - our own
            msgspec.structs.astuple(made),
        )
    return made


def find_episode(folder: Path, *, id: str = "", secret: str = "") -> EpisodeKeys:  # noqa: A002
    """Return the episode of an id or of a secret; raises UnknownNameError."""
    column, key = ("id", id) if id else ("secret", secret)
    found = _select(folder, f"WHERE {column} = ?", (key,))
    if not found:
        raise UnknownNameError(f"the {column} of an episode", found="one that no episode bears")
    return found[0]


def episodes_of(folder: Path) -> list[EpisodeKeys]:
    """Return every episode of a folder, as they were opened; none where it never had any."""
    return _select(folder, "ORDER BY number", ())


def _select(folder: Path, clause: str, given: tuple[str, ...]) -> list[EpisodeKeys]:
    if not _database(folder).is_file():
        return []
    with _opened(folder) as connection:
        query = f"SELECT {_COLUMNS} FROM episodes {clause}"  # noqa: S608 - our own clauses
        return [
            msgspec.convert(row, EpisodeKeys)
            for row in map(_named, connection.execute(query, given))
        ]


def _named(row: tuple[str, ...]) -> dict[str, str]:
    return dict(zip(EpisodeKeys.__struct_fields__, row, strict=True))


def _database(folder: Path) -> Path:
    return folder / "desk.sqlite"


@contextlib.contextmanager
def _opened(folder: Path) -> Iterator[sqlite3.Connection]:
    """Open the database of a desk; each statement is committed, and outlives loss of power."""
    path = _database(folder)
    with contextlib.closing(
        sqlite3.connect(path, isolation_level=None, timeout=_BUSY_S)
    ) as connection:
        try:
            connection.execute("PRAGMA synchronous = FULL")
            yield connection
        except (sqlite3.Error, msgspec.ValidationError) as error:
            raise InvalidInputError(
                f"{path} to be a database of episodes",
                found=error,
                remedy="name another folder, or use the version of surefoot that wrote it",
            ) from error
