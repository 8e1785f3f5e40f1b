"""
Reading back: the inverse of realising over the whole language, and hostile words.
"""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from surefoot.core.errors import InvalidInputError, UserError
from surefoot.core.instruction import (
    Action,
    Colour,
    Content,
    Expression,
    Function,
    Ordinal,
    Place,
    Region,
    Shape,
    Size,
    State,
)
from surefoot.refer.languages.tables import ENGLISH, codes, language_of
from surefoot.refer.read.free_parse import free_parse
from surefoot.refer.read.read_back import read_back
from surefoot.refer.resolve.wellformed import require_wellformed
from surefoot.refer.say.realise import realise
from surefoot.refer.scene.geometry import DIRECTIONS

# Words that stand in the templates themselves are the ones to get wrong.
TRICKY = st.sampled_from(
    [
        "Save",
        "What's new",
        'say "x"',
        "row",
        "the button",
        "in the 'X' section",
        "and",
        " a ",
        "}{",
    ]
)
SAYABLE = TRICKY | st.text(
    st.characters(exclude_categories=["Cs"]), min_size=1, max_size=9
).filter(lambda text: not {"'", '"', "`"} <= set(text))
MAYBE = st.just("") | SAYABLE
ROLES = st.sampled_from(sorted({*ENGLISH.nouns} - {"icon"}))
PAINTED = ("ink", "outline")
COUNTS = st.integers(-40, 40).filter(bool)
ORDINALS = st.builds(Ordinal, COUNTS, st.sampled_from(["list", "row", "column"])) | st.builds(
    Ordinal, COUNTS, st.just("grid"), COUNTS
)
CONTAINERS = st.builds(Expression, role=ROLES, name=SAYABLE) | st.builds(
    Expression, role=ROLES, text=SAYABLE
)


def wellformed(expression: Expression) -> bool:
    """Tell whether an expression can be said."""
    try:
        require_wellformed(expression)
    except InvalidInputError:
        return False
    return True


def drawn(draw: st.DrawFn, depth: int) -> Expression:
    """Draw an expression whose parts need not go together."""
    parts = {
        "role": st.just("") | ROLES,
        "name": MAYBE,
        "name_cut": st.booleans(),
        "text": MAYBE,
        "colour": st.sampled_from(get_args(Colour)),
        "shape": st.sampled_from(get_args(Shape)),
        "content": st.sampled_from(get_args(Content)),
        "state": st.sampled_from(get_args(State)),
        "label": MAYBE,
        "container": st.none() | CONTAINERS,
        "region": st.none()
        | st.builds(
            Region, st.sampled_from(get_args(Place)), st.sampled_from(["screen", "window"])
        ),
    }
    given_parts = {part: draw(how) for part, how in parts.items() if draw(st.booleans())}
    if not given_parts.get("role") and draw(st.integers(0, 3)):
        given_parts["role"] = draw(ROLES)  # few parts can be said without one
    if given_parts.get("role") and draw(st.booleans()):
        given_parts["icon"] = draw(st.sampled_from(["", *ENGLISH.icons]))
        given_parts |= {part: draw(st.sampled_from(get_args(Colour))) for part in PAINTED}
    if draw(st.booleans()):
        given_parts["function"] = draw(st.sampled_from(get_args(Function)))
    rank = draw(st.sampled_from(["", "direction", "nearest", "between", "size", "ordinal"]))
    if rank == "size":
        given_parts["size"] = draw(st.sampled_from(get_args(Size)))
    elif rank == "ordinal":
        given_parts["ordinal"] = draw(ORDINALS)
    elif rank and depth < 3:
        given_parts["landmark"] = drawn(draw, depth + 1)
        if rank == "direction":
            given_parts["direction"] = draw(st.sampled_from(DIRECTIONS))
        else:
            given_parts["relation"] = rank
        if rank == "between":
            given_parts["second"] = drawn(draw, depth + 1)
    elif depth:
        return Expression(text=draw(SAYABLE))
    return Expression(**given_parts)


CODES = st.sampled_from(codes())
EXPRESSIONS = st.composite(drawn)(0)
ASKED = st.tuples(
    EXPRESSIONS.filter(wellformed), st.sampled_from(["click", "type", "select"]), SAYABLE
)


def assert_read_back(asked: tuple[Expression, Action, str], code: str) -> None:
    """Say an expression in a language, and read the words back as the same."""
    expression, action, given_value = asked
    value = "" if action == "click" else given_value
    found = read_back(realise(expression, action, value, language=code), code)
    assert (found.expression, found.action, found.value) == (expression, action, value)


@given(ASKED, CODES)
@example((Expression(role="text", name="a", content="text"), "click", "x"), "en")
@example((Expression(role="tab", name="list", ordinal=Ordinal(-13, "list")), "type", "in"), "en")
def test_whatever_can_be_said_is_read_back(
    asked: tuple[Expression, Action, str], code: str
) -> None:
    """For any well-formed expression, reading its words in any language gives the same."""
    assert_read_back(asked, code)


@pytest.mark.long
@settings(max_examples=400)
@given(ASKED, CODES)
def test_whatever_can_be_said_is_read_back_at_length(
    asked: tuple[Expression, Action, str], code: str
) -> None:
    """The same holds of many more expressions."""
    assert_read_back(asked, code)


@given(ASKED, CODES, st.integers(0, 200), st.text(max_size=2))
def test_other_words_are_refused_or_are_theirs(
    asked: tuple[Expression, Action, str], code: str, at: int, more: str
) -> None:
    """A sentence with letters put in is refused, or says exactly what it is read as."""
    whole = realise(asked[0], language=code)
    text = whole[:at] + more + whole[at:]
    try:
        found = read_back(text, code)
    except UserError:
        return
    assert realise(found.expression, found.action, found.value, language=code) == text


def test_words_with_two_readings_are_refused() -> None:
    """Where a table says two things alike, neither is believed."""
    french = language_of("fr")
    colours = {**french.colours, "orange": {"": "rouge"}}
    unclear = msgspec.structs.replace(french, colours=colours)
    text = "Cliquez sur le bouton rouge"

    assert read_back(text, french).expression.colour == "red"
    with pytest.raises(InvalidInputError, match="one way"):
        read_back(text, unclear)


@pytest.mark.parametrize("code", codes())
@pytest.mark.timeout(60)
def test_hostile_lengths_are_refused_at_once(code: str) -> None:
    """Text of any length and nesting ends in an error, not in a search without end."""
    nested = realise(
        Expression(role="button", direction="above", landmark=Expression(text="A")), language=code
    )
    for text in ("«" * 1999, nested * 20, nested * 100_000, "", "的" * 1999, "'a' " * 490):
        with pytest.raises(InvalidInputError):
            read_back(text, code)


@given(ASKED)
def test_the_free_reader_agrees_or_gives_up(asked: tuple[Expression, Action, str]) -> None:
    """Of words that realise wrote, the generous reader never makes another expression."""
    expression, action, given_value = asked
    value = "" if action == "click" else given_value
    found = free_parse(realise(expression, action, value))
    if found is not None:
        assert (found.expression, found.action, found.value) == (expression, action, value)


@given(EXPRESSIONS)
def test_what_is_malformed_is_refused_and_nothing_else(expression: Expression) -> None:
    """Realising raises for exactly the expressions that the rules refuse."""
    if wellformed(expression):
        assert realise(expression).startswith(("Click ", "In the "))
    else:
        with pytest.raises(InvalidInputError):
            realise(expression)


@pytest.mark.parametrize(
    "hostile",
    [
        "In the 'X' section, click the button",
        "In the 'X' section, Click the button directly above 'Y'",
        "click the 'Save' button",
        "Click the '' button",
        'Click the "Save" button',
        "Click the 1st button",
        "Click the 0th button",
        "Click the first-to-last button",
        "Click the second button in the third row in the 'X' grid",
        "Click the 'Y' checkbox that turns 'X' on",
        "Click the icon control",
        "Click the button between 'A'",
        "Click the button in the button",
        "Click the third 'Save' button directly above 'X'",
        "Click the 'Save button",
        "Click the red blue button",
        "Click the button\n",
    ],
)
def test_words_that_realise_does_not_write_are_refused(hostile: str) -> None:
    """What is nearly right, or right in other words, is an error."""
    with pytest.raises(InvalidInputError):
        read_back(hostile)


@given(st.text(max_size=60) | st.lists(st.sampled_from(
    ["Click", "the", "'a'", "button", "in", "and", "between", "row", "'", '"', ",", "third"]
), max_size=30).map(" ".join))  # fmt: skip
def test_garbage_is_an_error_of_ours(garbage: str) -> None:
    """Any text is either read or refused with an error that says what was expected."""
    try:
        asked = read_back(garbage)
    except UserError:
        return
    assert realise(asked.expression, asked.action, asked.value) == garbage


@pytest.mark.parametrize(
    "piece",
    ["'", "the ", "Click the button directly above ", "the button between ", " and ", "'a' ",
     "the largest "],
)  # fmt: skip
@pytest.mark.timeout(60)
def test_huge_input_is_gone_over_once(piece: str) -> None:
    """Many characters are refused at once; going over them again from each would take hours."""
    with pytest.raises(InvalidInputError):
        read_back("Click the button directly above " + piece * (400_000 // len(piece)))
