"""
Put each value of an instance into a sentence, a line or a note.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from random import Random
from typing import Final

import msgspec

from surefoot.forms.instance import Value
from surefoot.forms.letters.surfaces import Surface, in_words, mid, plain, reworded
from surefoot.forms.letters.tables import frames, paper_kinds, sentences, telegrams
from surefoot.forms.specification import Field, Holds, said
from surefoot.forms.values.scripts import is_unspaced

_SLOT: Final = "{value}"
_OTHER_LABEL: Final = 0.4
_SMALL: Final = 3  # letters of a word that says little
_MARKS: Final = (" - ", " = ")


class Piece(msgspec.Struct, frozen=True):
    """
    Say a value, with the words before and behind; a piece of no field has no value.

    ``other``: the value is of the field's kind, and does not count. ``joined``: the piece
    goes on with the sentence of the one before.
    """

    field: str
    before: str
    surface: Surface = Surface("")
    behind: str = ""
    other: bool = False
    joined: bool = False


def labelled(field: Field, value: Value, random: Random, language: str) -> Piece:
    """Say a value in running text behind the field's label, or another usual one."""
    label, frame = said(field.label, language), frames(language)
    others = frame.labels.get(field.fill, ()) if _own(field) else ()
    if others and random.random() < _OTHER_LABEL:
        label = random.choice(others)
    mark = " " if _asks(label) else frame.mark
    if field.traits.holds is Holds.FILE:
        mark += frame.attached
    surface = plain(field, value, language)
    return Piece(field.id, label + mark, surface, "" if _closed(surface.text) else frame.stop)


def stated(
    field: Field, value: Value, random: Random, worked_out: Surface | None, language: str
) -> Piece:
    """Say a value in a sentence, in the words of its maker's kind."""
    if isinstance(value, bool) or _answers(field, language):
        return _box(field, value, random, language)
    surface = worked_out or reworded(field, value, random, language)
    if field.traits.words == "passage":
        texts = sentences(language).texts
        intro = random.choice(texts.get(field.fill) or texts["description"])
        return Piece(field.id, _filled(intro, field, surface, language), surface)
    templates = _fewest(field, _templates(field, surface, language), language)
    return _cut(field, random.choice(templates), surface, language)


def _fewest(field: Field, templates: Sequence[str], language: str) -> list[str]:
    """Return the templates that have the fewest words of the field's label."""
    label = _content(said(field.label, language))
    shared = [len(label & _content(item)) for item in templates]
    return [item for item, count in zip(templates, shared, strict=True) if count == min(shared)]


def _content(text: str) -> set[str]:
    """Return the words that say something, or pairs of signs where no space parts words."""
    words = {word for word in re.findall(r"[^\W\d_]+", text.lower()) if len(word) > _SMALL}
    return {
        part
        for word in words
        for part in (map("".join, itertools.pairwise(word)) if is_unspaced(word) else [word])
    }


def noted(
    field: Field, value: Value, random: Random, worked_out: Surface | None, language: str
) -> Piece:
    """Say a value in the style of a telegram."""
    table = telegrams(language)
    if isinstance(value, bool):
        return _box(field, value, random, language, lead="{value}")
    surface = worked_out or reworded(field, value, random, language)
    mine = table.mine.get(field.fill, ()) if _own(field) else ()
    found = table.any.get(f"{_maker(field)}:{field.id}") or table.any.get(_maker(field)) or mine
    found = found or table.any.get(field.traits.widget, ())
    if _answers(field, language) or not found or surface.denies:
        label, frame = said(field.label, language), frames(language)
        question = _asks(label)
        mark = " " if question else random.choice((frame.mark, frame.mark, *_MARKS))
        return Piece(field.id, (label if question else mid(label, language)) + mark, surface)
    return _cut(field, random.choice(found), surface, language)


def _own(field: Field) -> bool:
    """Say whether a field is about the one who writes."""
    return field.about in paper_kinds().writers


def _asks(label: str) -> bool:
    return label.endswith(("?", "\uff1f", "\u061f"))


def _closed(text: str) -> bool:
    return text.endswith((".", "!", "?", "\u3002"))


def _answers(field: Field, language: str) -> bool:
    """Say whether a field is answered yes or no by one of its options, in a known sentence."""
    return field.traits.holds is Holds.OPTION and field.id in sentences(language).boxes


def _maker(field: Field) -> str:
    return (
        "option" if field.traits.holds is Holds.OPTION and field.fill == "option" else field.fill
    )


def _templates(field: Field, surface: Surface, language: str) -> Sequence[str]:
    """Return the sentences for a field, the most special ones first."""
    table, maker = sentences(language), _maker(field)
    exact = f"{maker}:{field.id}"
    asks = _asks(said(field.label, language))
    if surface.denies:
        return table.any["question"] if asks else table.derived["neither"]
    if surface.how == "derived" and (exact in table.derived or maker in table.derived):
        return table.derived.get(exact) or table.derived[maker]
    if exact in table.any:
        return table.any[exact]
    mine = table.mine.get(maker, ()) if _own(field) else ()
    found = mine or table.any.get(maker)
    return found or table.any["question" if asks else field.traits.widget]


def _box(field: Field, value: Value, random: Random, language: str, lead: str = "") -> Piece:
    """State that a box is ticked or not, in the label's own words where there are no others."""
    ticked = value in {True, "yes"}
    label, table, frame = said(field.label, language), sentences(language), frames(language)
    known = table.boxes.get(field.id)
    lead = lead or random.choice(table.leads["boxes"])
    before, _, behind = lead.partition(_SLOT)
    if known:
        text = random.choice(known["yes" if ticked else "no"])
        how_said = text if before else text[:1].upper() + text[1:]
        return Piece(field.id, before, Surface(how_said, "reworded"), behind)
    if value is True and re.match(r"I [a-z]", said(field.label, "en")):
        before, behind = (before, behind) if frame.led else ("", frame.stop)
        return Piece(field.id, before, Surface(label, "reworded"), behind)
    return Piece(field.id, label + frame.mark, plain(field, ticked, language), frame.stop)


def _filled(template: str, field: Field, surface: Surface, language: str) -> str:
    """Fill every slot of a template but that of the value."""
    label, frame = said(field.label, language), frames(language)
    whose = frame.whose.get(field.about)
    if whose is None:
        theirs = frame.theirs.replace("{about}", field.about.replace("_", " "))
        whose = frame.mine if _own(field) else theirs
    unit = re.search(r"\(([^\W\d]+|%)\)$", label)
    bare = re.sub(r"\s*[(\uff08].*[)\uff09]", "", label)
    slots = {
        "{on}": "" if surface.how == "derived" else frame.on,
        "{whose}": whose,
        "{Whose}": whose[:1].upper() + whose[1:],
        "{unit}": f" {frame.units.get(unit[1], unit[1])}" if unit else "",
        "{question}": label,
        "{label}": mid(bare, language),
    }
    if frame.an and re.match(frame.an, surface.text):
        slots = {" a {value}": " an {value}"} | slots
    for slot, text in slots.items():
        template = template.replace(slot, text)
    return template


def _cut(field: Field, template: str, surface: Surface, language: str) -> Piece:
    before, _, behind = _filled(template, field, surface, language).partition(_SLOT)
    if surface.text in {"1", in_words(1, language)}:
        behind = _alone(behind, language)
    if not before and surface.how != "verbatim":
        surface = msgspec.structs.replace(
            surface, text=surface.text[:1].upper() + surface.text[1:]
        )
    return Piece(field.id, before, surface, behind)


def _alone(behind: str, language: str) -> str:
    """
    Put what is counted into the singular, where a language has one.

    >>> [_alone(item, "en") for item in (" users are affected.", " people.", " dollars a month")]
    [' user is affected.', ' person.', ' dollar a month']
    """
    for plural, single in frames(language).singular:
        if re.match(plural, behind):
            return re.sub(plural, single, behind, count=1)
    return behind
