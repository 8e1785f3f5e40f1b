"""
A value is meant however it is spelled, and never by what is part of something else.
"""

from __future__ import annotations

import datetime as dt

import phonenumbers
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.forms.instance import FileValue, Value
from surefoot.forms.scoring.fields import mentions
from surefoot.forms.scoring.meaning import means, picks, says
from surefoot.forms.specification import LANGUAGES, Field, Kind, Option

DAY = Field("day", Kind.DATE, {"en": "Day"}, "date.future")
PHONE = Field("phone", Kind.TELEPHONE, {"en": "Phone"}, "person.phone")
PAID = Field("paid", Kind.NUMBER, {"en": "Paid"}, "number.money")
NAME = Field("name", Kind.STRING, {"en": "Name"}, "person.full_name")
MAIL = Field("mail", Kind.EMAIL, {"en": "E-mail"}, "person.email")
SITE = Field("site", Kind.URL, {"en": "Site"}, "company.url")
CODE = Field("code", Kind.PASSWORD, {"en": "Code"}, "person.ssn")
NOTE = Field("note", Kind.DESCRIPTION, {"en": "Note"}, "text.comments")
PAPER = Field("paper", Kind.FILE, {"en": "Paper"}, "file.paper", accepts=(".pdf",))
NEWS = Field(
    "news",
    Kind.CHECKBOX,
    {"en": "Subscribe to the newsletter", "fr": "Recevoir la lettre"},
    "flag",
)
TERM = Field(
    "term",
    Kind.DROP_DOWN,
    {"en": "Term"},
    "option",
    options=(
        Option("f25", {"en": "Fall 2025", "fr": "Automne 2025", "zh": "2025年秋季"}),
        Option("s25", {"en": "Spring 2025"}),
        Option("s26", {"en": "Spring 2026"}),
    ),
)
DEGREE = Field(
    "degree",
    Kind.RADIO,
    {"en": "Degree"},
    "option",
    options=(
        Option("ma", {"en": "Master", "zh": "硕士"}),
        Option("arts", {"en": "Master of Arts", "zh": "文学硕士"}),
        Option("phd", {"en": "Doctorate (PhD)"}),
        Option("rd", {"en": "Research & Development"}),
    ),
)
PETS = Field(
    "pets",
    Kind.DROP_DOWN,
    {"en": "Any pets?"},
    "option",
    options=(Option("yes", {"en": "Yes"}), Option("no", {"en": "No"})),
)
COURSES = Field(
    "courses",
    Kind.MULTI_CHOICE,
    {"en": "Courses"},
    "options",
    options=(Option("cs101", {"en": "CS101"}), Option("cs102", {"en": "CS102"})),
)


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        (DAY, "1994-09-19", "keyboard_type('09/19/1994')"),
        (DAY, "2026-03-14", "on 03/14/2026."),
        (DAY, "2026-03-14", "14/03/2026"),
        (DAY, "2026-03-14", "14.03.2026"),
        (DAY, "2026-03-14", "14-Mar-2026"),
        (DAY, "2026-03-14", "the 14th of March, 2026"),
        (DAY, "2026-03-14", "Mar. 14, 2026"),
        (DAY, "2026-03-14", '{"date": "2026\\/03\\/14"}'),
        (DAY, "2026-03-14", "2026-03-14T00:00:00"),
        (DAY, "2026-03-14", "２０２６年３月１４日"),
        (DAY, "2026-04-04", "04.04.2026"),
        (PHONE, "+12125552368", "(212) 555-2368"),
        (PHONE, "+12125552368", "212.555.2368"),
        (PHONE, "+12125552368", "1-212-555-2368"),
        (PHONE, "+12125552368", 'Type("2125552368")'),
        (PHONE, "+19195550162", "call +1 919 555 0162, please"),
        (PHONE, "+12502043652;ext=755", "001-250-204-3652x755"),
        (PHONE, "+12502043652;ext=755", "250 204 3652 ext. 755"),
        (PHONE, "+33142685300", "01 42 68 53 00"),
        (PAID, "1200", "about 1,200 people"),
        (PAID, "1250.5", "$1,250.50"),
        (PAID, "1250.5", "1 250,50 €"),
        (PAID, "5654769", "USD 5,654,769."),
        (PAID, "15", "fifteen years"),
        (PAID, "2500000", "2.5 million dollars"),
        (PAID, "5", "5%"),
        (PAID, "12", "a 12-month term"),
        (PAID, "-4", "it was \u22124 degrees"),
        (NAME, "O'Brien", r"Type('O\'Brien')"),
        (NAME, "O'Brien", "O\u2019Brien"),
        (NAME, 'The "Oak"', r'{"text": "The \"Oak\""}'),
        (NAME, "Zoë", r'{"text": "Zo\u00eb"}'),
        (NAME, "PSC 7950 APO 57478", "PSC 7950, APO 57478"),
        (MAIL, "ann@example.com", "(Ann@Example.com)."),
        (MAIL, "ann@example.com", "details\u2014ann@example.com"),
        (SITE, "https://example.com/a", "example.com/a/."),
        (CODE, "123-45-6789", "it is 123-45-6789."),
        (NOTE, "Quiet streets.", 'stresses, "Quiet streets," and'),
        (NOTE, "12 Oak St\nDover", "12 Oak St, Dover"),
        (PAPER, FileValue("a b.pdf", "00"), "Upload(1, 2, 'a b.pdf')"),
        (NEWS, True, "click 'Subscribe to the newsletter'"),
        (NEWS, True, "I would love to subscribe to your newsletter."),
        (NEWS, True, "Recevoir la lettre"),
        (TERM, "f25", "the FALL  2025 term"),
        (TERM, "f25", "选择2025年秋季"),
        (DEGREE, "arts", "a Master of Arts"),
        (DEGREE, "ma", "Master, not Master of Arts"),
        (DEGREE, "ma", "a master's; Masters"),
        (DEGREE, "phd", "her doctorate"),
        (DEGREE, "rd", "research-and-development"),
        (DEGREE, "arts", "我有文学硕士学位"),
        (PETS, "no", "Any pets? No"),
        (PETS, "no", 'answered "No,"'),
        (COURSES, ("cs101", "cs102"), "CS101 and CS102"),
    ],
)
def test_a_value_is_meant_in_its_usual_spellings(field: Field, value: Value, text: str) -> None:
    """Dates, numbers, telephone numbers, options, escapes and quotes say what they mean."""
    assert means(text, field, value)


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        (DAY, "2026-04-03", "03.04.2026"),
        (DAY, "2026-04-03", "03/04/2026"),
        (DAY, "2026-03-14", "3/14/26"),
        (DAY, "2026-03-14", "114/03/2026 2026-03-141 2026-03-14-5"),
        (DAY, "2026-03-14", "14 March"),
        (DAY, "2026-03-01", "31/02/2026"),
        (PHONE, "+12125552368", "212-555-23681"),
        (PHONE, "+12125552368", "5-212-555-2368-4"),
        (PHONE, "+12125552368", "(212) 555-2368 x12"),
        (PHONE, "+12125552368", "555-2368"),
        (PHONE, "+12125552368", "+44 212 555 2368"),
        (PHONE, "+12125552368", "+2125552368"),
        (PAID, "12", "12/05/2026, 05.12.2026, December 12, 2026 and 2026-12-12"),
        (PAID, "12", "112, 120, 12.5, 1,12, 12:30, 0.12, A12, 12A, 10-12, v1.12.3"),
        (PAID, "200", "1,200 or 1 200 or 1'200"),
        (PAID, "555", "(212) 555-2368"),
        (PAID, "640", "mouse_click(640, 200)"),
        (PAID, "640", "[640, 200] Ann"),
        (PAID, "640", "click(start_box='(640,200)')"),
        (PAID, "640", '{"action": "left_click", "coordinate": [640, 200]}'),
        (PAID, "640", "Click(x=640, y=200)"),
        (PAID, "640", "<point>640 200</point>"),
        (PAID, "640", '{"x": 640, "y": 200}'),
        (PAID, "5", "Wait(5)"),
        (PAID, "4", "-4"),
        (PAID, "1", "no one said so"),
        (PAID, "1.2", "1.2 million"),
        (NAME, "Ann", "Annette, Joann"),
        (NAME, "4021", "14021, 40210, 4021-5, 12.4021"),
        (MAIL, "ann@example.com", "jo.ann@example.com, ann@example.com.au, ann@example.community"),
        (SITE, "https://example.com", "example.com/about, my-example.com, ann@example.com"),
        (CODE, "Secret1", "secret1"),
        (CODE, "123-45-6789", "123-45-67890"),
        (PAPER, FileValue("cv.pdf", "00"), "my-cv.pdf, cv.pdf.exe"),
        (NEWS, True, "Do not subscribe to the newsletter"),
        (NEWS, True, "The newsletter comes out in May"),
        (NEWS, False, "Subscribe to the newsletter"),
        (TERM, "f25", "Fall"),
        (TERM, "s25", "Spring"),
        (DEGREE, "ma", "a Master of Arts"),
        (DEGREE, "ma", "文学硕士"),
        (DEGREE, "ma", "mastery, postmaster"),
        (PETS, "no", "There are no pets, no."),
        (COURSES, ("cs101", "cs102"), "CS101 and CS1022"),
        (COURSES, ("cs101",), "MCS101"),
    ],
)
def test_what_is_part_of_something_else_is_not_meant(
    field: Field, value: Value, text: str
) -> None:
    """No number within a date or a point, no option within another's name, no guess of a date."""
    assert not means(text, field, value)


def test_the_forms_language_orders_a_date_and_a_number() -> None:
    """03/04 is April in French and March in English; Chinese has no order for it at all."""
    text = "03/04/2026"

    assert means(text, DAY, "2026-04-03", language="fr")
    assert not means(text, DAY, "2026-03-04", language="fr")
    assert means(text, DAY, "2026-03-04")
    assert not any(means(text, DAY, f"2026-0{day}", language="zh") for day in ("3-04", "4-03"))
    assert means("1,250", PAID, "1.25", language="fr")
    assert not means("1,250", PAID, "1250", language="fr")
    assert means("1,250.50", PAID, "1250.5", language="ru")
    assert means("14 mars 2026", DAY, "2026-03-14", language="fr")
    assert means("14/03/2569", DAY, "2026-03-14", language="th")


def test_arabic_is_read_with_and_without_its_marks() -> None:
    """Vowel signs, marks of alef, digits and direction marks may differ; half a name is none."""
    labels = {"loan": "قروض طلابية", "grant": "منح مالية", "year": "12 شهرًا", "female": "أنثى"}
    field = Field(
        "aid",
        Kind.DROP_DOWN,
        {"en": "Aid", "ar": "المساعدة"},
        "option",
        options=tuple(
            Option(value, {"en": f"{value} x", "ar": label}) for value, label in labels.items()
        ),
    )

    digits = {ord("0") + digit: 0x0660 + digit for digit in range(10)}
    date, amount = "في \u200e14 كانون الثاني 2026", "المبلغ 1\u066c250\u066b5 دولار"
    assert means("سأختار «قروض طلابية»؛ شكرا", field, "loan", language="ar")
    assert means("لمدة 12 شهرا.".translate(digits), field, "year", language="ar")
    assert means("الجنس: انثى", field, "female", language="ar")
    assert not means("قروض", field, "loan", language="ar")
    assert means(date.translate(digits), DAY, "2026-01-14", language="ar")
    assert means("14 آب 2026", DAY, "2026-08-14", language="ar")
    assert means(amount.translate(digits), PAID, "1250.5", language="ar")


def test_what_is_typed_as_a_whole_may_be_shorter() -> None:
    """The keys of a date control, and a common word, count where they are all that is typed."""
    assert says("03142026", DAY, "2026-03-14")
    assert says("20260314", DAY, "2026-03-14")
    assert not says("03142026", DAY, "2026-03-15")
    assert says("14032026", DAY, "2026-03-14", language="th")
    assert not says("03142026", DAY, "2026-03-14", language="th")
    assert says(" no\n", PETS, "no")
    assert not says("no way", PETS, "no")
    assert says("1,250.50", PAID, "1250.5")
    assert says("CS101, CS102", COURSES, ("cs101", "cs102"))


@pytest.mark.parametrize(
    ("field", "value", "text", "chosen"),
    [
        (TERM, "f25", "Fall", True),
        (TERM, "f25", "fall\n", True),
        (TERM, "f25", "Automne", True),
        (TERM, "f25", "Fa", False),
        (TERM, "s25", "Spring", False),
        (TERM, "s25", "Spring 2025", True),
        (TERM, "f25", "", False),
        (DEGREE, "ma", "Master", True),
        (DEGREE, "arts", "Master", False),
        (DEGREE, "arts", "Master of", True),
        (DEGREE, "phd", "Doctorate", True),
        (COURSES, ("cs101", "cs102"), "CS101", False),
        (NEWS, True, "Subscribe to", True),
        (NEWS, True, "Subscribe", False),
        (NEWS, False, "Subscribe to", False),
        (NAME, "Ann Lee", "Ann", False),
    ],
)
def test_what_picks_an_option_may_be_its_beginning(
    field: Field, value: Value, text: str, chosen: bool
) -> None:
    """Whole first words name an option where they begin no other, and two words a box."""
    assert picks(text, field, value) is chosen
    if not chosen:
        assert not says(text, field, value)


SPELLED = {
    "en": ("{m:02}/{d:02}/{y}", "{m}/{d}/{y}", "{d} {name} {y}", "{name} {d}, {y}", "{y}/{m}/{d}"),
    "fr": ("{d:02}/{m:02}/{y}", "{d}.{m}.{y}"),
    "ru": ("{d:02}.{m:02}.{y}",),
    "ja": ("{y}年{m}月{d}日", "{y}/{m:02}/{d:02}"),
}


@given(
    day=st.dates(dt.date(1930, 1, 1), dt.date(2060, 12, 31)),
    other=st.dates(dt.date(1930, 1, 1), dt.date(2060, 12, 31)),
    language=st.sampled_from(sorted(SPELLED)),
    pick=st.integers(0, 4),
)
def test_every_day_is_read_in_every_spelling_and_is_no_other(
    day: dt.date, other: dt.date, language: str, pick: int
) -> None:
    """Each spelling of a language means its day and no other day; its numbers are not meant."""
    spellings = SPELLED[language]
    spelled = spellings[pick % len(spellings)]
    said = spelled.format(y=day.year, m=day.month, d=day.day, name=f"{day:%B}")

    assert means(f"It was on {said}.", DAY, day.isoformat(), language=language)
    if other != day:
        assert not means(f"It was on {said}.", DAY, other.isoformat(), language=language)
    for part in (day.year, day.month, day.day):
        assert not means(f"It was on {said}.", PAID, str(part), language=language)


@given(cents=st.integers(0, 10**9), other=st.integers(0, 10**9))
def test_every_amount_is_read_with_separators_and_currency(cents: int, other: int) -> None:
    """An amount is meant as $1,250.50, and no other amount is."""
    whole, rest = divmod(cents, 100)
    said = f"${whole:,}.{rest:02}" if rest else f"${whole:,}"

    def value(number: int) -> str:
        return f"{number / 100:.2f}".rstrip("0").rstrip(".")

    assert means(f"it costs {said}, in all", PAID, value(cents))
    if cents != other:
        assert not means(f"it costs {said}, in all", PAID, value(other))


@given(
    area=st.sampled_from([212, 303, 415, 919]),
    line=st.integers(0, 9999),
    other=st.integers(0, 9999),
    style=st.sampled_from(list(range(4))),
)
def test_every_telephone_number_is_read_as_a_library_writes_it(
    area: int, line: int, other: int, style: int
) -> None:
    """An independent formatter's spellings mean their number, and no other."""
    number = phonenumbers.parse(f"+1{area}555{line:04}")
    said = phonenumbers.format_number(number, style)

    assert means(f"Reach me at {said} today", PHONE, f"+1{area}555{line:04}")
    if other != line:
        assert not means(f"Reach me at {said} today", PHONE, f"+1{area}555{other:04}")


@given(
    text=st.text(max_size=60) | st.text(alphabet="0123456789/.,:-+() x'\"\\u$", max_size=60),
    field=st.sampled_from([DAY, PHONE, PAID, NAME, MAIL, SITE, CODE, NOTE, TERM, PETS]),
    language=st.sampled_from(LANGUAGES),
)
def test_hostile_text_never_breaks_a_reading(text: str, field: Field, language: str) -> None:
    """Whatever is said, each question is answered by yes or no."""
    values = {DAY.id: "2026-03-14", PHONE.id: "+12125552368", PAID.id: "12", TERM.id: "f25"}
    value = values.get(field.id, "no" if field is PETS else "ann@example.com")
    for tells in (means, says, picks):
        assert tells(text, field, value, language=language) in (True, False)


@pytest.mark.parametrize(
    "piece", ["-", "master of ", "1 ", "(1,", '"', "one and ", "\\'", "ann@", "1/", "+("]
)
def test_an_endless_text_is_read_at_all(piece: str) -> None:
    """A hundred thousand signs that almost mean something are gone through, and mean nothing."""
    dated, called = (DAY, "2026-03-14"), (PHONE, "+12125552368")
    for field, value in (dated, called, (PAID, "77"), (TERM, "f25"), (DEGREE, "arts")):
        assert not means(piece * (200_000 // len(piece)), field, value)


@given(value=st.text(min_size=1, max_size=20), field=st.sampled_from([NAME, NOTE]))
def test_a_text_that_stands_alone_is_meant(value: str, field: Field) -> None:
    """A text as it is, between two lines of prose, is meant wherever it is literally mentioned."""
    text = f"I say:\n{value}\nand no more"

    if "\\" not in value and mentions(text, field, value) and any(map(str.isalnum, value)):
        assert means(text, field, value) or value.strip()[-1:] in "-/.,:;"
