"""
Which option a text names.
"""

from __future__ import annotations

import pytest

from surefoot.forms.specification import Field, Kind, Option
from surefoot.forms.values.choices import read_choice, read_choices

DEGREE = Field(
    "degree",
    Kind.MULTI_CHOICE,
    {"en": "Degree"},
    "options",
    options=(
        Option("bachelor", {"en": "Bachelor\u2019s, any", "fr": "Licence"}),
        Option("master", {"en": "Master"}),
    ),
)


@pytest.mark.parametrize("text", ["bachelor's, any", "BACHELOR\u2019S, ANY", "licence"])
def test_an_option_is_named_by_value_or_label(text: str) -> None:
    """Case, and the kind of apostrophe, do not matter; a label may hold a comma itself."""
    assert read_choice(DEGREE, text) == "bachelor"
    assert read_choices(DEGREE, [f"{text}, master"]) == ("bachelor", "master")


@pytest.mark.parametrize("text", [" " * 100_000, "master," * 20_000, ",;" * 50_000])
def test_a_huge_text_names_nothing(text: str) -> None:
    """A text longer than any list of options is refused before it is looked into."""
    assert read_choice(DEGREE, text) is None
    assert read_choices(DEGREE, [text]) is None
