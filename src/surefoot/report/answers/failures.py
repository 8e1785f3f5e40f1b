"""
Failures to look at: targets that a model hit on the original and missed on a variant.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from surefoot.core.question import Answer, Question
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.report.html.gallery import Card, Pane, choose_failures, draw_pane, embed_image
from surefoot.run.asking.runs import FinishedRun
from surefoot.run.asking.spent import seconds_by_question
from surefoot.run.folders.folder import read_screens
from surefoot.score.hits import judge


def failure_cards(
    run: FinishedRun, *, tolerance: float, limit: int, seed: int
) -> tuple[Card, ...]:
    """Draw at most ``limit`` failures of one run with pictures, chosen by the seed."""
    answers = {answer.question: answer for answer in run.answers}
    judged = judge(run.questions, run.answers, tolerance=tolerance)
    hits = {name: hit for name, hit in judged.items() if name in answers}
    screens = {screen.id: screen for screen in read_screens(run.bench)}
    drawn = [
        question
        for question in run.questions
        if all(question.images) and question.screen in screens
    ]
    store = ObjectStore(run.bench)
    return tuple(
        _card(run, group, answers, hits, screens, store)
        for group in choose_failures(drawn, hits, limit=limit, seed=seed)
    )


def _card(
    run: FinishedRun,
    group: Iterable[Question],
    answers: Mapping[str, Answer],
    hits: Mapping[str, bool],
    screens: Mapping[str, Screen],
    store: ObjectStore,
) -> Card:
    ordered = sorted(group, key=lambda one: (one.cell.variant != "original", one.cell.variant))
    taken = seconds_by_question(run, ordered)
    panes: list[Pane] = []
    for question in ordered:
        pictures = [embed_image(store.get(sha)) for sha in question.images]
        answer = answers.get(question.id)
        screen = screens[question.screen]
        hit, seconds = hits.get(question.id, False), taken.get(question.id)
        panes.append(draw_pane(question, answer, screen, *pictures, hit=hit, seconds=seconds))
    first = ordered[0]
    return Card(first.instruction.text, first.page_name, run.name, first.role, tuple(panes))
