"""
How a family writes its answers: the inverse of its reader, as templates.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

import msgspec

from surefoot.core.errors import InvalidInputError

PLACEHOLDER = re.compile(r"\{(x|y|left|top|right|bottom|quoted|thought|answer|rest)\}")
AXES = ("x", "y")
SIDES = ("left", "top", "right", "bottom")


class ReplySpelling(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold the templates of a family's answers; other braces than the placeholders' are literal.

    ``point`` has {x} and {y}, ``box`` has {left}, {top}, {right} and {bottom}; either is ""
    where the family's prompt asks for the other alone. ``refusal`` may have {quoted}, the reason
    as a JSON string. ``reasoned`` has {answer}, or {rest} for all of it but its first letter,
    and {thought}, or {quoted} for it as a JSON string. Coordinates are rounded to ``decimals``,
    and have at least ``digits`` digits, and at most so many where that is more than 1.

    >>> ReplySpelling(point="({x}, {y})").place((12.4, 7.6))
    '(12, 8)'
    """

    point: str = ""
    box: str = ""
    refusal: str = '{"refusal": {quoted}}'
    reasoned: str = "{thought}\n{answer}"
    decimals: int = 0
    digits: int = 1

    def place(self, numbers: Sequence[float]) -> str:
        """
        Spell a point (two numbers) or a box (four) of the family's own space.

        Raises InvalidInputError where the family's prompt does not ask for it.
        """
        names, template = (AXES, self.point) if len(numbers) == len(AXES) else (SIDES, self.box)
        if not template:
            asked, given = ("box", "point") if self.box else ("point", "box")
            raise InvalidInputError(
                f"a {asked}, which this format's prompt asks for",
                found=f"a {given}",
                remedy=f"give a {asked}",
            )
        spelled = map(self._number, numbers)
        return _filled(template, dict(zip(names, spelled, strict=True)))

    def declined(self, reason: str) -> str:
        """Spell a refusal; some families have no room for the reason."""
        return _filled(self.refusal, {"quoted": _quoted(reason)})

    def behind(self, thought: str, answer: str) -> str:
        """Put a thought before an answer, as the prompt that asks to reason first has it."""
        values = {"thought": thought, "quoted": _quoted(thought)}
        return _filled(self.reasoned, values | {"answer": answer, "rest": answer[1:]})

    def _number(self, value: float) -> str:
        most = 10**self.digits - 1 if self.digits > 1 else float("inf")
        return f"{min(round(float(value), self.decimals), most):.10g}".zfill(self.digits)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _filled(template: str, values: dict[str, str]) -> str:
    return PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), template)
