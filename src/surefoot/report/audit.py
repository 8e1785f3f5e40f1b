"""
Contact sheets: random samples with target and landmark drawn, for a person to judge.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from surefoot.capture.draw import Mark, contact_sheet, with_inset
from surefoot.core.errors import InvalidInputError
from surefoot.core.files import write_atomic
from surefoot.core.question import Question
from surefoot.core.seeds import random_source
from surefoot.core.store import ObjectStore
from surefoot.report.html.gallery import words_box
from surefoot.report.html.verdicts import expectation, shown_boxes
from surefoot.run.folders.folder import read_questions, read_screens

__all__ = ["draw_audit", "sample_questions"]

TARGET: Final = "#12a150"
LANDMARK: Final = "#2563eb"
SHEET_PX: Final = 1200


def sample_questions(
    questions: Sequence[Question], *, count: int, seed: int
) -> tuple[Question, ...]:
    """
    Draw samples that take turns over variants, and over pages within each variant.

    Each variant gets the same number, give or take one; no page is drawn twice for a
    variant before every page was drawn once.
    """
    shelves: dict[str, list[tuple[int, int, Question]]] = {}
    for variant in sorted({each.cell.variant for each in questions}):
        chosen = [each for each in questions if each.cell.variant == variant]
        chosen.sort(key=lambda each: each.id)
        random_source(seed, "audit", variant).shuffle(chosen)
        turns: dict[str, int] = defaultdict(int)
        shelf = []
        for order, question in enumerate(chosen):
            shelf.append((turns[question.page_name], order, question))
            turns[question.page_name] += 1
        shelves[variant] = sorted(shelf, key=lambda each: each[:2])
    drawn: list[Question] = []
    while len(drawn) < count and any(shelves.values()):
        for shelf in shelves.values():
            if shelf and len(drawn) < count:
                drawn.append(shelf.pop(0)[2])
    return tuple(drawn)


def draw_audit(bench: Path, out: Path, *, count: int, seed: int, per_sheet: int) -> list[Path]:
    """
    Write contact sheets of random samples of a benchmark, and return their paths.

    All that is right is framed in green and the landmark in blue on the screenshot that a
    model would see; beside it stands what is around the target, larger. The caption is the
    instruction, and what is expected where it is no place. Questions without a picture are
    left out; raises InvalidInputError where all are.
    """
    screens = {screen.id: screen for screen in read_screens(bench)}
    store = ObjectStore(bench)
    shown = [each for each in read_questions(bench) if each.image]
    if not shown:
        raise InvalidInputError(
            f"a question with a picture in {bench}",
            found="none",
            remedy="import the set again with --images FOLDER, where its pictures are",
        )
    pictures: list[tuple[str, bytes]] = []
    for number, question in enumerate(sample_questions(shown, count=count, seed=seed), start=1):
        marks = _marks(question)
        landmark = screens[question.screen].element(question.instruction.landmark)
        if landmark:
            marks.append(Mark(words_box(landmark), LANDMARK, width=3))
        caption = f"{number}. {question.cell.variant}: {question.instruction.text}"
        expected = expectation(question)
        caption += f" (expected: {expected})" if expected else ""
        picture = with_inset(store.get(question.image), marks, question.truth)
        pictures.append((caption, picture))
    out.mkdir(parents=True, exist_ok=True)
    written = []
    for start in range(0, len(pictures), per_sheet):
        path = out / f"sheet-{start // per_sheet + 1:02d}.png"
        sheet = contact_sheet(pictures[start : start + per_sheet], columns=1, width=SHEET_PX)
        write_atomic(path, sheet)
        written.append(path)
    return written


def _marks(question: Question) -> list[Mark]:
    corners = question.polygon if question.asks == "place" else ()
    return [Mark(box, TARGET, width=3, corners=corners) for box in shown_boxes(question)]
