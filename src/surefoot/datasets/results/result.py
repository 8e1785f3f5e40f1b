"""
The seam of other tools' result files: each row is a reply, and what it says of its question.

A file names the row, the words, the picture or the box that was asked about, never all of them;
what it says is compared with the question that it is joined to. Reading the reply is for others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, Protocol

import msgspec

from surefoot.core.question import Usage
from surefoot.core.registry import Registry
from surefoot.datasets.dataset import Reports, ignore
from surefoot.datasets.files.boxes import BoxConvention


class ResultsHead(msgspec.Struct, frozen=True, kw_only=True):
    """
    Say what a file tells of itself: who replied, and to what.

    ``bench`` is the digest of the benchmark that was asked and ``format`` the name of the format
    that it was asked in, "" where the file knows neither; each question was asked ``samples``
    times, in the given modes of ``reasoning``.
    """

    model: str
    bench: str = ""
    format: str = ""
    reasoning: Literal["off", "on", "both"] = "off"
    samples: int = 1


class ResultRow(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold one reply, and all that its row says of the question.

    ``key`` names the row in the tool's own terms, once a file. ``row`` is the row of the data
    set, from 0, and ``question`` our own id of the question; -1 and "" where the file knows
    neither, so that words, picture and box have to find it. ``text`` is the instruction,
    ``prompt`` a text that holds it, ``picture`` the name of the picture's file, ``size`` its
    width and height in pixels, ``box`` the target in one of ``conventions``. ``verdict`` is the
    tool's own. ``failure`` says why there is no reply, and ``cut`` that a limit of tokens ended
    it.
    """

    key: str
    reply: str = ""
    row: int = -1
    question: str = ""
    text: str = ""
    prompt: str = ""
    picture: str = ""
    size: tuple[int, int] = (0, 0)
    box: tuple[float, ...] = ()
    conventions: tuple[BoxConvention, ...] = ()
    verdict: bool | None = None
    failure: str = ""
    cut: bool = False
    sample: int = 1
    usage: Usage = Usage()


class ReadsResults(Protocol):
    """Read a file row by row; rows that are no reply to what was asked are reported."""

    def __call__(
        self, path: Path, *, strict: bool = False, report: Reports = ignore
    ) -> Iterator[ResultRow]:
        """Return the rows in the order of the file; raises InvalidInputError if strict."""


class ResultsFile(msgspec.Struct, frozen=True, kw_only=True):
    """
    Describe the result files of one tool.

    ``head`` reads what a file says of itself; both it and ``read`` raise InvalidInputError for
    what is no such file. ``source`` names the code of the tool that writes it.
    """

    name: str
    version: int
    summary: str
    source: str
    head: Callable[[Path], ResultsHead]
    read: ReadsResults


RESULTS = Registry(ResultsFile, "surefoot.datasets.results", what="result file")
