"""
The catalogue is the paper's 25 forms with its counts, in seven languages, and can be filled in.
"""

from __future__ import annotations

import datetime as dt
import itertools
import unicodedata
from collections import Counter
from collections.abc import Iterator
from typing import Final

import msgspec
import pytest

from surefoot.forms.catalogue.reading import catalogue
from surefoot.forms.specification import LANGUAGES, Constraint, Field, Form, Kind, Words

FORMS: Final = tuple(catalogue().values())
FORMS_BY_CODE: Final = {form.code: form for form in FORMS}
EACH_FORM: Final = pytest.mark.parametrize("form", FORMS, ids=lambda form: form.id)
CHOICES: Final = {Kind.DROP_DOWN, Kind.RADIO, Kind.MULTI_CHOICE}
SCRIPTS: Final = {
    "zh": ("CJK",),
    "ru": ("CYRILLIC",),
    "ja": ("CJK", "HIRAGANA", "KATAKANA"),
    "th": ("THAI",),
    "ar": ("ARABIC",),
}


class Row(msgspec.Struct, frozen=True):
    """Hold one row of the paper's Table 1, with what its released page has."""

    fields: int
    kinds: str
    options: tuple[int, ...] = ()


# The count is Table 1's; kinds, in the letters below, and options are the released pages'.
PUBLISHED: Final = {
    "A11": Row(4, "sssd"),
    "A12": Row(6, "ssea*x", (2,)),
    "A13": Row(16, "ssssssndddeffvvv", (4, 4, 5)),
    "A14": Row(7, "sssedvf", (4,)),
    "A15": Row(8, "ssetvvmd", (3, 4, 4)),
    "B11": Row(18, "ssuuavetnnnnnddddf", (4,)),
    "B12": Row(22, "sssssssssetaannvvdddff", (2, 3)),
    "B13": Row(17, "ssssetvvvvvvanddd", (3, 3, 3, 5, 5, 6)),
    "B14": Row(20, "ssssssseetavvvdnffxx", (4, 4, 5)),
    "C11": Row(11, "sssevvndfxx", (4, 5)),
    "C12": Row(11, "ssevvndfxxx", (4, 5)),
    "C13": Row(14, "sssetvdddddf*x", (3, 6)),
    "D11": Row(10, "ssssvdddfe", (4,)),
    "D12": Row(11, "vvssssdnfet", (4, 5)),
    "E11": Row(7, "sssnnvv", (4, 5)),
    "E12": Row(5, "ssavv", (3, 4)),
    "E13": Row(6, "sevvad", (3, 5)),
    "F11": Row(8, "sssssaxxxt"),
    "F12": Row(8, "snddvvet", (3, 3)),
    "F13": Row(10, "ssssanvdff", (5,)),
    "G11": Row(9, "sssvdanxx", (3,)),
    "G12": Row(11, "ssssssspaxx"),
    "G13": Row(14, "sssetvdaafffxx", (4,)),
    "H11": Row(13, "ssssnnaadffft"),
    "H12": Row(13, "sssssvvddnaff", (3, 4)),
}
ON_SEVERAL_PAGES: Final = frozenset(
    [
        "A13",
        "B11",
        "B12",
        "B13",
        "B14",
        "C11",
        "C12",
        "C13",
        "D11",
        "D12",
        "F13",
        "G13",
        "H11",
        "H12",
    ]
)
LETTERS: Final = {
    "s": Kind.STRING,
    "e": Kind.EMAIL,
    "t": Kind.TELEPHONE,
    "u": Kind.URL,
    "p": Kind.PASSWORD,
    "n": Kind.NUMBER,
    "a": Kind.DATE,
    "v": Kind.DROP_DOWN,
    "*": Kind.RADIO,
    "m": Kind.MULTI_CHOICE,
    "x": Kind.CHECKBOX,
    "d": Kind.DESCRIPTION,
    "f": Kind.FILE,
}
DOMAINS: Final = {
    "A": "Academic",
    "B": "Professional",
    "C": "Arts",
    "D": "Technology",
    "E": "Finance",
    "F": "Healthcare",
    "G": "Legal",
    "H": "Manufacturing",
}
# Kinds left out of a released page and put in instead; each is told in the form's deviation.
CHANGED: Final = {"B11": ("d", "n"), "B12": ("d", "e"), "F11": ("st", "")}
FILLS: Final = {
    "person": "first_name middle_name last_name full_name email phone birth_date age gender "
    "occupation student_id ssn profile_url username",
    "address": "street city state zip full",
    "company": "name website founded email phone tax_id license_number industry department size "
    "kind",
    "number": "money count percent years experience gpa year words months days",
    "date": "past future",
    "id": "medical_record policy provider customer identity order",
    "title": "paper artwork literary talk bug ticket project procedure position",
    "name": "university major department product material doctor field_of_study environment "
    "browser location time_window employment_length dimensions relationship quality_standard "
    "keywords area measures",
    "text": "cover_letter abstract synopsis talk_abstract course_comments essay achievements "
    "extracurricular funding_purpose business_model target_market comments pet_details "
    "references additional accessibility "
    "expectations requests certifications artwork learning_objectives biography "
    "speaking_experience tech_requirements steps expected actual issue conditions medications "
    "diagnosis purpose service work product specifications",
    "file": "transcript letter pitch_deck identity income resume credentials image manuscript cv "
    "screenshot bills prescriptions tax_form insurance license costs schedule references "
    "drawings documents paper budget",
}
PLAIN_FILLS: Final = {
    "option": {Kind.DROP_DOWN, Kind.RADIO},
    "options": {Kind.MULTI_CHOICE},
    "consent": {Kind.CHECKBOX},
    "flag": {Kind.CHECKBOX},
}


def all_words(form: Form) -> Iterator[tuple[str, Words]]:
    """Yield everything that a form says, with where it says it."""
    yield "title", form.title
    yield "introduction", form.introduction
    for number, page in enumerate(form.pages):
        yield f"page {number}", page.title
    for field in form.fields:
        yield field.id, field.label
        if field.help:
            yield f"{field.id} help", field.help
        yield from ((f"{field.id} {option.value}", option.label) for option in field.options)


def foreign(text: str, language: str) -> bool:
    """Say whether a text has letters, but none of the scripts of its language."""
    names = [unicodedata.name(item, "") for item in text if item.isalpha()]
    return bool(names) and not any(name.startswith(SCRIPTS[language]) for name in names)


def repeated(texts: list[str]) -> list[str]:
    """Return the texts that occur twice, letter case and spaces aside."""
    folded = Counter("".join(text.casefold().split()) for text in texts)
    return [text for text, count in folded.items() if count > 1]


def can_hold(rule: Constraint, fields: list[Field]) -> bool:
    """Say whether the limits of the fields leave room for a rule."""
    first, *others = fields
    low, high = (
        sum(getattr(other, end) or 0 for other in others) for end in ("lowest", "highest")
    )
    if rule.rule == "after":
        return all(first.latest > other.earliest for other in others)
    if rule.rule == "same":
        return {other.kind for other in others} == {first.kind}
    if rule.rule == "weeks":
        start, end = (dt.date.fromisoformat(other.earliest) for other in others)
        return (end - start).days // 7 <= (first.highest or 0)
    if rule.rule == "percent":
        return {other.kind for other in others} == {Kind.NUMBER}
    if rule.rule == "sum":
        return (first.lowest, first.highest) == (low, high)
    return first.lowest is not None and first.lowest <= high


def test_the_catalogue_is_table_1() -> None:
    """25 forms of 8 domains with 279 fields, 14 of them on several pages, in order of code."""
    assert [form.code for form in FORMS] == sorted(PUBLISHED)
    assert len(FORMS) == 25
    assert len({form.id for form in FORMS}) == 25
    assert {form.domain for form in FORMS} == set(DOMAINS.values())
    assert sum(len(form.fields) for form in FORMS) == 279
    assert {form.code for form in FORMS if len(form.pages) > 1} == ON_SEVERAL_PAGES
    assert len(ON_SEVERAL_PAGES) == 14


@pytest.mark.parametrize("code", PUBLISHED)
def test_a_form_is_its_row_of_table_1(code: str) -> None:
    """Fields, pages, kinds and numbers of options are the published ones, or said to differ."""
    form, row = FORMS_BY_CODE[code], PUBLISHED[code]
    out, new = CHANGED.get(code, ("", ""))
    kinds = Counter(row.kinds)
    kinds.subtract(out)
    kinds.update(new)

    assert len(form.fields) == form.published == row.fields
    assert form.domain == DOMAINS[code[0]]
    assert len(form.pages) in ((2, 3, 4) if code in ON_SEVERAL_PAGES else (1,))
    assert Counter(field.kind for field in form.fields) == {
        LETTERS[letter]: count for letter, count in kinds.items() if count
    }
    assert sorted(len(field.options) for field in form.fields if field.options) == list(
        row.options
    )
    assert form.deviation or code not in CHANGED


@EACH_FORM
def test_everything_is_said_in_every_language(form: Form) -> None:
    """Words are there in each language's own script, and what is machine-made is marked."""
    assert form.machine_made == ("ar",)
    for place, words in all_words(form):
        assert set(words) == set(LANGUAGES), place
        for language, text in words.items():
            assert text == text.strip() != "", (place, language)
            assert "\n" not in text, (place, language)
            assert language not in SCRIPTS or not foreign(text, language), (place, text)


@EACH_FORM
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_fields_look_alike(form: Form, language: str) -> None:
    """In no language do two fields bear one label, nor two options of one field."""
    assert repeated([item.label[language] for item in form.fields]) == []
    for field in form.fields:
        assert repeated([option.label[language] for option in field.options]) == []


@EACH_FORM
def test_every_field_has_a_maker_of_its_kind(form: Form) -> None:
    """Each `fill` is a known one, and of the field's kind where it serves one kind only."""
    for field in form.fields:
        group, _, name = field.fill.partition(".")
        if field.fill in PLAIN_FILLS:
            assert field.kind in PLAIN_FILLS[field.fill], field.id
            continue
        assert name in FILLS[group].split(), field.id
        assert (group == "file") == (field.kind is Kind.FILE), field.id
        assert (group == "text") == (field.kind is Kind.DESCRIPTION), field.id
        assert group != "number" or field.kind is Kind.NUMBER, field.id
        dated = group == "date" or name in {"birth_date", "founded"}
        assert dated == (field.kind is Kind.DATE), field.id
        chosen = {"person.gender", "company.kind"}
        assert field.kind not in CHOICES or field.fill in chosen, field.id


@EACH_FORM
def test_every_field_has_the_limits_of_its_kind(form: Form) -> None:
    """Numbers have a range and a step, dates a span from 1940 to 2030, texts a longest."""
    for field in form.fields:
        if field.kind is Kind.NUMBER:
            assert None not in {field.lowest, field.highest, field.step}, field.id
        elif field.kind is Kind.DATE:
            assert "1940-01-01" <= field.earliest < field.latest <= "2030-12-31", field.id
        elif field.kind in {Kind.STRING, Kind.DESCRIPTION}:
            assert field.longest > 0, field.id
        elif field.fill == "consent":
            assert field.required, field.id
        elif field.fill == "flag":
            assert not field.required, field.id


@EACH_FORM
def test_one_person_is_asked_one_thing_once(form: Form) -> None:
    """A detail of one person, company or address is asked twice only where both must agree."""
    agreeing = [set(rule.fields) for rule in form.constraints if rule.rule == "same"]
    told = [
        field for field in form.fields if field.fill.startswith(("person", "company", "address"))
    ]
    for first, second in itertools.combinations(told, 2):
        same = (first.fill, first.about) == (second.fill, second.about)
        assert not same or {first.id, second.id} in agreeing, (first.id, second.id)


@EACH_FORM
def test_every_rule_can_hold(form: Form) -> None:
    """The limits of the fields that a rule binds leave room for values that keep it."""
    fields = {field.id: field for field in form.fields}
    for rule in form.constraints:
        assert can_hold(rule, [fields[name] for name in rule.fields]), rule


@EACH_FORM
def test_dependent_options_leave_a_choice(form: Form) -> None:
    """Whatever the other field holds, at least one option of the dependent one is offered."""
    for field in form.fields:
        names = {name for option in field.options for name in option.when}
        for name in names:
            other = form.field(name)
            assert other is not None
            for chosen in other.options:
                offered = [
                    o for o in field.options if chosen.value in o.when.get(name, [chosen.value])
                ]
                assert offered, (field.id, chosen.value)


def test_every_means_of_the_specification_is_used() -> None:
    """Each kind of field, each rule, dependent options and optional fields occur."""
    fields = [field for form in FORMS for field in form.fields]
    assert {field.kind for field in fields} == set(Kind)
    rules = {rule.rule for form in FORMS for rule in form.constraints}
    assert rules == {"after", "at-most", "sum", "same", "weeks", "percent"}
    assert any(option.when for field in fields for option in field.options)
    assert any(not field.required for field in fields)
    assert any(field.help for field in fields)


def test_the_checks_of_words_and_rules_can_fail() -> None:
    """Untranslated words, labels that look alike and rules that cannot hold are found."""
    assert foreign("City", "ru")
    assert not foreign("Город", "ru")
    assert not foreign("2026", "zh")
    assert repeated(["E-mail", "e-mail ", "City"]) == ["e-mail"]

    small = Field("a", Kind.NUMBER, {"en": "A"}, "number.money", lowest=1, highest=5)
    large = msgspec.structs.replace(small, id="b", lowest=6, highest=9)
    assert can_hold(Constraint("at-most", ("a", "b")), [small, large])
    assert not can_hold(Constraint("at-most", ("b", "a")), [large, small])
    assert not can_hold(Constraint("sum", ("b", "a")), [large, small])
