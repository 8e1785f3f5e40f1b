"""
Say whether a text means a value, however it spells it.

Beside the literal measure, which looks for the value's own characters: here dates, telephone
numbers and numbers are read and compared as what they are, options by their labels, and all
else with escapes, quotes and line breaks evened out. What is part of something longer (12
within a date, an option's name within another's) is not meant.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

from surefoot.forms.driver.calls import unescaped
from surefoot.forms.instance import FileValue, Value
from surefoot.forms.letters.proof.choices import content_words
from surefoot.forms.letters.proof.finding import read_box
from surefoot.forms.scoring.figures import dates_in, days_typed, numbers_in, telephones_in
from surefoot.forms.specification import Field, Holds, Kind, Option
from surefoot.forms.values.normalise import normalise, region_of, same_value
from surefoot.forms.values.numerals import plain_digits
from surefoot.forms.values.scripts import UNSPACED

# What an agent points at is no value that it names: Click(640, 200), [402,680], x=12, wait(5).
_NUMBER: Final = r"-?\d+(?:\.\d+)?"
_POINTS: Final = re.compile(
    rf"[(\[]\s*{_NUMBER}(?:\s*,\s*{_NUMBER}){{1,3}}\s*(?=[)\],])"
    rf"|(?<=\w\()\s*{_NUMBER}\s*(?=\))"
    rf"|(?<![^\W_])\"?(?:start_|end_|from_|to_|delta_)?[xy]\d?\"?\s*[=:]\s*{_NUMBER}"
    rf"|<point>[\d\s.,]*</point>"
)
_SENTENCE: Final = re.compile(r"(?<=[.!?;؟؛])\s+|\n+")
_FEWEST: Final = 2
_DASHES: Final = re.compile(r"[-/_]+")
_SAME: Final = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201b\u02bc\u00b4`", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-"),
        **dict.fromkeys("\u2014\u2015", " - "),
        # Arabic is written with and without its vowel signs and the marks of alef.
        **dict.fromkeys([*range(0x064B, 0x0653), 0x0670, 0x0640, 0x200E, 0x200F], ""),
        **dict.fromkeys("\u0622\u0623\u0625", "\u0627"),
        **dict(zip("\u060c\u061b\u061f", ",;?", strict=True)),
        **{0x0660 + digit: str(digit) for digit in range(10)},
    }
)
_QUOTED: Final = re.compile(r"(?<!\w)[\"']([^\"'\n]{1,12}?)[,.;!]?[\"'](?!\w)")
# Words that stand in any sentence: as options they count only where they are all that is
# written or quoted, or behind the field's own label.
_COMMON: Final = frozenset(
    {
        *("yes", "no", "none", "other", "others", "any", "both", "all", "never"),
        *("oui", "non", "aucun", "aucune", "autre", "да", "нет", "другое"),
        *("是", "否", "无", "其他", "はい", "いいえ", "なし", "その他"),
        *("ใช่", "ไม่ใช่", "ไม่มี", "อื่นๆ", "อื่น ๆ"),
        *("نعم", "لا", "لا شيء", "لا يوجد", "غير ذلك", "اخرى", "كلاهما"),
    }
)


def means(text: str, field: Field, value: Value, *, language: str = "en") -> bool:
    """
    Say whether a text means a value anywhere in it.

    ``language`` is that of the form: of two ways to read a date or a number, its own counts,
    and another only where its own gives none.

    >>> paid = Field(id="paid", kind=Kind.NUMBER, label={"en": "Paid"}, fill="number.money")
    >>> means("for $1,250.50", paid, "1250.5"), means("by 12/05/2026", paid, "12")
    (True, False)
    """
    if isinstance(value, bool):
        return value and any(_ticks(item, field) for item in _readings(text))
    several = value if isinstance(value, tuple) else (value,)
    return all(
        any(_means_one(item, field, entry, language) for item in _readings(text))
        for entry in several
    )


def says(text: str, field: Field, value: Value, *, language: str = "en") -> bool:
    """
    Say whether a text that was written as a whole, such as one that was typed, means a value.

    Beyond ``means``: the digits of a date alone, and a common word that is an option.

    >>> day = Field(id="day", kind=Kind.DATE, label={"en": "Day"}, fill="date.future")
    >>> says("03142026", day, "2026-03-14"), means("03142026", day, "2026-03-14")
    (True, False)
    """
    whole = text.strip()
    if isinstance(value, FileValue | bool):
        return means(text, field, value, language=language)
    if field.traits.holds is Holds.DATE and value in days_typed(whole, language):
        return True
    if field.traits.chosen:
        several = value if isinstance(value, tuple) else (value,)
        if all(item in _named_by(field, whole, beginning=False) for item in several):
            return True
    elif same_value(normalise(field, whole, language=language), value):
        return True
    return means(text, field, value, language=language)


def picks(text: str, field: Field, value: Value, *, language: str = "en") -> bool:
    """
    Say whether a text that chooses from a list, or says what a click is at, means a value.

    Beyond ``says``: the first words of an option's label, where no other option begins so;
    and at least two words that begin the label of a box.

    >>> options = (Option("f25", {"en": "Fall 2025"}), Option("s26", {"en": "Spring 2026"}))
    >>> term = Field(id="term", kind=Kind.DROP_DOWN, label={"en": "Term"}, fill="option",
    ...              options=options)
    >>> picks("Fall", term, "f25"), says("Fall", term, "f25")
    (True, False)
    """
    if isinstance(value, bool) and value:
        plain = _plain(text)
        labels = map(_plain, field.label.values())
        if len(plain.split()) >= _FEWEST and any(_begins(label, plain) for label in labels):
            return True
    if field.traits.chosen and not isinstance(value, bool | FileValue):
        several = value if isinstance(value, tuple) else (value,)
        if all(item in _named_by(field, text, beginning=True) for item in several):
            return True
    return says(text, field, value, language=language)


def _readings(text: str) -> Iterable[str]:
    """Return a text as it stands, and as it is with its escapes read, without its points."""
    bare = _POINTS.sub(" \x00 ", text)
    plain = unescaped(bare) if "\\" in bare else None
    return (bare,) if plain is None or plain == bare else (bare, plain)


def _means_one(text: str, field: Field, value: str | FileValue, language: str) -> bool:
    if isinstance(value, FileValue):
        return _stands(text, value.name, r"(?<![\w.-])", r"(?![\w-]|\.\w)")
    match field.traits.found_as:
        case Kind.DATE:
            return any(day == value for _, _, day in dates_in(plain_digits(text), language))
        case Kind.TELEPHONE:
            found = telephones_in(plain_digits(text), region_of(value))
            return any(number == value for _, _, number in found)
        case Kind.NUMBER:
            found = numbers_in(plain_digits(text), language)
            return any(number == value for _, _, number in found)
        case Kind.EMAIL:
            return _stands(text, value, r"(?<![\w.+%-])", r"(?![\w-]|\.\w)")
        case Kind.URL:
            bare = re.sub(r"^https?://", "", value).rstrip("/")
            return _stands(text, bare, r"(?<![\w.@-])", r"/?(?![\w/?#&=%-]|\.\w)")
        case _ if field.traits.secret:
            before, after = _edges(value)
            return re.search(before + re.escape(value) + after, text) is not None
        case _ if field.traits.chosen:
            return value in _chosen(text, field)
        case _:
            return _stands(text, value, *_edges(value))


def _ticks(text: str, field: Field) -> bool:
    """
    Say whether a sentence has the label of a box, or all the words of it.

    A sentence that denies more than the label does leaves the box alone.
    """
    labels = [label for label in map(_plain, field.label.values()) if label]
    enough = len(content_words(field.label["en"])) >= _FEWEST
    for sentence in _SENTENCE.split(text):
        stated, plain = read_box(field, sentence), f" {_plain(sentence)} "
        if stated is not False and any(f" {label} " in plain for label in labels):
            return True
        if stated and enough:
            return True
    return False


def _chosen(text: str, field: Field) -> set[str]:
    """Return the options that a text names, each where no longer name of another covers it."""
    plain, alone = _plain(text), {_plain(found[1]) for found in _QUOTED.finditer(_even(text))}
    found = sorted(
        (match.start(), -match.end(), option.value)
        for option in field.options
        for spelling in _spellings(option)
        for match in re.finditer(_whole(spelling), plain)
        if spelling not in (_COMMON - alone) or _behind_label(plain[: match.start()], field)
    )
    meant: set[str] = set()
    reached: dict[str, int] = {}
    # Whatever covers a name begins before it, or there and ends later, and so comes first.
    for (_, end), names in itertools.groupby(found, key=lambda one: one[:2]):
        named = {value for _, _, value in names}
        meant |= {
            value
            for value in named
            if all(high < -end for other, high in reached.items() if other != value)
        }
        reached |= {value: max(-end, reached.get(value, 0)) for value in named}
    return meant


def _behind_label(before: str, field: Field) -> bool:
    """Say whether a text ends with the label of a field, and a few signs at most."""
    bare = before.rstrip(" :=*-?|\"'")
    return any(label and bare.endswith(label) for label in map(_plain, field.label.values()))


def _named_by(field: Field, text: str, *, beginning: bool) -> set[str]:
    """Return the options that a whole text names; several have commas or lines in between."""
    whole = normalise(field, text)
    if isinstance(whole, str):
        return {whole}
    if isinstance(whole, tuple):
        return set(whole)
    plain = _plain(text)
    exact = {item.value for item in field.options if plain in _spellings(item)}
    if exact or not (beginning and plain):
        return exact if len(exact) == 1 else set()
    languages = {language for option in field.options for language in option.label}
    found: set[str] = set()
    for language in languages:
        begun = {
            option.value
            for option in field.options
            if _begins(_plain(option.label.get(language, "")), plain)
        }
        if len(begun) == 1:
            found |= begun
    return found if len(found) == 1 else set()


def _begins(label: str, plain: str) -> bool:
    return label == plain or label.startswith(f"{plain} ")


def _spellings(option: Option) -> set[str]:
    """Return the labels of an option, with and without what stands in brackets; its value."""
    shown = set(option.label.values())
    shown |= {re.sub(r"\s*\([^)]{2,}\)", "", label) for label in shown}
    shown |= {label.replace("(s)", "s") for label in shown}
    if len(option.value) > _FEWEST and not option.value.isdecimal():
        shown.add(option.value)
    return {spelled for label in shown if (spelled := _plain(label))}


def _whole(spelling: str) -> str:
    """Return the pattern of an option's name, also without or with the s of a plural."""
    before, after = _edges(spelling)
    if len(spelling) >= _FEWEST and re.search(f"[{UNSPACED}]", spelling):
        before, after = (side.replace(r"\w", rf"[^\W{UNSPACED}]") for side in (before, after))
    plural = len(spelling) > len("year") and spelling.isascii() and spelling[-1].isalpha()
    body = re.escape(spelling.removesuffix("s")) + "s?" if plural else re.escape(spelling)
    return before + body + after


def _plain(text: str) -> str:
    """Fold case, quotes, the dashes and strokes of words, "&", commas and white space."""
    folded = _even(text).replace("&", " and ").replace("'", "")
    spaced = _DASHES.sub(_space_beside_letter, folded)
    return " ".join(re.sub(r"[,;.!?\"](?!\d)", " ", spaced).split())


def _space_beside_letter(dashes: re.Match[str]) -> str:
    """Keep the dash between two figures, as of a range; all others set words apart."""
    text, start, end = dashes.string, dashes.start(), dashes.end()
    return " " if text[start - 1 : start].isalpha() or text[end : end + 1].isalpha() else dashes[0]


def _even(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().translate(_SAME)


def _edges(wanted: str) -> tuple[str, str]:
    """Return what may not stand before and behind: a word's letters, more of a number."""
    before = r"(?<!\w)" if wanted[:1].isalnum() else ""
    after = r"(?!\w)" if wanted[-1:].isalnum() else ""
    if wanted[:1].isdecimal():
        before += r"(?<!\d[.,:/-])"
    if wanted[-1:].isdecimal():
        after += r"(?![.,:/-]\d)"
    return before, after


def _stands(text: str, wanted: str, before: str, after: str) -> bool:
    """
    Look for a text; its last full stop may be left out, and commas set between its lines.

    Of a line with figures, such as an address, nobody knows where it was broken before.
    """
    lines: Sequence[str] = _even(wanted).splitlines()
    gap = r",?\s+" if any(letter.isdecimal() for letter in wanted) else r"\s+"
    words = [
        gap.join(map(re.escape, line.rstrip(",; ").split())) for line in lines if line.strip()
    ]
    body = r"(?:\s*[,;]\s*|\s+)".join(words)
    shorter = re.sub(r"(?:\\[.!?])+$", "", body)
    if shorter and shorter != body:
        body, after = shorter, r"(?!\w)"
    return bool(body) and re.search(before + body + after, _even(text)) is not None
