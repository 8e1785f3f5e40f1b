"""
Which part is cut out and where a window is placed, against slow definitions.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.edit import Crop
from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.core.geometry import Box
from surefoot.core.screen import Element, Screen
from surefoot.perturb.desktops.desktop import DESKTOPS, work_area
from surefoot.perturb.framing import SIZES, crop_around, place_on_desktop
from surefoot.perturb.views import scaling

places = st.builds(
    Box.from_xywh, st.floats(0, 780), st.floats(0, 580), st.floats(4, 60), st.floats(4, 40)
)


def element(name: str, box: Box, *, parent: str = "", role: str = "button") -> Element:
    """Return a visible element that clicks reach, unless it only holds others."""
    hits = () if role == "group" else (True,) * 5
    return Element(name, role, box, name=name, visible_fraction=1.0, hits=hits, parent=parent)


def shown(*elements: Element, width: int = 800, height: int = 600) -> Screen:
    """Return a screen of these elements."""
    return Screen("s", "a.html", "x", "", width, height, 1.0, "web", "en", elements)


@given(boxes=st.lists(places, min_size=1, max_size=12), distance=st.floats(0, 200))
def test_the_part_is_the_hull_of_the_near(boxes: list[Box], distance: float) -> None:
    """It holds the target and each near box whole, and no pixel more than hull and margin."""
    screen = shown(*(element(str(at), box) for at, box in enumerate(boxes)))
    found = crop_around(screen, "0", distance=distance, margin=10, least=(1, 1))
    target = boxes[0]
    near = [
        cut
        for box in boxes
        if (cut := box.intersection(screen.bounds))
        and max(cut.left - target.right, target.left - cut.right, 0) ** 2
        + max(cut.top - target.bottom, target.top - cut.bottom, 0) ** 2
        <= distance**2
    ]

    hull = Box.around([*near, target])
    part = Box(found.left, found.top, found.right, found.bottom)
    assert part.intersection(screen.bounds) == part
    for side, wanted, limit in zip(
        part.as_tuple(),
        (hull.left - 10, hull.top - 10, hull.right + 10, hull.bottom + 10),
        (800, 600, 800, 600),
        strict=True,
    ):
        assert side == pytest.approx(min(max(wanted, 0), limit), abs=1)


@given(box=places, least=st.tuples(st.integers(1, 900), st.integers(1, 700)))
def test_a_lonely_target_gets_the_least_part(box: Box, least: tuple[int, int]) -> None:
    """The part is as large as asked for or as the picture, and never leaves the picture."""
    found = crop_around(shown(element("a", box)), "a", margin=0, least=least)

    assert found.left >= 0
    assert found.top >= 0
    assert 800 >= found.right >= found.left + min(least[0], 800)
    assert 600 >= found.bottom >= found.top + min(least[1], 600)
    cut = box.intersection(Box(0, 0, 800, 600))
    assert cut is not None
    assert Box(found.left, found.top, found.right, found.bottom).intersection(cut) == cut


def test_what_holds_is_no_neighbour() -> None:
    """Ancestors, containers and what fills the picture do not widen the part."""
    target = element("a", Box(100, 100, 140, 120), parent="list")
    crowd = (
        element("list", Box(0, 90, 800, 130), role="listitem"),
        element("box", Box(90, 90, 500, 130), role="group"),
        element("ground", Box(0, 0, 800, 500)),
    )
    found = crop_around(shown(target, *crowd), "a", distance=50, margin=5, least=(1, 1))

    assert found == Crop(95, 95, 145, 125)


def test_an_absent_target_is_refused() -> None:
    """Neither an unknown id nor an element outside the picture has a part around it."""
    screen = shown(element("out", Box(900, 10, 950, 30)))
    for name in ("out", "none"):
        with pytest.raises(InvalidInputError, match=name):
            crop_around(screen, name)


@given(
    width=st.integers(200, 3000),
    height=st.integers(200, 2400),
    seed=st.integers(0, 1000),
    desktop=st.sampled_from(["", *DESKTOPS]),
)
def test_a_window_lies_between_the_panels(
    width: int, height: int, seed: int, desktop: str
) -> None:
    """Of any screen the window, title bar included, lies in the desktop's work area."""
    screen = shown(width=width, height=height)
    edit = place_on_desktop(screen, seed, desktop=desktop)
    across, down = scaling(screen, edit)
    window = Box(
        edit.left, edit.top - edit.bar, edit.left + width * across, edit.top + height * down
    )

    assert (edit.width, edit.height) in SIZES
    work = work_area(edit.background, edit.width, edit.height)
    assert work.intersection(window) == window
    assert 0.01 <= edit.scale <= 1.0
    assert edit == place_on_desktop(screen, seed, desktop=desktop)


def test_scales_are_drawn_from_the_range() -> None:
    """Every hundredth of the range comes up, and nothing beside it."""
    screen = shown()
    drawn = {place_on_desktop(screen, seed, scales=(0.8, 0.83)).scale for seed in range(60)}
    assert drawn == {0.8, 0.81, 0.82, 0.83}


def test_a_desktop_window_keeps_its_own_bar() -> None:
    """A desktop's picture with a window in it gets no second title bar; others get one."""
    frame = element("w", Box(0, 0, 800, 600), role="window")
    button = element("b", Box(0, 0, 80, 60))
    for item, platform, bar in (
        (frame, "desktop", 0), (button, "desktop", 34), (frame, "web", 34), (button, "mobile", 34),
    ):  # fmt: skip
        screen = Screen("s", "a", "x", "", 800, 600, 1.0, platform, "en", (item,))
        assert place_on_desktop(screen, 1).bar == bar


@pytest.mark.parametrize("scales", [(0.0, 1.0), (0.9, 0.8), (0.5, float("inf"))])
def test_bad_scales_are_refused(scales: tuple[float, float]) -> None:
    """Scales are above 0, finite and in order."""
    with pytest.raises(InvalidInputError):
        place_on_desktop(shown(), 0, scales=scales)


def test_an_unknown_desktop_is_refused() -> None:
    """A name that is no desktop is told the nearest."""
    with pytest.raises(UnknownNameError, match="'evening'"):
        place_on_desktop(shown(), 0, desktop="evenin")
