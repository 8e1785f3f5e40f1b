"""
Targets under every mask, with what was answered: pictures for the report.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Final

from surefoot.core.geometry import Box, Point
from surefoot.core.perturbation import variant_title
from surefoot.core.question import Answer, Parsed, Question
from surefoot.core.seeds import random_source
from surefoot.core.store import ObjectStore
from surefoot.report.html.gallery import Card, Pane, embed_image
from surefoot.report.html.verdicts import truth_shapes
from surefoot.run.asking.runs import FinishedRun
from surefoot.score.boxes import best_iou
from surefoot.score.hits import is_hit
from surefoot.score.scorings.overlap import mask_rank

_MARGIN: Final = 110.0
_LEAST: Final = (520.0, 330.0)


def mask_cards(run: FinishedRun, *, tolerance: float, limit: int, seed: int) -> tuple[Card, ...]:
    """
    Draw targets under every mask with a run's answers, in a seeded order, each page once first.

    The questions of a card differ in their mask alone.
    """
    answers = {answer.question: answer for answer in run.answers}
    store = ObjectStore(run.bench)

    def pane(question: Question) -> Pane:
        answer = answers.get(question.id)
        hit = is_hit(question, answer, tolerance=tolerance)
        return _pane(question, answer, store.get(question.image), hit=hit)

    return tuple(_card(run.name, group, pane) for group in _groups(run, limit, seed))


def _groups(run: FinishedRun, limit: int, seed: int) -> list[list[Question]]:
    groups: dict[tuple[str, str, bool], list[Question]] = {}
    for question in run.questions:
        if question.image and question.answerable and question.truth.area > 0:
            key = (question.pair, question.instruction.text, question.cell.reasoning)
            groups.setdefault(key, []).append(question)
    first: dict[str, list[Question]] = {}
    order = [groups[key] for key in sorted(groups)]
    random_source(seed, "masks").shuffle(order)
    for group in order:
        first.setdefault(group[0].pair, group)
    turns: dict[str, int] = {}
    ranked = []
    for index, group in enumerate(first.values()):
        page = group[0].page_name
        turns[page] = turns.get(page, 0) + 1
        ranked.append((turns[page], index, group))
    return [group for _, _, group in sorted(ranked, key=lambda item: item[:2])[:limit]]


def _card(name: str, group: Sequence[Question], pane: Callable[[Question], Pane]) -> Card:
    ordered = sorted(group, key=lambda item: mask_rank(item.cell.variant))
    panes = tuple(map(pane, ordered))
    first = ordered[0]
    return Card(first.instruction.text, first.page_name, name, first.role or "element", panes)


def _pane(question: Question, answer: Answer | None, png: bytes, *, hit: bool) -> Pane:
    parsed = answer.parsed if answer else None
    view = _view(question, parsed)
    verdict = _verdict(question, answer, hit=hit)
    title = variant_title(question.cell.variant)
    label = escape(f"{title}: {verdict}")
    place = f'x="{view.left:.0f}" y="{view.top:.0f}" width="{view.width:.0f}"'
    svg = (
        f'<svg role="img" aria-label="{label}" '
        f'viewBox="{view.left:.0f} {view.top:.0f} {view.width:.0f} {view.height:.0f}">'
        f'<image href="{embed_image(png, view)}" {place} height="{view.height:.0f}"/>'
        f"{truth_shapes(question, 'target')}{_mark(parsed)}</svg>"
    )
    return Pane(title, svg, verdict, hit)


def _view(question: Question, parsed: Parsed | None) -> Box:
    """Return the part of the picture around the target, and the answer where it is near."""
    bounds = Box(0.0, 0.0, float(question.width), float(question.height))
    around = question.truth.intersection(bounds) or bounds
    answer = parsed.intersection(bounds) if isinstance(parsed, Box) else None
    shown = Box.around([around, answer]) if answer else around
    middle = shown.center
    wide, tall = (
        max(side + 2 * _MARGIN, least) / 2
        for side, least in zip((shown.width, shown.height), _LEAST, strict=True)
    )
    found = Box(middle.x - wide, middle.y - tall, middle.x + wide, middle.y + tall)
    part = found.intersection(bounds) or bounds
    return Box(*(float(round(side)) for side in part.as_tuple()))


def _mark(parsed: Parsed | None) -> str:
    if isinstance(parsed, Box):
        return _frame(parsed, "predicted")
    if isinstance(parsed, Point):
        return f'<circle class="prediction" cx="{parsed.x:.1f}" cy="{parsed.y:.1f}" r="9"/>'
    return ""


def _frame(box: Box, kind: str) -> str:
    colour, dash = ("--target", "none") if kind == "target" else ("--prediction", "7 5")
    return (
        f'<rect x="{box.left:.1f}" y="{box.top:.1f}" width="{box.width:.1f}" '
        f'height="{box.height:.1f}" style="fill:none;stroke:var({colour});stroke-width:2;'
        f'stroke-dasharray:{dash}"/>'
    )


def _verdict(question: Question, answer: Answer | None, *, hit: bool) -> str:
    """Say how near an answer came; whether that is a hit is for the scores' own judge to say."""
    parsed = answer.parsed if answer else None
    if isinstance(parsed, Box):
        return f"IoU {best_iou(question, answer):.2f}"
    if isinstance(parsed, Point):
        return "a point inside" if hit else "a point outside"
    return "no reply (failed)" if parsed is None else "no place named"
