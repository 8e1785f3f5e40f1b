"""
One step of an episode as a page shows it: the picture with its marks, and words.
"""

from __future__ import annotations

from typing import Final

import msgspec

from surefoot.capture.live.protocol import Way
from surefoot.core.geometry import Box, Point
from surefoot.core.question import Question
from surefoot.core.screen import Screen
from surefoot.report.html.verdicts import truth_shapes
from surefoot.run.asking.traces import TracedActivation, TracedStep
from surefoot.view.drawing import ClickMark, MarkedPicture
from surefoot.view.episodes import PlayedStep

_WAYS: Final[dict[Way, str]] = {
    "pointer": "Clicked",
    "key": "Pressed a key on",
    "input": "Typed or chose in",
    "call": "Activated by a script",
}
_RADIUS: Final = 11.0  # pixels on the page
_WIDTH: Final = 700.0  # about how wide the picture is shown, in pixels of the page
_SAME: Final = 2.0  # pixels by which two pictures of one page may differ in height
_LABEL: Final = 90


class HeardWords(msgspec.Struct, frozen=True):
    """
    Say what was activated: a sentence, whether it was the target, and when.

    ``number`` is that of its mark; ``place`` says of a mark that no pointer set where it lies, and
    ``marked`` is false where the picture has none.
    """

    number: int
    words: str
    right: bool
    seconds: float
    place: str
    marked: bool


class StepPicture(msgspec.Struct, frozen=True):
    """
    Hold the picture of a step with its marks, and whose it is.

    ``own`` is true for the agent's; ``target`` says whether the target is drawn on it.
    """

    marked: MarkedPicture
    own: bool
    target: bool


def heard_words(step: PlayedStep, screen: Screen | None, picture: StepPicture) -> list[HeardWords]:
    """Say what was activated in a step, in its order."""
    marks = {mark.number for mark in picture.marked.clicks}
    return [
        HeardWords(
            number,
            activation_words(heard, screen),
            heard.right,
            heard.activation.seconds,
            "" if heard.place is not None else "There was no pointer; the mark is in its middle.",
            number in marks,
        )
        for number, heard in enumerate(step.heard, start=1)
    ]


def activation_words(heard: TracedActivation, screen: Screen | None) -> str:
    """
    Say in a sentence what was activated, and how.

    >>> from surefoot.capture.live.protocol import Activation
    >>> clicked = Activation("", "pointer", (9.0, 9.0), "p Hello", 1.0)
    >>> activation_words(TracedActivation(clicked, False, home=False), None)
    'Clicked something on another page of the site (p Hello)'
    """
    activation = heard.activation
    element = screen.element(activation.element) if screen and activation.element else None
    if element is not None:
        name = f"the {element.role}" + (f" '{element.name}'" if element.name else "")
        what = f"the target, {name}" if heard.right else f"{name}, which is not the target"
    elif heard.right:
        what = "the target"
    elif heard.home:
        what = f"what is no recorded element ({activation.what.strip()})"
    else:
        what = f"something on another page of the site ({activation.what.strip()})"
    return f"{_WAYS[activation.by]} {what}"


def step_label(step: PlayedStep, screen: Screen | None) -> str:
    """Return a line that stands for a step in a list."""
    words = ""
    if step.posted is not None:
        words = " ".join((step.posted.action or step.posted.thought).split())
    words = words or "; ".join(activation_words(heard, screen) for heard in step.heard)
    words = words or ("looked" if step.posted is not None else "nothing was activated")
    return words if len(words) <= _LABEL else f"{words[:_LABEL]}\N{HORIZONTAL ELLIPSIS}"


def draw_step(
    step: PlayedStep,
    question: Question,
    screen: Screen | None,
    links: tuple[str, str],
    *,
    there: bool,
) -> StepPicture:
    """
    Mark what was activated on the agent's picture, or on the benchmark's where it sent none.

    All is in pixels of the benchmark's picture, as wide as which the agent's is drawn. ``links``
    lead to the agent's pictures and to the benchmark's; ``there`` tells whether the agent's is.
    """
    posted = step.posted
    own = posted is not None and bool(posted.image)
    width, height = float(question.width), float(question.height)
    shown = height
    if posted is not None and posted.image:
        shown = posted.height * width / posted.width
    # On another page of the site the target is not.
    alike = abs(shown - height) <= _SAME and (
        not own or all(activation.home for activation in step.heard)
    )
    clicks = tuple(
        ClickMark(number, place.x, place.y, heard.right)
        for number, heard in enumerate(step.heard, start=1)
        for place in [_place(heard, posted if own else None, screen, (width, shown), alike=alike)]
        if place is not None
    )
    href = ""
    if posted is not None and posted.image:
        href = f"{links[0]}/{posted.image}" if there else ""
    elif question.image:
        href = f"{links[1]}/{question.image}"
    words = ". ".join(activation_words(heard, screen) for heard in step.heard)
    marked = MarkedPicture(
        row=-1,
        view=Box(0.0, 0.0, width, shown),
        shapes=truth_shapes(question, "target") if alike else "",
        landmark=None,
        clicks=clicks,
        radius=_RADIUS * width / _WIDTH,
        said=f"{question.instruction.text}. {words or 'Nothing was activated'}",
        href=href,
    )
    return StepPicture(marked, own, alike)


def _place(
    heard: TracedActivation,
    posted: TracedStep | None,
    screen: Screen | None,
    size: tuple[float, float],
    *,
    alike: bool,
) -> Point | None:
    """Return where a mark goes, in pixels of the benchmark's picture; None for nowhere."""
    element = screen.element(heard.activation.element) if screen and heard.home else None
    if heard.place is None or heard.window[0] <= 0:
        return element.box.center if element is not None and alike else None
    if posted is None and not heard.home:
        return None  # the benchmark has no picture of that page
    scale = size[0] / heard.window[0]
    left, top = heard.scroll
    # What is as high as the window is what was seen in it; all else begins at the page's top.
    if posted is None or abs(heard.window[1] * scale - size[1]) > _SAME:
        left = top = 0.0
    place = Point((heard.place[0] - left) * scale, (heard.place[1] - top) * scale)
    return place if Box(0.0, 0.0, *size).contains(place) else None
