"""
Tests of the gallery of failures.
"""

from __future__ import annotations

import base64
import io
import xml.etree.ElementTree as ET

import pytest
from PIL import Image

from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Answer, Cell, Parsed, Question, Refusal, Unparsed
from surefoot.core.screen import Element, Screen
from surefoot.report.html.gallery import choose_failures, draw_pane, embed_image


def _question(page: str, target: str, variant: str) -> Question:
    return Question(
        id=f"{page}-{target}-{variant}",
        pair=f"{page}-{target}",
        cluster=page,
        cell=Cell(variant, "direct"),
        screen=f"{page}-{variant}",
        image="0" * 64,
        width=1280,
        height=800,
        instruction=Instruction(
            text="Click the 'A' button",
            language="en",
            kind="direct",
            specificity="high",
            expression=Expression(role="button", name="A"),
            target=target,
            landmark="mark",
        ),
        truth=Box(100, 100, 200, 140),
    )


_SCREEN = Screen(
    id="s",
    page="p",
    source="folder:p",
    image="0" * 64,
    width=1280,
    height=800,
    scale=1.0,
    platform="web",
    locale="en-US",
    elements=(Element(id="mark", role="heading", box=Box(10, 10, 60, 40)),),
)


def test_only_groups_that_fell_are_chosen_and_pages_take_turns() -> None:
    """A chosen group was hit on the original and missed elsewhere; no page twice too soon."""
    pairs = [("p1", "a"), ("p1", "b"), ("p1", "c"), ("p2", "a"), ("p3", "never-hit")]
    questions = [_question(p, t, v) for p, t in pairs for v in ("original", "zoom")]
    hits = {question.id: question.cell.variant == "original" for question in questions}
    hits["p3-never-hit-original"] = False

    chosen = choose_failures(questions, hits, limit=2, seed=1)

    assert {"p1", "p2"} == {group[0].cluster for group in chosen}


def test_choice_depends_on_the_seed_alone() -> None:
    """The order in which questions come does not change which failures are shown."""
    questions = [_question(f"p{i}", "a", v) for i in range(9) for v in ("original", "zoom")]
    hits = {question.id: question.cell.variant == "original" for question in questions}

    forward = choose_failures(questions, hits, limit=3, seed=4)
    backward = choose_failures(reversed(questions), hits, limit=3, seed=4)

    assert [g[0].pair for g in forward] == [g[0].pair for g in backward]


@pytest.mark.parametrize(
    ("parsed", "hit", "words"),
    [
        (Point(150, 120), True, "hit"),
        (Point(203, 144), False, "missed by 5 px"),
        (Unparsed("no numbers"), False, "unparsed: no numbers"),
        (Refusal("not there"), False, "the model declined"),
    ],
)
def test_verdict_says_what_happened(parsed: Parsed, hit: bool, words: str) -> None:
    """Each kind of outcome has its own words; an unread reply is never a distance."""
    pane = draw_pane(
        _question("p", "a", "zoom"), Answer("q", "", parsed), _SCREEN, "data:,", hit=hit
    )

    assert words == pane.verdict


def test_pane_draws_target_landmark_and_prediction_in_image_pixels() -> None:
    """The drawing's coordinates are the screen's own, so that boxes need no conversion."""
    pane = draw_pane(
        _question("p", "a", "zoom"), Answer("q", "", Point(5, 6)), _SCREEN, "data:,", hit=False
    )

    root = ET.fromstring(pane.svg)
    assert root.attrib["viewBox"] == "0 0 1280 800"
    target = root.find("rect[@class='target']")
    landmark = root.find("rect[@class='landmark']")
    click = root.find("circle[@class='prediction-dot']")
    assert target is not None
    assert landmark is not None
    assert click is not None
    assert ("100.0", "40.0") == (target.attrib["x"], target.attrib["height"])
    assert "10.0" == landmark.attrib["x"]
    assert ("5.0", "6.0") == (click.attrib["cx"], click.attrib["cy"])


def test_failed_question_is_shown_without_a_click() -> None:
    """A question without an answer is drawn without a prediction and said to have failed."""
    pane = draw_pane(_question("p", "a", "zoom"), None, _SCREEN, "data:,", hit=False)

    assert "no reply (failed)" == pane.verdict
    assert "prediction" not in pane.svg


def test_embedded_picture_is_small_and_keeps_its_aspect() -> None:
    """A wide screenshot is embedded at 1280 pixels with its aspect ratio."""
    out = io.BytesIO()
    Image.new("RGB", (2560, 1600), "navy").save(out, "PNG")

    uri = embed_image(out.getvalue())

    picture = Image.open(io.BytesIO(base64.b64decode(uri.partition(",")[2])))
    assert (1280, 800) == picture.size
