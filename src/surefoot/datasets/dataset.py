"""
The seam of a published run: a file of raw replies becomes questions and the words replied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import msgspec

from surefoot.core.question import Question
from surefoot.core.registry import Registry
from surefoot.score.stats.units import SITES


class BadRecord(msgspec.Struct, frozen=True):
    """
    Say which record was left out, where it stands, and why.

    ``line`` counts the lines, or the records, of ``file`` from 1; ``reason`` is short and
    machine-readable.

    >>> BadRecord(12, "no words", file="screenspot_web.json").place
    'screenspot_web.json, record 12'
    """

    line: int
    why: str
    reason: str = "malformed"
    file: str = ""

    @property
    def place(self) -> str:
        """Return how messages call the record."""
        return f"{self.file}, record {self.line}"


class BadBox(BadRecord, frozen=True, kw_only=True):
    """Say which record's numbers were no box by a convention, in an image of a size."""

    numbers: tuple[float, ...]
    convention: str
    size: tuple[int, int]


class RecordedReply(msgspec.Struct, frozen=True):
    """
    Hold one published reply: the question, who was asked, and the words that came back.

    ``format`` names the format that the words are written in, "" where only the model's name
    tells; reading them is for others.
    """

    question: Question
    model: str
    format: str
    raw: str


Reports = Callable[[BadRecord], None]


def ignore(_: BadRecord) -> None:
    """Take a bad record and say nothing."""


class Reads(Protocol):
    """Read a file record by record; bad ones are reported, or raised where strict."""

    def __call__(
        self, path: Path, *, strict: bool = False, report: Reports = ignore
    ) -> Iterator[RecordedReply]:
        """Return the records in the order of the file."""


class Dataset(msgspec.Struct, frozen=True, kw_only=True):
    """
    Describe one published run: its name, its version, its reader, and what its sites are.
    """

    name: str
    version: int
    summary: str
    read: Reads
    clusters: str = SITES


DATASETS = Registry(Dataset, "surefoot.datasets", what="dataset")
