"""
Published runs: their raw replies, read again by the formats of today.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from surefoot.core.question import Answer
from surefoot.datasets.dataset import DATASETS, Reports, ignore
from surefoot.models.opening import FORMATS
from surefoot.models.spaces import Space
from surefoot.score.outcomes import Record

__all__ = ["read_published"]


def read_published(
    name: str,
    path: Path,
    *,
    space: Space | None = None,
    strict: bool = False,
    report: Reports = ignore,
) -> Iterator[Record]:
    """
    Yield (model, question, answer) for each record of a published run.

    Every answer is parsed anew from the raw words, with its coordinates in ``space`` or, by
    default, in that of its format; bad records go to ``report``. Raises UnknownNameError
    for an unknown dataset and InvalidInputError as its reader does.
    """
    dataset = DATASETS.get(name)
    for recorded in dataset.read(path, strict=strict, report=report):
        question, form = recorded.question, FORMATS.get(recorded.format)
        if space:
            form = msgspec.structs.replace(form, space=space)
        parsed = form.parse(recorded.raw, question.width, question.height)
        yield recorded.model, question, Answer(question.id, recorded.raw, parsed)
