"""
Nodes become elements: who is one, what is spelled, what a control says.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from surefoot.capture.described.assembly import DescribedNode, assemble
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box

SAVE = Box(20, 20, 120, 60)


@pytest.fixture
def pixels() -> NDArray[np.uint8]:
    """Draw one word."""
    image = Image.new("RGB", (200, 100), "white")
    ImageDraw.Draw(image).text((30, 26), "Save", fill="black", font=ImageFont.load_default(20))
    return np.asarray(image, dtype=np.uint8)


def node(role: str, box: Box, **told: Any) -> DescribedNode:  # noqa: ANN401 - fields of several types
    """Return a node that is named by its role."""
    return DescribedNode(id=told.pop("id", role or "none"), role=role, box=box, **told)


def test_a_control_says_the_words_in_it(pixels: NDArray[np.uint8]) -> None:
    """A button without words of its own shows those of its text, and its name is spelled."""
    page = [node("button", SAVE, name="SAVE"), node("", SAVE, parent=0, words="Save")]
    (button,) = assemble(page, pixels)

    assert button.text == "Save"
    assert button.name_boxes == button.text_boxes
    assert len(button.name_boxes) == 1
    assert button.hits == (True,) * 5


def test_words_of_a_control_inside_are_its_own(pixels: NDArray[np.uint8]) -> None:
    """A row does not say what the button in it says."""
    page = [
        node("option", Box(0, 0, 200, 100), name="Row"),
        node("button", SAVE, parent=0, name="Save", words="Save"),
    ]
    row, button = assemble(page, pixels)

    assert row.text == ""
    assert row.name_boxes == ()
    assert row.hits == (False, False, True, True, True)
    assert button.parent == "option"


@pytest.mark.parametrize(
    ("name", "cover", "spelled"),
    [("Save", 150.0, True), ("Store", 150.0, False), ("Save", 90.0, False)],
)
def test_names_are_spelled_by_what_is_seen(
    pixels: NDArray[np.uint8], name: str, cover: float, spelled: bool
) -> None:
    """Another word does not spell a name, nor does one that is partly covered."""
    page = [
        node("button", SAVE, name=name, words="Save"),
        node("img", Box(cover, 0, 200, 100)),
    ]
    button, _ = assemble(page, pixels)

    assert bool(button.name_boxes) is spelled
    assert button.visible_fraction == (1.0 if cover > 120 else 0.7)


def test_words_that_are_not_drawn_are_not_shown(pixels: NDArray[np.uint8]) -> None:
    """A text over an empty part of the picture shows nothing."""
    (text,) = assemble([node("text", Box(130, 0, 190, 90), name="Save", words="Save")], pixels)

    assert (text.text, text.text_boxes, text.name_boxes) == ("", (), ())


def test_what_is_told_is_kept(pixels: NDArray[np.uint8]) -> None:
    """Fractions, hits and boxes of words that a description tells are not worked out."""
    told = {
        "visible_fraction": 0.25,
        "hits": (False, True, False, False, False),
        "text_boxes": (SAVE,),
        "name_boxes": (),
    }
    (button,) = assemble([node("button", SAVE, name="Save", words="Save", **told)], pixels)

    assert {field: getattr(button, field) for field in told} == told


def test_the_order_tells_what_lies_on_top(pixels: NDArray[np.uint8]) -> None:
    """What is listed first may be the topmost; parents keep their places."""
    page = [
        node("dialog", SAVE, id="top"),
        node("button", SAVE, parent=0, id="own"),
        node("button", SAVE, id="under"),
    ]
    top, own, under = assemble(page, pixels, [2, 0, 1])

    assert (top.visible_fraction, own.visible_fraction, under.visible_fraction) == (1, 1, 0)
    assert top.hits == ()
    assert own.parent == "top"


def test_what_has_no_role_hands_its_parent_on(pixels: NDArray[np.uint8]) -> None:
    """A node without a role is no element; those in it belong to what it belongs to."""
    page = [node("list", SAVE), node("", SAVE, parent=0), node("link", SAVE, parent=1)]

    assert [(each.role, each.parent) for each in assemble(page, pixels)] == [
        ("list", ""),
        ("link", "list"),
    ]


def test_a_cycle_of_parents_is_refused(pixels: NDArray[np.uint8]) -> None:
    """Two nodes that hold one another are no tree."""
    page = [node("list", SAVE, parent=1), node("link", SAVE, parent=0)]
    with pytest.raises(InvalidInputError, match="cycle"):
        assemble(page, pixels)
