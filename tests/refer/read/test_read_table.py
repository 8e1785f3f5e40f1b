"""
Reading languages by their tables: the inverse of realising, in any order of parts.
"""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from surefoot.core.errors import InvalidInputError, UserError
from surefoot.core.instruction import Action, Expression
from surefoot.refer.languages.tables import TABLES, load_table
from surefoot.refer.read.read_back import read_back
from surefoot.refer.read.read_table import read_table
from surefoot.refer.say.realise import LANGUAGES, realise
from tests.refer.read.test_read_back import ASKED

CODES = st.sampled_from(sorted(TABLES))


@settings(max_examples=40, deadline=None)
@given(ASKED, CODES)
def test_whatever_can_be_said_is_read_back(
    asked: tuple[Expression, Action, str], code: str
) -> None:
    """For any well-formed expression, reading its words in any language gives the same."""
    expression, action, given_value = asked
    value = "" if action == "click" else given_value
    found = read_back(realise(expression, action, value, language=code), code)
    assert (found.expression, found.action, found.value) == (expression, action, value)


@pytest.mark.long
@settings(max_examples=1500, deadline=None)
@given(ASKED, CODES)
def test_whatever_can_be_said_is_read_back_at_length(
    asked: tuple[Expression, Action, str], code: str
) -> None:
    """The same holds of many more expressions."""
    expression, action, given_value = asked
    value = "" if action == "click" else given_value
    found = read_back(realise(expression, action, value, language=code), code)
    assert (found.expression, found.action, found.value) == (expression, action, value)


@settings(max_examples=30, deadline=None)
@given(ASKED, CODES, st.integers(0, 200), st.text(max_size=2))
def test_other_words_are_refused_or_are_theirs(
    asked: tuple[Expression, Action, str], code: str, at: int, more: str
) -> None:
    """A sentence with letters put in is refused, or says exactly what it is read as."""
    said = realise(asked[0], language=code)
    text = said[:at] + more + said[at:]
    try:
        found = read_back(text, code)
    except UserError:
        return
    assert realise(found.expression, found.action, found.value, language=code) == text


def test_words_with_two_readings_are_refused() -> None:
    """Where a table says two things alike, neither is believed."""
    french = load_table("fr")
    colours = {**french.colours, "orange": {"": "rouge"}}
    unclear = msgspec.structs.replace(french, colours=colours)
    text = "Cliquez sur le bouton rouge"
    assert read_table(text, french).expression.colour == "red"
    with pytest.raises(InvalidInputError, match="one way"):
        read_table(text, unclear)


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != "en"])
@pytest.mark.timeout(60)
def test_hostile_lengths_are_refused_at_once(code: str) -> None:
    """Text of any length and nesting ends in an error, not in a search without end."""
    nested = realise(
        Expression(role="button", direction="above", landmark=Expression(text="A")), language=code
    )
    for text in ("«" * 1999, nested * 20, nested * 100_000, "", "的" * 1999):
        with pytest.raises(InvalidInputError):
            read_back(text, code)
