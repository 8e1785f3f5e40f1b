"""
Gather what belongs together into blocks, with values among them that belong to nobody.

Some values are spelled so that a reader has to work them out, and can come to one result only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from random import Random
from typing import Final, Literal, TypeAlias

import msgspec

from surefoot.forms.instance import Instance, TaskDocument, Value
from surefoot.forms.letters.pieces import Piece, labelled, noted, stated
from surefoot.forms.letters.surfaces import Surface, days_apart, in_words, short, spoken_date
from surefoot.forms.letters.tables import Distractor, distractors, frames
from surefoot.forms.specification import Field, Form, Kind
from surefoot.forms.values.dates import read_date

__all__ = ["Block", "Heading", "blocks_of", "derived", "worked_out"]

_DOZENS: Final = {"6": "half a dozen", "12": "a dozen", "24": "two dozen", "36": "three dozen"}
_ROUND: Final = 100
_WEEKS: Final = (2, 3, 4, 6)
_YEAR: Final = 12
_FEWEST_LEFT, _MOST_LEFT = 3, 4  # options of which all but one may be ruled out
Heading: TypeAlias = Literal["person", "matter", "text", "file", "box"]
_RANKS: Final[Mapping[Heading, int]] = {"person": 0, "matter": 1, "text": 1, "file": 2, "box": 3}
_PERSONAL: Final = ("person.", "address.")
_FEWEST_DERIVED, _MOST_DERIVED = 2, 4
_SHORT: Final = 2  # pieces below which a block joins the one before
_STRAYS: Final = {"labelled": 1, "paraphrased": 2, "derived": 2}


def derived(
    field: Field, value: Value, random: Random, taken: Collection[str] = ()
) -> Surface | None:
    """
    Return a phrase that a value follows from, or None where none is sound.

    It stands by itself: no other field's value is needed to work it out, and none of the
    values ``taken`` by other fields is named in it.
    """
    if isinstance(value, tuple):
        return _several(field, value)
    make = _MAKERS.get(field.kind)
    if make is None or not isinstance(value, str):
        return None
    phrases = [item for item in make(field, value, random) if not _named(item) & set(taken)]
    return Surface(random.choice(phrases), "derived") if phrases else None


def _named(phrase: str) -> set[str]:
    """Return the figures of a phrase, and the day in ISO 8601 where it ends in one."""
    figures = {item.replace(",", "") for item in re.findall(r"\d[\d,]*(?:\.\d+)?", phrase)}
    day = read_date(re.sub(r".*(?:after|before) ", "", phrase))
    tripled = {"3"} if phrase.startswith("three times") else set()
    return figures | tripled | ({day} if day else set())


def _several(field: Field, value: tuple[str, ...]) -> Surface | None:
    """Say "all four of them", or "all but" the only one left out."""
    labels = {option.value: option.label["en"].split(" - ")[0] for option in field.options}
    left = [label for item, label in labels.items() if item not in value]
    if not left:
        return Surface(f"all {in_words(len(value))} of them", "derived")
    return Surface(f"all but {left[0]}", "derived") if len(left) == 1 else None


def _amounts(field: Field, value: str, random: Random) -> Iterator[str]:
    """Yield a number as dozens, a half, a double, or a round number and a remainder."""
    number = Decimal(value)
    if not number:
        return
    if field.fill == "number.year":
        yield random.choice((f"the year after {number - 1}", f"the year before {number + 1}"))
        return
    if value in _DOZENS and field.fill == "number.count":
        yield _DOZENS[value]
        return
    yield f"half of {number * 2:,f}"
    if number == int(number):
        yield from _of_whole(int(number))
        return
    step = Decimal(random.randint(2, 9)) / 10
    yield f"{step} less than {number + step:,f}"


def _of_whole(number: int) -> Iterator[str]:
    if number % 2 == 0 and number > 2 * 2:
        yield f"twice {number // 2:,}"
    if number % 3 == 0 and number > 3 * 3:
        yield f"three times {number // 3:,}"
    over = number % _ROUND
    if number > _ROUND and over:
        yield f"{over} more than {number - over:,}"


def _days(_: Field, value: str, random: Random) -> Iterator[str]:
    """Yield a day as weeks or days away from another one."""
    weeks, days = random.choice(_WEEKS), random.randint(2, 9)
    for count, unit, length in ((weeks, "weeks", 7), (days, "days", 1)):
        for way, sign in (("after", -1), ("before", 1)):
            anchor = days_apart(value, sign * count * length)
            yield f"{in_words(count)} {unit} {way} {spoken_date(anchor, random)}"


def _choices(field: Field, value: str, random: Random) -> Iterator[str]:
    option = field.option(value)
    label = "" if option is None else option.label["en"]
    yield from _within(label, random)
    yield from _at(label, random)
    yield from _lasting(label)
    if _FEWEST_LEFT <= len(field.options) <= _MOST_LEFT:
        names = [short(item) for item in field.options if item.value != value]
        yield f"neither {' nor '.join(random.sample(names, len(names)))}"
    if value == "both":
        others = [item.label["en"].lower() for item in field.options if item.value != value]
        yield f"{' and '.join(others)} alike"


def _within(label: str, random: Random) -> Iterator[str]:
    """Yield an amount of dollars in the range of a label such as "30,000 to 59,999"."""
    found = re.fullmatch(r"(Below |Under )?(\d[\d,]+)(?: to (\d[\d,]+)| or more)?", label)
    if found is None:
        return
    limit = int(found[2].replace(",", ""))
    low, high = (limit // 2, limit - 1) if found[1] else (limit, limit * 3 // 2)
    high = int(found[3].replace(",", "")) if found[3] else high
    amount = random.randint(low // _ROUND + 1, high // _ROUND) * _ROUND
    yield f"{amount:,} dollars"


def _at(label: str, random: Random) -> Iterator[str]:
    """Yield a time of day within the hours of a label, written as the label does."""
    hours = [int(item) for item in re.findall(r"(\d{1,2}):\d\d", label)]
    halves = re.findall(r"[AP]M", label)
    if not hours:
        return
    minutes = random.choice((15, 30, 45))
    hour = hours[0] - 2 if "(before" in label else hours[0] + ("(after" in label)
    half = f" {halves[0]}" if halves else ""
    yield f"{hour}:{minutes}{half}"


def _lasting(label: str) -> Iterator[str]:
    """Yield months as years, and years as months."""
    found = re.fullmatch(r"(\d+) (month|year)s?", label)
    if found is None:
        return
    count = int(found[1])
    if found[2] == "year" and count * _YEAR < _ROUND:
        yield f"{in_words(count * _YEAR)} months"
    elif count == _YEAR // 2:
        yield "half a year"
    elif count % _YEAR == 0:
        yield f"{in_words(count // _YEAR)} year{'s' if count > _YEAR else ''}"


_MAKERS: Final[Mapping[Kind, Callable[[Field, str, Random], Iterator[str]]]] = {
    Kind.NUMBER: _amounts,
    Kind.DATE: _days,
    Kind.DROP_DOWN: _choices,
    Kind.RADIO: _choices,
}


class Block(msgspec.Struct, frozen=True):
    """Hold the pieces of one paragraph, and what it is about."""

    heading: Heading
    pieces: tuple[Piece, ...]


def worked_out(form: Form, instance: Instance, random: Random) -> dict[str, Surface]:
    """Choose two to four fields of an instance, if it has them, that have to be worked out."""
    golds = instance.values
    found: dict[str, Surface] = {}
    for field in form.fields:
        if field.id not in golds:
            continue
        others = {str(value) for name, value in golds.items() if name != field.id}
        made = derived(field, golds[field.id], random, others)
        if made is not None:
            found[field.id] = made
    count = min(len(found), random.randint(_FEWEST_DERIVED, _MOST_DERIVED))
    return {name: found[name] for name in random.sample(sorted(found), count)}


def blocks_of(
    form: Form, instance: Instance, document: TaskDocument, random: Random
) -> tuple[Block, ...]:
    """
    Say every value of an instance in blocks, as the kind and level of ``document`` ask.

    The writer comes first, then the matter in any order, files and boxes last.
    """
    chosen = worked_out(form, instance, random) if document.level == "derived" else {}
    grouped: dict[tuple[Heading, str], list[Piece]] = {}
    for field in form.fields:
        value = instance.values.get(field.id)
        if value is None:
            continue
        if document.level == "labelled":
            piece = labelled(field, value, random)
        elif document.kind == "notes":
            piece = noted(field, value, random, chosen.get(field.id))
        else:
            piece = stated(field, value, random, chosen.get(field.id))
        grouped.setdefault(_group(form, field), []).append(piece)
    keys = random.sample(list(grouped), len(grouped))
    keys.sort(key=lambda item: (_RANKS[item[0]], item[1] not in frames().writers))
    blocks = [Block(key[0], _shuffled(grouped[key], random)) for key in keys]
    whole = blocks if document.kind == "resume" else _joined(blocks)
    return _with_strays(form, instance, whole, document.level, random)


def _group(form: Form, field: Field) -> tuple[Heading, str]:
    if field.kind is Kind.FILE:
        return "file", ""
    if field.kind is Kind.CHECKBOX and field.fill != "flag":
        return "box", ""
    if field.kind is Kind.DESCRIPTION:
        return "text", field.id
    if field.fill.startswith(_PERSONAL):
        return "person", field.about
    return "matter", str(form.page_of(field.id))


def _shuffled(pieces: Sequence[Piece], random: Random) -> tuple[Piece, ...]:
    return tuple(random.sample(pieces, len(pieces)))


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
    form: Form, instance: Instance, blocks: Sequence[Block], level: str, random: Random
) -> tuple[Block, ...]:
    """Put values of nobody's at the end of blocks that speak of the writer or the matter."""
    able = [item for item in distractors() if any(_like(item, field) for field in form.fields)]
    wanted = random.sample(able, min(_STRAYS[level], len(able)))
    places = [n for n, block in enumerate(blocks) if block.heading in {"person", "matter"}]
    made = list(blocks)
    for distractor, place in zip(wanted, random.sample(places, len(places)), strict=False):
        text = next(_strays(distractor, instance, random), "")
        if text:
            pieces = (*made[place].pieces, Piece("", text))
            made[place] = Block(made[place].heading, pieces)
    return tuple(made)


def _like(distractor: Distractor, field: Field) -> bool:
    fits = distractor.fill in {"", field.fill} and distractor.about in {"", field.about}
    return fits and field.kind.value == distractor.kind


def _strays(distractor: Distractor, instance: Instance, random: Random) -> Iterator[str]:
    """Yield the distractor's sentences with values that no field holds."""
    golds = " ".join(map(str, instance.values.values()))
    for value in random.sample(distractor.values, len(distractor.values)):
        if value.replace(",", "") not in golds and (read_date(value) or value) not in golds:
            text = random.choice(distractor.texts).replace("{value}", value)
            yield text.replace("{on}", "on ")
