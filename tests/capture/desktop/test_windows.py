"""
The stack of windows, and how much of a box it leaves to see.
"""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from surefoot.capture.desktop.windows import Window, parse_windows, seen_share, surface_of
from surefoot.core.geometry import Box

SIDES = st.tuples(st.integers(0, 20), st.integers(0, 20), st.integers(1, 12), st.integers(1, 12))
BOXES = SIDES.map(lambda sides: Box.from_xywh(*map(float, sides)))


@given(BOXES, BOXES, st.lists(BOXES, max_size=4))
def test_share_is_that_of_counted_pixels(box: Box, clip: Box, above: list[Box]) -> None:
    """The visible share is what is left when covered pixels are counted one by one."""
    seen = np.zeros((40, 40), dtype=bool)
    whole = np.zeros_like(seen)
    for mask, entry in ((whole, box), (seen, box)):
        mask[int(entry.top) : int(entry.bottom), int(entry.left) : int(entry.right)] = True
    inside = np.zeros_like(seen)
    inside[int(clip.top) : int(clip.bottom), int(clip.left) : int(clip.right)] = True
    seen &= inside
    for item in above:
        seen[int(item.top) : int(item.bottom), int(item.left) : int(item.right)] = False

    assert np.isclose(seen_share(box, clip, above), seen.sum() / whole.sum())


def test_nothing_is_seen_without_a_clip() -> None:
    """An element outside every window has nothing to be seen, nor has an empty one."""
    assert seen_share(Box(0, 0, 4, 4), None, []) == 0
    assert seen_share(Box(0, 0, 0, 4), Box(0, 0, 9, 9), []) == 0


@given(st.text(max_size=60))
def test_any_text_is_read_without_failing(printed: str) -> None:
    """What xdotool does not print gives no windows."""
    assert parse_windows(printed) == ()


def test_windows_come_in_the_order_of_the_stack() -> None:
    """The root and specks of windows are left out; negative places are read."""
    lines = [(1, 0, 0, 99, 99), (5, -100, -100, 1, 1), (7, -3, 4, 20, 10), (8, 1, 2, 30, 40)]
    names = ("WINDOW", "X", "Y", "WIDTH", "HEIGHT")
    printed = "".join(
        "".join(f"{name}={value}\n" for name, value in zip(names, line, strict=True))
        + "SCREEN=0\n"
        for line in lines
    )

    found = parse_windows(printed)

    assert found == (Window(7, Box(-3, 4, 17, 14)), Window(8, Box(1, 2, 31, 42)))


def test_window_is_found_in_its_frame() -> None:
    """A window's content is that of the topmost frame that is a title bar larger."""
    large, small = Window(1, Box(0, 0, 400, 300)), Window(2, Box(100, 50, 300, 200))

    assert surface_of(Box(101, 70, 299, 199), (large, small)) == 1
    assert surface_of(Box(0, 19, 400, 300), (large, small)) == 0
    assert surface_of(Box(150, 100, 160, 110), (large, small)) is None
