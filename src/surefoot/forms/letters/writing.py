"""
Write the letter, the résumé, the e-mails or the notes that a person would hand over.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias, get_args

import msgspec

from surefoot.core.errors import UnknownNameError
from surefoot.core.registry import suggest
from surefoot.core.seeds import random_source
from surefoot.forms.instance import Instance, TaskDocument, ValueSpan
from surefoot.forms.letters.blocks import blocks_of
from surefoot.forms.letters.layouts import LAYOUTS
from surefoot.forms.letters.pieces import Piece
from surefoot.forms.letters.tables import frames
from surefoot.forms.specification import Form

__all__ = ["KINDS", "LEVELS", "Level", "Sort", "kinds_of", "write_document"]

Sort: TypeAlias = Literal["letter", "resume", "thread", "notes"]
Level: TypeAlias = Literal["labelled", "paraphrased", "derived"]
KINDS: Final[tuple[Sort, ...]] = get_args(Sort)
LEVELS: Final[tuple[Level, ...]] = get_args(Level)


def kinds_of(form: Form) -> tuple[Sort, ...]:
    """Return the kinds of document that suit a form: a résumé for a job, notes for a bug."""
    table = frames().kinds
    return msgspec.convert(table.get(form.id) or table["default"], tuple[Sort, ...])


def write_document(
    form: Form,
    instance: Instance,
    *,
    kind: Sort | None = None,
    level: Level,
    seed: int,
) -> TaskDocument:
    """
    Write a document that says every value of an instance, with the span of each.

    The same arguments give the same characters. "labelled" puts the field's English label,
    or a usual other one, before each value; "paraphrased" says it in a sentence and in any
    surface form; "derived" lets up to four values follow from what is said, and fewer than
    two where the form has no date, amount or option that allows it. Without ``kind``, the
    seed chooses one that suits the form. Raises UnknownNameError for another kind or level.
    """
    _check("a kind of document", kind or KINDS[0], KINDS)
    _check("a level", level, LEVELS)
    uses = ("letters", form.id, str(instance.seed), str(instance.index), level)
    able = kinds_of(form)
    chosen = random_source(seed, *uses, "kind").choice(able) if kind is None else kind
    empty = TaskDocument(kind=chosen, level=level, text="", spans=())
    random = random_source(seed, *uses, chosen)
    blocks = blocks_of(form, instance, empty, random)
    return _assembled(empty, LAYOUTS[chosen](form, blocks, level, random))


def _check(what: str, name: str, known: tuple[str, ...]) -> None:
    if name not in known:
        raise UnknownNameError(what, found=f"'{name}'", remedy=suggest(name, list(known)))


def _assembled(empty: TaskDocument, pieces: Iterable[Piece]) -> TaskDocument:
    """Join pieces into a text, and count where each value comes to stand."""
    text: list[str] = []
    spans: list[ValueSpan] = []
    length = 0
    for piece in pieces:
        start = length + len(piece.before)
        end = start + len(piece.surface.text)
        if piece.field:
            spans.append(ValueSpan(piece.field, start, end, piece.surface.how))
        text += [piece.before, piece.surface.text, piece.behind]
        length = end + len(piece.behind)
    return msgspec.structs.replace(empty, text="".join(text), spans=tuple(spans))
