"""
Loose matches: one part away from the target, and nothing else.
"""

from __future__ import annotations

from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression
from surefoot.core.screen import Element, Screen
from surefoot.diagnose.causes.matches import loose_matches
from surefoot.diagnose.findings import LooseMatch
from surefoot.refer.scene.scene import Scene


def control(id_: str, role: str, left: float, name: str) -> Element:
    """Return a control of 60 x 20 pixels in a row."""
    box = Box(left, 10, left + 60, 30)
    return Element(
        id_, role, box, name=name, text=name, name_boxes=(box,), text_boxes=(box,),
        visible_fraction=1.0, hits=(True,) * 5,
    )  # fmt: skip


SCENE = Scene(
    Screen(
        "s", "p", "x", "", 640, 100, 1.0, "web", "en",
        (
            control("target", "button", 10, "Save"),
            control("named", "checkbox", 110, "Save"),
            control("other", "button", 210, "Send"),
            control("far", "checkbox", 310, "Draft"),
        ),
    )
)  # fmt: skip


def test_matches_are_one_part_away() -> None:
    """What fits all but the role or all but the name is loose; what fits neither is not."""
    found = loose_matches(SCENE, Expression(role="button", name="Save"), 0)

    assert found == (LooseMatch("named", ("role",)), LooseMatch("other", ("name",)))


def test_one_part_has_no_loose_match() -> None:
    """Without its only part an expression would fit everything, which says nothing."""
    assert loose_matches(SCENE, Expression(name="Save"), 0) == ()
