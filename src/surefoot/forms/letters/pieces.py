"""
Put each value of an instance into a sentence, a line or a note.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Final

import msgspec

from surefoot.forms.instance import Value
from surefoot.forms.letters.surfaces import Surface, mid, plain, reworded
from surefoot.forms.letters.tables import frames, sentences, telegrams
from surefoot.forms.specification import Field, Kind, said

__all__ = ["Piece", "labelled", "noted", "stated"]

_SLOT: Final = "{value}"
_AN: Final = re.compile(r"^(?:[aeiou]|[AEFHILMNORSX][A-Z])")
_PLURAL: Final = re.compile(r"^ (\w+)s\b(?: are\b)?")
_UNITS: Final = {"USD": "dollars", "%": "percent"}
_CHOSEN: Final = frozenset({Kind.DROP_DOWN, Kind.RADIO})
_OTHER_LABEL: Final = 0.4
_SMALL: Final = 3  # letters of a word that says little
_MARKS: Final = (": ", ": ", " - ", " = ")


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


def labelled(field: Field, value: Value, random: Random) -> Piece:
    """Say a value in running text behind the field's label, or another usual one."""
    label = said(field.label, "en")
    others = frames().labels.get(field.fill, ()) if field.about in frames().writers else ()
    if others and random.random() < _OTHER_LABEL:
        label = random.choice(others)
    mark = " " if label.endswith("?") else ": "
    if field.kind is Kind.FILE:
        mark += "attached as "
    surface = plain(field, value)
    return Piece(field.id, label + mark, surface, "" if surface.text[-1:] in ".!?" else ".")


def stated(field: Field, value: Value, random: Random, worked_out: Surface | None) -> Piece:
    """Say a value in a sentence, in the words of its maker's kind."""
    if isinstance(value, bool) or _answers(field):
        return _box(field, value, random)
    surface = worked_out or reworded(field, value, random)
    if field.kind is Kind.DESCRIPTION:
        texts = sentences().texts
        intro = random.choice(texts.get(field.fill) or texts["description"])
        return Piece(field.id, _filled(intro, field, surface), surface)
    return _cut(field, random.choice(_fewest(field, _templates(field, surface))), surface)


def _fewest(field: Field, templates: Sequence[str]) -> list[str]:
    """Return the templates that have the fewest words of the field's label."""
    label = _content(said(field.label, "en"))
    shared = [len(label & _content(item)) for item in templates]
    return [item for item, count in zip(templates, shared, strict=True) if count == min(shared)]


def _content(text: str) -> set[str]:
    return {word for word in re.findall(r"[a-z]+", text.lower()) if len(word) > _SMALL}


def noted(field: Field, value: Value, random: Random, worked_out: Surface | None) -> Piece:
    """Say a value in the style of a telegram."""
    table = telegrams()
    if isinstance(value, bool):
        return _box(field, value, random, lead="{value}")
    surface = worked_out or reworded(field, value, random)
    mine = table.mine.get(field.fill, ()) if field.about in frames().writers else ()
    found = table.any.get(f"{_maker(field)}:{field.id}") or table.any.get(_maker(field)) or mine
    found = found or table.any.get(field.kind.value, ())
    if _answers(field) or not found or surface.text.startswith("neither "):
        question = said(field.label, "en").endswith("?")
        mark = " " if question else random.choice(_MARKS)
        label = said(field.label, "en") if question else mid(said(field.label, "en"))
        return Piece(field.id, label + mark, surface)
    return _cut(field, random.choice(found), surface)


def _answers(field: Field) -> bool:
    """Say whether a field is answered yes or no by one of its options, in a known sentence."""
    return field.kind in _CHOSEN and field.id in sentences().boxes


def _maker(field: Field) -> str:
    return "option" if field.kind in _CHOSEN and field.fill == "option" else field.fill


def _templates(field: Field, surface: Surface) -> Sequence[str]:
    """Return the sentences for a field, the most special ones first."""
    table, maker = sentences(), _maker(field)
    exact = f"{maker}:{field.id}"
    asks = said(field.label, "en").endswith("?")
    if surface.text.startswith("neither "):
        return table.any["question"] if asks else table.derived["neither"]
    if surface.how == "derived" and (exact in table.derived or maker in table.derived):
        return table.derived.get(exact) or table.derived[maker]
    if exact in table.any:
        return table.any[exact]
    mine = table.mine.get(maker, ()) if field.about in frames().writers else ()
    found = mine or table.any.get(maker)
    return found or table.any["question" if asks else field.kind.value]


def _box(field: Field, value: Value, random: Random, lead: str = "") -> Piece:
    """State that a box is ticked or not, in the label's own words where there are no others."""
    ticked = "yes" if value in {True, "yes"} else "no"
    label = said(field.label, "en")
    known = sentences().boxes.get(field.id)
    lead = lead or random.choice(sentences().leads["boxes"])
    before, _, behind = lead.partition(_SLOT)
    if known:
        text = random.choice(known[ticked])
        how_said = text if before else text[:1].upper() + text[1:]
        return Piece(field.id, before, Surface(how_said, "reworded"), behind)
    if value is True and re.match(r"I [a-z]", label):
        return Piece(field.id, before, Surface(label, "reworded"), behind)
    return Piece(field.id, f"{label}: ", Surface(ticked), ".")


def _filled(template: str, field: Field, surface: Surface) -> str:
    """Fill every slot of a template but that of the value."""
    whose = frames().whose.get(field.about)
    if whose is None:
        mine = field.about in frames().writers
        whose = "my" if mine else f"the {field.about.replace('_', ' ')}'s"
    counted = surface.how == "derived"
    filled = template.replace("{on}", "" if counted else "on ")
    filled = filled.replace("{Whose}", whose[:1].upper() + whose[1:]).replace("{whose}", whose)
    label = said(field.label, "en")
    unit = re.search(r"\(([^\W\d]+|%)\)$", label)
    filled = filled.replace("{unit}", f" {_UNITS.get(unit[1], unit[1])}" if unit else "")
    filled = filled.replace("{question}", label)
    filled = filled.replace("{label}", mid(re.sub(r"\s*\(.*\)", "", label)))
    if _AN.match(surface.text):
        filled = filled.replace(" a {value}", " an {value}")
    return filled


def _cut(field: Field, template: str, surface: Surface) -> Piece:
    before, _, behind = _filled(template, field, surface).partition(_SLOT)
    if surface.text in {"1", "one"}:
        behind = _alone(behind)
    if not before and surface.how != "verbatim":
        surface = msgspec.structs.replace(
            surface, text=surface.text[:1].upper() + surface.text[1:]
        )
    return Piece(field.id, before, surface, behind)


def _alone(behind: str) -> str:
    """
    Put what is counted into the singular.

    >>> _alone(" users are affected."), _alone(" people."), _alone(" dollars a month")
    (' user is affected.', ' person.', ' dollar a month')
    """
    if behind.startswith(" people"):
        return behind.replace("people", "person", 1)
    return _PLURAL.sub(
        lambda found: f" {found[1]}{' is' if found[0].endswith(' are') else ''}", behind
    )
