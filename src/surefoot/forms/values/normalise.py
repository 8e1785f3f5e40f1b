"""
The one typed normaliser: what a control, a document or a reply says, as a comparable value.

Server, verifier and scorer all call it, so two of them can never disagree about a value.

Options are read by their value or by their label in any language, several in any order;
telephone numbers as E.164, with an extension where one is given.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from surefoot.forms.instance import FileValue, Value
from surefoot.forms.specification import Field, Option
from surefoot.forms.values.numerals import plain_digits

_LONGEST_CHOICE: Final = 2000
_BETWEEN: Final = re.compile(r"\s*[;,\n|\u3001\uff0c\uff1b\u060c]\s*")
_DASH: Final = re.compile(r"\s*[-\u2010-\u2014]\s*")
_MOST_PARTS: Final = 64
_LONGEST_NUMBER: Final = 40
_REGION: Final = "US"
_SHAPE: Final = re.compile(
    r"[+(]{0,2}\d[\d\s().\-/]*(?:(?:,?\s*(?:extension|ext\.?|x)\s*|\s*#\s*|;ext=)\d{1,9})?",
    re.IGNORECASE,
)


def read_choice(field: Field, text: str, language: str = "en") -> str | None:
    """
    Return the value of the option that a text names, or None.

    A value outranks a label, and a label in the language one in English, which outranks
    the others; case and white space do not matter. A label that names two options of the
    first rank in which it occurs names none.
    """
    folded = _folded(text) if len(text) <= _LONGEST_CHOICE else ""
    if not folded:
        return None
    for spelled in _ranks(language):
        found = {option.value for option in field.options if folded in spelled(option)}
        if found:
            return found.pop() if len(found) == 1 else None
    return None


def read_choices(
    field: Field, texts: Sequence[str], language: str = "en"
) -> tuple[str, ...] | None:
    """
    Return the sorted values of the options named, or None where one is unknown or none is.

    A text may name several, apart by commas, semicolons, bars or lines; a label that holds
    such a sign itself is still found.
    """
    chosen: set[str] = set()
    for text in texts:
        found = _several(field, text, language)
        if found is None:
            return None
        chosen |= found
    return tuple(sorted(chosen)) or None


def _several(field: Field, text: str, language: str) -> set[str] | None:
    """Read one text as options, the longest label first at each place."""
    if len(text) > _LONGEST_CHOICE:
        return None
    gaps = list(_BETWEEN.finditer(text))
    if len(gaps) >= _MOST_PARTS:
        return None
    starts = [0, *(gap.end() for gap in gaps)]
    stops = [*(gap.start() for gap in gaps), len(text)]
    found: set[str] = set()
    at = 0
    while at < len(starts):
        for last in reversed(range(at, len(stops))):
            value = read_choice(field, text[starts[at] : stops[last]], language)
            if value is not None:
                found.add(value)
                at = last + 1
                break
        else:
            return None
    return found


def _ranks(language: str) -> Iterator[Callable[[Option], set[str]]]:
    """Yield, best first, the ways in which an option may be named."""
    yield lambda option: {_folded(option.value)}
    yield lambda option: {_folded(option.label.get(language, ""))}
    yield lambda option: {_folded(option.label["en"])}
    yield lambda option: {_folded(item) for item in option.label.values()}


def _folded(text: str) -> str:
    """Fold case, width, white space, apostrophes, and how dashes are written and set apart."""
    text = _DASH.sub("-", text)
    plain = unicodedata.normalize("NFKC", text).replace("\u2019", "'")
    return " ".join(plain.casefold().split())


def read_telephone(raw: str, *, region: str = _REGION) -> str | None:
    """
    Return a number in E.164, with ";ext=N" behind it for an extension; None for no number.

    A number without a country is one of ``region``; ``00`` stands for ``+``. Local numbers
    without an area code belong to nobody in particular and are refused.

    >>> read_telephone("(202) 555-0143"), read_telephone("001-250-204-3652x755")
    ('+12025550143', '+12502043652;ext=755')
    >>> read_telephone("555-0143"), read_telephone("call me")
    (None, None)
    """
    import phonenumbers

    text = plain_digits(raw)
    if len(raw) > _LONGEST_NUMBER or not _SHAPE.fullmatch(text):
        return None
    if text.startswith("00"):
        text = f"+{text[2:]}"
    try:
        number = phonenumbers.parse(text, region)
    except phonenumbers.NumberParseException:
        return None
    possible = phonenumbers.is_possible_number_with_reason(number)
    if possible != phonenumbers.ValidationResult.IS_POSSIBLE:
        return None
    plain = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
    return f"{plain};ext={number.extension}" if number.extension else plain


def region_of(number: str) -> str:
    """
    Return the region of a number in E.164, in which it is said without its country.

    >>> region_of("+33142685300"), region_of("+12025550143;ext=7")
    ('FR', 'US')
    """
    import phonenumbers

    try:
        country = phonenumbers.parse(number).country_code
    except phonenumbers.NumberParseException:
        return _REGION
    return phonenumbers.region_code_for_country_code(country or 1)


def normalise(field: Field, raw: str | Sequence[str], *, language: str = "en") -> Value | None:
    """
    Return the value that a text means in a field, or None where it is no value of the kind.

    ``raw`` is the text, or the texts of one field as a form posts them: several for a
    multi-choice, name and SHA-256 for a file, none for a checkbox left empty (False). An
    empty text is no value. The result, spelled again by ``raw_of``, comes back unchanged.

    >>> field = Field(id="paid", kind="number", label={"en": "Paid"}, fill="number.money")
    >>> normalise(field, "$1,250.50"), normalise(field, "plenty")
    ('1250.5', None)
    """
    texts = (raw,) if isinstance(raw, str) else tuple(raw)
    return field.traits.read(field, texts, language)


def single(
    read: Callable[[Field, str, str], Value | None],
) -> Callable[[Field, Sequence[str], str], Value | None]:
    """Make a reader of one text, for a field of which a form posts exactly one."""
    return lambda field, texts, language: (
        read(field, texts[0], language) if len(texts) == 1 else None
    )


def raw_of(value: Value) -> str | tuple[str, ...]:
    """
    Spell a value as a form would post it, so that ``normalise`` gives it back.

    >>> raw_of(True), raw_of(("b", "a"))
    ('yes', ('b', 'a'))
    """
    if isinstance(value, bool):
        return "yes" if value else ()
    if isinstance(value, FileValue):
        return (value.name, value.sha256)
    return value


def lower_host(host: str) -> str:
    """
    Lower a host's name, and compose it again, since that may undo a composition.

    >>> lower_host("EXAMPLE.org")
    'example.org'
    """
    return unicodedata.normalize("NFC", host.lower())


def same_value(first: Value | None, second: Value | None) -> bool:
    """
    Say whether two normalised values are one: files by their bytes, all else by equality.

    >>> same_value(FileValue("a.pdf", "00"), FileValue("b.pdf", "00"))
    True
    """
    if isinstance(first, FileValue) and isinstance(second, FileValue):
        return first.sha256 == second.sha256
    return type(first) is type(second) and first == second
