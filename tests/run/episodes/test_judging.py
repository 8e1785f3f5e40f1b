"""
What was activated, judged against the recorded elements without a page.
"""

from __future__ import annotations

import itertools

import pytest

from surefoot.capture.live.protocol import Activation, ClickScore
from surefoot.capture.live.serving import HeardActivation, MetElement, ReadyPage
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Cell, Question, Refusal, Unparsed
from surefoot.core.screen import Element, Screen
from surefoot.run.episodes.judging import activation_of, answer_of, met_element, moved_target
from surefoot.score.hits import is_hit

ROW, BOX, HEAD, FAR = (
    Element("tr-1", "row", Box(0, 0, 200, 40)),
    Element("input-2", "checkbox", Box(20, 10, 40, 30)),
    Element("th-3~act", "button", Box(0, 50, 100, 70)),
    Element("a-4", "link", Box(150, 80, 190, 95)),
)
SCREEN = Screen("s", "p", "x.html", "", 300, 200, 1.5, "web", "en", (ROW, BOX, HEAD, FAR))


def question(target: Element) -> Question:
    """Return a question for an element."""
    words = Instruction("Click", "en", "direct", "high", Expression(role="control"), target.id)
    cell = Cell("original", "direct")
    return Question("q", "p", "c", cell, "s", "", 300, 200, words, target.box)


@pytest.mark.parametrize(
    ("chain", "target", "met"),
    [
        (["span-9", "input-2", "tr-1"], "input-2", "input-2"),
        (["span-9", "input-2", "tr-1"], "tr-1", "input-2"),
        (["td-8", "tr-1"], "tr-1", "tr-1"),
        (["td-8", "tr-1"], "a-4", "tr-1"),
        (["label-7", "input-2"], "input-2", "input-2"),
        (["svg-1", "th-3"], "th-3~act", "th-3~act"),
        (["svg-1", "th-3"], "a-4", "th-3~act"),
        (["body-1"], "a-4", ""),
        ([], "a-4", ""),
    ],
)
def test_the_nearest_control_is_what_was_activated(
    chain: list[str], target: str, met: str
) -> None:
    """A part of the target is the target; a control in it, or above it, is another one."""
    assert met_element(chain, SCREEN, target) == met
    assert met_element(chain, SCREEN, target, home=False) == ""


def test_an_answer_is_a_hit_exactly_where_the_target_was_activated() -> None:
    """Whatever was met at whatever place: the judge of hits and the desk say the same."""
    places = [None, (30.0, 20.0), (170.0, 88.0), (5.0, 60.0), (250.0, 150.0), (-5.0, 4000.0)]
    for target, met, place in itertools.product(SCREEN.elements, ["", "input-2", "a-4"], places):
        asked = question(target)
        last = Activation(met, "pointer", place, "", 1.0)
        score = ClickScore(met == target.id, "right", (last,))

        assert is_hit(asked, answer_of(score, asked, SCREEN)) == score.right


def test_who_activates_nothing_has_no_place() -> None:
    """Nothing is no answer, and a refusal is one."""
    asked = question(FAR)

    nothing = answer_of(ClickScore(right=False, ended="given-up"), asked, SCREEN)
    refused = answer_of(
        ClickScore(right=False, ended="given-up", refusal="not there"), asked, SCREEN
    )
    assert isinstance(nothing.parsed, Unparsed)
    assert refused.parsed == Refusal("not there")


def test_places_are_pixels_of_the_picture() -> None:
    """A window's CSS pixels become those of the picture, whatever the window's zoom."""
    asked = question(FAR)
    for width in (200.0, 300.0):
        share = width / 300
        place = (160 * share, 90 * share)
        heard = HeardActivation(
            1, "pointer", home=True, chain=("a-4",), place=place, what="a", width=width
        )
        box = Box(*(side * share for side in FAR.box.as_tuple()))
        page = ReadyPage("", width, 100.0, (MetElement("a-4", box.moved(2 * share, 0)),))

        assert activation_of(heard, asked, SCREEN, 1.0).point == pytest.approx((160.0, 90.0))
        assert moved_target(page, asked, SCREEN) == pytest.approx(2.0)
    assert moved_target(ReadyPage("", 300.0, 100.0, ()), asked, SCREEN) is None
