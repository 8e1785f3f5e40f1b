"""
Read options from the words of their labels, or from a fact that leaves only one of them.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Final

from surefoot.forms.letters.proof.amounts import read_amount
from surefoot.forms.letters.proof.cues import cues
from surefoot.forms.specification import Field, Option
from surefoot.forms.specification import said as in_language

_ARTICLE: Final = re.compile(r"^(?:an?|the) ")
_BRACKETED: Final = re.compile(r"\s*[(\uff08](.*?)[)\uff09]")
_RANGES: Final[tuple[tuple[re.Pattern[str], Callable[[Decimal, Decimal, Decimal], bool]], ...]] = (
    (re.compile(r"(?:below|under) ([\d,]+)"), lambda said, low, _: said < low),
    (re.compile(r"([\d,]+) (?:or more|and above)"), lambda said, low, _: said >= low),
    (re.compile(r"([\d,]+) to ([\d,]+)"), lambda said, low, high: low <= said <= high),
)
_CLOCK: Final = re.compile(r"(\d{1,2}):(\d\d)(?: ?([ap])\.?m\.?)?")
_NOON: Final = 12


def content_words(text: str, language: str = "en") -> set[str]:
    """
    Return the words of a text that carry its sense, without the s of a plural.

    >>> sorted(content_words("The patient's dates of birth"))
    ['birth', 'date', 'patient']
    """
    plain = re.sub(r"['\u2019]s?\b", "", text.casefold())
    words = set(re.findall(r"[^\W_]+(?:-[^\W_]+)*", plain)) - cues(language).stop_words
    return {re.sub(r"(?<=\w\w)(?<!s)s$", "", word) for word in words}


def spellings(option: Option, language: str = "en") -> set[str]:
    """
    Return the folded ways in which an option may be named in a sentence.

    >>> option = Option(value="am", label={"en": "Morning (before 12:00)"})
    >>> sorted(spellings(option))
    ['before 12:00', 'morning', 'morning (before 12:00)']
    """
    return set(_spelled(in_language(option.label, language), cues(language).either))


def read_chosen(field: Field, text: str, language: str = "en") -> str | None:
    """
    Return the value of the one option that a phrase names or leaves, or None.

    Beyond the labels: all others ruled out by "neither A nor B", an amount within the range
    that a label states, a time of day within a label's hours, a length of time in other
    units, and for yes and no a statement with the words of the field's own label.
    """
    folded = _folded(text)
    found = {
        option.value
        for option in field.options
        if spellings(option, language) & {folded, _ARTICLE.sub("", folded)}
    }
    if not found and {option.value for option in field.options} == {"yes", "no"}:
        found = set(_answered(field, folded, language))
    if not found:
        found = {*_joined(field, folded, language), *_left(field, folded, language)}
    for fits in (_in_range, _in_hours, _as_long):
        if not found:
            found = {
                option.value
                for option in field.options
                if fits(_folded(option.label["en"]), folded, language)
            }
    return found.pop() if len(found) == 1 else None


def read_several(field: Field, text: str, language: str = "en") -> tuple[str, ...] | None:
    """
    Return the sorted values of the options that a list names, or None.

    "All four of them" and "all but X" are read too.
    """
    folded, everything = _folded(text), {option.value for option in field.options}
    table = cues(language)
    counted = re.fullmatch(table.all_of_them, folded)
    if counted:
        count = read_amount(counted[1], language) if counted.groups() else len(everything)
        return tuple(sorted(everything)) if count == len(everything) else None
    but = re.fullmatch(table.all_but, folded)
    excepted = but[1] if but else folded
    named = [read_chosen(field, part, language) for part in re.split(table.between, excepted)]
    chosen = {item for item in named if item is not None}
    if len(chosen) < len(named):
        return None
    return tuple(sorted(everything - chosen if excepted != folded else chosen)) or None


@functools.cache
def _spelled(shown: str, either: str) -> frozenset[str]:
    label = _folded(shown)
    heads = {label, _BRACKETED.sub("", label), *_BRACKETED.findall(label)}
    parts = {part for item in heads for part in item.split(" - ")}
    return frozenset(
        _folded(item)
        for head in heads | parts
        for item in (head, head.replace("&", "and"), head.replace("/", either))
    )


def _folded(text: str) -> str:
    return " ".join(text.casefold().replace("\u2019", "'").split()).strip(" .\u3002")


def _answered(field: Field, folded: str, language: str) -> Iterator[str]:
    """Yield yes or no for a statement with the words of the question."""
    table = cues(language)
    if table.stop_words:
        words = content_words(folded, language)
        if content_words(in_language(field.label, language), language) <= words:
            yield "no" if words & set(table.denials) else "yes"
    elif any(cue in folded for cue in table.boxes.get(field.id, ())):
        yield "no" if any(cue in folded for cue in table.denials) else "yes"


def _joined(field: Field, folded: str, language: str) -> Iterator[str]:
    """Yield "both" where it is offered and all other options are named."""
    table, offered = cues(language), field.option("both") is not None
    found = re.fullmatch(table.both, folded) if offered else None
    others = {
        _folded(in_language(option.label, language))
        for option in field.options
        if option.value != "both"
    }
    if found and set(re.split(table.between, found[1])) == others:
        yield "both"


def _left(field: Field, folded: str, language: str) -> Iterator[str]:
    """Yield the only option that "neither A nor B" leaves."""
    table = cues(language)
    found = re.fullmatch(table.neither, folded)
    if found is None:
        return
    named = re.split(table.nor, found[1])
    ruled = [
        {option.value for option in field.options if name in spellings(option, language)}
        for name in named
    ]
    left = {option.value for option in field.options}.difference(*ruled)
    if all(len(item) == 1 for item in ruled) and len(left) == 1:
        yield left.pop()


def _in_range(label: str, folded: str, language: str) -> bool:
    amount = read_amount(re.sub(cues(language).dollars, "", folded), language)
    for pattern, holds in _RANGES:
        found = pattern.search(label)
        if found and amount is not None:
            limits = [Decimal(group.replace(",", "")) for group in found.groups()]
            return holds(amount, limits[0], limits[-1])
    return False


def _in_hours(label: str, folded: str, _: str) -> bool:
    clock, hours = (
        _CLOCK.fullmatch(folded),
        [_minutes(match_) for match_ in _CLOCK.finditer(label)],
    )
    if clock is None or not hours:
        return False
    if re.search(r"\bbefore\b", label):
        return _minutes(clock) < hours[0]
    if re.search(r"\bafter\b", label):
        return _minutes(clock) > hours[0]
    return hours[0] <= _minutes(clock) < hours[-1]


def _minutes(found: re.Match[str]) -> int:
    hour = int(found[1]) % _NOON if found[3] else int(found[1])
    return 60 * (hour + (_NOON if found[3] == "p" else 0)) + int(found[2])


def _as_long(label: str, folded: str, language: str) -> bool:
    first, second = _months(label, "en"), _months(folded, language)
    return first is not None and first == second


def _months(text: str, language: str) -> Decimal | None:
    """Return how many months a length of time has, None for what is none."""
    for pattern, months in cues(language).lengths.items():
        found = re.fullmatch(pattern, text)
        if found:
            count = read_amount(found[1], language) if found.lastindex else Decimal(1)
            return None if count is None else count * months
    return None
