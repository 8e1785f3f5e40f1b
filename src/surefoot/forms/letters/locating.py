"""
Find where a text that nobody took notes of says the values of an instance.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias

from surefoot.forms.instance import FileValue, Instance, Value, ValueSpan
from surefoot.forms.letters.proof.boxes import read_box
from surefoot.forms.letters.proof.choices import spellings
from surefoot.forms.letters.proof.clauses import Clause, sentences
from surefoot.forms.letters.proof.finding import CHOSEN, places, read_phrase, typed_in
from surefoot.forms.letters.proof.roles import speaks_of
from surefoot.forms.specification import Field, Form, Kind
from surefoot.forms.values.normalise import normalise, same_value

__all__ = ["located"]

_How: TypeAlias = Literal["verbatim", "reworded", "derived"]
_Spot: TypeAlias = tuple[int, int, _How]
_TYPED: Final = frozenset({Kind.TELEPHONE, Kind.DATE, Kind.NUMBER})
_RANKS: Final[Mapping[Kind, int]] = {
    Kind.DESCRIPTION: 0,
    Kind.EMAIL: 1,
    Kind.URL: 1,
    Kind.FILE: 1,
    Kind.TELEPHONE: 2,
    Kind.DATE: 2,
    Kind.STRING: 3,
    Kind.PASSWORD: 3,
    Kind.NUMBER: 4,
}
_LAST: Final = 5
_PHRASE: Final = 12  # words of a phrase that a value may have to be worked out from
_SENTENCE: Final = 80  # words of a sentence beyond which no phrases are tried


def located(form: Form, instance: Instance, text: str) -> tuple[ValueSpan, ...]:
    """
    Return a span for each value that can be found in a text, in the order of the text.

    Where a value stands in several places, one that no other value has taken and whose
    sentence speaks of the field is preferred. Nothing is proven by this: verify the result.
    """
    cut = sentences(text)
    taken: list[ValueSpan] = []
    for field in sorted(form.fields, key=lambda each: _rank(each, instance)):
        gold = instance.values.get(field.id)
        if gold is None:
            continue
        spot = _place(field, gold, text, cut, taken)
        if spot is not None:
            taken.append(ValueSpan(field.id, *spot))
    return tuple(sorted(taken, key=lambda each: each.start))


def _place(
    field: Field, gold: Value, text: str, cut: Sequence[Clause], taken: Sequence[ValueSpan]
) -> _Spot | None:
    spots = [each for each in _spots(field, gold, text, cut) if _is_free(each, taken)]
    if spots:
        return min(spots, key=lambda each: not speaks_of(_around(each, cut), field))
    phrases = _phrases(field, gold, text, cut)
    return next((each for each in phrases if _is_free(each, taken)), None)


def _rank(field: Field, instance: Instance) -> tuple[int, int]:
    return _RANKS.get(field.kind, _LAST), -len(str(instance.values.get(field.id)))


def _is_free(spot: _Spot, taken: Sequence[ValueSpan]) -> bool:
    return all(spot[1] <= each.start or each.end <= spot[0] for each in taken)


def _around(spot: _Spot, cut: Sequence[Clause]) -> str:
    """Return the sentence of a spot, without the spot itself."""
    for each in cut:
        if each.start <= spot[0] < each.end:
            low, high = spot[0] - each.start, spot[1] - each.start
            return f"{each.text[:low]} {each.text[high:]}"
    return ""


def _spots(field: Field, gold: Value, text: str, cut: Sequence[Clause]) -> Iterator[_Spot]:
    """Yield where a value stands as it is or in another surface form."""
    if isinstance(gold, bool):
        yield from (
            (each.start, each.end, "reworded")
            for each in cut
            if read_box(field, each.text) is gold
        )
    elif isinstance(gold, tuple):
        yield from _lists(field, gold, cut)
    elif field.kind in _TYPED:
        for start, end, kind, value in typed_in(text):
            if kind is field.kind and value == gold:
                yield start, end, "verbatim" if text[start:end] == gold else "reworded"
    else:
        for name, how in _names(field, gold):
            yield from ((start, end, how) for start, end in places(text, name))


def _names(field: Field, gold: str | FileValue) -> Iterator[tuple[str, _How]]:
    if isinstance(gold, FileValue):
        yield gold.name, "verbatim"
        return
    option = field.option(gold) if field.kind in CHOSEN else None
    if option is None:
        yield gold, "verbatim"
        return
    for each in sorted(spellings(option), key=len, reverse=True):
        yield each, "verbatim" if normalise(field, each) == gold else "reworded"


def _lists(field: Field, gold: tuple[str, ...], cut: Sequence[Clause]) -> Iterator[_Spot]:
    """Yield the stretch of a sentence that names all of several options."""
    for sentence in cut:
        ends: list[tuple[int, int]] = []
        for value in gold:
            option = field.option(value)
            names = sorted(spellings(option), key=len, reverse=True) if option else []
            ends += [spot for name in names for spot in places(sentence.text, name)]
        if ends:
            low, high = min(start for start, _ in ends), max(end for _, end in ends)
            if same_value(read_phrase(field, sentence.text[low:high], gold), gold):
                yield sentence.start + low, sentence.start + high, "reworded"


def _phrases(field: Field, gold: Value, text: str, cut: Sequence[Clause]) -> Iterator[_Spot]:
    """
    Yield the phrases, the longest first, that a value can be worked out from.

    Sentences that speak of the field come first.
    """
    if field.kind not in CHOSEN | {Kind.DATE, Kind.NUMBER}:
        return
    for sentence in sorted(cut, key=lambda each: not speaks_of(each.text, field)):
        words = [each.span() for each in re.finditer(r"\S+", sentence.text)]
        if len(words) > _SENTENCE:
            continue
        for length in range(min(_PHRASE, len(words)), 0, -1):
            for first in range(len(words) - length + 1):
                start = sentence.start + words[first][0]
                end = sentence.start + words[first + length - 1][1]
                said = text[start:end].rstrip(".,;:!?")
                if same_value(read_phrase(field, said, gold), gold):
                    yield start, start + len(said), "derived"
