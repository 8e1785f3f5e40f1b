"""
Bring a program to the state that a recipe names, and look until it holds still.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from typing import Final

import msgspec

from surefoot.capture.desktop.elements import Draft, drafts_of, toolkit_of
from surefoot.capture.desktop.session import Session, session
from surefoot.capture.desktop.steps import Recipe, Step, do_step, find_element, paths_named
from surefoot.capture.desktop.tree import TreeReading
from surefoot.capture.desktop.windows import Window, windows_of, with_grabs
from surefoot.capture.settings import Settings
from surefoot.core.errors import CaptureError
from surefoot.core.geometry import Box

POLL_S: Final = 0.15
PICTURES: Final = 4  # a blinking caret shows two pictures in turn
PICTURE_S: Final = 0.35  # four of these are longer than a caret's period
SILENT_S: Final = 20.0  # a program that shows nothing for so long has failed
STEP_S: Final = 8.0
SETTLE_S: Final = 0.4
ENDED_S: Final = 3.0
RESTLESS_S: Final = 20.0  # as long is looked for a picture that holds still
MOVING: Final = frozenset({"unstable-tree", "unstable-picture"})


class ProgramObservation(msgspec.Struct, frozen=True):
    """Hold what the program said and what the screen showed at the same time."""

    reading: TreeReading
    windows: tuple[Window, ...]
    drafts: tuple[Draft, ...]
    png: bytes
    toolkit: str


@contextlib.contextmanager
def staged(recipe: Recipe, settings: Settings, *, stopped: bool = False) -> Iterator[Session]:
    """
    Start a program and do the recipe's steps, for the length of a block; then end it.

    Its clock is ``stopped`` at the moment of all captures if wanted.

    Raises CaptureError where the program is missing, ends, never shows a window to the
    accessibility bus, or does not hold still; MissingComponentError where the screen
    itself lacks a component.
    """
    visible = paths_named(recipe.argv)
    with session(settings, files=recipe.files, visible=visible) as inside:
        inside.read()  # wakes the accessibility bus, which some toolkits look for but once
        inside.start(recipe.argv, stopped=stopped)
        _still(inside, SILENT_S)
        _stir(inside)
        for step in recipe.steps:
            _do(inside, step)
        park(inside)
        time.sleep(SETTLE_S)
        yield inside


def observe(recipe: Recipe, settings: Settings) -> ProgramObservation:
    """
    Return what is seen in the state that a recipe leads to; raises as ``staged`` does.

    What does not hold still is started once more with its clock stopped.
    """
    try:
        with staged(recipe, settings) as inside:
            return look(inside)
    except CaptureError as error:
        if error.reason not in MOVING:
            raise
    with staged(recipe, settings, stopped=True) as inside:
        return look(inside)


def look(inside: Session) -> ProgramObservation:
    """
    Read, take the picture and read again until both readings agree.

    Raises CaptureError where they never do.
    """
    until = time.monotonic() + RESTLESS_S
    while True:
        reading, windows = _still(inside, SILENT_S)
        png = _picture(inside)
        if png and (inside.read(), windows_of(inside)) == (reading, windows):
            break
        if inside.left < STEP_S or time.monotonic() > until:
            raise CaptureError(
                "unstable-picture",
                expected="the same tree and picture twice",
                found="others each time",
            )
    windows = with_grabs(windows, inside, reading.windows)
    drafts = drafts_of(reading, windows, _bounds(inside))
    return ProgramObservation(reading, windows, drafts, png, toolkit_of(reading))


def _still(inside: Session, seconds: float) -> tuple[TreeReading, tuple[Window, ...]]:
    """
    Return the tree once it shows a window and two readings in a row agree.

    The window must come within ``seconds``, and have come to rest in as many again.
    """
    until = time.monotonic() + min(seconds, inside.left - 1)
    before: tuple[TreeReading, tuple[Window, ...]] | None = None
    shown = False
    while time.monotonic() < until:
        found = inside.read(), windows_of(inside)
        shows = _shows_something(found[0])
        if found == before and not found[0].silent and shows:
            return found
        if shows and not shown:
            until = time.monotonic() + min(seconds, inside.left - 1)
        before, shown = found, shown or shows
        _check_alive(inside, found[0], until)
        time.sleep(POLL_S)
    raise CaptureError(
        "unstable-tree" if shown else "no-window",
        expected="a window on the accessibility bus that holds still",
        found="a tree that changes all the time" if shown else f"none within {seconds:g} s",
        remedy=""
        if shown
        else "see docs/desktop.md for toolkits that expose nothing, and programs that hang",
    )


def _shows_something(reading: TreeReading) -> bool:
    return bool(reading.windows) and any(node.shown for node in reading.nodes if node.parent >= 0)


def _check_alive(inside: Session, reading: TreeReading, until: float) -> None:
    """Raise CaptureError where the program has ended and shows no window any more."""
    code, words = inside.ended()
    if code is None or reading.windows:
        return
    if code == 0 and time.monotonic() < until - SILENT_S + ENDED_S:  # a launcher, perhaps
        return
    raise CaptureError(
        "program-ended", expected="a program that stays", found=f"exit code {code}: {words}"
    )


def _do(inside: Session, step: Step) -> None:
    """Wait for the element that a step names, do the step, and wait for what follows."""
    until = time.monotonic() + min(STEP_S, inside.left - 1)
    while True:
        reading, windows = _still(inside, STEP_S)
        bounds = _bounds(inside)
        elements = [draft.element for draft in drafts_of(reading, windows, bounds)]
        there = step.do in {"key", "type"} or find_element(elements, step) is not None
        if there or time.monotonic() > until:
            do_step(inside, step, elements)
            time.sleep(SETTLE_S)
            return
        time.sleep(POLL_S)


def _stir(inside: Session) -> None:
    """
    Move the pointer over the window and away again.

    LibreOffice learns where its window lies from the pointer's events alone: before the
    first one it claims all boxes a menu bar's height too high.
    """
    width, height = inside.settings.width, inside.settings.height
    inside.xdotool("mousemove", str(width // 2), str(height * 5 // 8))
    inside.xdotool("mousemove_relative", "3", "3")
    time.sleep(SETTLE_S)
    park(inside)


def park(inside: Session) -> None:
    """Move the pointer to the middle of the title bar: tooltips and highlights go away."""
    inside.xdotool("mousemove", str(inside.settings.width // 2), "0")


def _picture(inside: Session) -> bytes:
    """
    Return the picture of a screen that holds still, b"" where it does not.

    Where a caret blinks there are two pictures; the one whose bytes come first is taken,
    so that every capture takes the same.
    """
    found = set()
    for _ in range(PICTURES):
        found.add(inside.grab())
        time.sleep(PICTURE_S)
    return min(found) if len(found) <= 2 else b""  # noqa: PLR2004 - with and without caret


def _bounds(inside: Session) -> Box:
    return Box(0.0, 0.0, float(inside.settings.width), float(inside.settings.height))
