"""
Tests of telling fields of one kind apart by what is said around a value.
"""

from __future__ import annotations

import pytest

from surefoot.forms.letters.proof.roles import is_foreign, told_apart
from surefoot.forms.specification import Field, Kind


def field_of(label: str, fill: str, about: str) -> Field:
    """Make a field of text."""
    return Field(id="value", kind=Kind.STRING, label={"en": label}, fill=fill, about=about)


MINE = field_of("E-mail address", "person.email", "applicant")
THEIRS = field_of("Referee's e-mail address", "person.email", "referee")
START = field_of("Start date", "date.future", "contract")
END = field_of("Expected end date", "date.future", "contract")


@pytest.mark.parametrize(
    ("clause", "field", "other", "told"),
    [
        ("You can write to me at .", MINE, THEIRS, True),
        ("You can write to me at .", THEIRS, MINE, False),
        ("My referee's mail goes to .", THEIRS, MINE, True),
        ("My referee's mail goes to .", MINE, THEIRS, False),
        ("Start date: ", START, END, True),
        ("Start date: ", END, START, False),
        ("The date is .", START, END, False),
        ("The start and the end: ", START, END, True),
        ("", START, END, False),
    ],
)
def test_cues_decide_between_two_fields_or_nothing_does(
    clause: str, field: Field, other: Field, told: bool
) -> None:
    """A clause means a field by cues that the other lacks; a person not named is the writer."""
    assert told_apart(clause, field, other) is told


@pytest.mark.parametrize(
    ("clause", "foreign"),
    [
        ("My sister's phone is .", True),
        ("The old number rings no longer.", True),
        ("Last year it was .", True),
        ("I am sixty years old.", False),
        ("The valuation before the investment", False),
    ],
)
def test_values_of_others_and_of_old_are_recognised(clause: str, foreign: bool) -> None:
    """Relatives, predecessors and former things mark a value as none of the form's."""
    assert is_foreign(clause) is foreign
