"""
What a build from an imported set remembers: who asks about which screen, and what was made.

It lies on disk, so that the memory of a build does not grow with the set.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from surefoot.core.canonical import canonical_json, decode
from surefoot.core.errors import InvalidInputError
from surefoot.core.question import Question
from surefoot.core.screen import Screen

__all__ = ["SetIndex", "open_set_index"]

INDEX: Final = ".set.partial"
_SCHEMA: Final = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA cache_size = -4096;
CREATE TABLE asked (screen TEXT, line BLOB);
CREATE TABLE questions (id TEXT PRIMARY KEY, pair TEXT, page TEXT, line BLOB);
CREATE TABLE screens (id TEXT PRIMARY KEY, line BLOB);
BEGIN;
"""


class SetIndex:
    """Group a set's questions by their screens, and sort what is made of them."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def ask(self, question: Question) -> None:
        """Note a question of the set."""
        row = (question.screen, canonical_json(question))
        self._connection.execute("INSERT INTO asked VALUES (?, ?)", row)

    def group(self) -> None:
        """Make the questions of a screen quick to find, once all are noted."""
        self._connection.execute("CREATE INDEX asked_of ON asked (screen)")

    def asked(self, screen: str) -> tuple[Question, ...]:
        """Return the questions about a screen, in the order in which they were noted."""
        query = "SELECT line FROM asked WHERE screen = ? ORDER BY rowid"
        rows = self._connection.execute(query, (screen,))
        return tuple(decode(line, Question, what=f"a question on {screen}") for (line,) in rows)

    def keep_question(self, question: Question) -> None:
        """Note a question that was made; raises InvalidInputError for a second of its id."""
        row = (question.id, question.pair, question.page_name, canonical_json(question))
        self._keep("INSERT INTO questions VALUES (?, ?, ?, ?)", row)

    def keep_screen(self, screen: Screen) -> None:
        """Note a screen that is asked about; raises InvalidInputError for a second of its id."""
        self._keep("INSERT INTO screens VALUES (?, ?)", (screen.id, canonical_json(screen)))

    def questions(self) -> Iterator[bytes]:
        """Yield the questions that were made as canonical JSON, sorted by id."""
        for (line,) in self._connection.execute("SELECT line FROM questions ORDER BY id"):
            yield line

    def screens(self) -> Iterator[bytes]:
        """Yield the screens that are asked about as canonical JSON, sorted by id."""
        for (line,) in self._connection.execute("SELECT line FROM screens ORDER BY id"):
            yield line

    def counts(self) -> tuple[int, int, int]:
        """Count the questions that were made, their targets (pairs), and their pages."""
        query = "SELECT COUNT(*), COUNT(DISTINCT pair), COUNT(DISTINCT page) FROM questions"
        questions, pairs, pages = self._connection.execute(query).fetchone()
        return questions, pairs, pages

    def _keep(self, insert: str, row: tuple[str | bytes, ...]) -> None:
        try:
            self._connection.execute(insert, row)
        except sqlite3.IntegrityError as error:
            raise InvalidInputError(
                f"one record of the id '{row[0]!s}'", found="a second one"
            ) from error


@contextlib.contextmanager
def open_set_index(folder: Path) -> Iterator[SetIndex]:
    """Open an empty index in a folder whose ledger is open; it is gone afterwards."""
    path = folder / INDEX
    path.unlink(missing_ok=True)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        try:
            connection.executescript(_SCHEMA)
            yield SetIndex(connection)
        finally:
            path.unlink(missing_ok=True)
