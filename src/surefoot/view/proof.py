"""
Why an instruction means its target: the parts of its expression, counted out on the screen.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import numpy as np

from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.core.instruction import Expression
from surefoot.core.question import Question
from surefoot.refer.judge.verdict import judge
from surefoot.refer.languages.tables import ENGLISH
from surefoot.refer.resolve.resolve import fits
from surefoot.refer.say.realise import referred
from surefoot.refer.scene.scene import Scene

_PLAIN = (
    "role", "name", "text", "label", "state", "function", "colour", "shape", "content", "icon",
    "ink", "outline",
)  # fmt: skip
_LEANING = ("container", "region")
_RANKING = ("size", "ordinal", "landmark")


class ProofStep(msgspec.Struct, frozen=True):
    """Say one part of an expression in words, and how many elements fit it and all before."""

    words: str
    left: int


class LabelProof(msgspec.Struct, frozen=True):
    """
    Hold the proof of a label: how many elements can be seen, the steps, and the verdicts.

    ``means`` tells whether the target alone is left; ``second`` is what the second resolver,
    which shares no code with the first, says.
    """

    visible: int
    steps: tuple[ProofStep, ...]
    means: bool
    second: str


def prove_label(question: Question, scene: Scene) -> LabelProof | None:
    """Count a question's expression out on its screen; None where it has none to prove."""
    instruction, expression = question.instruction, question.instruction.expression
    target = scene.place.get(instruction.target)
    if target is None or expression == Expression():
        return None
    steps = []
    so_far = Expression()
    try:
        for words, part in _parts(expression):
            so_far = msgspec.structs.replace(so_far, **part)
            steps.append(ProofStep(words, int(fits(scene, so_far, "strict").sum())))
        left = np.flatnonzero(fits(scene, expression, "strict"))
        verdict = judge(expression, instruction.target, scene.screen, scene.pixels)
    except InvalidInputError:  # an expression of another making, whose parts do not fit
        return None
    return LabelProof(
        visible=int(scene.plain.sum()),
        steps=tuple(steps),
        means=left.tolist() == [target],
        second="agrees" if verdict.valid else f"does not agree: {verdict.why}",
    )


def part_words(name: str, expression: Expression) -> str:
    """
    Say one part of an expression as what is true of the target.

    >>> part_words("name", Expression(role="link", name="Sign in"))
    'its name is “Sign in”'
    >>> part_words("landmark", Expression(direction="above", landmark=Expression(text="Total")))
    "it is directly above 'Total'"
    """
    value = getattr(expression, name)
    match name:
        case "role":
            return "it can be acted on" if value == "control" else f"its role is {value}"
        case "name":
            return f"its name {'begins with' if expression.name_cut else 'is'} “{value}”"
        case "container":
            return f"it is in {_said(value)}"
        case "region":
            return f"it is in the {value.place} of the {value.of}"
        case "ordinal":
            return _counted(expression)
        case "size":
            return f"it is the {value} of these"
        case "landmark":
            return f"it is {_relation(expression)}"
    plain = {
        "text": "its text is",
        "label": "beside it stands",
        "icon": "it shows",
        "ink": "its words are",
    }
    return f"{plain.get(name, f'its {name} is')} “{value}”"


def _parts(expression: Expression) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield the parts that are given, those that rank the others last."""
    together = {
        "name": ("name", "name_cut"),
        "landmark": ("landmark", "direction", "relation", "second"),
    }
    for name in (*_PLAIN, *_LEANING, *_RANKING):
        if getattr(expression, name):
            fields = together.get(name, (name,))
            yield (
                part_words(name, expression),
                {field: getattr(expression, field) for field in fields},
            )


def _counted(expression: Expression) -> str:
    ordinal = expression.ordinal
    if ordinal is None:
        return ""
    row = f", row {ordinal.row}" if ordinal.row else ""
    from_end = " from the end" if ordinal.position < 0 else ""
    position = f"{abs(ordinal.position)}{from_end}"
    return f"it is number {position} of these in the {ordinal.order}{row}"


def _relation(expression: Expression) -> str:
    landmark = _said(expression.landmark)
    if expression.relation == "between":
        return f"between {landmark} and {_said(expression.second)}"
    if expression.relation == "nearest":
        return f"the nearest of these to {landmark}"
    direction = expression.direction or "beside"
    return f"directly {'to the ' if direction.endswith(' of') else ''}{direction} {landmark}"


def _said(expression: Expression | None) -> str:
    if expression is None:
        return "nothing"
    try:
        return referred(ENGLISH, expression)
    except (InvalidInputError, UnknownNameError):  # words that no English sentence can hold
        return f"“{expression.text or expression.name or expression.role}”"
