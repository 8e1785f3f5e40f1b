"""
Tables of sentences: one file a language, all of one form, words put in as they are.
"""

from __future__ import annotations

import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.benchmarks.dimensions.sentences import known_languages, sentences_of
from surefoot.capture.parallel.languages import PARALLEL, script_trouble
from surefoot.core.errors import InvalidInputError

LANGUAGES = known_languages()


def test_the_six_languages_have_tables() -> None:
    """Every language that pages are captured in side by side has sentences."""
    assert set(PARALLEL) <= set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_is_in_its_own_script(language: str) -> None:
    """No sentence was left in another language's letters, and no two options are the same."""
    table = sentences_of(language)
    parts = msgspec.to_builtins(table)
    for part in ("roles", "ael", "rel", "wi", "wf", "goals", "actions", "effects"):
        words = " ".join(re.sub(r"\{\w+\}", "", sentence) for sentence in parts[part].values())
        assert script_trouble(language, words) == ""
        assert len(set(parts[part].values())) == len(parts[part])


@pytest.mark.parametrize("language", LANGUAGES)
@given(st.text(min_size=1), st.text(min_size=1))
def test_names_are_put_in_as_they_are(language: str, name: str, other: str) -> None:
    """Whatever an interface writes, braces too, stands in the question once and unchanged."""
    table = sentences_of(language)
    said = table.asked("rel", element=table.called(name, "link"), other=table.called(other))

    plain = table.asked("rel", element="\0", other="\1")
    expected = {
        "\0": table.element.replace("{role}", table.roles["link"]).split("{name}"),
        "\1": table.bare.split("{name}"),
    }
    for mark, words in (("\0", name), ("\1", other)):
        before, after = expected[mark]
        plain = plain.replace(mark, f"{before}{words}{after}") if mark not in name else said
    assert said == plain


def test_a_language_without_a_table_is_named() -> None:
    """What cannot be asked is an error that lists what can."""
    with pytest.raises(InvalidInputError, match="fr"):
        sentences_of("xx")
