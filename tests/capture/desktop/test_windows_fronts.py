"""
What a dialog or an open menu keeps from clicks is not reached, however well it is seen.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from surefoot.capture.desktop import observe as observing
from surefoot.capture.desktop.elements import Draft
from surefoot.capture.desktop.observe import observe
from surefoot.capture.desktop.record import judge, with_hits
from surefoot.capture.desktop.steps import recipe_of_command
from surefoot.capture.desktop.windows import Grab, Window
from surefoot.capture.settings import Settings
from surefoot.core.geometry import Box
from surefoot.core.screen import INTERACTIVE_ROLES

MakeDraft = Callable[..., Draft]
BOUNDS = Box(0.0, 0.0, 400.0, 300.0)
PROGRAM = Path(__file__).parent / "programs" / "fronts_qt.py"
MAIN, SHOWN = Box(0, 0, 400, 300), Box(250, 200, 310, 230)
DIALOG, INNER, MENU = (Box.from_xywh(0, 40 * at, 200, 30) for at in range(1, 4))


@pytest.mark.desktop
@pytest.mark.parametrize(
    ("front", "reached"),
    [
        ("executed", {"Front"}),
        ("free", {"Front", "Behind"}),
        pytest.param("popup", set(), marks=pytest.mark.long),
        pytest.param("choices", set(), marks=pytest.mark.long),
        pytest.param("modal", {"Front"}, marks=pytest.mark.long),
        pytest.param("window_modal", {"Front"}, marks=pytest.mark.long),
        pytest.param("nested", {"Front"}, marks=pytest.mark.long),
        pytest.param("message", {"Yes", "No"}, marks=pytest.mark.long),
    ],
)
def test_what_lies_behind_is_reached_only_where_a_click_reaches_it(
    front: str, reached: set[str]
) -> None:
    """Under a real dialog or an open menu only the front answers."""
    recipe = recipe_of_command(f"/usr/bin/python3 {PROGRAM} {front}")
    judged = judge(observe(recipe, Settings()), Settings())

    hit = {item.name for item in judged.elements if item.hit and item.role in INTERACTIVE_ROLES}
    behind = {name for name in hit if name.startswith("Behind")}

    assert {name for name in hit if not name.startswith(tuple(reached))} == set()
    assert len(hit - behind) >= (2 if reached else 0)
    assert bool(behind) == ("Behind" in reached)


@pytest.mark.long
@pytest.mark.desktop
@pytest.mark.slow
def test_a_clock_that_ticks_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that changes ten times a second by its clock is captured, at the known moment."""
    monkeypatch.setattr(observing, "SILENT_S", 5.0)
    seen = observe(recipe_of_command(f"/usr/bin/python3 {PROGRAM} free clock"), Settings())

    times = {node.name for node in seen.reading.nodes if node.role == "label"}
    assert "10:00:00.000" in times


@pytest.mark.parametrize(
    ("grabs", "reached"),
    [
        (("", "", "", ""), "main dialog inner menu title item"),
        (("", "modal", "", ""), "dialog"),
        (("", "", "modal", ""), "inner"),
        (("", "modal", "modal", ""), "inner"),
        (("modal", "", "", ""), "main title"),
        (("", "", "", "popup"), "menu title item"),
        (("", "modal", "", "popup"), "menu title item"),
        (("", "modal", "modal", "popup"), "menu title item"),
        (("", "", "popup", "popup"), "inner menu title item"),
        (("", "", "popup", ""), "inner"),
        (("", "popup", "modal", ""), "dialog"),
    ],
)
def test_one_window_may_take_all_clicks(
    draft: MakeDraft, grabs: tuple[Grab, ...], reached: str
) -> None:
    """Of windows beside each other, the topmost modal one answers, and open menus before it."""
    boxes = (MAIN, DIALOG, INNER, MENU)
    windows = [
        Window(at, box, grab) for at, (box, grab) in enumerate(zip(boxes, grabs, strict=True))
    ]
    names = ("main", "dialog", "inner", "menu")
    places = (SHOWN, DIALOG, INNER, Box(MENU.left, MENU.top, 100, MENU.bottom))
    made = [
        draft("button", box, name, order=level, level=level)
        for level, (name, box) in enumerate(zip(names, places, strict=True))
    ]
    bar = draft("menubar", Box(0, 0, 400, 20), order=4)
    title = draft("menuitem", Box(0, 0, 40, 20), "title", order=5, parent=bar.element.id)

    place = Box(MENU.left + 150, MENU.top, MENU.left + 190, MENU.bottom)
    item = draft("menuitem", place, "item", order=6, parent=title.element.id, level=3)

    found = with_hits([*made, bar, title, item], windows, BOUNDS)

    assert " ".join(element.name for element in found if element.hit) == reached
