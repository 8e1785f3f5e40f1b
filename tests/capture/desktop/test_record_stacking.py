"""
What a click reaches, by the stack of windows and the order of the tree.
"""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from surefoot.capture.desktop.elements import Draft
from surefoot.capture.desktop.record import hit_points, with_hits
from surefoot.capture.desktop.windows import Window
from surefoot.core.geometry import Box

MakeDraft = Callable[..., Draft]
BOUNDS = Box(0, 0, 400, 300)
MAIN = Window(1, BOUNDS)


@given(st.integers(1, 50), st.integers(1, 50))
def test_points_lie_inside(width: int, height: int) -> None:
    """The five points lie in the box, the first at its centre."""
    box = Box.from_xywh(3, 4, width, height)
    points = hit_points(box)

    assert points[0] == box.center
    assert len(set(points)) == 5
    assert all(box.contains(point) for point in points)


def test_popups_take_the_clicks_below(draft: MakeDraft) -> None:
    """Where a popup covers half of a button, the points under it are not hit."""
    button = draft("button", Box(0, 100, 80, 140), "Save")
    item = draft("menuitem", Box(40, 60, 140, 140), "Open", level=1, order=1)
    popup = Window(2, Box(40, 60, 140, 140))

    below, above = with_hits([button, item], [MAIN, popup], BOUNDS)

    assert below.hits == (False, True, False, True, False)
    assert all(above.hits)


def test_later_controls_lie_above(draft: MakeDraft) -> None:
    """Of two controls in one place the one later in the tree takes the click."""
    first = draft("textbox", Box(0, 0, 100, 20), order=0)
    second = draft("button", Box(70, 0, 100, 20), "Clear", order=1)

    under, over = with_hits([first, second], [MAIN], BOUNDS)

    assert under.hits == (True, True, False, True, False)
    assert all(over.hits)


def test_containers_are_not_clicked(draft: MakeDraft) -> None:
    """A toolbar has no hits; a picture is not covered by the button that it holds."""
    bar = draft("toolbar", Box(0, 0, 100, 20))
    image = draft("img", Box(0, 0, 100, 20), path="n1")
    inner = draft("button", Box(0, 0, 100, 20), order=1, parent=image.element.id)

    found = with_hits([bar, image, inner], [MAIN], BOUNDS)

    assert found[0].hits == ()
    assert all(found[1].hits)


def test_points_off_the_screen_are_not_hit(draft: MakeDraft) -> None:
    """Half of a button that hangs out of the screen takes no clicks."""
    (found,) = with_hits([draft("button", Box(-50, 10, 50, 30))], [MAIN], BOUNDS)

    assert found.hits[1] is False
    assert found.hits[2] is True
