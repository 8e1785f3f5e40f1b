"""
What an instruction about one element is like, as names that a bandit can learn about.

All of them are facts about the expression, the target and the screen; none looks at an
answer. Lengths are in image pixels of a screen at scale 1, or in lines of a landmark's
text, as in docs/expressions.md.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Final

import numpy as np

from surefoot.core.instruction import Expression
from surefoot.core.perturbation import variant_title
from surefoot.core.question import Question
from surefoot.core.screen import INTERACTIVE_ROLES
from surefoot.diagnose.search.phrases import FEATURES, FeaturePhrase
from surefoot.diagnose.search.quotes import quotes_of
from surefoot.refer.resolve.landmarks import landmark_place
from surefoot.refer.resolve.looks import colour_of
from surefoot.refer.resolve.relations import text_unit
from surefoot.refer.scene.geometry import Mask, distances
from surefoot.refer.scene.names import alike
from surefoot.refer.scene.scene import Scene

NEAR_LINES: Final = 1.0
FAR_LINES: Final = 3.0
LOOK_ALIKE: Final = 1.25  # times the area: the step that the lenient reading of a size allows
LOOK_ALIKE_PX: Final = 200.0
CROWDED_PX: Final = 8.0
SMALL_PX: Final = 24.0  # the least side that accessibility guidelines ask of a target
LARGE_PX: Final = 96.0
FEW: Final = 4
DARK: Final = 96  # of 255, the median of all channels
PLAIN: Final = frozenset(" .,;:!?'\"()-")
FIELDS: Final = frozenset({"combobox", "searchbox", "spinbutton", "textbox"})
TOGGLES: Final = frozenset({
    "checkbox", "menuitemcheckbox", "menuitemradio", "radio", "switch",
})  # fmt: skip
PROSE_WORDS: Final = 3  # beside a target, from which on it stands in running text
TOGETHER: Final = {
    "above": ("above or below", "above or left of"),
    "below": ("above or below", "below or right of"),
    "left of": ("left or right of", "above or left of"),
    "right of": ("left or right of", "below or right of"),
}
HOLDERS: Final = {
    "a table": frozenset(
        {"cell", "columnheader", "grid", "gridcell", "row", "rowheader", "table"}
    ),
    "a list": frozenset({"list", "listbox", "listitem"}),
    "a menu": frozenset({"menu", "menubar", "navigation", "tree"}),
    "a paragraph": frozenset({"blockquote", "paragraph"}),
    "a heading": frozenset({"heading"}),
    "a header": frozenset({"banner"}),
    "a footer": frozenset({"contentinfo"}),
    "a side bar": frozenset({"complementary"}),
    "the main part": frozenset({"article", "main"}),
    "a row of tabs": frozenset({"tablist"}),
    "another control": INTERACTIVE_ROLES,
    "a toolbar": frozenset({"toolbar"}),
    "a form": frozenset({"form", "search", "group", "radiogroup"}),
    "a window": frozenset({"alertdialog", "dialog", "window"}),
}


def features_of(question: Question, scene: Scene) -> tuple[str, ...]:
    """Return the names of what a question is like, sorted, each "family:value"."""
    found = [*_said(question), *_landmark(question, scene)]
    place = scene.place.get(question.instruction.target)
    if place is not None:
        found += [*_around(scene, place), *_target(scene, place)]
    return tuple(sorted(set(found)))


def words_of(feature: str, *, lacks: bool = False) -> str:
    """
    Say a feature in words, or that it is not there.

    >>> words_of("direction:left of"), words_of("part:name", lacks=True)
    ("instructions that say 'left of'", 'instructions without a name')
    """
    family, _, value = feature.partition(":")
    value = variant_title(value) if family == "view" else value
    phrase = FEATURES.get(family, FeaturePhrase("{}"))
    words = (phrase.lacks or f"all but {phrase.has}") if lacks else phrase.has
    return words.format(value or family)


def rivals(scene: Scene, place: int) -> Mask:
    """Tell which elements are surely seen controls of an element's role, itself left out."""
    role = scene.elements[place].role
    same = np.array([element.role == role for element in scene.elements], dtype=bool)
    found: Mask = scene.plain & same & scene.thing & ~scene.kin(place)
    return found


def _said(question: Question) -> Iterator[str]:
    instruction = question.instruction
    expression = instruction.expression
    yield f"kind:{instruction.kind}"
    yield f"specificity:{instruction.specificity}"
    yield f"role:{question.role}"
    yield f"action:{instruction.action}"
    yield from (f"text:{signs}" for signs in _signs(instruction.text))
    quotes = list(quotes_of(expression))
    yield f"words:{('no words', 'words once', 'words twice or more')[min(len(quotes), 2)]}"
    yield from (f"quote-text:{signs}" for signs in _signs("".join(quotes[:1])))
    yield from (f"part:{part}" for part in _parts(expression))
    if expression.direction:
        yield f"direction:{expression.direction}"
        yield from (f"directions:{two}" for two in TOGETHER[expression.direction])
    if expression.relation:
        yield f"relation:{expression.relation}"
    if expression.ordinal:
        yield f"order:{expression.ordinal.order}"
        yield f"position:{_position(expression.ordinal.position)}"
    if expression.region:
        yield f"region:of the {expression.region.of}"
    if question.cell.variant not in ("original", "base"):
        yield f"view:{question.cell.variant}"
    if instruction.wording:
        yield f"wording:{instruction.wording}"


def _signs(text: str) -> Iterator[str]:
    """Tell which signs words have besides plain letters and marks."""
    if any(sign.isdigit() for sign in text):
        yield "a digit"
    if any(sign.isalpha() and not sign.isascii() for sign in text):
        yield "letters beyond English"
    if any(one.islower() and two.isupper() for one, two in itertools.pairwise(text)):
        yield "a capital inside a word"
    symbols = any(sign not in PLAIN and not sign.isalnum() for sign in text)
    if symbols:
        yield "symbols"
    if symbols or any(sign.isdigit() for sign in text):
        yield "digits or symbols"
    if not all(sign.isalpha() or sign.isspace() for sign in text):
        yield "more than letters"


def _parts(expression: Expression) -> Iterator[str]:
    if expression.role not in ("", "control"):
        yield "role"
    for part in ("name", "text", "label", "colour", "shape", "size", "content", "state"):
        if getattr(expression, part):
            yield part
    for part in ("function", "landmark", "direction", "ordinal", "region"):
        if getattr(expression, part):
            yield part
    if expression.container:
        yield "container"
    if expression.name_cut:
        yield "beginning of a name"


def _position(position: int) -> str:
    if position < 0:
        return "last" if position == -1 else "end, backwards"
    return {1: "first", 2: "second"}.get(position, "third or later")


def _landmark(question: Question, scene: Scene) -> Iterator[str]:
    landmark = question.instruction.expression.landmark
    place = scene.place.get(question.instruction.target)
    if landmark is None or place is None:
        return
    there = landmark_place(scene, landmark)
    if there is None:
        return
    yield f"landmark:{'a control' if scene.thing[there] else 'plain text'}"
    yield f"landmark-role:{scene.elements[there].role}"
    if question.role in {scene.elements[at].role for at in (there, *scene.above(there))}:
        yield "landmark-like"
    lines = distances(scene.boxes[place : place + 1], scene.text_boxes[there])[0]
    lines /= max(text_unit(scene.elements[there]), 1.0)
    near = "next to it" if lines <= NEAR_LINES else "near"
    yield f"landmark-distance:{near if lines <= FAR_LINES else 'far away'}"


def _target(scene: Scene, place: int) -> tuple[str, ...]:
    """Describe what a target is and shows; kept with the scene, as many questions are about it."""
    if place not in scene.described:
        scene.described[place] = tuple(_described(scene, place))
    return scene.described[place]


def _described(scene: Scene, place: int) -> Iterator[str]:
    element = scene.elements[place]
    words = scene.texts[place]
    field = element.role in FIELDS
    yield f"shows:{'words' if words else 'no words' if field else 'a picture alone'}"
    if field:
        yield "field"
    if element.role in TOGGLES:
        yield "toggle"
    yield from (f"state:{state}" for state in element.states)
    yield from (name for name, holds in _standing(scene, place) if holds)
    if case := _case(element.name):
        yield f"name-case:{case}"
    yield from (f"name-text:{signs}" for signs in _signs(element.name))
    holders = {scene.elements[above].role for above in scene.above(place)}
    yield from (f"within:{title}" for title, roles in HOLDERS.items() if holders & roles)
    if colour := colour_of(scene, place):
        yield f"colour:{colour}"
    if scene.screen.platform:
        yield f"platform:{scene.screen.platform}"
    if scene.pixels is not None:
        dark = float(np.median(scene.pixels[::8, ::8])) < DARK
        yield f"theme:{'dark' if dark else 'light'}"


def _standing(scene: Scene, place: int) -> Iterator[tuple[str, bool]]:
    """Tell of a target how it stands on its page."""
    element = scene.elements[place]
    yield "floating", "floating" in element.attributes
    yield "ground", "background" in element.attributes
    yield "prose", _in_prose(scene, place)
    yield "untypical", not bool(scene.typical[place])
    yield "unread", bool(scene.names[place]) and not alike(scene.names[place], scene.texts[place])


def _in_prose(scene: Scene, place: int) -> bool:
    """Tell whether what holds a target has words of its own on the target's lines."""
    element = scene.elements[place]
    holder = scene.place.get(element.parent)
    if holder is None or not element.text_boxes or not scene.texts[place]:
        return False
    middle = element.text_boxes[0].center.y
    beside = [
        line for line in scene.elements[holder].text_boxes if line.top < middle < line.bottom
    ]
    more = len(scene.texts[holder].split()) - len(scene.texts[place].split())
    return bool(beside) and more >= PROSE_WORDS


def _case(name: str) -> str:
    letters = [letter for letter in name if letter.isalpha()]
    if len(letters) < 2:  # noqa: PLR2004 - one letter has no case to tell
        return ""
    if name.isupper() or name.islower():
        return "capitals" if name.isupper() else "small letters"
    return "Title Case" if name.istitle() and " " in name else ""


def _around(scene: Scene, place: int) -> Iterator[str]:
    scale = scene.screen.scale
    same = rivals(scene, place)
    count = int(same.sum())
    yield f"rivals:{'no' if not count else 'few' if count <= FEW else 'many'}"
    box = scene.elements[place].box
    side = min(box.width, box.height) / scale
    yield f"area:{'small' if side < SMALL_PX else 'large' if side >= LARGE_PX else 'medium'}"
    apart = distances(scene.boxes, scene.boxes[place])
    areas = np.prod(scene.boxes[:, 2:] - scene.boxes[:, :2], axis=1)
    near = same & (apart <= LOOK_ALIKE_PX * scale)
    if (areas[near] >= LOOK_ALIKE * areas[place]).any():
        yield "look-alike:larger"
    if (areas[near] * LOOK_ALIKE <= areas[place]).any():
        yield "look-alike:smaller"
    others = scene.thing & scene.plain & ~scene.kin(place)
    if (apart[others] <= CROWDED_PX * scale).any():
        yield "crowded"
