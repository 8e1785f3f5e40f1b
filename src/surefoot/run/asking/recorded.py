"""
Answers that were recorded before, where nothing can be asked anew.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from surefoot.core.question import Answer, Question
from surefoot.core.screen import Screen

# Of a form: the field's own label or whatever else is its own, another field, neither, no click.
Met: TypeAlias = Literal["", "label", "another field", "no field", "nothing"]


class RecordedClick(msgspec.Struct, frozen=True):
    """Pair a field that was to be filled in, as a question, with the click that went for it."""

    question: Question
    answer: Answer
    met: Met


class RecordedForms(msgspec.Struct, frozen=True):
    """
    Hold what a run over forms tells: who filled them in, each field's click, and the screens.

    ``unknown`` counts the fields that were filled in without a click.
    """

    agent: str
    clicks: tuple[RecordedClick, ...]
    screens: tuple[Screen, ...]
    unknown: int
