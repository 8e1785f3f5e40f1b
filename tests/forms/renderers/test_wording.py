"""
The table of words that all renderers share.
"""

from __future__ import annotations

import string

import pytest

from surefoot.forms.renderers.wording import hints, phrase, phrases
from surefoot.forms.specification import LANGUAGES, Field, Kind


def test_every_phrase_is_said_in_every_language() -> None:
    """No phrase lacks a language, none is said twice alike by languages of two scripts."""
    for name, words in phrases().items():
        assert set(words) == set(LANGUAGES), name
        assert len({words["en"], words["ru"], words["th"], words["zh"]}) == 4, name


def test_every_language_fills_in_the_same_parts() -> None:
    """A phrase has the same blanks in all of its languages."""
    for name, words in phrases().items():
        blanks = {
            language: {part for _, part, _, _ in string.Formatter().parse(text) if part}
            for language, text in words.items()
        }
        assert len({frozenset(blank) for blank in blanks.values()}) == 1, name


def test_an_unknown_phrase_is_a_mistake() -> None:
    """A phrase that is not in the table is refused rather than left blank."""
    with pytest.raises(KeyError):
        phrase("absent", "en")


@pytest.mark.parametrize(
    ("lowest", "highest", "expected"),
    [
        (1_000_000, None, ("At least 1000000.",)),
        (0.5, 2_500_000.25, ("From 0.5 to 2500000.25.",)),
        (None, 120, ("At most 120.",)),
        (None, None, ()),
    ],
)
def test_bounds_are_written_as_plain_numbers(
    lowest: float | None, highest: float | None, expected: tuple[str, ...]
) -> None:
    """Bounds of a number are said without exponents or needless zeros."""
    field = Field("n", Kind.NUMBER, {"en": "N"}, "number.count", lowest=lowest, highest=highest)

    assert hints(field, "en") == expected


def test_a_field_s_own_help_comes_before_the_general_one() -> None:
    """A form says what a date means; how it is typed hangs on the widget, so the page says it."""
    words = {"en": "Day of birth"}
    plain = Field("d", Kind.DATE, words, "date.past")
    told = Field("d", Kind.DATE, words, "date.past", help={"en": "As in your passport"})

    assert hints(plain, "en") == ("Type month, day and year: mm/dd/yyyy.",)
    assert hints(told, "en") == ("As in your passport", *hints(plain, "en"))
