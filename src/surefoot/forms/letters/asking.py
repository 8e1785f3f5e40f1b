"""
Let a language model write documents, and keep its texts only where they can be proven.

Nothing here knows a model: whoever calls gives a function from prompts to replies.

Where the texts say the values of an instance is found in them: nobody took notes of it.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Final, Literal, TypeAlias

import msgspec

from surefoot.core.errors import InvalidInputError
from surefoot.core.replies.thoughts import answer_behind
from surefoot.forms.instance import FileValue, Instance, TaskDocument, Value, ValueSpan
from surefoot.forms.letters.proof.choices import spellings
from surefoot.forms.letters.proof.clauses import Clause, sentences
from surefoot.forms.letters.proof.finding import places, read_box, read_phrase, typed_in
from surefoot.forms.letters.proof.roles import headed_by, speaks_of
from surefoot.forms.letters.surfaces import plain
from surefoot.forms.letters.verifying import Doubt, verify
from surefoot.forms.letters.writing import Level, Sort
from surefoot.forms.specification import Field, Form, Holds, said
from surefoot.forms.values.normalise import normalise, same_value

_How: TypeAlias = Literal["verbatim", "reworded", "derived"]
_Spot: TypeAlias = tuple[int, int, _How]
_PHRASE: Final = 12  # words of a phrase that a value may have to be worked out from
_SENTENCE: Final = 80  # words of a sentence beyond which no phrases are tried
Chat: TypeAlias = Callable[[Sequence[str]], Iterable[str]]
"""
What takes prompts and gives one reply to each, "" where there is none.
"""
_KINDS: Final[Mapping[Sort, str]] = {
    "letter": "a letter of some paragraphs",
    "resume": "a résumé in Markdown, followed by what else the form asks",
    "thread": "a thread of two to four e-mails by the same person",
    "notes": "short notes, one fact a line",
    "circular": "a form letter, in which what does not apply is listed as such",
}
_LEVELS: Final[Mapping[Level, str]] = {
    "labelled": "put a heading before each value, as in 'Surname: ...'",
    "paraphrased": (
        "in sentences; dates, amounts and telephone numbers may be written in any usual way"
    ),
    "derived": (
        "in sentences; where the form has options, let one or two follow from a fact that "
        "leaves no other, as in '45,000 dollars' for a range, or 'neither steel nor wood'"
    ),
}
_LONGEST: Final = 10_000  # characters of a text; the grammar's own have up to 2,300


class WantedLetter(msgspec.Struct, frozen=True):
    """Ask for a document about an instance, of one kind and level."""

    form: Form
    instance: Instance
    kind: Sort
    level: Level


class Letter(msgspec.Struct, frozen=True):
    """
    Hold what came of one document asked for: None where no reply could be proven.

    ``replies`` counts those that came, ``doubts`` are those about the last one.
    """

    document: TaskDocument | None = None
    replies: int = 0
    doubts: tuple[Doubt, ...] = ()


def ask_documents(wanted: Sequence[WantedLetter], chat: Chat, *, tries: int = 3) -> list[Letter]:
    """
    Ask for documents in rounds, and keep of each the first reply that proves every value.

    A prompt after the first round says what was wrong with the reply before. Who gives no
    reply is not asked again. Raises InvalidInputError for an instance of another form.
    """
    letters = [Letter()] * len(wanted)
    places: Sequence[int] = range(len(wanted))
    for number in range(1, tries + 1):
        if not places:
            break
        prompts = [prompt_for(wanted[at], letters[at].doubts) for at in places]
        for at, reply in zip(places, chat(prompts), strict=True):
            if reply:
                letters[at] = _judged(wanted[at], reply, number)
        places = [at for at in places if letters[at].replies == number and letters[at].doubts]
    return letters


def _judged(wanted: WantedLetter, reply: str, number: int) -> Letter:
    document = read_reply(wanted, reply)
    doubts = verify(wanted.form, wanted.instance, document)
    return Letter(None if doubts else document, number, doubts)


def read_reply(wanted: WantedLetter, reply: str) -> TaskDocument:
    """
    Return a reply as a document, with a span for each value that is found in it.

    What a model reasons before its text is left out, and so are control characters.
    """
    letter = answer_behind(reply) or ""
    kept = (item for item in letter if item in "\n\t" or unicodedata.category(item) != "Cc")
    text = "".join(kept).strip()[:_LONGEST] + "\n"
    spans = located(wanted.form, wanted.instance, text)
    return TaskDocument(kind=wanted.kind, level=wanted.level, text=text, spans=spans)


def prompt_words() -> str:
    """Return all words of prompts that no instance and no reply determine."""
    return "\n".join([_template(), *_KINDS.values(), *_LEVELS.values()])


def prompt_for(wanted: WantedLetter, doubts: Sequence[Doubt] = ()) -> str:
    """
    Return what a model is asked for one instance; gold values stand in it.

    Raises InvalidInputError for an instance of another form.
    """
    form, instance = wanted.form, wanted.instance
    if instance.form != form.id:
        raise InvalidInputError(f"an instance of '{form.id}'", found=f"'{instance.form}'")
    facts = [
        f"- {said(field.label, 'en')}: {_fact(field, instance)}"
        for field in form.fields
        if field.id in instance.values
    ]
    prompt = _template().format(
        title=said(form.title, "en"),
        kind=_KINDS[wanted.kind],
        level=_LEVELS[wanted.level],
        facts="\n".join(facts),
    )
    wrong = [_complaint(form, doubt) for doubt in doubts]
    return prompt + ("\nYour last text could not be used:\n" + "\n".join(wrong) if wrong else "")


def _fact(field: Field, instance: Instance) -> str:
    value = instance.values[field.id]
    if isinstance(value, bool):
        return "ticked" if value else "not ticked"
    return plain(field, value, "en").text


def _complaint(form: Form, doubt: Doubt) -> str:
    field = form.field(doubt.field)
    label = doubt.field if field is None else said(field.label, "en")
    return f"- {label}: {doubt.why}" + (f" ({doubt.found})" if doubt.found else "")


@functools.cache
def _template() -> str:
    return files("surefoot.forms.letters").joinpath("prompt.txt").read_text("utf-8")


def located(form: Form, instance: Instance, text: str) -> tuple[ValueSpan, ...]:
    """
    Return a span for each value that can be found in a text, in the order of the text.

    Where a value stands in several places, one that no other value has taken and that stands
    behind the field's label, or whose sentence speaks of the field, is preferred. Nothing is
    proven by this: verify the result.
    """
    cut = sentences(text)
    taken: list[ValueSpan] = []
    for field in sorted(form.fields, key=lambda item: _rank(item, instance)):
        gold = instance.values.get(field.id)
        if gold is None:
            continue
        spot = _place(field, gold, text, cut, taken)
        if spot is not None:
            taken.append(ValueSpan(field.id, *spot))
    return tuple(sorted(taken, key=lambda item: item.start))


def _place(
    field: Field, gold: Value, text: str, cut: Sequence[Clause], taken: Sequence[ValueSpan]
) -> _Spot | None:
    spots = [spot for spot in _spots(field, gold, text, cut) if _is_free(spot, taken)]
    if spots:
        return min(
            spots,
            key=lambda spot: (
                not headed_by(text[: spot[0]], field),
                not speaks_of(_around(spot, cut), field),
            ),
        )
    phrases = _phrases(field, gold, text, cut)
    return next((phrase for phrase in phrases if _is_free(phrase, taken)), None)


def _rank(field: Field, instance: Instance) -> tuple[int, int]:
    return field.traits.rank, -len(str(instance.values.get(field.id)))


def _is_free(spot: _Spot, taken: Sequence[ValueSpan]) -> bool:
    return all(spot[1] <= span.start or span.end <= spot[0] for span in taken)


def _around(spot: _Spot, cut: Sequence[Clause]) -> str:
    """Return the sentence of a spot, without the spot itself."""
    for clause in cut:
        if clause.start <= spot[0] < clause.end:
            low, high = spot[0] - clause.start, spot[1] - clause.start
            return f"{clause.text[:low]} {clause.text[high:]}"
    return ""


def _spots(field: Field, gold: Value, text: str, cut: Sequence[Clause]) -> Iterator[_Spot]:
    """Yield where a value stands as it is or in another surface form."""
    if isinstance(gold, bool):
        yield from (
            (clause.start, clause.end, "reworded")
            for clause in cut
            if read_box(field, clause.text) is gold
        )
    elif isinstance(gold, tuple):
        yield from _lists(field, gold, cut)
    elif field.traits.found_by_reading:
        for start, end, kind, value in typed_in(text):
            if kind is field.traits.found_as and value == gold:
                yield start, end, "verbatim" if text[start:end] == gold else "reworded"
    else:
        for name, how in _names(field, gold):
            yield from ((start, end, how) for start, end in places(text, name))


def _names(field: Field, gold: str | FileValue) -> Iterator[tuple[str, _How]]:
    if isinstance(gold, FileValue):
        yield gold.name, "verbatim"
        return
    option = field.option(gold) if field.traits.chosen else None
    if option is None:
        yield gold, "verbatim"
        return
    for spelling in sorted(spellings(option), key=len, reverse=True):
        yield spelling, "verbatim" if normalise(field, spelling) == gold else "reworded"


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
    if not (field.traits.chosen or field.traits.holds in {Holds.DATE, Holds.NUMBER}):
        return
    for sentence in sorted(cut, key=lambda item: not speaks_of(item.text, field)):
        words = [match_.span() for match_ in re.finditer(r"\S+", sentence.text)]
        if len(words) > _SENTENCE:
            continue
        for length in range(min(_PHRASE, len(words)), 0, -1):
            for first in range(len(words) - length + 1):
                start = sentence.start + words[first][0]
                end = sentence.start + words[first + length - 1][1]
                phrase = text[start:end].rstrip(".,;:!?")
                if same_value(read_phrase(field, phrase, gold), gold):
                    yield start, start + len(phrase), "derived"
