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
from surefoot.forms.values.normalise import (
    normalise,
    raw_of,
    read_choice,
    read_choices,
    read_telephone,
    same_value,
)

OPTIONS: Final = (
    Option("full-time", {"en": "Full time", "fr": "Temps plein", "ja": "常勤"}),
    Option("part-time", {"en": "Part time", "fr": "Temps partiel", "ja": "非常勤"}),
    Option("none", {"en": "No work, at present", "fr": "Sans emploi"}),
    Option("student", {"en": "Student"}),
)
SHA: Final = "0123456789abcdef" * 4
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
    labels = [option.label.get(language, option.label["en"]) for option in chosen]
    expected = tuple(sorted({option.value for option in chosen}))

    assert normalise(it, [option.value for option in reversed(chosen)]) == expected
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


@given(area=st.integers(201, 989), exchange=st.integers(200, 999), line=st.integers(0, 9999))
def test_forms_of_one_number_agree(area: int, exchange: int, line: int) -> None:
    """Brackets, points, hyphens, the country in front and full-width digits mean one number."""
    plain = f"{area}{exchange}{line:04}"
    bracketed = f"({area}) {exchange}-{line:04}"
    wide = plain.translate({0x30 + index: 0xFF10 + index for index in range(10)})
    forms = [plain, bracketed, wide, f"+1{plain}", f"1-{area}-{exchange}-{line:04}"]
    forms += [f"001.{area}.{exchange}.{line:04}", f"+1 {bracketed}"]

    assert {read_telephone(form) for form in forms} == {f"+1{plain}"}
    assert read_telephone(f"{bracketed} x77") == f"+1{plain};ext=77"


def test_numbers_of_other_countries() -> None:
    """A number with its country is read by that country's rules."""
    assert read_telephone("+86 138 1234 5678") == "+8613812345678"
    assert read_telephone("0033 1 23 45 67 89") == "+33123456789"


@given(raw=st.text("+0123456789()-. x#;ext=", max_size=50))
def test_any_digits_are_read_without_an_error(raw: str) -> None:
    """Whatever comes out is read as itself again."""
    found = read_telephone(raw)

    assert found is None or read_telephone(found) == found
