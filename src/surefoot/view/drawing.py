"""
What a page shows of a question: the picture with its marks, and every model's answer in words.
"""

from __future__ import annotations

from typing import Final

import msgspec

from surefoot.core.geometry import Box, Point
from surefoot.core.question import Answer, Question
from surefoot.core.screen import Screen
from surefoot.failures.classify import classify
from surefoot.failures.modes import MODES
from surefoot.failures.shares import NOT_JUDGED
from surefoot.failures.thought import thought_of
from surefoot.refer.scene.scene import Scene
from surefoot.report.html.gallery import words_box
from surefoot.report.html.verdicts import shown_boxes, truth_shapes, verdict
from surefoot.run.asking.spent import seconds_by_question
from surefoot.score.truths import place_of
from surefoot.view.pictures import part_around
from surefoot.view.table import AnswerOutcome, Flip, QuestionTable

OUTCOME_WORDS: Final[dict[int, str]] = {
    AnswerOutcome.HIT: "hit",
    AnswerOutcome.MISS: "missed",
    AnswerOutcome.REFUSED: "declined",
    AnswerOutcome.UNPARSED: "unreadable",
    AnswerOutcome.FAILED: "no reply",
}
_RADIUS: Final = 11.0  # pixels on the page
SMALL: Final = 320.0  # about how wide a picture is shown in a grid, in pixels of the page
LARGE: Final = 700.0


class ClickMark(msgspec.Struct, frozen=True):
    """Hold one model's click in pixels of the image; ``number`` counts the models from 1."""

    number: int
    x: float
    y: float
    hit: bool


class MarkedPicture(msgspec.Struct, frozen=True):
    """
    Hold the part of a picture that is shown, and what is drawn on it, in pixels of the image.

    ``shapes`` is SVG of all that is right; ``radius`` that of a mark; ``said`` tells it all in
    words; ``href`` leads to the pixels of ``view``, "" where there are none.
    """

    row: int
    view: Box
    shapes: str
    landmark: Box | None
    clicks: tuple[ClickMark, ...]
    radius: float
    said: str
    href: str


class AnswerWords(msgspec.Struct, frozen=True):
    """
    Say what one model answered.

    ``outcome`` is a word, ``verdict`` a sentence's worth; ``mode`` is "" for a hit, and where
    it could not be told. ``seconds`` is None where the run's ledger does not tell.
    """

    number: int
    model: str
    outcome: str
    verdict: str
    place: Point | None
    mode: str
    meaning: str
    why: str
    flip: str
    raw: str
    thought: str
    prompt_tokens: int
    completion_tokens: int
    cost: float
    seconds: float | None


def draw_question(
    table: QuestionTable,
    row: int,
    question: Question,
    screen: Screen | None,
    *,
    width: float,
    whole: bool,
) -> MarkedPicture:
    """
    Mark target, landmark and clicks on a picture, whole or the part that holds them.

    ``width`` is how wide it is shown, in pixels of the page.
    """
    marks, said = [], []
    for number, model in enumerate(table.models):
        outcome = int(table.outcome[number, row])
        if outcome == AnswerOutcome.NOT_ASKED:
            continue
        answer = table.answer(number, row)
        point = place_of(answer.parsed) if answer else None
        said.append(f"{model}: {OUTCOME_WORDS[outcome]}")
        if point is not None:
            hit = outcome == AnswerOutcome.HIT
            marks.append(ClickMark(number + 1, point.x, point.y, hit))
    picture = Box(0.0, 0.0, float(question.width), float(question.height))
    found = screen.element(question.instruction.landmark) if screen else None
    landmark = words_box(found) if found else None
    boxes = [*shown_boxes(question), *([landmark] if landmark else ())]
    points = [Point(mark.x, mark.y) for mark in marks]
    view = picture if whole else part_around(boxes, points, picture)
    sides = "/".join(f"{side:.0f}" for side in view.as_tuple())
    return MarkedPicture(
        row=row,
        view=view,
        shapes=truth_shapes(question, "target"),
        landmark=landmark,
        clicks=tuple(marks),
        radius=_RADIUS * view.width / width,
        said=f"{question.instruction.text}. {'; '.join(said) or 'no model asked'}",
        href=f"/crop/{row}/{sides}" if question.image else "",
    )


def answer_words(
    table: QuestionTable, row: int, question: Question, scene: Scene | None
) -> list[AnswerWords]:
    """Say what each model answered to a question; those that were not asked are left out."""
    asked = [
        number
        for number in range(len(table.models))
        if table.outcome[number, row] != AnswerOutcome.NOT_ASKED
    ]
    return [_answer(table, number, row, question, scene) for number in asked]


def _answer(
    table: QuestionTable, number: int, row: int, question: Question, scene: Scene | None
) -> AnswerWords:
    answer = table.answer(number, row)
    outcome = int(table.outcome[number, row])
    hit = outcome == AnswerOutcome.HIT
    mode, why = ("", "") if hit else _mode(table, number, row, question, answer, scene)
    usage = answer.usage if answer else None
    raw = answer.raw if answer else ""
    return AnswerWords(
        number=number + 1,
        model=table.models[number],
        outcome=OUTCOME_WORDS[outcome],
        verdict=verdict(question, answer.parsed if answer else None, hit=hit),
        place=place_of(answer.parsed) if answer else None,
        mode=mode,
        meaning=next((words for name, words in MODES.items() if name == mode), ""),
        why=why,
        flip=_flip(int(table.flip[number, row])),
        raw=raw,
        thought=thought_of(raw),
        prompt_tokens=usage.prompt_tokens if usage else 0,
        completion_tokens=usage.completion_tokens if usage else 0,
        cost=usage.cost if usage else 0.0,
        seconds=seconds_by_question(table.runs[number], [question]).get(question.id),
    )


def _mode(
    table: QuestionTable,
    number: int,
    row: int,
    question: Question,
    answer: Answer | None,
    scene: Scene | None,
) -> tuple[str, str]:
    """Return the mode of a failure and why; both "" where it cannot be told."""
    if answer is None:
        return "", ""
    told = int(table.mode[number, row])
    name = "" if told == NOT_JUDGED else tuple(MODES)[told]
    one_element = question.asks == "place" and not question.boxes and not question.polygon
    known = scene is not None and question.instruction.target in scene.place
    if scene is None or not known or not (one_element and question.answerable):
        return name, ""
    found = classify(scene, question, answer, _former(table, row, question))
    return (found.mode, found.why) if name in ("", found.mode) else (name, "")


def _former(table: QuestionTable, row: int, question: Question) -> Box | None:
    """Return the target's box on the original, where the picture is as large and it is another."""
    first = table.original(row)
    if first is None or first == row:
        return None
    former = table.question(first)
    alike = (former.width, former.height) == (question.width, question.height)
    return former.truth if alike and former.truth != question.truth else None


def _flip(flip: int) -> str:
    return {
        Flip.LOST.value: "right on the original, wrong here",
        Flip.GAINED.value: "wrong on the original, right here",
    }.get(flip, "")
