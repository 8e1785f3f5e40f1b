"""
Prove that a document says every value of an instance once and for one field only.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Literal, TypeAlias, TypeVar

import msgspec

from surefoot.core.errors import InvalidInputError
from surefoot.forms.instance import Instance, OtherSpan, TaskDocument, Value, ValueSpan
from surefoot.forms.letters.proof.clauses import (
    HIDDEN,
    OTHER,
    Clause,
    clause_of,
    hidden,
    marked_in,
    sentences,
)
from surefoot.forms.letters.proof.finding import occurs, read_phrase, typed_in
from surefoot.forms.letters.proof.roles import headed_by, is_foreign, speaks_of, told_apart
from surefoot.forms.letters.proof.ruling import Ruling, ruling_of, without_periods
from surefoot.forms.specification import Field, Form, Holds
from surefoot.forms.values.normalise import same_value

Why: TypeAlias = Literal[
    "outside",
    "overlap",
    "unasked",
    "missing",
    "unmarked",
    "unread",
    "repeated",
    "confused",
    "stray",
]


_Span = TypeVar("_Span", ValueSpan, OtherSpan)


class _Rest(msgspec.Struct, frozen=True):
    """
    Hold a document once more, with all that can be read outside its spans.

    ``ruled`` says for each value that does not count what rules it out, None for nothing.
    """

    document: TaskDocument
    masked: str
    cut: tuple[Clause, ...]
    free: tuple[str, ...]
    typed: frozenset[tuple[str, str]]
    ruled: tuple[tuple[OtherSpan, Ruling | None], ...] = ()


_LONGEST_LABEL = 120  # characters


class Doubt(msgspec.Struct, frozen=True):
    """
    Say why a document does not prove the value of a field.

    "outside" and "overlap": a span beyond the text, or over another. "unasked": a span
    without a value in the instance. "missing": the value is nowhere; "unmarked": it is
    there, but no span says where. "unread": the span means something else. "repeated": the
    value stands outside the spans as well. "confused": the span may be taken for the value
    of another field (``found``). "stray": a value of the kind that belongs to no field and
    is not said to be somebody else's, or one that is marked as not counting, which nothing
    in the text rules out.
    """

    field: str
    why: Why
    found: str = ""


def verify(form: Form, instance: Instance, document: TaskDocument) -> tuple[Doubt, ...]:
    """
    Return every reason to doubt that the document yields the instance; none is a proof.

    Nothing of the grammar that writes documents is used: spans are read by the platform's
    normaliser and by readers of phrases in the document's language. What no reader can tell
    is not proven either way: whether a name or a title beyond the spans might be meant.
    """
    wrong = tuple(_misplaced(instance, document))
    if wrong:
        return wrong
    spans = {span.field: span for span in document.spans}
    rest = _rest_of(form, document)
    doubts: list[Doubt] = []
    for field in form.fields:
        gold = instance.values.get(field.id)
        if gold is None:
            continue
        if field.id in spans:
            doubts += _of_span(form, instance, rest, field, spans[field.id], gold)
        elif _elsewhere(rest, field, gold):
            doubts.append(Doubt(field.id, "unmarked"))
        else:
            doubts.append(Doubt(field.id, "missing"))
    return (*doubts, *_unruled(form, instance, rest), *_strays(form, instance, rest))


def without(document: TaskDocument, field: str) -> TaskDocument:
    """
    Return the document with a field's value cut out and later spans moved up.

    Raises InvalidInputError where the field has no span.
    """
    cut = next((span for span in document.spans if span.field == field), None)
    if cut is None:
        raise InvalidInputError("a field with a span in the document", found=f"'{field}'")
    length = cut.end - cut.start
    spans = tuple(_moved(span, cut.end, -length) for span in document.spans if span is not cut)
    others = tuple(_moved(item, cut.end, -length) for item in document.others)
    text = document.text[: cut.start] + document.text[cut.end :]
    return msgspec.structs.replace(document, text=text, spans=spans, others=others)


def _moved(span: _Span, place: int, by: int) -> _Span:
    """Move a span that begins at a place or behind it."""
    if span.start < place:
        return span
    return msgspec.structs.replace(span, start=span.start + by, end=span.end + by)


def _misplaced(instance: Instance, document: TaskDocument) -> Iterator[Doubt]:
    """Doubt spans that cannot be right wherever the values are."""
    ordered = sorted(marked_in(document), key=lambda item: (item.start, item.end))
    for span in ordered:
        if not 0 <= span.start < span.end <= len(document.text):
            yield Doubt(span.field, "outside", f"{span.start}-{span.end}")
        if instance.values.get(span.field) is None:
            yield Doubt(span.field, "unasked")
    names = [item.field for item in document.spans]
    yield from (Doubt(name, "overlap", name) for name in set(names) if names.count(name) > 1)
    for first, second in itertools.pairwise(ordered):
        if second.start < first.end:
            yield Doubt(second.field, "overlap", first.field)


def _of_span(
    form: Form,
    instance: Instance,
    rest: _Rest,
    field: Field,
    span: ValueSpan,
    gold: Value,
) -> Iterator[Doubt]:
    language = rest.document.language
    text = rest.document.text[span.start : span.end]
    if not same_value(read_phrase(field, text, gold, language), gold):
        yield Doubt(field.id, "unread", text)
        return
    clause = clause_of(span, marked_in(rest.document), rest.masked, rest.cut)
    if field.traits.found_as and is_foreign(clause, language):
        yield Doubt(field.id, "confused", clause)
    ruled = [ruling for other, ruling in rest.ruled if other.field == field.id and ruling]
    clause = " ".join([clause, *(ruling.clause for ruling in ruled if ruling.clause)])
    if _elsewhere(rest, field, gold):
        yield Doubt(field.id, "repeated", text)
    for other in form.fields:
        value = instance.values.get(other.id)
        same_kind = other.id != field.id and other.traits.family == field.traits.family
        if not same_kind or value is None or same_value(value, gold):
            continue
        marks = _marked(rest, span, clause, field, other, value)
        if _readable(field, other, value, text, language) or not marks:
            yield Doubt(field.id, "confused", other.id)


def _readable(field: Field, other: Field, value: Value, text: str, language: str) -> bool:
    """
    Say whether the value of another field can be read within a span.

    Names that belong to one thing may hold each other: Oklahoma City lies in Oklahoma.
    """
    if field.traits.words == "line" and field.about == other.about:
        return text.casefold() == str(value).casefold()
    if _is_whole(other):
        return same_value(read_phrase(other, text, value, language), value)
    return occurs(other, value, text, language)


def _marked(
    rest: _Rest, span: ValueSpan, clause: str, field: Field, other: Field, value: Value
) -> bool:
    """Say whether what stands around a span rules the other field out."""
    language = rest.document.language
    text = rest.document.text[span.start : span.end]
    if _is_whole(field) and read_phrase(other, text, value, language) is None:
        return True
    if field.traits.holds is Holds.FILE:
        return True
    before = rest.masked[max(0, span.start - _LONGEST_LABEL) : span.start]
    headed = headed_by(before, field, language)
    return headed > headed_by(before, other, language) or told_apart(
        clause, field, other, language
    )


def _is_whole(field: Field) -> bool:
    """Say whether a field's value is told by words of its labels, in a whole sentence."""
    return field.traits.chosen or field.traits.holds is Holds.TICK


def _rest_of(form: Form, document: TaskDocument) -> _Rest:
    """Read what stands outside the spans; a heading without its value says nothing."""
    masked = hidden(document.text, document.spans, document.others)
    cut = tuple(sentences(masked))
    free = [clause.text for clause in cut if not {HIDDEN, OTHER} & set(clause.text)]
    free = [item for item in free if item.rstrip()[-1] not in ":=?-\uff1a\uff1f\u061f"]
    language = document.language
    plain = without_periods(masked, language)
    typed = frozenset((kind, value) for _, _, kind, value in typed_in(plain, language))
    ruled = tuple(
        (other, ruling_of(document, field, other, masked, cut))
        for other in document.others
        if (field := form.field(other.field)) is not None
    )
    return _Rest(document, masked, cut, tuple(free), typed, ruled)


def _unruled(form: Form, instance: Instance, rest: _Rest) -> Iterator[Doubt]:
    """
    Doubt marked values that nothing rules out, and those that are right somewhere.

    A field without a right value is doubted for that alone.
    """
    families = {field.id: field.traits.family for field in form.fields}
    spanned = {span.field for span in rest.document.spans}
    for other, ruling in rest.ruled:
        text = rest.document.text[other.start : other.end]
        if ruling is None and other.field in spanned:
            yield Doubt(other.field, "stray", text)
        for field in form.fields:
            gold = instance.values.get(field.id)
            if gold is None or field.traits.family != families[other.field]:
                continue
            read = read_phrase(field, text, gold, rest.document.language)
            if read is not None and same_value(read, gold):
                yield Doubt(field.id, "repeated", text)


def _elsewhere(rest: _Rest, field: Field, gold: Value) -> bool:
    """
    Say whether a value can be read outside the spans.

    Options and boxes, whose words are common ones, only in sentences without other values.
    """
    if _is_whole(field):
        return any(_states(field, gold, item, rest.document.language) for item in rest.free)
    if field.traits.found_by_reading:
        return (field.traits.family, gold) in rest.typed
    return occurs(field, gold, rest.masked, rest.document.language)


def _states(field: Field, gold: Value, sentence: str, language: str) -> bool:
    """Say whether a sentence without values gives a field one, and means that field."""
    if field.traits.holds is Holds.TICK:
        return occurs(field, gold, sentence, language)
    return occurs(field, gold, sentence, language) and speaks_of(sentence, field, language)


def _strays(form: Form, instance: Instance, rest: _Rest) -> Iterator[Doubt]:
    """Doubt typed values outside the spans that are not said to be somebody else's."""
    families = {
        field.traits.family: field.id for field in form.fields if field.id in instance.values
    }
    if not {kind for kind, _ in rest.typed} & families.keys():
        return
    language = rest.document.language
    for sentence in rest.cut:
        if is_foreign(sentence.text, language):
            continue
        plain = without_periods(sentence.text, language)
        for start, end, kind, _ in typed_in(plain, language):
            if kind in families:
                yield Doubt(families[kind], "stray", sentence.text[start:end])
