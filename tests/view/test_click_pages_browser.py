"""
A person who clicks what is asked for is scored as right in every window, one who does not is not.
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from surefoot.cli.main import main
from surefoot.core.geometry import Box, Point
from surefoot.core.ledger import Ledger
from surefoot.core.question import Question
from surefoot.core.store import ObjectStore
from surefoot.run.asking.runs import open_run
from surefoot.run.folders.folder import export, read_questions
from surefoot.score.hits import judge
from surefoot.view.click_pages import serve_clicking
from surefoot.view.clicking import HumanAnswers

MAIN: Final = "from surefoot.cli.main import main; main()"
Visiting = Callable[..., Any]


def await_question(page: Page, number: int) -> None:
    """Wait until a question can be answered."""
    expect(page.locator("#standing")).to_have_text(re.compile(rf"^{number + 1} of"))
    expect(page.locator("#stage[data-ready]")).to_be_visible()


def click(page: Page, question: Question, point: Point) -> None:
    """Click where a point of the picture is drawn, wherever it has been scrolled to."""
    page.evaluate(
        "([x, y]) => document.getElementById('stage').scrollTo(x - 100, y - 100)",
        [point.x, point.y],
    )
    drawn = page.locator("#picture").bounding_box()
    assert drawn is not None
    page.mouse.click(
        drawn["x"] + point.x / question.width * drawn["width"],
        drawn["y"] + point.y / question.height * drawn["height"],
    )


def by_keys(page: Page, question: Question) -> None:
    """Lead the cross from the middle to the target with the arrow keys, and click there."""
    page.keyboard.press("ArrowUp")  # shows the cross
    lead_cross(page, Point(question.width / 2, question.height / 2), question.truth.center)
    page.keyboard.press("Enter")


def lead_cross(page: Page, start: Point, end: Point) -> None:
    """Move the cross by whole pixels."""
    away = (end.x - start.x, end.y - start.y)
    for distance, (back, on) in zip(
        away, (("ArrowLeft", "ArrowRight"), ("ArrowUp", "ArrowDown")), strict=True
    ):
        key = on if distance > 0 else back
        for _ in range(int(abs(distance)) // 16):
            page.keyboard.press(key)
        for _ in range(int(abs(distance)) % 16):
            page.keyboard.press(f"Shift+{key}")


@pytest.fixture
def person(drawn: Path, tmp_path: Path) -> Iterator[HumanAnswers]:
    """Ask Ada twelve questions."""
    with HumanAnswers(drawn, "Ada", tmp_path / "run", limit=2, seed=1) as asked:
        yield asked


def rate(folder: Path) -> float:
    """Return the share of hits of a finished run."""
    run = open_run(folder)
    return sum(judge(run.questions, run.answers).values()) / len(run.questions)


@pytest.mark.browser
@pytest.mark.parametrize(
    ("width", "scale", "large"), [(1280, 1, False), (390, 1, False), (390, 2, True)]
)
def test_who_clicks_the_centre_is_always_right(
    person: HumanAnswers,
    visiting: Visiting,
    assert_accessible: Callable[[Page], None],
    width: int,
    scale: float,
    large: bool,
) -> None:
    """Fitted or at true size, wide or narrow, on any display, a place is the picture's own."""
    with (
        serve_clicking(person) as address,
        visiting(address) as visit,
        visit("/", width, "light", scale) as page,
    ):
        for number, question in enumerate(person.questions):
            await_question(page, number)
            if not number and large:
                page.keyboard.press("z")
            elif not number:
                assert_accessible(page)
            click(page, question, question.truth.center)
        expect(page.locator("#done")).to_be_visible()

    assert rate(person.out) == 1


@pytest.mark.browser
def test_who_clicks_beside_is_always_wrong(person: HumanAnswers, visiting: Visiting) -> None:
    """A click two pixels beside the target is no hit, also where the picture is drawn small."""
    with (
        serve_clicking(person) as address,
        visiting(address) as visit,
        visit("/", 390, "dark") as page,
    ):
        for number, question in enumerate(person.questions):
            await_question(page, number)
            click(page, question, Point(question.truth.right + 2, question.truth.center.y))
        expect(page.locator("#done")).to_be_visible()

    assert rate(person.out) == 0


@pytest.mark.browser
def test_a_box_is_drawn_by_mouse_and_by_keys(
    drawn: Path, tmp_path: Path, visiting: Visiting
) -> None:
    """Where overlap is scored a box is asked for, and one around the target has an IoU of 1."""
    bench, plan = tmp_path / "bench", {"kind": "bench", "benchmark": "hidden@1", "seed": 0}
    questions = read_questions(drawn)[:2]
    with Ledger.open(bench, plan):
        for question in questions:
            ObjectStore(bench).put(ObjectStore(drawn).get(question.image))
        export(bench, "bench", {"questions.jsonl": questions})
    with (
        HumanAnswers(bench, "Ada", tmp_path / "run") as asked,
        serve_clicking(asked) as address,
        visiting(address) as visit,
        visit("/") as page,
    ):
        await_question(page, 0)
        drawn_at, box = page.locator("#picture").bounding_box(), asked.questions[0].truth
        page.mouse.move(drawn_at["x"] + box.left, drawn_at["y"] + box.top)
        page.mouse.down()
        page.mouse.move(drawn_at["x"] + box.right, drawn_at["y"] + box.bottom, steps=3)
        expect(page.locator("#frame")).to_be_visible()
        page.mouse.up()
        await_question(page, 1)
        one = asked.questions[1]
        page.keyboard.press("ArrowUp")
        begin, end = Point(*one.truth.as_tuple()[:2]), Point(*one.truth.as_tuple()[2:])
        lead_cross(page, Point(one.width / 2, one.height / 2), begin)
        page.keyboard.press("Enter")
        lead_cross(page, begin, end)
        page.keyboard.press("Enter")
        expect(page.locator("#done")).to_be_visible()
    run = open_run(tmp_path / "run")
    truths = {question.id: question.truth for question in run.questions}

    for answer in run.answers:
        assert isinstance(answer.parsed, Box)
        assert answer.parsed.iou(truths[answer.question]) > 0.999


@pytest.mark.browser
def test_a_server_killed_between_two_clicks_is_gone_on_with(
    drawn: Path, tmp_path: Path, visiting: Visiting, command_line: Callable[..., Any]
) -> None:
    """The same command goes on behind the last acknowledged click; keys do as a mouse does."""
    out = tmp_path / "run"
    options = ["--click", "Ada", "--out", str(out), "--limit", "1"]
    order = HumanAnswers(drawn, "Ada", tmp_path / "other", limit=1).questions
    told = ""
    for begin, end in ((0, 2), (2, len(order))):
        command = [sys.executable, "-c", MAIN, "view", str(drawn), *options]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            line = process.stdout.readline()
            address = next(word for word in line.split() if word.startswith("http"))
            with visiting(address) as visit, visit("/") as page:
                for number in range(begin, end):
                    await_question(page, number)
                    by_keys(page, order[number])
                if end < len(order):
                    await_question(page, end)
                    process.send_signal(signal.SIGKILL)
                else:
                    expect(page.locator("#done")).to_be_visible()
            told = process.stdout.read()

    assert told == f"all questions are answered: wrote {out}\n"
    scored = command_line(main, "score", out)
    assert scored.code == 0
    assert "human Ada" in scored.out
    assert rate(out) == 1
