"""
Counting, comparing and pointing, only where the picture shows nothing alike that is unknown.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Ordinal
from surefoot.core.screen import Element, Screen
from surefoot.refer.resolve.completeness import all_known
from surefoot.refer.scene.scene import Scene

GREY = (170, 170, 170)
THIRD = Expression(role="button", ordinal=Ordinal(3, "row"))


def element(id_: str, box: Box, role: str = "button", **more: object) -> Element:
    """Return an element that is whole and hit."""
    seen: dict[str, Any] = {"visible_fraction": 1.0, "hits": (True,) * 5, **more}
    return Element(id_, role, box, **seen)


def words(id_: str, text: str, box: Box) -> Element:
    """Return a text that is spelled in its box."""
    lines = (box,)
    return element(id_, box, "text", name=text, text=text, name_boxes=lines, text_boxes=lines)


def row(count: int, width: int = 40, step: int = 60) -> list[Box]:
    """Return the boxes of a row of buttons."""
    return [Box(20 + step * at, 40, 20 + width + step * at, 64) for at in range(count)]


def shown(
    recorded: list[Element],
    drawn: list[Box],
    *,
    platform: str = "web",
    colour: Any = GREY,  # noqa: ANN401
) -> Scene:
    """Return a scene of a white picture with filled boxes."""
    pixels: NDArray[np.uint8] = np.full((400, 800, 3), 255, np.uint8)
    for box in drawn:
        left, top, right, bottom = (round(side) for side in box.as_tuple())
        pixels[top:bottom, left:right] = colour
    screen = Screen("s", "p", "x", "", 800, 400, 1.0, platform, "en", tuple(recorded))
    return Scene(screen, pixels)


def reason(scene: Scene, expression: Expression, target: int) -> str:
    """Return why an expression is refused, "" where it is not."""
    rejection = all_known(scene, expression, target)
    return rejection.reason if rejection else ""


def buttons(boxes: list[Box]) -> list[Element]:
    """Return a button for each box."""
    return [element(f"b{at}", box) for at, box in enumerate(boxes)]


def test_a_row_that_is_all_known_is_counted() -> None:
    """Five like buttons, each recorded: the third is the third."""
    boxes = row(5)
    assert reason(shown(buttons(boxes), boxes), THIRD, 2) == ""


@pytest.mark.parametrize("missing", [0, 1, 4])
def test_a_row_with_one_that_was_not_recorded_is_not_counted(missing: int) -> None:
    """At either end or in the middle: people count what they see."""
    boxes = row(5)
    known = [box for at, box in enumerate(boxes) if at != missing]
    assert reason(shown(buttons(known), boxes), THIRD, 2) == "not-a-line"


def test_what_is_not_drawn_alike_is_no_row() -> None:
    """A button twice as high, one that is far off, and two alone: nobody counts them."""
    boxes = row(5)
    tall = [*boxes[:4], Box(260, 30, 300, 80)]
    far = [*boxes[:4], Box(700, 40, 740, 64)]
    for item in (tall, far, boxes[:2]):
        expression = msgspec.structs.replace(THIRD, ordinal=Ordinal(2, "row"))
        assert reason(shown(buttons(item), item), expression, 1) == "not-a-line"


def test_something_far_away_does_not_matter_on_a_page() -> None:
    """Another drawing elsewhere is no part of the row; a still with such gaps has no counts."""
    boxes = row(5)
    strange = [Box(20 + 60 * at, 300, 60 + 60 * at, 324) for at in range(5)]
    assert reason(shown(buttons(boxes), boxes + strange), THIRD, 2) == ""
    below = [*buttons(boxes), element("end", Box(700, 380, 720, 399), "text")]
    still = shown(below, boxes + strange, platform="desktop")
    assert still.recall == pytest.approx(0.5)
    assert reason(still, THIRD, 2) == "gaps"
    between = Expression(
        role="button",
        relation="between",
        landmark=Expression(text="a"),
        second=Expression(text="b"),
    )
    assert reason(still, between, 2) == "gaps"


def test_a_size_must_stand_out_in_what_is_drawn() -> None:
    """Twice the area does, a fifth more does not, nor does padding that nobody sees."""
    largest = Expression(role="button", size="largest")
    boxes = [Box(20, 40, 60, 64), Box(100, 40, 140, 64), Box(200, 40, 280, 64)]
    assert reason(shown(buttons(boxes), boxes), largest, 2) == ""
    close = [*boxes[:2], Box(200, 40, 248, 64)]
    assert reason(shown(buttons(close), close), largest, 2) == "not-comparable"
    padded = [*boxes[:2], Box(190, 20, 300, 90)]
    assert reason(shown(buttons(padded), close), largest, 2) == "not-comparable"
    strange = Box(400, 200, 480, 224)
    assert reason(shown(buttons(boxes), [*boxes, strange]), largest, 2) == "not-comparable"


def test_what_was_not_recorded_may_come_first() -> None:
    """A drawn box between a target and its landmark, or nearer than it, makes words doubtful."""
    label = words("label", "Total", Box(20, 40, 60, 56))
    target, strange = Box(160, 36, 200, 60), Box(90, 36, 130, 60)
    right = Expression(role="button", direction="right of", landmark=Expression(text="Total"))
    near = Expression(role="button", relation="nearest", landmark=Expression(text="Total"))
    recorded = [label, element("it", target)]
    for expression in (right, near):
        assert reason(shown(recorded, [target]), expression, 1) == ""
        assert reason(shown(recorded, [target, strange]), expression, 1) == "gaps"


def test_between_is_said_of_what_is_near_both() -> None:
    """Five lines away from either landmark at most, and nothing strange between them."""
    ends = [words("a", "One", Box(20, 40, 60, 56)), words("b", "Two", Box(200, 40, 240, 56))]
    target = Box(100, 36, 140, 60)
    between = Expression(
        role="button", relation="between", landmark=Expression(text="One"),
        second=Expression(text="Two"),
    )  # fmt: skip
    it = element("it", target)
    assert reason(shown([*ends, it], [target]), between, 2) == ""
    assert reason(shown([*ends, it], [target, Box(64, 36, 96, 60)]), between, 2) == "gaps"
    far = words("b", "Two", Box(300, 40, 340, 56))
    assert reason(shown([ends[0], far, it], [target]), between, 2) == "too-far"


LEFT: Final = Expression(role="button", direction="left of", landmark=Expression(text="Total"))
BELOW: Final = Expression(role="button", direction="below", landmark=Expression(text="Total"))
BETWEEN: Final = Expression(
    role="button",
    relation="between",
    landmark=Expression(text="Total"),
    second=Expression(text="Tax"),
)
ASIDE: Final = (element("t", Box(20, 40, 60, 60)), words("l", "Total", Box(120, 42, 160, 58)))
UNDER: Final = (element("t", Box(20, 90, 120, 110)), words("l", "Total", Box(20, 20, 60, 36)))
AMONG: Final = (
    element("t", Box(100, 40, 140, 60)),
    words("l", "Total", Box(20, 42, 60, 58)),
    words("m", "Tax", Box(200, 42, 230, 58)),
)
# What else stands there, and whether it stands in the way.
STANDING: Final = {
    "nothing, aside": (LEFT, ASIDE, (), False),
    "an inner control": (LEFT, ASIDE, (element("x", Box(80, 42, 96, 58), parent="t"),), True),
    "a switch": (LEFT, ASIDE, (element("x", Box(80, 42, 96, 58), "switch"),), True),
    "a word": (LEFT, ASIDE, (words("x", "of", Box(80, 42, 96, 58)),), True),
    "a word of another row": (LEFT, ASIDE, (words("x", "of", Box(80, 80, 96, 96)),), False),
    "what is behind it": (LEFT, ASIDE, (element("x", Box(0, 42, 14, 58), "link"),), False),
    "a part of the landmark": (
        LEFT,
        ASIDE,
        (element("x", Box(90, 42, 110, 58), "text", text="Sum", parent="l"),),
        False,
    ),
    "nothing, below": (BELOW, UNDER, (), False),
    "a heading": (BELOW, UNDER, (words("x", "Costs", Box(20, 50, 90, 70)),), True),
    "lines": (BELOW, UNDER, (words("x", "All of it", Box(10, 44, 300, 58)),), True),
    "a column beside": (BELOW, UNDER, (words("x", "All", Box(140, 44, 300, 58)),), False),
    "a control": (BELOW, UNDER, (element("x", Box(20, 50, 90, 70), "combobox"),), True),
    "nothing, between": (BETWEEN, AMONG, (), False),
    "a third before": (BETWEEN, AMONG, (element("x", Box(70, 42, 90, 58), "link"),), True),
    "a third after": (BETWEEN, AMONG, (words("x", "net", Box(150, 42, 180, 58)),), True),
    "a third above": (BETWEEN, AMONG, (words("x", "net", Box(150, 10, 180, 26)),), False),
}  # fmt: skip


@pytest.mark.parametrize("case", STANDING)
def test_directly_and_between_are_said_where_nothing_stands_in_between(case: str) -> None:
    """Another control or other words between landmark and target refuse the words."""
    expression, own, others, refused = STANDING[case]
    recorded = [*own, *others]
    scene = shown(recorded, [item.box for item in recorded])

    assert (reason(scene, expression, 0) == "something-between") is refused


CHOSEN: Final = Expression(role="tab", state="selected")


@pytest.mark.parametrize(
    ("box", "role", "refused"),
    [
        (Box(120, 40, 160, 60), "text", True),
        (Box(120, 40, 160, 60), "link", True),
        (Box(120, 140, 160, 164), "text", True),
        (Box(120, 140, 160, 164), "link", False),
        (Box(120, 140, 160, 300), "text", False),
    ],
)
def test_what_is_drawn_as_chosen_may_be_meant(box: Box, role: str, *, refused: bool) -> None:
    """A plain part of the page that is styled as chosen refuses "the selected tab"."""
    tab = element("t", Box(20, 40, 80, 60), "tab", states=("selected",), name="One")
    other = element("x", box, role, text="Two", attributes={"chosen": "true"})
    scene = shown([tab, other], [tab.box, other.box])

    assert (reason(scene, CHOSEN, 0) == "ambiguous-lenient") is refused


def test_a_checkbox_has_a_box_to_be_seen() -> None:
    """A small square makes it one; a wide button that can be on or off does not."""
    checkbox = Expression(role="checkbox", name="Pen")
    square, wide = Box(20, 40, 34, 54), Box(20, 40, 120, 64)
    for drawn, expected in ((square, ""), (wide, "not-like-its-word")):
        scene = shown([element("it", drawn, "checkbox", name="Pen")], [drawn])
        assert reason(scene, checkbox, 0) == expected


def test_nobody_calls_black_what_lies_on_black() -> None:
    """A colour tells a thing only where it is not the colour around it."""
    it, panel = Box(100, 100, 180, 130), Box(60, 90, 400, 300)
    black = Expression(role="button", colour="black")
    recorded = [element("it", it)]
    assert reason(shown(recorded, [it], colour=0), black, 0) == ""
    assert reason(shown(recorded, [panel], colour=0), black, 0) == "colour-around"


def test_without_pixels_the_capture_is_believed() -> None:
    """Nothing can be doubted where there is no picture."""
    scene = shown(buttons(row(2)), [])
    assert all_known(Scene(scene.screen), THIRD, 1) is None


def in_row(*inside: Element) -> tuple[Scene, int]:
    """Return a scene of one row that holds some elements, the last of which is meant."""
    held = [msgspec.structs.replace(item, parent="r") for item in inside]
    recorded = [Element("r", "row", Box(0, 0, 800, 200), visible_fraction=1.0), *held]
    return shown(recorded, [item.box for item in held]), len(held)


# A row with a text at 20..36 and one below, and where the target stands, or how it is laid out.
BESIDE_ROW: Final = {
    "in the text's line": (Box(300, 18, 400, 40), ""),
    "a little lower": (Box(300, 28, 400, 50), ""),
    "a little higher": (Box(300, 2, 400, 26), ""),
    "as high as the row": (Box(300, 0, 400, 200), ""),
    "left of the text": (Box(2, 18, 18, 38), ""),
    "high, from the text's line on": (Box(300, 20, 400, 90), ""),
    "in the next line": (Box(300, 60, 400, 84), "not-like-its-word"),
    "below the text": (Box(20, 44, 120, 60), "not-like-its-word"),
    "two lines below": (Box(300, 120, 400, 140), "not-like-its-word"),
    "above the text": (Box(300, 0, 400, 18), "not-like-its-word"),
    "a pixel into the line": (Box(300, 35, 400, 65), "not-like-its-word"),
    "at the bottom": (Box(20, 170, 120, 190), "not-like-its-word"),
}


@pytest.mark.parametrize("case", BESIDE_ROW)
def test_a_row_is_said_by_a_text_beside_the_target(case: str) -> None:
    """A cell of a page's layout table holds several lines, and nobody sees one row of them."""
    box, expected = BESIDE_ROW[case]
    texts = words("w", "Amount", Box(40, 20, 120, 36)), words("v", "Title", Box(40, 60, 120, 76))
    scene, target = in_row(*texts, element("t", box, "textbox"))
    row_of = Expression(role="row", text="Amount")

    found = reason(scene, Expression(role="textbox", container=row_of), target)

    assert found == expected


def test_a_container_that_is_no_row_holds_several_lines() -> None:
    """A form is known by any text in it."""
    held = words("w", "Amount", Box(40, 20, 120, 36)), element("t", Box(300, 90, 400, 110))
    recorded = [
        Element("f", "form", Box(0, 0, 800, 200), visible_fraction=1.0),
        *(msgspec.structs.replace(item, parent="f") for item in held),
    ]
    scene = shown(recorded, [item.box for item in held])
    form = Expression(role="form", text="Amount")

    assert reason(scene, Expression(role="button", container=form), 2) == ""


NEAR: Final = Expression(role="", text="Files")
ICON: Final = Expression(role="control", content="icon", relation="nearest", landmark=NEAR)
RIGHT: Final = msgspec.structs.replace(ICON, relation="", direction="below")
# Where a picture of 16 pixels is drawn beside an icon at (40, 60), before an item's words.
PICTURES: Final = {
    "none": (None, ICON, ""),
    "beside the icon": (Box(70, 64, 86, 80), ICON, "ambiguous-lenient"),
    "beside the icon, below": (Box(70, 64, 86, 80), RIGHT, "ambiguous-lenient"),
    "a little farther": (Box(70, 70, 86, 86), ICON, "ambiguous-lenient"),
    "nearer": (Box(70, 50, 86, 66), ICON, "ambiguous-lenient"),
    "larger": (Box(70, 60, 94, 84), ICON, "ambiguous-lenient"),
    "far to the right": (Box(300, 64, 316, 80), ICON, ""),
    "far below": (Box(70, 160, 86, 176), ICON, ""),
    "a stroke": (Box(70, 64, 72, 80), ICON, ""),
    "a dot": (Box(70, 64, 76, 70), ICON, ""),
    "as wide as a word": (Box(70, 64, 140, 80), ICON, ""),
    "a whole picture": (Box(70, 64, 150, 144), ICON, ""),
}


@pytest.mark.parametrize("case", PICTURES)
def test_a_picture_in_something_with_words_is_an_icon_too(case: str) -> None:
    """Of two pictures side by side, one of which is a part of an item, nobody knows which."""
    picture, expression, expected = PICTURES[case]
    line = Box(160, 64, 220, 80)
    left, top = (60, 40) if picture is None else (picture.left - 4, picture.top - 4)
    around = Box(left, min(top, 60), 400, 180)
    item = element("i", around, "treeitem", name="Root", text="Root", text_boxes=(line,))
    heading = words("w", "Files", Box(40, 30, 100, 46))
    arrow = element("t", Box(40, 60, 60, 80))
    drawn = [arrow.box, heading.box, line, *([picture] if picture else [])]

    found = reason(shown([heading, item, arrow], drawn), expression, 2)

    assert found == expected


# A slider's handle at (40, 40) of 20 pixels, and another control.
KNOBS: Final = {
    "alone": (None, ""),
    "on a track": (("generic", Box(40, 46, 200, 54)), ""),
    "in a switch": (("button", Box(38, 38, 100, 62)), "not-like-its-word"),
    "at a switch's end": (("button", Box(0, 40, 60, 60)), "not-like-its-word"),
    "in a link": (("link", Box(30, 30, 200, 90)), "not-like-its-word"),
    "in a tick box": (("checkbox", Box(40, 40, 60, 60)), "not-like-its-word"),
    "a little out": (("button", Box(43, 40, 100, 60)), "not-like-its-word"),
    "half out": (("button", Box(50, 40, 100, 60)), ""),
    "beside a button": (("button", Box(60, 40, 100, 60)), ""),
    "below a field": (("textbox", Box(0, 0, 200, 30)), ""),
    "in a group": (("group", Box(0, 0, 300, 90)), ""),
}


@pytest.mark.parametrize("case", KNOBS)
def test_a_knob_of_another_control_is_no_slider(case: str) -> None:
    """Of a switch people click the middle, and its handle is at one end."""
    other, expected = KNOBS[case]
    knob = element("k", Box(40, 40, 60, 60), "slider", name="Off")
    recorded = [knob] if other is None else [knob, element("o", other[1], other[0])]

    found = reason(shown(recorded, [knob.box]), Expression(role="slider", name="Off"), 0)

    assert found == expected


LINE_OF_LINK: Final = Box(20, 20, 80, 36)
# Words elsewhere, and whether they look as the link's own.
TWINS: Final[dict[str, tuple[dict[str, Any], str]]] = {
    "the same": ({}, "ambiguous-lenient"),
    "a pixel wider": ({"box": Box(20, 120, 81, 136)}, "ambiguous-lenient"),
    "a heading that looks so": ({"role": "heading"}, "ambiguous-lenient"),
    "beside it": ({"box": Box(200, 20, 260, 36)}, "ambiguous-lenient"),
    "larger": ({"box": Box(20, 120, 140, 152)}, ""),
    "smaller": ({"box": Box(20, 120, 60, 130)}, ""),
    "of another colour": ({"color": "rgb(200, 0, 0)"}, ""),
    "other words": ({"text": "Other"}, ""),
    "another link": ({"role": "link"}, ""),
    "in the link": ({"parent": "t"}, ""),
    "out of sight": ({"visible_fraction": 0.0}, ""),
}


@pytest.mark.parametrize("case", TWINS)
def test_words_that_look_as_a_links_own_are_its_twin(case: str) -> None:
    """Two logos, one of which is a link, are drawn alike."""
    given, expected = TWINS[case]
    given = {"box": Box(20, 120, 80, 136), "role": "text", "text": "Title", **given}
    box, role, text = given.pop("box"), given.pop("role"), given.pop("text")
    colour = {"color": given.pop("color", "rgb(0, 0, 0)")}
    lines = (LINE_OF_LINK,)
    link = element("t", LINE_OF_LINK, "link", name="Title", text="Title", name_boxes=lines,
                   text_boxes=lines, attributes={"color": "rgb(0, 0, 0)"})  # fmt: skip
    other = element("w", box, role, name=text, text=text, name_boxes=(box,), text_boxes=(box,),
                    attributes=colour, **given)  # fmt: skip
    strokes = [Box(at.left + x, at.top, at.left + x + 2, at.bottom)
               for at in (LINE_OF_LINK, box) for x in range(0, 58, 6)]  # fmt: skip

    found = reason(shown([link, other], strokes), Expression(role="link", name="Title"), 0)

    assert found == expected
