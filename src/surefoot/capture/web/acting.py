"""
Do to a page what a person does, by mouse and keys, and wait until it has come to rest.
"""

from __future__ import annotations

from typing import Final

import msgspec

from surefoot.capture.access.secrets import is_live
from surefoot.capture.actions import Action
from surefoot.capture.web.collect import collect
from surefoot.capture.web.settle import settle
from surefoot.capture.web.shoot import ViewScale
from surefoot.capture.web.visit import Visit
from surefoot.capture.web.world import World
from surefoot.core.errors import CaptureError
from surefoot.core.geometry import Point
from surefoot.core.screen import HIT_POINTS, Element

HEARD_MS: Final = 40  # until the browser has begun to follow a link
DOCUMENTS: Final = 5  # that one action may lead through, one after the other
OUTSIDE: Final = -1.0
# Fields whose keys differ by language and system.
BY_VALUE: Final = frozenset({"date", "time", "datetime-local", "month", "week"})


class _Done(msgspec.Struct, frozen=True):
    error: str = ""


def act(visit: Visit, world: World, action: Action) -> World:
    """
    Do one thing to the element that the action names, and return the world that follows.

    The element is acted on where a person reaches it: at a point of its box where nothing
    covers it. Raises CaptureError "action-failed" where there is no such element or point,
    and whatever a page may be refused for, if the action leads to another one.
    """
    visit.acted = True
    scale = ViewScale.of(visit.settings).scale
    element = next(
        (item for item in collect(world, scale).elements if item.id == action.element), None
    )
    if element is None:
        raise _failed(action, "the element on the page")
    page = visit.page
    text = action.text
    if action.variable:
        text = visit.secrets.variables.get(action.variable, "")
        if not text:
            raise _failed(action, f"the variable {action.variable} in the environment")
    elif (
        element.attributes.get("type") == "password" and action.text and is_live(visit.asked.spec)
    ):
        raise CaptureError(
            "secret-in-clear",
            expected=f"the password for {action.element} by the name of a variable",
            found="one in clear",
            remedy=f"write type {action.element} $PASSWORD, and set PASSWORD in the environment",
        )
    by_value = action.kind == "type" and element.attributes.get("type") in BY_VALUE
    if by_value or action.kind == "choose":
        what = "enter" if by_value else "choose"
        _check(world.call(_Done, what, action.element, text), action)
    elif action.kind in {"click", "type"}:
        point = reachable_point(element)
        if point is None:
            raise _failed(action, "a point at which a click reaches the element")
        page.mouse.click(point.x / scale, point.y / scale)
        page.mouse.move(OUTSIDE, OUTSIDE)  # what shows under the pointer alone is no state
        if action.kind == "type":
            page.keyboard.press("Control+A")
            page.keyboard.insert_text(text)
    else:
        _check(world.call(_Done, "focusOn", action.element), action)
        page.keyboard.press(action.text)
    page.wait_for_timeout(HEARD_MS)
    return _come_to_rest(visit, world)


def reachable_point(element: Element) -> Point | None:
    """
    Return a point of an element's box at which it is hit, in pixels of the image, if any.

    >>> from surefoot.core.geometry import Box
    >>> hits = (False, False, True, False, False)
    >>> reachable_point(Element("a", "link", Box(0, 0, 40, 20), hits=hits))
    Point(x=30.0, y=5.0)
    """
    box = element.box
    width, height = box.right - box.left, box.bottom - box.top
    shares = ((0.5, 0.5), (0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75))[:HIT_POINTS]
    for (across, down), hit in zip(shares, element.hits, strict=False):
        if hit:
            return Point(box.left + across * width, box.top + down * height)
    return None


def _come_to_rest(visit: Visit, world: World) -> World:
    """Settle, also in the documents that the action leads to; return the world of the last."""
    first = False
    for _ in range(DOCUMENTS):
        try:
            settle(visit, world, first=first)
            if not visit.follow():
                visit.hear(world)
                return world
        except CaptureError as error:
            if error.reason != "navigated-away" or not visit.follow():
                raise
        world, first = World(visit.page), True
    raise CaptureError(
        "navigated-away",
        expected=f"at most {DOCUMENTS} documents after an action",
        found=f"more ({visit.address.spec})",
    )


def _check(done: _Done, action: Action) -> None:
    if done.error:
        raise _failed(action, done.error)


def _failed(action: Action, expected: str) -> CaptureError:
    return CaptureError("action-failed", expected=expected, found=f"none for '{action}'")
