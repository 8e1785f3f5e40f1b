"""
What an agent activated, as the answer to a question.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from surefoot.capture.live.protocol import Activation, ClickScore
from surefoot.capture.live.serving import HeardActivation, ReadyPage
from surefoot.core.canonical import canonical_json
from surefoot.core.geometry import Box, Point
from surefoot.core.question import Answer, Parsed, Question, Refusal, Unparsed
from surefoot.core.screen import INTERACTIVE_ROLES, Screen

NOTHING: Final = Unparsed("nothing was activated")
BEFORE_IT: Final = Unparsed("something else was activated where the picture has the target")
MOST_WHAT: Final = 200  # letters; a page's script can send more than ours does
# A thing that does one thing and holds another is two elements under one node.
_ACTS: Final = "~act"


def met_element(chain: Sequence[str], screen: Screen, target: str, *, home: bool = True) -> str:
    """
    Return the recorded element that was activated, from the ids upwards; "" for none.

    That is the target if it is met before any other control; else the first control, or the
    first element of any other kind.

    >>> from surefoot.core.screen import Element
    >>> row, tick = (Element(name, role, Box(0, 0, 9, 9)) for name, role in
    ...              [("tr-1", "row"), ("input-2", "checkbox")])
    >>> screen = Screen("s", "p", "x", "", 9, 9, 1.0, "web", "en", (row, tick))
    >>> met_element(["span-9", "input-2", "tr-1"], screen, "tr-1")
    'input-2'
    >>> met_element(["td-3", "tr-1"], screen, "input-2")
    'tr-1'
    """
    roles = {element.id: element.role for element in screen.elements}
    other = ""
    for id in chain if home else ():  # noqa: A001
        for name in (id, id + _ACTS):
            if name == target:
                return target
        found = next((name for name in (id, id + _ACTS) if name in roles), "")
        if found and roles[found] in INTERACTIVE_ROLES:
            return found
        other = other or found
    return other


def activation_of(
    heard: HeardActivation, question: Question, screen: Screen, seconds: float
) -> Activation:
    """Read what a page heard: which element it was, and the pixel of the question's picture."""
    element = met_element(heard.chain, screen, question.instruction.target, home=heard.home)
    point = None
    if heard.place is not None and heard.width > 0:
        per_css = screen.width / heard.width
        point = (round(heard.place[0] * per_css, 2), round(heard.place[1] * per_css, 2))
    return Activation(element, heard.kind, point, heard.what[:MOST_WHAT], round(seconds, 3))


def moved_target(page: ReadyPage, question: Question, screen: Screen) -> float | None:
    """
    Return how far, in pixels, any side of the target lies from where the picture has it.

    None where the page does not have it.
    """
    per_css = screen.width / page.width if page.width > 0 else 0.0
    target, recorded = question.instruction.target, screen.element(question.instruction.target)
    box = next((met.box for met in page.elements if met.id == target), None)
    if box is None or recorded is None:
        return None
    sides = zip(box.as_tuple(), recorded.box.as_tuple(), strict=True)
    return round(max(abs(side * per_css - was) for side, was in sides), 2)


def answer_of(score: ClickScore, question: Question, screen: Screen, episode: str = "") -> Answer:
    """
    Spell how an episode ended as an answer in the picture's pixels, so that it can be scored.

    It is a hit exactly where the target was activated: there the point of the pointer, if it
    lies in the target, else the target's middle. What else was activated last is its own point,
    or its middle where that would lie in the target. ``episode`` names the trace, "" for none.
    """
    wrong = score.wrong
    record = {
        **({"episode": episode, "steps": score.steps} if episode else {}),
        "activations": score.activations,
        "wrong": wrong,
        "seconds": score.seconds,
        "moved": score.moved,
        **{name: text for name in ("refusal", "trouble") if (text := str(getattr(score, name)))},
    }
    return Answer(question.id, canonical_json(record).decode(), _place(score, question, screen))


def _place(score: ClickScore, question: Question, screen: Screen) -> Parsed:
    if score.refusal:
        return Refusal(score.refusal)
    if not score.activations:
        return NOTHING
    last = score.activations[-1]
    point = None if last.point is None else Point(*last.point)
    if score.right:
        inside = point is not None and question.truth.contains(point)
        return point if inside and point is not None else question.truth.center
    element = screen.element(last.element)
    middle = [element.box.center] if element is not None else []
    for place in [*([] if point is None else [point]), *middle]:
        if _inside(place, screen.bounds) and not any(
            box.contains(place) for box in (question.truth, *question.boxes)
        ):
            return place
    return BEFORE_IT if point is not None else Unparsed("something outside of the picture")


def _inside(place: Point, bounds: Box) -> bool:
    return bounds.contains(place)
