"""
Gather what belongs together into blocks, with values among them that do not count.

What makes a level: beside how values hold a label or a description, which of them take two
sentences to tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Final, Literal, TypeAlias

import msgspec

from surefoot.forms.instance import Instance, TaskDocument, Value
from surefoot.forms.letters.others import (
    Unit,
    aside,
    corrected,
    devices_for,
    history,
    listed,
    others_of,
    over,
    picked,
    slip_of,
)
from surefoot.forms.letters.pieces import Piece, labelled, noted, stated
from surefoot.forms.letters.surfaces import Surface, grouped, in_words, short
from surefoot.forms.letters.tables import Distractor, choices, distractors, frames, paper_kinds
from surefoot.forms.specification import Field, Form, Holds, said
from surefoot.forms.values.dates import read_date

_ROUND: Final = 100
_YEAR: Final = 12
_NOON: Final = 12
_FEWEST_LEFT, _MOST_LEFT = 3, 4  # options of which all but one may be ruled out
Heading: TypeAlias = Literal["person", "matter", "text", "file", "box", "correction", "history"]
_RANKS: Final[Mapping[Heading, int]] = {
    "person": 0,
    "history": 1,
    "matter": 1,
    "text": 1,
    "file": 2,
    "box": 3,
    "correction": 4,
}
_PERSONAL: Final = ("person.", "address.")
_CORRECTIONS: Final = 4  # that a paper has at most
_POSTS: Final = ("person.occupation", "title.position")
_TWO_SENTENCES: Final = 0.8  # of the values that two sentences can tell
_ASIDES: Final = {"labelled": 0.35, "paraphrased": 0.7, "derived": 0.7}
_BRIEF: Final = ("notes", "resume", "circular")
_SHORT: Final = 2  # pieces below which a block joins the one before
_STRAYS: Final = {"labelled": 1, "paraphrased": 2, "derived": 2}


def derived(field: Field, value: Value, random: Random, language: str) -> Surface | None:
    """
    Return a fact that leaves one option of a field only, or None where there is none.

    It stands by itself: an amount within a range, a time of day within hours, a length in
    other units, or all other options ruled out.
    """
    if isinstance(value, tuple):
        return _several(field, value, language)
    if field.traits.holds is not Holds.OPTION or not isinstance(value, str):
        return None
    facts = list(_choices(field, value, random, language))
    return random.choice(facts) if facts else None


def _several(field: Field, value: tuple[str, ...], language: str) -> Surface | None:
    """Say "all four of them", or "all but" the only one left out."""
    table = choices(language)
    labels = {
        option.value: said(option.label, language).split(" - ")[0] for option in field.options
    }
    left = [label for item, label in labels.items() if item not in value]
    if not left:
        count = in_words(len(value), language)
        return Surface(table.all_of_them.replace("{count}", count), "derived")
    if len(left) == 1:
        return Surface(table.all_but.replace("{name}", left[0]), "derived")
    return None


def _choices(field: Field, value: str, random: Random, language: str) -> Iterator[Surface]:
    table, option = choices(language), field.option(value)
    label = "" if option is None else option.label["en"]
    facts = [
        *(table.dollars.replace("{value}", grouped(n, language)) for n in _within(label, random)),
        *_at(label, random, language),
        *_lasting(label, language),
    ]
    yield from (Surface(fact, "derived") for fact in facts)
    if _FEWEST_LEFT <= len(field.options) <= _MOST_LEFT:
        names = [short(item, language) for item in field.options if item.value != value]
        joined = table.neither_between.join(random.sample(names, len(names)))
        yield Surface(table.neither.replace("{names}", joined), "derived", denies=True)
    if value == "both":
        others = [
            said(item.label, language).lower() for item in field.options if item.value != value
        ]
        named = table.listing_last.join(others)
        yield Surface(table.both.replace("{names}", named), "derived")


def _within(label: str, random: Random) -> Iterator[int]:
    """Yield an amount in the range of a label such as "30,000 to 59,999"."""
    found = re.fullmatch(r"(Below |Under )?(\d[\d,]+)(?: to (\d[\d,]+)| or more)?", label)
    if found is None:
        return
    limit = int(found[2].replace(",", ""))
    low, high = (limit // 2, limit - 1) if found[1] else (limit, limit * 3 // 2)
    high = int(found[3].replace(",", "")) if found[3] else high
    yield random.randint(low // _ROUND + 1, high // _ROUND) * _ROUND


def _at(label: str, random: Random, language: str) -> Iterator[str]:
    """Yield a time of day within the hours of an English label."""
    hours = [int(item) for item in re.findall(r"(\d{1,2}):\d\d", label)]
    halves = re.findall(r"[AP]M", label)
    if not hours:
        return
    minutes = random.choice((15, 30, 45))
    hour = hours[0] - 2 if "(before" in label else hours[0] + ("(after" in label)
    half = halves[0] if halves else ""
    late = half == "PM" and hour < _NOON
    clock = choices(language).clock.format(
        hour=hour, hour24=hour + _NOON * late, minutes=minutes, half=half
    )
    yield clock.rstrip()


def _lasting(label: str, language: str) -> Iterator[str]:
    """Yield the months of an English label as years, and its years as months."""
    words, found = choices(language).lasting, re.fullmatch(r"(\d+) (month|year)s?", label)
    if found is None or not words:
        return
    count = int(found[1])
    if found[2] == "year" and count * _YEAR < _ROUND:
        yield words["months"].replace("{count}", in_words(count * _YEAR, language))
    elif count == _YEAR // 2:
        yield words["half_year"]
    elif count % _YEAR == 0:
        said_of = words["years" if count > _YEAR else "year"]
        yield said_of.replace("{count}", in_words(count // _YEAR, language))


class Block(msgspec.Struct, frozen=True):
    """Hold the pieces of one paragraph, and what it is about."""

    heading: Heading
    pieces: tuple[Piece, ...]


def blocks_of(
    form: Form, instance: Instance, document: TaskDocument, random: Random
) -> tuple[Block, ...]:
    """
    Say every value of an instance in blocks, as the kind and level of ``document`` ask.

    The writer comes first, then the matter in any order, files and boxes, corrections last.
    """
    others = others_of(form, instance)
    grouped: dict[tuple[Heading, str], list[Unit]] = {}
    from_history = _told_by_history(form, document, others)
    if from_history:
        now, then = history(from_history, instance, others, random, document.language)
        grouped["history", ""] = [now + then]
    corrections = 0
    for field in form.fields:
        value = instance.values.get(field.id)
        if value is None or (field in from_history and field.fill != "title.position"):
            continue
        other = None if field in from_history else others.get(field.id)
        late: Unit
        unit, late = _unit(
            form, instance, field, other, document, random, settled=corrections == _CORRECTIONS
        )
        grouped.setdefault(_group(form, field), []).append(unit)
        corrections += bool(late)
        if late:
            grouped.setdefault(("correction", ""), []).append(late)
    keys = random.sample(list(grouped), len(grouped))
    keys.sort(key=lambda item: (_RANKS[item[0]], item[1] not in paper_kinds().writers))
    blocks = [Block(key[0], _shuffled(grouped[key], random)) for key in keys]
    whole = blocks if document.kind == "resume" else _joined(blocks)
    return _with_strays(form, instance, whole, document, random)


def _told_by_history(
    form: Form, document: TaskDocument, others: Mapping[str, Value]
) -> list[Field]:
    """Return the fields that the lines of a curriculum vitae tell of."""
    if document.kind != "resume" or document.level == "labelled":
        return []
    found = [
        field
        for field in form.fields
        if field.id in others
        and (field.fill in _POSTS or (field.fill == "company.name" and field.about == "employer"))
    ]
    return sorted(found, key=lambda field: field.fill not in _POSTS)


def _unit(
    form: Form,
    instance: Instance,
    field: Field,
    other: Value | None,
    document: TaskDocument,
    random: Random,
    *,
    settled: bool,
) -> tuple[Unit, Unit]:
    """Say one field's value, and what of it has to be said later, at a document's level."""
    value, level, language = instance.values[field.id], document.level, document.language
    if document.kind == "circular" and other is not None:
        return listed(field, value, other, random, language, level=level), ()
    if level == "derived" and other is not None and random.random() < _TWO_SENTENCES:
        devices = devices_for(field, language)
        devices = [item for item in devices if not settled or item != "correction"]
        device = random.choice(devices) if devices else ""
        if device == "correction":
            slip = slip_of(form, instance, field, random)
            return corrected(field, value, slip or other, random, language)
        if device:
            make = picked if device == "pick" else over
            return make(field, value, other, random, language), ()
    fact = derived(field, value, random, language) if level == "derived" else None
    if other is not None and fact is None and random.random() < _ASIDES[level]:
        return aside(field, value, other, random, language, level=level), ()
    if level == "labelled":
        return (labelled(field, value, random, language),), ()
    prose = document.kind == "resume" and field.traits.words == "passage"
    say = noted if document.kind in _BRIEF and not prose else stated
    return (say(field, value, random, fact, language),), ()


def _group(form: Form, field: Field) -> tuple[Heading, str]:
    if field.traits.holds is Holds.FILE:
        return "file", ""
    if field.traits.holds is Holds.TICK and field.fill != "flag":
        return "box", ""
    if field.traits.words == "passage":
        return "text", field.id
    if field.fill.startswith(_PERSONAL):
        return "person", field.about
    return "matter", str(form.page_of(field.id))


def _shuffled(units: Sequence[Unit], random: Random) -> tuple[Piece, ...]:
    return tuple(piece for unit in random.sample(units, len(units)) for piece in unit)


def _joined(blocks: Sequence[Block]) -> list[Block]:
    """Let a block of a single piece join the one before it, where both are no texts."""
    made: list[Block] = []
    for block in blocks:
        plain = made and {block.heading, made[-1].heading} <= {"person", "matter"}
        if plain and min(len(block.pieces), len(made[-1].pieces)) < _SHORT:
            made[-1] = Block(made[-1].heading, made[-1].pieces + block.pieces)
        else:
            made.append(block)
    return made


def _with_strays(
    form: Form,
    instance: Instance,
    blocks: Sequence[Block],
    document: TaskDocument,
    random: Random,
) -> tuple[Block, ...]:
    """Put values of nobody's at the end of blocks that speak of the writer or the matter."""
    language = document.language
    able = [
        item for item in distractors(language) if any(_like(item, field) for field in form.fields)
    ]
    wanted = random.sample(able, min(_STRAYS[document.level], len(able)))
    places = [n for n, block in enumerate(blocks) if block.heading in {"person", "matter"}]
    made = list(blocks)
    for distractor, place in zip(wanted, random.sample(places, len(places)), strict=False):
        text = next(_strays(distractor, instance, random, language), "")
        if text:
            pieces = (*made[place].pieces, Piece("", text))
            made[place] = Block(made[place].heading, pieces)
    return tuple(made)


def _like(distractor: Distractor, field: Field) -> bool:
    fits = distractor.fill in {"", field.fill} and distractor.about in {"", field.about}
    return fits and field.traits.widget == distractor.kind


def _strays(
    distractor: Distractor, instance: Instance, random: Random, language: str
) -> Iterator[str]:
    """Yield the distractor's sentences with values that no field holds."""
    golds = " ".join(map(str, instance.values.values()))
    for value in random.sample(distractor.values, len(distractor.values)):
        if (
            value.replace(",", "") not in golds
            and (read_date(value, language=language) or value) not in golds
        ):
            text = random.choice(distractor.texts).replace("{value}", value)
            yield text.replace("{on}", frames(language).on)
