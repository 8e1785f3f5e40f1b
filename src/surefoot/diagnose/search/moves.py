"""
The four moves of the Diagnosis Agent: traps that an instruction sets on its screen.

"Do GUI Grounders Truly Understand UI Elements?" (section 4) names spatial phrasing traps with
nearby elements, visual look-alikes, functional overlaps, and nearby text, and leaves them to a
model. The definitions are ours, of what is on the screen; ``near`` is 100 px.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from surefoot.core.instruction import LOOKS, Expression
from surefoot.core.question import Question
from surefoot.diagnose.features.asked import quotes_of
from surefoot.diagnose.features.target import Target, share_a_word
from surefoot.diagnose.findings import Move
from surefoot.refer.resolve.resolve import fits
from surefoot.refer.resolve.sizes import without
from surefoot.refer.scene.geometry import Mask
from surefoot.refer.scene.names import key_of
from surefoot.refer.scene.scene import Scene
from surefoot.refer.scene.scenes import Scenes

# In the order in which they are tried while nothing tells them apart.
MOVES: Final[dict[Move, str]] = {
    "spatial": "spatial phrasing trap",
    "look-alike": "visual look-alike",
    "overlap": "functional overlap",
    "nearby text": "nearby text",
}
NO_MOVE: Final = "none of the four"
_PLACES: Final = ("landmark", "ordinal", "region", "container")


class Moves:
    """Tell which moves questions make; what was found is kept."""

    def __init__(self, scenes: Scenes) -> None:
        self._scenes = scenes
        self._found: dict[str, tuple[Move, ...]] = {}

    def of(self, question: Question) -> tuple[Move, ...]:
        """Return the moves of a question, in the order of ``MOVES``; none without its target."""
        if question.id not in self._found:
            scene, asked = self._scenes.scene(question.screen), question.instruction
            place = scene.place.get(asked.target)
            found = () if place is None else moves_of(scene, asked.expression, place)
            self._found[question.id] = tuple(found)
        return self._found[question.id]


def moves_of(scene: Scene, expression: Expression, place: int) -> Iterator[Move]:
    """
    Yield the moves that an expression makes for its target (by its place).

    Another control is what traps. Spatial: it is near, and all but the place fits it.
    Look-alike: it has the target's role and size, and all but the looks fits it. Overlap: it has
    the function that is said, or the role of a target that is named, and shares a word of its
    name. Nearby text: words that are quoted stand near the target, and not on it.
    """
    target = Target(scene, place)
    if (_rest(scene, expression, _PLACES) & target.others & target.around).any():
        yield "spatial"
    if (_rest(scene, expression, LOOKS) & target.twins).any():
        yield "look-alike"
    if expression.function:
        serving = Expression(function=expression.function)
        overlaps = fits(scene, serving, "lenient") & target.others
    elif expression.name or expression.label:
        shares = [share_a_word(target.name, name) for name in scene.names]
        overlaps = target.same & np.array(shares, dtype=bool)
    else:
        overlaps = np.zeros(len(scene.elements), dtype=bool)
    if overlaps.any():
        yield "overlap"
    quoted = [f" {' '.join(key_of(words).words)} " for words in quotes_of(expression)]
    beside = np.flatnonzero(scene.plain & target.around & ~scene.kin(place))
    texts = (f" {' '.join(key_of(scene.texts[at]).words)} " for at in beside)
    if any(words.strip() and words in text for text in texts for words in quoted):
        yield "nearby text"


def _rest(scene: Scene, expression: Expression, parts: tuple[str, ...]) -> Mask:
    """Tell what an expression fits without some of its parts; nothing where it has none."""
    rest = expression
    for part in parts:
        rest = without(rest, part)
    nothing = np.zeros(len(scene.elements), dtype=bool)
    return nothing if rest == expression else fits(scene, rest, "lenient")
