"""
A notification covers what is under it, never silently, and is itself there to be found.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.edit import Notice
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.screen import Element, Screen
from surefoot.perturb.image.notice import PATTERNS, draw_notice, notice_box

WIDTH, HEIGHT = 320, 200
sides = st.integers(-30, 340)
notices = st.builds(
    lambda shape, pattern, left, top, wide, high: Notice(
        shape, pattern, left, top, left + wide, top + high
    ),
    st.sampled_from(["banner", "popup"]), st.integers(0, PATTERNS), sides, sides,
    st.integers(1, 400), st.integers(1, 250),
)  # fmt: skip
boxes = st.builds(
    Box.from_xywh, st.floats(-20, 320), st.floats(-20, 200), st.floats(1, 90), st.floats(1, 50)
)


def pixels() -> np.ndarray:
    """Return a picture of noise."""
    return np.random.default_rng(8).integers(0, 256, (HEIGHT, WIDTH, 3), dtype=np.uint8)


def shown(*found: Box) -> Screen:
    """Return a screen with one button a box."""
    elements = tuple(
        Element(f"e{n}", "button", box, name_boxes=(box,), visible_fraction=1.0, hits=(True,) * 5)
        for n, box in enumerate(found)
    )
    return Screen("s", "p", "x", "", WIDTH, HEIGHT, 1.0, "web", "en", elements)


@given(edit=notices, box=boxes)
def test_pixels_and_elements_agree(edit: Notice, box: Box) -> None:
    """Only pixels under the notice change, and an element loses what lies under it."""
    place = notice_box(edit, (WIDTH, HEIGHT))
    after, found = draw_notice(shown(box), pixels(), edit)
    outside = np.ones((HEIGHT, WIDTH), dtype=bool)
    left, top, right, bottom = (int(value) for value in place.as_tuple())
    outside[top:bottom, left:right] = False
    assert np.array_equal(found[outside], pixels()[outside])
    element = after.elements[0]
    common = place.intersection(box)
    lost = common.area / box.area if common else 0.0
    assert element.visible_fraction == pytest.approx(1 - lost, abs=1e-6)
    assert element.hit is not (
        place.left <= box.center.x < place.right and place.top <= box.center.y < place.bottom
    )
    for item in after.elements[1:]:
        assert place.intersection(item.box) == item.box


@pytest.mark.parametrize("pattern", range(PATTERNS))
@pytest.mark.parametrize("shape", ["banner", "popup"])
def test_every_pattern_says_and_offers_something(shape: str, pattern: int) -> None:
    """A notice has a name, words and two buttons that a click reaches, inside its box."""
    edit = Notice("banner" if shape == "banner" else "popup", pattern, 10, 20, 310, 120)
    after, _ = draw_notice(shown(), pixels(), edit)
    roles = [element.role for element in after.elements]
    assert roles[0] == ("alert" if shape == "banner" else "dialog")
    buttons = [element for element in after.elements if element.role == "button"]
    assert len(buttons) == 2
    assert all(button.hits == (True,) * 5 and button.name_boxes for button in buttons)
    assert buttons[0].box.intersection(buttons[1].box) is None
    assert {element.parent for element in after.elements[1:]} == {after.elements[0].id}
    assert sum(role == "text" for role in roles) == (1 if shape == "banner" else 2)


def test_the_edit_alone_decides() -> None:
    """The same notice is the same pixels; another pattern is another notice."""
    edit = Notice("popup", 3, 40, 40, 260, 150)
    one, other = (draw_notice(shown(), pixels(), edit) for _ in range(2))
    assert one[0] == other[0]
    assert np.array_equal(one[1], other[1])
    changed = draw_notice(shown(), pixels(), Notice("popup", 4, 40, 40, 260, 150))
    assert not np.array_equal(changed[1], one[1])


def test_two_shapes_may_meet_and_two_of_one_may_not() -> None:
    """A banner covers a pop-up's buttons and is told apart; a second pop-up is refused."""
    popup = draw_notice(shown(), pixels(), Notice("popup", 0, 40, 20, 260, 150))
    both, _ = draw_notice(*popup, Notice("banner", 1, 0, 90, 320, 160))
    ids = [element.id for element in both.elements]
    assert len(set(ids)) == len(ids)
    buttons = {element.id: element for element in both.elements if element.role == "button"}
    assert [button.hit for name, button in buttons.items() if name.startswith("popup")] == [
        False
    ] * 2
    with pytest.raises(InvalidInputError, match="one popup"):
        draw_notice(*popup, Notice("popup", 2, 0, 0, 50, 50))


@pytest.mark.parametrize("sides", [(5, 5, 5, 9), (9, 5, 5, 9), (5, 9, 9, 9)])
def test_a_notice_without_an_area_is_refused(sides: tuple[int, int, int, int]) -> None:
    """Sides the wrong way round, or none, are the caller's mistake."""
    with pytest.raises(InvalidInputError, match="area"):
        draw_notice(shown(), pixels(), Notice("banner", 0, *sides))
