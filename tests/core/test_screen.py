"""
Screens: what they hold survives JSON, and elements are found by id.
"""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.canonical import canonical_json, decode
from surefoot.core.edit import (
    AddStyle,
    Crop,
    Edit,
    EnforceContrast,
    Paste,
    Reorder,
    ScaleText,
    Zoom,
)
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.screen import Element, Screen

words = st.text(st.characters(codec="utf-8"), max_size=8)
reals = st.floats(-1e4, 1e4)
boxes = st.builds(
    lambda x, y, width, height: Box(x, y, x + width, y + height),
    reals,
    reals,
    st.floats(0, 1e4),
    st.floats(0, 1e4),
)
elements = st.builds(
    Element,
    id=words,
    role=words,
    box=boxes,
    name=words,
    name_boxes=st.lists(boxes, max_size=2).map(tuple),
    font_px=reals,
    states=st.lists(words, max_size=2).map(tuple),
    visible_fraction=st.floats(0, 1),
    hits=st.lists(st.booleans(), max_size=5).map(tuple),
    attributes=st.dictionaries(words, words, max_size=3),
)
edits: st.SearchStrategy[Edit] = st.one_of(
    st.builds(AddStyle, css=words),
    st.builds(EnforceContrast, minimum=reals),
    st.builds(ScaleText, factor=reals, floor=reals),
    st.builds(Reorder, group=words, order=st.lists(words, max_size=3).map(tuple)),
    st.builds(Zoom, factor=reals),
    st.builds(Crop),
    st.builds(Paste, background=words, scale=reals),
)
screens = st.builds(
    Screen,
    id=words,
    page=words,
    source=words,
    image=words,
    width=st.integers(1, 9999),
    height=st.integers(1, 9999),
    scale=st.floats(0.5, 4),
    platform=words,
    locale=words,
    elements=st.lists(elements, max_size=3).map(tuple),
    variant=words,
    edits=st.lists(edits, max_size=3).map(tuple),
    title=words,
)


@given(screen=screens)
def test_screens_survive_json(screen: Screen) -> None:
    """Every field, every kind of edit and every element comes back equal."""
    data = canonical_json(screen)
    again = decode(data, Screen, what="a screen")
    assert again == screen
    assert canonical_json(again) == data


def _screen() -> Screen:
    button = Element("e1", "button", Box(0, 0, 1, 1), hits=(False, True, True, True, True))
    other = Element("e2", "link", Box(2, 2, 3, 3), hits=(True,) * 5)
    return Screen("s", "p", "x", "", 30, 20, 1.0, "web", "en", (button, other))


def test_elements_are_found_by_id() -> None:
    """An id gives its element, an unknown one none."""
    screen = _screen()
    assert screen.element("e2") is screen.elements[1]
    assert screen.element("e3") is None


def test_a_hit_is_the_centre() -> None:
    """Only the first point, the centre, decides; without measurement there is no hit."""
    assert [element.hit for element in _screen().elements] == [False, True]
    assert not Element("e", "button", Box(0, 0, 1, 1)).hit


def test_bounds_are_the_image() -> None:
    """A screen's bounds are its image, as floats."""
    assert _screen().bounds.as_tuple() == (0.0, 0.0, 30.0, 20.0)
    assert all(isinstance(side, float) for side in _screen().bounds.as_tuple())


def test_elements_do_not_share_attributes() -> None:
    """The empty default of one element's attributes is not another's."""
    first, second = (Element(literal, "button", Box(0, 0, 1, 1)) for literal in ("a", "b"))
    assert first.attributes == {}
    assert first.attributes is not second.attributes


@pytest.mark.parametrize(
    "damage",
    [
        {"width": "wide"},
        {"elements": [{"id": "e", "role": "button"}]},
        {"elements": [{"id": "e", "role": "button", "box": ["box", 1, 1, 0, 0]}]},
        {"elements": [{"id": "e", "role": "button", "box": ["point", 1, 1]}]},
        {"edits": [{"type": "run-script", "code": "x"}]},
    ],
)
def test_malformed_screens_are_refused(damage: dict[str, object]) -> None:
    """A wrong type, a lacking or inverted box and an unknown edit are all refused."""
    whole = msgspec.to_builtins(_screen())
    data = canonical_json({**whole, **damage})
    with pytest.raises(InvalidInputError, match="a valid Screen"):
        decode(data, Screen, what="a screen")
