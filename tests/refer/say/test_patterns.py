"""
What a native reader is given to check: every pattern, and every word in its forms.
"""

from __future__ import annotations

from typing import get_args

import pytest

from surefoot.core.errors import UnknownNameError
from surefoot.core.instruction import Direction, Function
from surefoot.refer.languages.tables import codes
from surefoot.refer.read.read_back import read_back
from surefoot.refer.say.kinds import kind_of
from surefoot.refer.say.patterns import patterns_of


@pytest.mark.parametrize("code", codes())
def test_each_pattern_has_examples_that_read_back(code: str) -> None:
    """Every direction, function and way to point is shown, by sentences of the language."""
    found = {pattern.name: pattern.examples for pattern in patterns_of(code).patterns}
    kinds = {kind_of(read_back(said[0], code).expression) for said in found.values()}
    wanted = {*get_args(Direction), *(f"function: {one}" for one in get_args(Function) if one)}

    assert wanted <= found.keys()
    assert all(len(set(said)) == len(said) for said in found.values())
    assert all(len(said) == 10 for name, said in found.items() if name in get_args(Direction))
    assert {"direct", "relational", "nearest", "between", "ordinal", "region", "visual"} <= kinds
    assert {"container", "label", "functional"} <= kinds


def test_words_are_shown_in_all_their_forms() -> None:
    """A reader sees each case of a noun, and each gender of an adjective."""
    words = patterns_of("ru").words

    assert words["nouns"]["button"]["instrumental"] == "кнопкой"
    assert words["colours"]["red"]["f accusative"] == "красную"


def test_a_language_that_there_is_not_is_refused() -> None:
    """A code without a table names those there are."""
    with pytest.raises(UnknownNameError, match="ja"):
        patterns_of("xx")
