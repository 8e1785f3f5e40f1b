"""
The four moves: an instruction makes one where the screen has what it could be taken for.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Ordinal, Region
from surefoot.core.store import ObjectStore
from surefoot.diagnose.findings import Move
from surefoot.diagnose.search.moves import moves_of
from surefoot.refer.scene.scene import Scene
from surefoot.refer.scene.scenes import Scenes
from surefoot.run.folders.folder import read_screens

LINK = Expression(role="link")


def replaced(**parts: object) -> Expression:
    """Return an expression about a link."""
    return msgspec.structs.replace(LINK, **parts)


@pytest.fixture(scope="module")
def scene(bench: Path) -> Scene:
    """Return the first drawn page and a far link that is called nearly as one of its own is."""
    screen = read_screens(bench)[0]
    team = screen.element("a2")
    assert team is not None
    far = msgspec.structs.replace(
        team, id="far", box=Box(500, 200, 560, 220), name="Team plan", text="Team plan"
    )
    grown = msgspec.structs.replace(screen, elements=(*screen.elements, far))
    return Scenes([grown], ObjectStore(bench).get).scene(grown.id)


@pytest.mark.parametrize(
    ("expression", "moves"),
    [
        (replaced(ordinal=Ordinal(3, "row")), ["spatial"]),
        (replaced(region=Region("top")), ["spatial"]),
        (replaced(colour="blue"), ["look-alike"]),
        (replaced(name="Team"), ["overlap"]),
        (replaced(text="Team"), []),
        (
            replaced(direction="right of", landmark=Expression(text="News")),
            ["spatial", "nearby text"],
        ),
        (replaced(direction="left of", landmark=Expression(text="Send")), ["spatial"]),
    ],
)
def test_a_trap_is_what_the_screen_has(
    scene: Scene, expression: Expression, moves: list[Move]
) -> None:
    """The third of five links can be taken for them, a far namesake, or a landmark beside it."""
    assert list(moves_of(scene, expression, scene.place["a2"])) == moves


def test_an_element_alone_is_no_trap(scene: Scene) -> None:
    """The big button has neither neighbours nor equals, whatever is said of it."""
    said = Expression(role="button", name="Send", shape="wide", region=Region("bottom"))

    assert list(moves_of(scene, said, scene.place["big"])) == []
