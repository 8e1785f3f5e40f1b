"""
Published runs: their raw replies, read again by the formats of today.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from surefoot.core.question import Answer
from surefoot.datasets.dataset import DATASETS, Recorded, Reports, ignore
from surefoot.models.format import Format
from surefoot.models.opening import FORMATS, format_of
from surefoot.models.spaces import Space
from surefoot.score.outcomes import Record

__all__ = ["answer_to", "read_published", "read_recorded"]


def read_recorded(
    name: str,
    path: Path,
    *,
    format_name: str = "",
    strict: bool = False,
    report: Reports = ignore,
) -> Iterator[tuple[Recorded, Format]]:
    """
    Yield each record of a published run with the format that its reply is written in.

    That is the one named, else the one that the file tells, else the one that the catalogue
    gives the model's name. Bad records go to ``report``. Raises UnknownNameError for an
    unknown dataset or format, or a model that the catalogue does not know, and
    InvalidInputError as the dataset's reader does.
    """
    formats: dict[str, Format] = {}
    for recorded in DATASETS.get(name).read(path, strict=strict, report=report):
        if recorded.model not in formats:
            told = format_name or recorded.format or format_of(recorded.model)
            formats[recorded.model] = FORMATS.get(told)
        yield recorded, formats[recorded.model]


def answer_to(recorded: Recorded, form: Format) -> Answer:
    """Parse a recorded reply anew."""
    question = recorded.question
    parsed = form.parse(recorded.raw, question.width, question.height)
    return Answer(question.id, recorded.raw, parsed)


def read_published(
    name: str, path: Path, *, space: Space | None = None, report: Reports = ignore
) -> Iterator[Record]:
    """
    Yield (model, question, answer) for each record of a published run.

    Every answer is parsed anew from the raw words, with its coordinates in ``space`` or, by
    default, in that of its format; bad records go to ``report``. Raises as
    ``read_recorded`` does.
    """
    for recorded, form in read_recorded(name, path, report=report):
        read = msgspec.structs.replace(form, space=space) if space else form
        yield recorded.model, recorded.question, answer_to(recorded, read)
