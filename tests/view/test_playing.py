"""
Marks on the picture of a step: where they lie on the agent's picture and on the benchmark's.
"""

from __future__ import annotations

import pytest

from surefoot.capture.live.protocol import Activation, Way
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Cell, Question
from surefoot.core.screen import Element, Screen
from surefoot.run.asking.traces import TracedActivation, TracedStep
from surefoot.view.episodes import PlayedStep
from surefoot.view.playing import StepPicture, draw_step, heard_words, step_label

OPEN = Element("b", "button", Box(100, 40, 200, 80), name="Open")
FIELD = Element("f", "textbox", Box(100, 140, 200, 160))
# The picture has one and a half pixels for each CSS pixel of a window of 400 x 200.
SCREEN = Screen("s", "p", "x.html", "", 600, 300, 1.5, "web", "en", (OPEN, FIELD))
WORDS = Instruction("Click", "en", "direct", "high", Expression(role="button"), "b")
QUESTION = Question(
    "q", "p", "c", Cell("original", "direct"), "s", "0" * 64, 600, 300, WORDS, OPEN.box
)


def heard(
    place: tuple[float, float] | None,
    element: str = "f",
    *,
    by: Way = "pointer",
    home: bool = True,
    scroll: tuple[float, float] = (0.0, 0.0),
) -> TracedActivation:
    """Return an activation at a place of the page, in CSS pixels."""
    activation = Activation(element, by, None, "p Some words", 1.0)
    return TracedActivation(activation, element == "b", home, place, (400.0, 200.0), scroll)


def drawn(posted: TracedStep | None, *activations: TracedActivation) -> StepPicture:
    """Draw a step."""
    step = PlayedStep(1.0, posted, activations)
    return draw_step(step, QUESTION, SCREEN, ("/own", "/bench"), there=True)


def places(picture: StepPicture) -> list[tuple[int, float, float]]:
    """Return number and place of each mark."""
    return [(mark.number, mark.x, mark.y) for mark in picture.marked.clicks]


SEEN = TracedStep("a", "", "1" * 64, 800, 400)  # two pixels for each CSS pixel
WHOLE = TracedStep("a", "", "1" * 64, 800, 2000)  # of the whole page, 1000 CSS pixels high


@pytest.mark.parametrize(
    ("posted", "activation", "place"),
    [
        (None, heard((20, 30)), [(1, 30, 45)]),
        (SEEN, heard((20, 30)), [(1, 30, 45)]),
        (SEEN, heard((20, 730), scroll=(0, 700)), [(1, 30, 45)]),
        (WHOLE, heard((20, 730), scroll=(0, 700)), [(1, 30, 1095)]),
        (None, heard((20, 730), scroll=(0, 700)), []),
        (SEEN, heard((20, 30), "", home=False), [(1, 30, 45)]),
        (None, heard((20, 30), "", home=False), []),
        (None, heard(None, by="key"), [(1, 150, 150)]),
        (SEEN, heard(None, by="call"), [(1, 150, 150)]),
        (WHOLE, heard(None, by="call"), []),
        (SEEN, heard(None, "", by="call"), []),
    ],
)
def test_a_mark_lies_where_it_was(
    posted: TracedStep | None, activation: TracedActivation, place: list[tuple[int, float, float]]
) -> None:
    """On a picture of the window what was scrolled away counts, on one of the page it does not."""
    assert places(drawn(posted, activation)) == place


def test_the_picture_is_the_agents_or_the_benchmarks() -> None:
    """The target is drawn where the picture is as large as the benchmark's, and named as whose."""
    own, whole, none = drawn(SEEN), drawn(WHOLE), drawn(TracedStep("a"))

    assert (own.own, own.target, own.marked.href) == (True, True, f"/own/{'1' * 64}")
    assert own.marked.view == Box(0, 0, 600, 300)
    assert (whole.target, whole.marked.shapes, whole.marked.view.bottom) == (False, "", 1500)
    assert not drawn(SEEN, heard((20, 30), "", home=False)).target
    assert drawn(None, heard((20, 30), "", home=False)).target
    assert (none.own, none.target, none.marked.href) == (False, True, f"/bench/{'0' * 64}")


def test_what_was_activated_is_said() -> None:
    """Each activation is a sentence, with the number of its mark, or that it has none."""
    step = PlayedStep(
        1.0,
        None,
        (
            heard((20, 30)),
            heard(None, "b", by="key"),
            heard((20, 30), ""),
            heard((20, 30), "", home=False),
        ),
    )
    picture = draw_step(step, QUESTION, SCREEN, ("/own", "/bench"), there=True)

    assert [(one.words, one.right, one.marked) for one in heard_words(step, SCREEN, picture)] == [
        ("Clicked the textbox, which is not the target", False, True),
        ("Pressed a key on the target, the button 'Open'", True, True),
        ("Clicked what is no recorded element (p Some words)", False, True),
        ("Clicked something on another page of the site (p Some words)", False, False),
    ]


def test_a_list_names_each_step_in_a_line() -> None:
    """An action stands for its step, else what was heard; a long one is cut."""
    labels = [
        step_label(PlayedStep(1.0, posted, activations), SCREEN)
        for posted, activations in (
            (TracedStep("click(\n1,  2)"), ()),
            (TracedStep(image="1" * 64, width=1, height=1), (heard((1, 1), "b"),)),
            (TracedStep(image="1" * 64, width=1, height=1), ()),
            (None, ()),
            (TracedStep("a" * 200), ()),
        )
    ]

    assert labels[:4] == [
        "click( 1, 2)",
        "Clicked the target, the button 'Open'",
        "looked",
        "nothing was activated",
    ]
    assert len(labels[4]) == 91
