"""
Published runs: their raw replies, read again by the formats of today.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from surefoot.core.question import Answer
from surefoot.datasets.dataset import DATASETS, Reports, ignore
from surefoot.models.opening import FORMATS
from surefoot.score.outcomes import Record

__all__ = ["read_published"]


def read_published(
    name: str, path: Path, *, strict: bool = False, report: Reports = ignore
) -> Iterator[Record]:
    """
    Yield (model, question, answer) for each record of a published run.

    Every answer is parsed anew from the raw words; bad records go to ``report``. Raises
    UnknownNameError for an unknown dataset and InvalidInputError as its reader does.
    """
    dataset = DATASETS.get(name)
    for each in dataset.read(path, strict=strict, report=report):
        question = each.question
        parsed = FORMATS.get(each.format).parse(each.raw, question.width, question.height)
        yield each.model, question, Answer(question.id, each.raw, parsed)
