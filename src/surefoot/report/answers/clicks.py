"""
The elements at which a model wavers most: every click of every instruction on one picture.

The part of the picture that holds the target and the clicks is embedded; box and clicks
are vector shapes in the picture's own pixels, numbered like the instructions beside them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Final

import msgspec

from surefoot.core.geometry import Box, Point, window_around
from surefoot.core.perturbation import ORIGINAL, variant_title
from surefoot.core.question import Answer, Question, Refusal, Unparsed
from surefoot.core.store import ObjectStore
from surefoot.report.html.gallery import Card, InstructionLine, Pane, embed_image
from surefoot.report.html.verdicts import expectation, shown_boxes, truth_shapes
from surefoot.run.asking.runs import FinishedRun
from surefoot.score.hits import judge
from surefoot.score.truths import place_of, words_of

_RADIUS: Final = 13.0
_MARGIN: Final = 40.0
_LEAST: Final = (480.0, 300.0)


class Clicks(msgspec.Struct, frozen=True):
    """Hold the questions of one element in one view, and where each was clicked."""

    view: str
    questions: tuple[Question, ...]
    answers: tuple[Answer | None, ...]
    hits: tuple[bool, ...]

    @property
    def truth(self) -> Box:
        """Return the target's box, in pixels of the view's image; empty without a place."""
        return self.questions[0].truth

    @property
    def places(self) -> tuple[Point | None, ...]:
        """Return where each instruction was clicked, None for no place."""
        return tuple(place_of(answer.parsed) if answer else None for answer in self.answers)


def worst_elements(run: FinishedRun, *, tolerance: float, limit: int) -> list[tuple[Clicks, ...]]:
    """
    Choose the elements of a run whose clicks disagree most about hit and miss.

    Elements that some instructions hit and others missed come first, those with more
    misses before others; then those that none hit. Each page comes once before any twice.
    An element's views are in order, the original first.
    """
    elements = [element for element in _elements(run, tolerance) if not all(_hits(element))]
    elements.sort(
        key=lambda views: (not any(_hits(views)), _share(views), views[0].questions[0].id)
    )
    turns: dict[str, int] = {}
    ranked = []
    for order, views in enumerate(elements):
        page = views[0].questions[0].page_name
        turns[page] = turns.get(page, 0) + 1
        ranked.append((turns[page], order, views))
    return [views for _, _, views in sorted(ranked, key=lambda item: item[:2])[:limit]]


def click_cards(
    run: FinishedRun, *, tolerance: float, limit: int, seed: int = 0
) -> tuple[Card, ...]:
    """Draw the elements of a run that its model wavers at most, with pictures; no seed decides."""
    del seed
    store = ObjectStore(run.bench)
    return tuple(
        _card(run.name, views, store)
        for views in worst_elements(run, tolerance=tolerance, limit=limit)
    )


def draw_clicks(clicks: Clicks, png: bytes) -> Pane:
    """Draw all right places and all clicks over the part of the picture that holds them."""
    first = clicks.questions[0]
    part = _part(clicks, Box(0.0, 0.0, float(first.width), float(first.height)))
    picture = embed_image(png, part)
    size = max(part.width / 640, part.height / 640)  # picture pixels per pixel on the page
    outline = truth_shapes(first, "box")
    marks = [_mark(*pile, size) for pile in _piles(clicks, size)]
    expected = expectation(first)
    verdict = f"{sum(clicks.hits)} of {len(clicks.hits)} instructions hit"
    verdict += f"; expected {expected}" if expected else ""
    title = variant_title(clicks.view)
    svg = (
        f'<svg role="img" aria-label="{escape(f"{title}: {verdict}")}" viewBox="'
        f'{part.left:.0f} {part.top:.0f} {part.width:.0f} {part.height:.0f}">'
        f'<image href="{picture}" x="{part.left:.0f}" y="{part.top:.0f}" '
        f'width="{part.width:.0f}" height="{part.height:.0f}"/>{outline}{"".join(marks)}</svg>'
    )
    return Pane(title, svg, verdict, all(clicks.hits), _words(clicks))


def _elements(run: FinishedRun, tolerance: float) -> Iterable[tuple[Clicks, ...]]:
    answers = {answer.question: answer for answer in run.answers}
    hits = judge(run.questions, run.answers, tolerance=tolerance)
    groups: dict[tuple[str, bool], dict[str, list[Question]]] = {}
    for question in run.questions:
        views = groups.setdefault((question.pair, question.cell.reasoning), {})
        views.setdefault(question.cell.variant, []).append(question)
    for group in groups.values():
        ordered = sorted(group, key=lambda view: (view != ORIGINAL, view))
        yield tuple(_clicks(view, group[view], answers, hits) for view in ordered)


def _clicks(
    view: str,
    questions: Sequence[Question],
    answers: Mapping[str, Answer],
    hits: Mapping[str, bool],
) -> Clicks:
    given = tuple(answers.get(question.id) for question in questions)
    return Clicks(
        view, tuple(questions), given, tuple(hits[question.id] for question in questions)
    )


def _hits(views: Iterable[Clicks]) -> list[bool]:
    return [hit for view in views for hit in view.hits]


def _share(views: Iterable[Clicks]) -> float:
    hits = _hits(views)
    return sum(hits) / len(hits)


def _card(model: str, views: Sequence[Clicks], store: ObjectStore) -> Card:
    first = views[0].questions[0]
    panes = tuple(draw_clicks(view, store.get(view.questions[0].image)) for view in views)
    instructions = [question.instruction for question in views[0].questions]
    shortest = min(instructions, key=lambda item: (bool(item.wording), len(item.text), item.text))
    hits = _hits(views)
    missed = f"{first.role} missed with {len(hits) - sum(hits)} of {len(hits)} instructions"
    why = first.facts.get("confusing", "")
    why_chosen = f"Chosen by what it can be taken for: {why}." if why else ""
    return Card(shortest.text, first.page_name, model, missed, panes, note=why_chosen)


def _words(clicks: Clicks) -> tuple[InstructionLine, ...]:
    given = zip(clicks.questions, clicks.answers, clicks.places, clicks.hits, strict=True)
    return tuple(
        InstructionLine(question.instruction.text, _note(question, answer, place, hit=hit), hit)
        for question, answer, place, hit in given
    )


def _note(question: Question, answer: Answer | None, place: Point | None, *, hit: bool) -> str:
    instruction_kind = question.instruction.wording or question.instruction.kind
    if place is not None:
        return (
            f"({instruction_kind}; {'hit' if hit else f'missed at {place.x:.0f}, {place.y:.0f}'})"
        )
    if answer is None:
        return f"({instruction_kind}; no reply)"
    if isinstance(answer.parsed, Refusal):
        return f"({instruction_kind}; declined{', a hit' if hit else ''})"
    words = words_of(question, answer.parsed)
    if words is not None:
        return f"({instruction_kind}; {'hit' if hit else 'missed'}: '{words[:80]}')"
    why = f": {answer.parsed.why}" if isinstance(answer.parsed, Unparsed) else ""
    return f"({instruction_kind}; unparsed{why})"


def _piles(clicks: Clicks, size: float) -> list[tuple[str, Point, bool]]:
    """Put clicks that would hide each other under one mark, which tells how many they are."""
    piles: dict[tuple[bool, int, int], list[tuple[int, Point]]] = {}
    step = _RADIUS * size
    for number, (place, hit) in enumerate(zip(clicks.places, clicks.hits, strict=True), 1):
        if place:
            key = (hit, round(place.x / step), round(place.y / step))
            piles.setdefault(key, []).append((number, place))
    return [
        (str(first) if len(pile) == 1 else f"{len(pile)}\N{MULTIPLICATION SIGN}", place, hit)
        for (hit, _, _), pile in sorted(piles.items(), key=lambda item: len(item[1]))
        for first, place in pile[:1]
    ]


def _mark(label: str, place: Point, hit: bool, size: float) -> str:  # noqa: FBT001 - a value
    radius = _RADIUS * size
    return (
        f'<g class="clicked {"in" if hit else "out"}"><circle cx="{place.x:.1f}" '
        f'cy="{place.y:.1f}" r="{radius:.1f}" fill-opacity="0.94"/><text x="{place.x:.1f}" '
        f'y="{place.y + radius / 3:.1f}" style="font-size:{12 * size:.1f}px">{label}</text></g>'
    )


def _part(clicks: Clicks, picture: Box) -> Box:
    """Return the whole pixels around target and clicks; clicks outside the picture are left."""
    seen = [place for place in clicks.places if place and picture.contains(place)]
    boxes = [*shown_boxes(clicks.questions[0]), *(Box(p.x, p.y, p.x, p.y) for p in seen)]
    around = Box.around(boxes or [picture])
    return window_around(around, picture, least=_LEAST, margin=_MARGIN)
