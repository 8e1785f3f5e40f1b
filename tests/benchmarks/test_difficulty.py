"""
The difficulty of a target, against its formula worked out by hand.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
import pytest

from surefoot.benchmarks.difficulty import difficulties
from surefoot.benchmarks.sensitivity_parameters import SensitivityParameters
from surefoot.core.geometry import Box
from surefoot.core.screen import Element, Screen
from surefoot.refer.scene.scene import Scene

PLAIN = SensitivityParameters(
    look_half=1, crowd_half=1, overlap_half=1, crowd_distance=50, whole_area=400
)


def control(name: str, left: float, words: str = "", **more: object) -> Element:
    """Return a control of 20 x 20 pixels in one row."""
    box = Box.from_xywh(left, 10, 20, 20)
    made = Element(
        name,
        "button",
        box,
        name=words or name,
        visible_fraction=1.0,
        hits=(True,) * 5,
        parent=name,
    )
    return msgspec.structs.replace(made, **more)


def scene(elements: Sequence[Element], shades: Sequence[int] = ()) -> Scene:
    """Return a scene whose controls are filled with shades of grey."""
    pixels = np.full((60, 400, 3), 255, np.uint8)
    for element, shade in zip(elements, shades, strict=False):
        left, top, right, bottom = (round(side) for side in element.box.as_tuple())
        pixels[top:bottom, left:right] = shade
    screen = Screen("s", "a", "x", "", 400, 60, 1.0, "web", "en", tuple(elements))
    return Scene(screen, pixels)


def measured(
    elements: Sequence[Element],
    shades: Sequence[int] = (),
    parameters: SensitivityParameters = PLAIN,
) -> dict[str, float]:
    """Return the measures of the first element."""
    found = difficulties(scene(elements, shades), elements[:1], parameters)
    return found[elements[0].id].measures


def test_a_lonely_control_is_easy() -> None:
    """Without others nothing confuses."""
    assert measured([control("a", 10)]) == {
        "looks": 0.0, "crowd": 0.0, "overlap": 0.0, "difficulty": 0.0,
    }  # fmt: skip


def test_looks_are_compared_by_pixels_and_shape() -> None:
    """A twin counts wholly, one 0.1 greyer and half as wide counts (1 - 0.1/0.25) / 2."""
    twins = [control("a", 10), control("b", 100)]
    assert measured(twins, (50, 50))["looks"] == pytest.approx(1 / 2)

    narrow = control("b", 100, box=Box(100, 10, 110, 30))
    greyer = round(50 + 0.1 * 255)
    like = (1 - (greyer - 50) / 255 / 0.25) / 2
    found = measured([twins[0], narrow], (50, greyer))["looks"]
    assert found == pytest.approx(like / (1 + like), abs=1e-5)
    assert measured(twins, (0, 255))["looks"] == 0.0


def test_a_crowd_is_counted_within_its_distance() -> None:
    """Of three others, the two at 20 and 50 pixels count, the one at 51 does not."""
    row = [control("a", 100), control("b", 140), control("c", 30), control("d", 171)]
    assert measured(row, (0, 255, 255, 255))["crowd"] == pytest.approx(2 / 3)


def test_overlap_wants_one_role() -> None:
    """Like names of one role count 1, one section 0.25, another role nothing."""
    target = control("a", 10, "Save", parent="form")
    named = control("b", 100, "Save as")
    beside = control("c", 200, "Send", parent="form")
    other = control("d", 300, "Save", role="link", parent="form")

    assert measured([target, named, beside, other])["overlap"] == pytest.approx(1.25 / 2.25)
    headed = msgspec.structs.replace(target, attributes={"section": "h"})
    assert measured([headed, beside])["overlap"] == 0.0


def test_difficulty_is_weighed_by_visibility_and_area() -> None:
    """Confusion times the visible share times the area, up to the area that is whole."""
    twins = [control("a", 10), control("b", 40)]
    measures = measured(twins, (0, 0))
    confusion = sum(measures[name] for name in ("looks", "crowd", "overlap")) / 3
    assert measures["difficulty"] == pytest.approx(confusion, abs=1e-6)

    half = msgspec.structs.replace(twins[0], visible_fraction=0.5)
    assert measured([half, twins[1]], (0, 0))["difficulty"] == pytest.approx(
        confusion / 2, abs=1e-6
    )
    large = msgspec.structs.replace(PLAIN, whole_area=1600.0)
    assert measured(twins, (0, 0), large)["difficulty"] == pytest.approx(confusion / 4, abs=1e-6)


def test_weights_choose_what_confuses() -> None:
    """With the weight on the crowd alone, looks and overlap do not matter."""
    row = [control("a", 100), control("b", 140)]
    crowd = msgspec.structs.replace(PLAIN, look_weight=0.0, overlap_weight=0.0)
    assert measured(row, (0, 0), crowd)["difficulty"] == pytest.approx(1 / 2)


def test_what_is_hidden_or_within_confuses_nobody() -> None:
    """Unseen controls, and those inside of the target itself, are no rivals."""
    target = control("a", 10)
    unseen = control("b", 40, visible_fraction=0.0, hits=(False,) * 5)
    within = control("c", 12, parent="a")
    assert measured([target, unseen, within], (0, 0, 0))["difficulty"] == 0.0


def test_without_pixels_nothing_looks_alike() -> None:
    """A scene without its picture has no likeness, and still a crowd."""
    twins = [control("a", 10), control("b", 40)]
    bare = Scene(scene(twins).screen)
    found = difficulties(bare, twins, PLAIN)["a"]
    assert (found.measures["looks"], found.measures["crowd"]) == (0.0, 0.5)


def test_the_reason_names_who_it_is_taken_for() -> None:
    """Each score stands with the control that made most of it, and the crowd with its number."""
    target, named = control("a", 10, "C"), control("b", 40, "CE")
    other = control("c", 200, "C plus")
    drawn = scene([target, named, other], (50, 50, 255))

    assert difficulties(drawn, [target], PLAIN)["a"].why == (
        "looks 0.50, most like the button 'CE'; crowd 0.50, 1 within 50 px; "
        "overlap 0.50, most with the button 'C plus'"
    )
