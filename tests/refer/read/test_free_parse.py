"""
The generous reader: other words and orders are understood, doubt and garbage give nothing.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.refer.languages.synonyms import CLICKS, NOUNS
from surefoot.refer.read.free_parse import free_parse
from surefoot.refer.say.realise import realise


@pytest.mark.parametrize(
    ("phrase", "meant"),
    [
        ("Press the 'Save' button.", "Click the 'Save' button"),
        ("please tap on 'Save'", "Click 'Save'"),
        ("Hit the button called 'Save'", "Click the 'Save' button"),
        ("In the 'Clipboard' section, press the 3rd item",
         "Click the third item in the 'Clipboard' section"),
        ("Pick the third element within the 'Clipboard' section",
         "Click the third item in the 'Clipboard' section"),
        ("Press the leftmost button in the toolbar called 'Standard'",
         "Click the first button from the left in the 'Standard' toolbar"),
        ("Click the second to last hyperlink", "Click the second-to-last link"),
        ("Click the last button from the left", "Click the first button from the right"),
        ("Tap the 2nd button in the 3rd row of the 'Days' grid",
         "Click the second button in the third row of the 'Days' grid"),
        ("Click the button that is closest to 'Total'", "Click the button nearest to 'Total'"),
        ("Click the button to the right of 'Total'",
         "Click the button directly to the right of 'Total'"),
        ("Just beneath 'A', tap the link", "Click the link directly below 'A'"),
        ("Click the link between 'A' and the 'B' button",
         "Click the link between 'A' and the 'B' button"),
        ("Press the gray square icon in the upper right-hand corner of the page",
         "Click the grey square icon in the top right corner of the screen"),
        ("At the top of the window, press the biggest button",
         "Click the largest button at the top of the window"),
        ("Click the ticked tick box labeled 'News'", "Click the checked checkbox labelled 'News'"),
        ("Click the toggle that switches 'Wi-Fi' off", "Click the switch that turns 'Wi-Fi' off"),
        ("Click the switch that turns on 'Wi-Fi'", "Click the switch that turns 'Wi-Fi' on"),
        ("Click the link which takes you to 'Pricing'", "Click the link that goes to 'Pricing'"),
        ("Click the button to search", "Click the button for searching"),
        ("Click the link starting with 'Read our'", "Click the link that begins with 'Read our'"),
        ("Enter 'Berlin' into the text box labelled 'City'",
         "Type 'Berlin' in the field labelled 'City'"),
        ("Choose 'Red' from the 'Colour' dropdown", "Select 'Red' in the 'Colour' drop-down"),
        ("In the row with 'Ada', click the 'Edit' button",
         "Click the 'Edit' button in the row with 'Ada'"),
        ("click the 'WHAT <b>' button", "Click the 'WHAT <b>' button"),
        ("Click the button next to 'Total'", None),
        ("Click the button near 'Total'", None),
        ("Click the button beside 'Total'", None),
        ("Click the button above 'A' in the 'X' section", None),
        ("Click the button in the 'X' section above 'A'", None),
        ("Click the field in the 'X' section at the top of the screen", None),
        ("Click the big button", None),
        ("Click the red blue button", None),
        ("Click the red 'A' button called 'B'", None),
        ("Click the 2th button", None),
        ("Click the button in the 'X' button", None),
        ("Click the third second link", None),
        ("Click the second-to-last button from the left", None),
        ("Choose 'Red' from the 'X' section", None),
        ("Type 'x' in the 'Save' button", None),
        ("Click Save", None),
        ("Click the 'Save button", None),
        ("Click the button where you", None),
        ("Click the 'Save' button and then the 'Open' button", None),
        ("Do not click the 'Save' button", None),
        ("Click the button that is not red", None),
        ("Click <0>", None),
        ("", None),
    ],
)  # fmt: skip
def test_phrases_mean_what_people_mean(phrase: str, meant: str | None) -> None:
    """Each phrase is understood as meant, or not at all where it leaves a doubt."""
    found = free_parse(phrase)
    said = None if found is None else realise(found.expression, found.action, found.value)
    assert said == meant


def test_every_verb_and_every_noun_is_known() -> None:
    """Each synonym in the tables can be read."""
    for verb in CLICKS:
        assert free_parse(f"{verb} 'Save'") is not None
    for word, role in NOUNS.items():
        found = free_parse(f"click the 'A' {word}")
        assert found is not None, word
        assert found.expression.role == ("control" if role == "icon" else role)


PIECES = st.sampled_from(
    ["click", "the", "'a'", "button", "in", "and", "between", "row", "'", '"', ",", "third",
     "directly", "above", "to the left of", "<0>", "section", "with", "from the left", "\u00e9"]
)  # fmt: skip


@given(st.text(max_size=80) | st.lists(PIECES, max_size=30).map(" ".join))
def test_garbage_gives_nothing_or_something_sayable(garbage: str) -> None:
    """No text raises; what is understood can be said."""
    found = free_parse(garbage)
    if found is not None:
        assert realise(found.expression, found.action, found.value)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("piece", ["'", "the ", "click ", "'a' ", "between ", " ,", "third "])
def test_huge_input_gives_nothing(piece: str) -> None:
    """No phrase is longer than a few hundred characters, so no more are looked at."""
    assert free_parse("click the button " + piece * 500_000) is None
    assert free_parse("click the button " + piece * (550 // len(piece))) is None
