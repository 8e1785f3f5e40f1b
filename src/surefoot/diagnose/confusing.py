"""
Why an element confuses a model, in two or three sentences, from what a diagnosis knows.

They say what was clicked, what that shares with the target, which parts of the instruction
fit it as well, what else nearly fits, what shrinking left, and what was hit. They are facts
about the screen and the replies: what goes on inside the model nobody sees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec
import numpy as np

from surefoot.core.geometry import Point
from surefoot.core.instruction import LOOKS, Expression
from surefoot.diagnose.features.target import HOLDERS
from surefoot.diagnose.findings import FailingInstruction, ShrunkInstruction
from surefoot.diagnose.search.arms import ArmResult
from surefoot.diagnose.search.moves import MOVES, NO_MOVE, Moves
from surefoot.failures.landing import control_at, landed_at
from surefoot.refer.resolve.looks import colour_of
from surefoot.refer.resolve.resolve import fits, without_rank
from surefoot.refer.resolve.sizes import parts_of, without
from surefoot.refer.scene.names import alike
from surefoot.refer.scene.scene import Scene
from surefoot.score.truths import place_of

LIKE_SIZE: Final = 1.25  # times either side
LONGEST: Final = 60  # letters of a name
_QUOTED: Final = ("name", "text", "label")
_SHOWN: Final = ("role", *LOOKS)


def why_it_confuses(
    scene: Scene,
    failing: FailingInstruction,
    tried: Sequence[ArmResult],
    shrunk: Sequence[ShrunkInstruction],
    moves: Moves,
) -> str:
    """
    Say why an element confuses the model, by one of its failing instructions.

    ``tried`` is all that was asked about the element, ``shrunk`` what its failures were
    reduced to. The target must be on the scene.
    """
    point = place_of(failing.parsed)
    target = scene.place[failing.instruction.target]
    sentences = [_clicked(scene, failing, point, target)]
    there = None if point is None else _under(scene, point)
    if there is not None and not scene.kin(target)[there]:
        sentences.append(f"{_shared(scene, target, there)}; {_fitting(scene, failing, there)}")
    sentences.append(f"{_smallest(failing, shrunk)}{_hits(tried, moves)}")
    return " ".join(f"{sentence[:1].upper()}{sentence[1:]}." for sentence in sentences)


def _under(scene: Scene, point: Point) -> int | None:
    """Return the control under a point, or else the smallest element there."""
    control = control_at(scene, point)
    return landed_at(scene, point) if control is None else control


def _clicked(scene: Scene, failing: FailingInstruction, point: Point | None, target: int) -> str:
    """Say where the click is, and what a rule made of it."""
    if point is None:
        why = f": {failing.why}" if failing.why else ""
        return f"it named no place ({failing.taxonomy}{why})"
    there = _under(scene, point)
    what = "nothing" if there is None else _called(scene, there)
    if there is not None and scene.kin(target)[there]:
        within = target in scene.below(there)
        what = f"{what}, {'which holds the target' if within else 'a part of the target'}"
    why = f" ({failing.taxonomy}: {failing.why})" if failing.why else f" ({failing.taxonomy})"
    return f"the click is on {what}, {_away(scene, point, target)}{why}"


def _away(scene: Scene, point: Point, target: int) -> str:
    """Say how far a point lies from the middle of the target, along the longer way."""
    middle = scene.elements[target].box.center
    x, y = ((item - other) / scene.screen.scale for item, other in
            ((point.x, middle.x), (point.y, middle.y)))  # fmt: skip
    if abs(x) >= abs(y):
        return f"{abs(x):.0f} px to the {'left' if x < 0 else 'right'} of the target's middle"
    return f"{abs(y):.0f} px {'above' if y < 0 else 'below'} the target's middle"


def _called(scene: Scene, place: int) -> str:
    element = scene.elements[place]
    words = scene.names[place] or scene.texts[place]
    words = words if len(words) <= LONGEST else f"{words[: LONGEST - 3]}..."
    return f"the {element.role} '{words}'" if words else f"a {element.role} without words"


def _shared(scene: Scene, target: int, place: int) -> str:
    """Say what another element has in common with the target."""
    found = list(_in_common(scene, target, place))
    if not found:
        return "it shares neither role, words, size, colour nor holder with the target"
    return f"it shares with the target its {_listed(found)}"


def _in_common(scene: Scene, target: int, place: int) -> Iterator[str]:
    one, other = scene.elements[target], scene.elements[place]
    if one.role == other.role:
        yield f"role ({one.role})"
    words = [word for word in sorted(scene.labels[target]) for label in scene.labels[place]
             if alike(word, label)]  # fmt: skip
    if words:
        yield f"words ('{words[0][:LONGEST]}')"
    sides = np.array([[box.width, box.height] for box in (one.box, other.box)])
    if (sides.max(axis=0) <= LIKE_SIZE * sides.min(axis=0)).all():
        width, height = sides[0] / scene.screen.scale
        yield f"size ({width:.0f} x {height:.0f} px)"
    colour = colour_of(scene, target)
    if colour and colour == colour_of(scene, place):
        yield f"colour ({colour})"
    held = set(scene.above(target)) & set(scene.above(place))
    roles = {scene.elements[above].role for above in held}
    yield from (f"holder ({title})" for title, known in HOLDERS.items() if known & roles)


def _fitting(scene: Scene, failing: FailingInstruction, place: int) -> str:
    """Say which parts of the instruction fit an element, and how many others nearly fit."""
    expression = failing.instruction.expression
    loose = {match.element: match.parts for match in failing.matches}
    apart = loose.pop(scene.elements[place].id, ())
    if apart:
        unlike = [part for part in apart if not _fits_alone(scene, expression, part, place)]
        difference = " or ".join(_part(expression, part) for part in unlike or apart)
        words = f"all of the instruction fits it but {difference}"
    else:
        alone = {
            part: _fits_alone(scene, expression, part, place) for part in parts_of(expression)
        }
        words = _alone_words(expression, alone)
    if loose:
        more = "other elements fit" if len(loose) > 1 else "other element fits"
        words += f", and {len(loose)} {more} all but a part"
    return words


def _alone_words(expression: Expression, alone: Mapping[str, bool | None]) -> str:
    """Say which parts fit an element by themselves, and which do not."""
    fit = [_part(expression, part) for part, fits_it in alone.items() if fits_it]
    unfit = [_part(expression, part) for part, fits_it in alone.items() if fits_it is False]
    if not fit:
        return "nothing of the instruction fits it by itself"
    words = f"of the instruction {_listed(fit)} {'fits' if len(fit) == 1 else 'fit'} it"
    return (
        f"{words}, {_listed(unfit)} {'does' if len(unfit) == 1 else 'do'} not" if unfit else words
    )


def _fits_alone(scene: Scene, expression: Expression, part: str, place: int) -> bool | None:
    """Tell whether one part alone fits an element; None of a part that ranks what others fit."""
    rest = without(expression, part)
    own = {
        name: getattr(expression, name)
        for name in expression.__struct_fields__
        if getattr(rest, name) != getattr(expression, name)
    }
    alone = msgspec.structs.replace(Expression(), **own)
    return None if without_rank(alone) != alone else bool(fits(scene, alone, "lenient")[place])


def _part(expression: Expression, part: str) -> str:
    """Say a part of an expression as an instruction bears it."""
    value = getattr(expression, part)
    if part in _QUOTED or part in _SHOWN or part == "function":
        return f"'{value}'"
    if part == "landmark":
        return f"'{expression.direction or expression.relation}'"
    return {"ordinal": "the count", "region": "the region", "container": "what holds it"}[part]


def _smallest(failing: FailingInstruction, shrunk: Sequence[ShrunkInstruction]) -> str:
    """Say what the failing instruction was shrunk to."""
    reduced = next(
        (instruction for instruction in shrunk if instruction.of == failing.question), None
    )
    if reduced is None:
        return "it was not shrunk"
    if not reduced.steps:
        return "nothing of the instruction can be left out" if reduced.minimal else (
            "nothing of the instruction could be left out within the budget"
        )  # fmt: skip
    how = reduced.failing.instruction.text
    return f'it still fails as "{how}" ({"; ".join(reduced.steps)})'


def _hits(tried: Sequence[ArmResult], moves: Moves) -> str:
    """Say by which moves the element was hit; "" where it never was."""
    asked: Counter[str] = Counter()
    hit: Counter[str] = Counter()
    for result in tried:
        if result.answered:
            made = [MOVES[move] for move in moves.of(result.arm.question)] or [NO_MOVE]
            asked.update(made)
            hit.update(() if result.missed else made)
    hits = [
        f"{words} ({hit[words]} of {asked[words]})"
        for words in (*MOVES.values(), NO_MOVE)
        if hit[words]
    ]
    return f", and it was hit in spite of {_listed(hits)}" if hits else ", and it was never hit"


def _listed(words: Sequence[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
