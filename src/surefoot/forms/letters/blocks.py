"""
Gather what belongs together into blocks, with values among them that belong to nobody.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Final, Literal, TypeAlias

import msgspec

from surefoot.forms.instance import Instance, TaskDocument
from surefoot.forms.letters.deriving import derived
from surefoot.forms.letters.pieces import Piece, labelled, noted, stated
from surefoot.forms.letters.surfaces import Surface
from surefoot.forms.letters.tables import Distractor, distractors, frames
from surefoot.forms.specification import Field, Form, Kind
from surefoot.forms.values.dates import read_date

__all__ = ["Block", "Heading", "blocks_of", "worked_out"]

Heading: TypeAlias = Literal["person", "matter", "text", "file", "box"]
_RANKS: Final[Mapping[Heading, int]] = {"person": 0, "matter": 1, "text": 1, "file": 2, "box": 3}
_PERSONAL: Final = ("person.", "address.")
_FEWEST_DERIVED, _MOST_DERIVED = 2, 4
_SHORT: Final = 2  # pieces below which a block joins the one before
_STRAYS: Final = {"labelled": 1, "paraphrased": 2, "derived": 2}


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
    keys.sort(key=lambda each: (_RANKS[each[0]], each[1] not in frames().writers))
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
    able = [each for each in distractors() if any(_like(each, field) for field in form.fields)]
    wanted = random.sample(able, min(_STRAYS[level], len(able)))
    places = [n for n, each in enumerate(blocks) if each.heading in {"person", "matter"}]
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
