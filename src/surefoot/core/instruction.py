"""
What a person is asked to do, with the logical form that proves it.
"""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = ["Action", "Direction", "Expression", "Instruction", "InstructionKind"]

Action = Literal["click", "type", "select"]
Direction = Literal["above", "below", "left of", "right of"]
InstructionKind = Literal["direct", "relational"]


class Expression(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    State the logical form of a referring expression; every part that is given must hold.

    ``name`` may be a beginning of the accessible name where ``name_cut`` is true.
    ``direction`` and ``landmark`` stand together: the element lies in that direction of
    the landmark. The landmark is an expression of its own.
    """

    role: str = ""
    name: str = ""
    name_cut: bool = False
    text: str = ""
    direction: Direction | None = None
    landmark: Expression | None = None


class Instruction(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    Pair the words with the expression that they realise and the target that satisfies it.

    ``value`` is what to type or select, "" for a click. ``name_visible`` is false where
    the words use a name that cannot be read in the picture.
    """

    text: str
    language: str
    kind: InstructionKind
    specificity: Literal["high", "medium", "low"]
    expression: Expression
    target: str
    action: Action = "click"
    value: str = ""
    landmark: str = ""
    name_visible: bool = True
