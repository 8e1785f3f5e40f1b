"""
Set values that do not count beside those that do, and say so in the sentence after, or later.

They are of the right type, since they are made as the right ones are: another instance of the
same form has them.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Final, Literal, TypeAlias

import msgspec

from surefoot.core.errors import UnknownNameError
from surefoot.core.seeds import derive_seed
from surefoot.forms.instance import Instance, Value
from surefoot.forms.letters.pieces import Piece, labelled, noted, stated
from surefoot.forms.letters.surfaces import Surface, reworded
from surefoot.forms.letters.tables import choices, frames, paper_kinds
from surefoot.forms.specification import Field, Form, Holds, Kind
from surefoot.forms.values.makers.cast import TODAY
from surefoot.forms.values.making import clash, make_instance
from surefoot.forms.values.normalise import normalise

Unit: TypeAlias = tuple[Piece, ...]
"""
Pieces that stay together, whatever is shuffled.
"""
Device: TypeAlias = Literal["pick", "correction", "over"]
_ORDERED: Final[Mapping[Holds, tuple[str, str]]] = {
    Holds.DATE: ("earlier", "later"),
    Holds.NUMBER: ("smaller", "larger"),
}
_CHOSEN_BETWEEN: Final = (
    *("date.", "number.money", "number.count", "number.percent", "number.words"),
    *("number.years", "person.phone", "person.email"),
)
_PERSONAL: Final = ("person.", "address.")
_APPLIED_FOR: Final = "title.position"
_THIS_YEAR: Final = TODAY.year
_TRIES: Final = 3
_HALF: Final = 0.5


def others_of(form: Form, instance: Instance) -> dict[str, Value]:
    """
    Return for each field that allows it a value of its type that no field of the form has.

    Boxes, files, long texts and lists of options have none, nor has a field that repeats
    another, or one of which an answer is yes or no, nor any of a form with makers that
    nobody knows.
    """
    found: dict[str, Value] = {}
    for attempt in range(_TRIES):
        seed = derive_seed(instance.seed, "others", form.id, str(instance.index), str(attempt))
        try:
            drawn = make_instance(form, seed=seed, index=0).values
        except UnknownNameError:
            return {}
        for field in form.fields:
            value = drawn.get(field.id)
            if value is None or field.id in found or not _takes(form, field):
                continue
            if field.id in instance.values and _unlike(form, instance, field, value, found):
                found[field.id] = value
    return found


def slip_of(form: Form, instance: Instance, field: Field, random: Random) -> Value | None:
    """
    Return a field's value as a hasty writer gets it wrong, None where there is no such slip.

    Two neighbouring signs have changed places, or a date is a week off.
    """
    value = instance.values[field.id]
    if not isinstance(value, str) or field.options:
        return None
    if field.traits.holds is Holds.DATE:
        day = dt.date.fromisoformat(value) + dt.timedelta(days=random.choice((-7, 7)))
        slips = [day.isoformat()]
    else:
        end = value.find("@") if field.traits.found_as is Kind.EMAIL else len(value)
        places = [
            at
            for at in range(2, end - 1)
            if value[at] != value[at + 1] and _alike(value[at], value[at + 1])
        ]
        slips = [
            f"{value[:at]}{value[at + 1]}{value[at]}{value[at + 2 :]}"
            for at in random.sample(places, len(places))
        ]
    return next(
        (
            slip
            for slip in slips
            if normalise(field, slip) == slip and _unlike(form, instance, field, slip, {})
        ),
        None,
    )


def _alike(first: str, second: str) -> bool:
    """Say whether two signs are both digits or both small letters."""
    return (first.isdigit() and second.isdigit()) or (first.islower() and second.islower())


def _takes(form: Form, field: Field) -> bool:
    repeats = any(rule.rule == "same" and field.id in rule.fields for rule in form.constraints)
    answers = {option.value for option in field.options} == {"yes", "no"}
    kind = field.traits
    one = (kind.written and kind.words != "passage") or kind.holds is Holds.OPTION
    return one and not repeats and not answers


def _unlike(
    form: Form, instance: Instance, field: Field, value: Value, found: Mapping[str, Value]
) -> bool:
    """Say whether a value is none of the right ones and none of those found before."""
    if field.options:
        return value != instance.values[field.id]
    for other in form.fields:
        for held in (instance.values.get(other.id), found.get(other.id)):
            if held is None:
                continue
            same = str(held).casefold() == str(value).casefold()
            bare = msgspec.structs.replace(other, about="somebody else's")
            if same or clash(field, value, bare, held) or clash(bare, held, field, value):
                return False
    return True


def devices_for(field: Field, language: str) -> list[Device]:
    """Return the ways in which two sentences can tell a field's value."""
    table, maker = choices(language), f"{field.fill}:{field.id}"
    mine = field.about in paper_kinds().writers or not field.fill.startswith(_PERSONAL)
    devices: list[Device] = ["correction"]
    if (
        field.fill.startswith(_CHOSEN_BETWEEN)
        or _options(field)
        or maker in table.pairs
        or (mine and field.fill in table.pairs)
    ):
        devices.append("pick")
    if maker in table.overs or (mine and field.fill in table.overs):
        devices += ["over", "over"]
    return devices


def _options(field: Field) -> bool:
    return field.traits.holds is Holds.OPTION and field.fill == "option"


def aside(
    field: Field, value: Value, other: Value, random: Random, language: str, *, level: str
) -> Unit:
    """
    Say a value, and before it or behind it that of somebody else.

    At the labelled level that has its label, too, beside the words that tell whose it is.
    """
    table = choices(language)
    if level == "labelled":
        own, text = labelled(field, value, random, language), random.choice(table.labelled)
        piece = labelled(field, other, random, language)
        before, _, behind = text.partition("{value}")
        far = Piece(field.id, before + piece.before, piece.surface, behind, other=True)
        return (own, far) if random.random() < _HALF else (far, own)
    own = stated(field, value, random, None, language)
    maker = "option" if field.options else field.fill
    text = random.choice(table.beside.get(maker) or table.asides)
    before, _, behind = text.replace("{on}", frames(language).on).partition("{other}")
    far = Piece(field.id, before, reworded(field, other, random, language), behind, other=True)
    return (far, own) if random.random() < _HALF else (own, far)


def history(
    fields: Sequence[Field],
    instance: Instance,
    others: Mapping[str, Value],
    random: Random,
    language: str,
) -> tuple[Unit, Unit]:
    """
    Return two lines of a curriculum vitae: what somebody is, and what they were before.

    A field of which only former values are told, such as a post applied for, is in the
    second alone.
    """
    table, frame = choices(language).history, frames(language)
    turned = _THIS_YEAR - random.randint(2, 9)
    began = turned - random.randint(2, 8)
    lines: list[list[Piece]] = [[], []]
    for field in fields:
        before, _, behind = table[field.fill].partition("{value}")
        for line, values in zip(lines, (instance.values, others), strict=True):
            if values is instance.values and field.fill == _APPLIED_FOR:
                continue
            wording = reworded(field, values[field.id], random, language)
            lead = f"{choices(language).listing}{before}" if line else before
            joined, other = bool(line), values is others
            line.append(Piece(field.id, lead, wording, behind, other=other, joined=joined))
    periods = (
        frame.resume.present.replace("{start}", str(turned)) + frame.mark,
        frame.resume.past.replace("{start}", str(began)).replace("{end}", str(turned))
        + frame.mark,
    )
    for line, period in zip(lines, periods, strict=True):
        if line:
            line[0] = msgspec.structs.replace(line[0], before=f"{period}{line[0].before}")
    return tuple(lines[0]), tuple(lines[1])


def picked(field: Field, value: Value, other: Value, random: Random, language: str) -> Unit:
    """Say two values in one sentence, and in the next which of them counts."""
    table = choices(language)
    own, far = (reworded(field, item, random, language) for item in (value, other))
    first = random.random() < _HALF
    pair = (own, far) if first else (far, own)
    texts = table.pairs.get(f"{field.fill}:{field.id}") or table.pairs.get(field.fill)
    if texts:
        before, _, rest = random.choice(texts).partition("{first}")
        between, _, behind = rest.partition("{second}")
    else:
        template = stated(field, value, random, pair[0], language)
        before, behind = template.before, template.behind
        on = frames(language).on if field.traits.holds is Holds.DATE else ""
        between = table.either + (on if before.endswith(f" {on}") else "")
    ways = ["former" if first else "latter"]
    holds = field.traits.holds
    if holds in _ORDERED and isinstance(value, str) and isinstance(other, str):
        less = float(value) < float(other) if holds is Holds.NUMBER else value < other
        ways.append(_ORDERED[holds][0 if less else 1])
    pick = random.choice(table.picks[random.choice(ways)])
    behind += frames(language).gap + pick
    kept = [Piece(field.id, before, pair[0], between, other=not first)]
    kept.append(Piece(field.id, "", pair[1], behind, other=first, joined=True))
    return tuple(kept)


def over(field: Field, value: Value, other: Value, random: Random, language: str) -> Unit:
    """Say what was until lately, and in the next sentence what has been since."""
    table = choices(language)
    texts = table.overs.get(f"{field.fill}:{field.id}") or table.overs[field.fill]
    before, _, rest = random.choice(texts).partition("{other}")
    between, _, behind = rest.partition("{value}")
    return (
        Piece(field.id, before, reworded(field, other, random, language), between, other=True),
        Piece(field.id, "", reworded(field, value, random, language), behind, joined=True),
    )


def corrected(
    field: Field, value: Value, other: Value, random: Random, language: str
) -> tuple[Unit, Unit]:
    """Say another value as if it were right, and in a unit for later that it has to change."""
    table = choices(language)
    wrong = stated(field, other, random, reworded(field, other, random, language), language)
    early = (msgspec.structs.replace(wrong, other=True),)
    text = random.choice(table.corrections)
    own, far = reworded(field, value, random, language), wrong.surface
    parts: Iterator[tuple[str, Surface, bool]]
    if text.index("{old}") < text.index("{new}"):
        before, _, rest = text.partition("{old}")
        between, _, behind = rest.partition("{new}")
        parts = iter([(before, far, True), (between, own, False)])
    else:
        before, _, rest = text.partition("{new}")
        between, _, behind = rest.partition("{old}")
        parts = iter([(before, own, False), (between, far, True)])
    late = [
        Piece(field.id, lead, surface, "", other=is_other, joined=number > 0)
        for number, (lead, surface, is_other) in enumerate(parts)
    ]
    late[-1] = msgspec.structs.replace(late[-1], behind=behind)
    return early, tuple(late)


def listed(
    field: Field, value: Value, other: Value, random: Random, language: str, *, level: str
) -> Unit:
    """Say in a form letter's list what applies and what does not, in any order."""
    table = choices(language)
    if level == "labelled":
        own, far = (labelled(field, item, random, language) for item in (value, other))
    else:
        own, far = (noted(field, item, random, None, language) for item in (value, other))
    lines = []
    for piece, lead in ((own, table.applies), (far, table.struck)):
        before = f"{lead}{piece.before}"
        lines.append(msgspec.structs.replace(piece, before=before, other=piece is far))
    random.shuffle(lines)
    return tuple(lines)
