"""
Tests of the typed normaliser: one value from all its surface forms, and nothing from others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.forms.instance import FileValue, Value
from surefoot.forms.specification import Field, Kind, Option
from surefoot.forms.values.normalise import normalise, raw_of, same_value

OPTIONS: Final = (
    Option("full-time", {"en": "Full time", "fr": "Temps plein", "ja": "常勤"}),
    Option("part-time", {"en": "Part time", "fr": "Temps partiel", "ja": "非常勤"}),
    Option("none", {"en": "No work, at present", "fr": "Sans emploi"}),
    Option("student", {"en": "Student"}),
)
SHA: Final = "0123456789abcdef" * 4


def field(kind: Kind) -> Field:
    """Return a field of a kind."""
    chosen = kind in {Kind.DROP_DOWN, Kind.RADIO, Kind.MULTI_CHOICE}
    return Field(
        id="it",
        kind=kind,
        label={"en": "It"},
        fill="option",
        options=OPTIONS if chosen else (),
        accepts=(".pdf",) if kind is Kind.FILE else (),
    )


@pytest.mark.parametrize(
    ("kind", "raw", "value"),
    [
        (Kind.STRING, "  Ana\u00a0 Le\u0301a ", "Ana L\u00e9a"),
        (Kind.STRING, " \t", None),
        (Kind.DESCRIPTION, "One  line\r\n two \r\n", "One line\ntwo"),
        (Kind.PASSWORD, " a  b ", " a  b "),
        (Kind.PASSWORD, "", None),
        (Kind.EMAIL, " Ana.Lee@Example.COM ", "Ana.Lee@example.com"),
        (Kind.EMAIL, "ana@example", None),
        (Kind.EMAIL, "ana@@example.com", None),
        (Kind.EMAIL, "a..b@example.com", None),
        (Kind.EMAIL, "ana lee@example.com", None),
        (Kind.URL, "HTTPS://Example.COM:443/", "https://example.com"),
        (Kind.URL, "http://example.com:8080/a/?q=1", "http://example.com:8080/a?q=1"),
        (Kind.URL, "example.com", None),
        (Kind.URL, "javascript:alert(1)", None),
        (Kind.URL, "http://[::1", None),
        (Kind.URL, "http://example.com:99999/", None),
        (Kind.TELEPHONE, "(202) 555-0143", "+12025550143"),
        (Kind.TELEPHONE, "+1 202.555.0143 ext. 12", "+12025550143;ext=12"),
        (Kind.TELEPHONE, "(+86) 138 1234 5678", "+8613812345678"),
        (Kind.TELEPHONE, "call 202 555 0143", None),
        (Kind.TELEPHONE, "9" * 5000, None),
        (Kind.CHECKBOX, "yes", True),
        (Kind.CHECKBOX, "Oui", True),
        (Kind.CHECKBOX, "off", False),
        (Kind.CHECKBOX, (), False),
        (Kind.CHECKBOX, "perhaps", None),
        (Kind.RADIO, "part-time", "part-time"),
        (Kind.RADIO, " temps  PARTIEL", "part-time"),
        (Kind.DROP_DOWN, "常勤", "full-time"),
        (Kind.DROP_DOWN, "Full \u2013 Time", "full-time"),
        (Kind.DROP_DOWN, "time", None),
        (Kind.DROP_DOWN, ("full-time", "part-time"), None),
        (Kind.MULTI_CHOICE, ("student", "none", "none"), ("none", "student")),
        (Kind.MULTI_CHOICE, "Student, No work, at present", ("none", "student")),
        (Kind.MULTI_CHOICE, ("student", "boss"), None),
        (Kind.MULTI_CHOICE, (), None),
        (Kind.FILE, ("C:\\fakepath\\cv.pdf", SHA.upper()), FileValue("cv.pdf", SHA)),
        (Kind.FILE, f'{{"name": "cv.pdf", "sha256": "{SHA}"}}', FileValue("cv.pdf", SHA)),
        (Kind.FILE, ("cv.pdf", "0"), None),
        (Kind.FILE, "cv.pdf", None),
    ],
)
def test_surface_forms(kind: Kind, raw: str | Sequence[str], value: Value | None) -> None:
    """A surface form is read as its value, and what is no value of the kind as none."""
    assert normalise(field(kind), raw) == value


@given(
    kind=st.sampled_from(Kind), raw=st.text(max_size=40), language=st.sampled_from(["en", "fr"])
)
def test_any_text_has_one_value_for_good(kind: Kind, raw: str, language: str) -> None:
    """Any text is read without an error, and a value spelled again is the same value."""
    it = field(kind)
    value = normalise(it, raw, language=language)

    if value is not None:
        assert normalise(it, raw_of(value), language=language) == value


@given(
    chosen=st.lists(st.sampled_from(OPTIONS), min_size=1),
    language=st.sampled_from(["en", "fr"]),
    joint=st.sampled_from([", ", "; ", "\n"]),
)
def test_a_set_has_no_order(chosen: list[Option], language: str, joint: str) -> None:
    """Values and labels, apart or in one text, in any order and number give one sorted set."""
    it = field(Kind.MULTI_CHOICE)
    labels = [each.label.get(language, each.label["en"]) for each in chosen]
    expected = tuple(sorted({each.value for each in chosen}))

    assert normalise(it, [each.value for each in reversed(chosen)]) == expected
    assert normalise(it, labels, language=language) == expected
    assert normalise(it, joint.join(labels), language=language) == expected


def test_a_label_of_two_options_names_neither() -> None:
    """A label that stands for two options is refused, unless one bears it as its value."""
    twins = (Option("a", {"en": "Other"}), Option("b", {"en": "Other"}))
    it = Field(id="it", kind=Kind.RADIO, label={"en": "It"}, fill="option", options=twins)

    assert normalise(it, "other") is None
    assert normalise(it, "B") == "b"


def test_files_are_the_same_by_their_bytes() -> None:
    """A file renamed is the same value, and one of other bytes under its name is not."""
    assert same_value(FileValue("a.pdf", SHA), FileValue("b.pdf", SHA))
    assert not same_value(FileValue("a.pdf", SHA), FileValue("a.pdf", SHA[::-1]))
    assert not same_value(None, "a")
    assert not same_value(True, "yes")  # noqa: FBT003
