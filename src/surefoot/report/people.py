"""
What people say of samples on sheets, and of what a diagnosis calls failures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from surefoot.diagnose.folder import FAILING, read_diagnosis
from surefoot.phrasing.words import amount_words, interval_words
from surefoot.run.folders.folder import is_kind, read_questions
from surefoot.run.ratings import RatingLines
from surefoot.run.verdicts import (
    CRITERIA,
    PeopleVerdict,
    failed_columns,
    pass_rate,
    people_verdicts,
)

SUCCESS: Final = "success"
_SAID: Final = {
    **CRITERIA,
    "rating": "the sample is right",
    SUCCESS: "elements with a failing instruction that people pass",
}


def people_answers(read: RatingLines, bench: Path) -> tuple[PeopleVerdict, ...]:
    """
    Return the rate of each column of the sheets, and of a diagnosis its success by people.

    ``bench`` is what the sheets were drawn from. Where it is the folder ``failing`` of a
    diagnosis, success is the share of elements with a failing instruction that people pass,
    among those without any failing instruction and those of which one was rated. Raises
    InvalidInputError as ``people_verdicts`` does.
    """
    verdicts = people_verdicts(read)
    if bench.name != FAILING or not is_kind(bench.parent, "diagnosis"):
        return verdicts
    failed = failed_columns(read)
    passed: dict[str, bool] = {}
    for question in read_questions(bench):
        if question.id in failed:
            right = not failed[question.id]
            passed[question.pair] = passed.get(question.pair, False) or right
    sites: dict[str, str] = {}
    for element in read_diagnosis(bench.parent).elements:
        sites[element.pair] = element.cluster
        if not element.failures:
            passed[element.pair] = False
    if not passed:
        return verdicts
    return (
        *verdicts,
        pass_rate(SUCCESS, passed, sites, max(row.people for row in verdicts)),
    )


def people_lines(verdicts: Sequence[PeopleVerdict]) -> Iterator[str]:
    """Say each rate in a line."""
    for row in verdicts:
        ends = interval_words(row.interval, "share")
        ends_words = f"95 % interval {ends}" if ends else "no interval"
        what = _SAID.get(row.criterion, row.criterion)
        rate = amount_words(row.rate, "share")
        yield f"{what}: {row.passed} of {row.items} ({rate}; {ends_words}), by {row.people}"
