"""
The gallery of wavering elements: which are chosen, and what is drawn of them.
"""

from __future__ import annotations

import base64
import io
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from PIL import Image

from surefoot.core.geometry import Box, Point
from surefoot.core.question import Answer, Parsed, Question, Refusal, Unparsed
from surefoot.core.store import ObjectStore
from surefoot.report.answers.clicks import Clicks, click_cards, draw_clicks, worst_elements
from surefoot.run.asking.runs import FinishedRun, open_run

Write = Callable[..., Path]


@pytest.fixture(scope="module")
def run(worded: Path, write_run: Write, tmp_path_factory: pytest.TempPathFactory) -> FinishedRun:
    """
    Return a run of three sorts of element.

    On window0 all is hit, on window1 nothing; elsewhere ordinals miss, of b3 visuals too.
    """

    def reply(question: Question) -> Parsed | None:
        page, kind = question.cluster, question.instruction.kind
        wrong = kind == "ordinal" or (kind == "visual" and question.pair.endswith("b3"))
        if page == "window1" or (page != "window0" and wrong):
            return Point(1.0, 1.0)
        return question.truth.center

    return open_run(write_run(worded, tmp_path_factory.mktemp("run") / "run", reply))


def test_those_that_some_words_hit_come_first(run: FinishedRun) -> None:
    """More misses come first, each page once before any twice; the whole hits never."""
    found = [views[0].questions[0].pair for views in worst_elements(run, tolerance=0, limit=99)]

    assert [item.split("#")[1] for item in found[:6]] == ["b3"] * 6
    assert len({item.split("#")[0] for item in found[:7]}) == 7
    assert found[6].startswith("window1")
    assert not any(item.startswith("window0") for item in found)
    assert len(found) == 14


def test_a_tolerance_forgives(run: FinishedRun) -> None:
    """With a tolerance as wide as the picture nothing is worth showing."""
    assert worst_elements(run, tolerance=2000, limit=5) == []


def test_a_card_has_every_view_and_every_instruction(run: FinishedRun) -> None:
    """The original comes first, all wordings are listed, and the misses counted."""
    (card,) = click_cards(run, tolerance=0, limit=1)

    assert [pane.variant for pane in card.panes] == ["original", "part around the target"]
    assert [len(pane.words) for pane in card.panes] == [6, 4]
    assert card.facts.startswith("button missed with 4 of 10 instructions on window")
    assert card.panes[0].verdict == "4 of 6 instructions hit"
    missed = [line.note for line in card.panes[0].words if not line.hit]
    assert missed == ["(ordinal; missed at 1, 1)", "(visual; missed at 1, 1)"]


def clicks(run: FinishedRun, replies: list[Parsed | None]) -> tuple[Clicks, bytes]:
    """Give an element's instructions other replies, and return its picture with them."""
    (first, *_), *_ = worst_elements(run, tolerance=0, limit=1)
    questions = first.questions[: len(replies)]
    answers = tuple(
        None if parsed is None else Answer(question.id, "", parsed)
        for question, parsed in zip(questions, replies, strict=True)
    )
    hits = tuple(isinstance(item, Point) and questions[0].truth.contains(item) for item in replies)
    changed = msgspec.structs.replace(first, questions=questions, answers=answers, hits=hits)
    return changed, ObjectStore(run.bench).get(questions[0].image)


def test_the_drawing_holds_target_and_clicks(run: FinishedRun) -> None:
    """The part shown lies in the picture and holds the box and each click inside it."""
    (first, *_), *_ = worst_elements(run, tolerance=0, limit=1)
    inside = first.truth.center
    given, png = clicks(run, [inside, Point(630.0, 350.0), Point(-50.0, 9000.0), Refusal("no")])
    pane = draw_clicks(given, png)
    svg = ET.fromstring(pane.svg)
    left, top, width, height = map(float, svg.attrib["viewBox"].split())
    part = Box.from_xywh(left, top, width, height)

    assert 0 <= left <= left + width <= 640
    assert 0 <= top <= top + height <= 360
    assert part.contains(inside)
    assert part.contains(Point(630.0, 350.0))
    marks = {group.find("text").text: group.attrib["class"] for group in svg.findall("g")}  # type: ignore[union-attr]
    assert marks == {"1": "clicked in", "2": "clicked out", "3": "clicked out"}
    assert [line.note for line in pane.words][3].endswith("declined)")


def test_the_embedded_part_is_that_of_the_picture(run: FinishedRun) -> None:
    """The embedded pixels are those of the picture where the drawing puts them."""
    given, png = clicks(run, [Unparsed("?"), None])
    pane = draw_clicks(given, png)
    data = re.search(r"base64,([^\"]+)", pane.svg)
    assert data is not None
    part = Image.open(io.BytesIO(base64.b64decode(data[1]))).convert("RGB")
    left, top, width, _ = map(float, ET.fromstring(pane.svg).attrib["viewBox"].split())
    whole = Image.open(io.BytesIO(png)).convert("RGB")
    box, scale = given.truth, part.width / width
    for x, y in ((box.left + 2, box.bottom - 3), (left + 5, top + 5)):
        here = part.getpixel((int((x - left) * scale), int((y - top) * scale)))
        there = whole.getpixel((int(x), int(y)))
        assert isinstance(here, tuple)
        assert isinstance(there, tuple)
        assert max(abs(a - b) for a, b in zip(here, there, strict=True)) < 24
    assert "no reply" in pane.words[1].note
    assert "unparsed: ?" in pane.words[0].note
