"""
Every element under every condition: what was asked of it, in all pillars, and what became of it.

Elements of different pillars are joined by their pair, PAGE#ELEMENT, which all benchmarks over
screens name alike; ids of questions are known within a pillar alone. A field of a form is an
element, too, under every change that the form was shown in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from surefoot.core.geometry import Box
from surefoot.core.perturbation import ORIGINAL, OVER
from surefoot.core.question import Answer, Question
from surefoot.core.store import ObjectStore
from surefoot.forms.scoring.cases import Case
from surefoot.forms.scoring.summary import FORMS, REFERENCES
from surefoot.report.card.opening import OpenedPillar
from surefoot.report.card.patterns import (
    SHOWN,
    FaredCell,
    facet_of,
    grouped_by_name,
    pattern_name,
)
from surefoot.report.card.record import (
    CardCell,
    CardColumn,
    CardCost,
    CardElement,
    CardPattern,
)
from surefoot.report.html.gallery import embed_image
from surefoot.run.asking.runs import asked_and_answered
from surefoot.run.asking.spent import seconds_of
from surefoot.score.conditions.rows import Condition
from surefoot.score.hits import judge
from surefoot.score.scoring import Scoring

_AROUND = (90.0, 36.0)  # pixels of the screen around a target in a small picture
_WIDTH = 220  # pixels of a small picture

Key = tuple[str, str, str]  # pillar, variant, kind of instruction


class TargetPicture(msgspec.Struct, frozen=True):
    """Hold where the picture of an element lies, and its box there."""

    bench: Path
    image: str
    box: Box
    bounds: Box


class Matrix(msgspec.Struct, frozen=True):
    """
    Hold all elements with their cells, the columns of these, and what the answers took.

    ``pictures`` are where elements can be seen, by their pairs.
    """

    columns: tuple[CardColumn, ...]
    elements: tuple[CardElement, ...]
    costs: tuple[CardCost, ...]
    pictures: Mapping[str, TargetPicture]


class _Cells:
    """Gather cells while runs are read."""

    def __init__(self) -> None:
        self.columns: dict[Key, str] = {}
        self.before: dict[Key, str] = {}
        self.counts: dict[tuple[str, str, Key], list[tuple[str, bool]]] = {}
        self.plainest: dict[str, tuple[int, CardElement]] = {}
        self.pictures: dict[str, TargetPicture] = {}

    def note(self, pillar: OpenedPillar, bench: Path, question: Question) -> Key:
        """Note a question as its scoring arranges it, and return its column."""
        scoring, cell = pillar.scoring, question.cell
        kind = cell.instruction if _by_words(scoring) else ""
        key = (pillar.name, cell.variant, kind)
        self.columns[key] = scoring.name
        base = question.facts.get(OVER, ORIGINAL)
        self.before[key] = ORIGINAL if base == cell.variant else base
        facet, _ = facet_of(scoring.name, cell.variant, kind)
        rank = (facet != SHOWN) + (cell.variant != ORIGINAL)
        if question.pair not in self.plainest or rank < self.plainest[question.pair][0]:
            self.plainest[question.pair] = (
                rank,
                CardElement(
                    pair=question.pair,
                    page=question.page_name,
                    site=question.cluster,
                    role=question.role,
                    words=question.instruction.text,
                    cells=(),
                ),
            )
            if question.image and question.truth.area > 0:
                bounds = Box(0.0, 0.0, float(question.width), float(question.height))
                self.pictures[question.pair] = TargetPicture(
                    bench, question.image, question.truth, bounds
                )
        return key

    def note_form(self, case: Case) -> None:
        """Note what became of each value of an attempt at a form."""
        score = case.score
        key = (FORMS, case.change or ORIGINAL, "")
        self.columns[key] = FORMS
        self.before[key] = ORIGINAL
        for field in score.fields:
            if field.asked:
                pair = f"{score.form}#{field.field}"
                words = f"Fill in '{field.field.replace('_', ' ')}'"
                element = CardElement(pair, score.form, score.form, field.kind, words, ())
                self.plainest.setdefault(pair, (0, element))
                place = (score.agent, pair, key)
                self.counts.setdefault(place, []).append(("", field.submitted))

    def matrix(self, costs: Iterable[CardCost]) -> Matrix:
        """Return all that was noted, columns by pillar with the original first."""
        pillars = list(dict.fromkeys(pillar for pillar, *_ in self.columns))
        order = sorted(
            self.columns,
            key=lambda key: (
                pillars.index(key[0]),
                key[1] != ORIGINAL,
                key[1],
                key[2] != "direct",
                key[2],
            ),
        )
        places = {key: at for at, key in enumerate(order)}
        cells: dict[str, list[CardCell]] = {}
        for (model, pair, key), verdicts in self.counts.items():
            missed = next((name for name, hit in verdicts if not hit), verdicts[0][0])
            hits = sum(hit for _, hit in verdicts)
            cells.setdefault(pair, []).append(
                CardCell(model, places[key], hits, len(verdicts), missed)
            )
        columns = []
        for pillar, variant, kind in order:
            facet, title = facet_of(self.columns[pillar, variant, kind], variant, kind)
            if kind and facet != "words":
                title = f"{title}, {kind}"
            before = "" if variant == ORIGINAL else self.before[pillar, variant, kind]
            columns.append(CardColumn(pillar, variant, kind, facet, title, before))
        elements = tuple(
            msgspec.structs.replace(
                element, cells=tuple(sorted(cells[pair], key=lambda one: (one.model, one.column)))
            )
            for pair, (_, element) in sorted(self.plainest.items())
            if pair in cells
        )
        return Matrix(tuple(columns), elements, tuple(costs), self.pictures)


def read_matrix(
    pillars: Iterable[OpenedPillar],
    forms: Iterable[Case],
    references: frozenset[str],
    *,
    tolerance: float,
) -> Matrix:
    """Read all answers of the models that the card is about, element by element."""
    cells, costs = _Cells(), []
    for pillar in pillars:
        for run in pillar.runs:
            if run.name in references:
                continue
            questions, answers = asked_and_answered(run)
            asked, answered = list(questions), list(answers)
            hits = judge(asked, answered, tolerance=tolerance)
            answered_ids = {answer.question for answer in answered}
            for question in pillar.scoring.arrange(asked):
                if question.id in answered_ids and not _apart(pillar.scoring, question):
                    key = cells.note(pillar, run.bench, question)
                    place = (run.name, question.pair, key)
                    cells.counts.setdefault(place, []).append((question.id, hits[question.id]))
            costs.append(_cost(pillar.name, run.name, answered, seconds_of(run.folder)))
    for case in forms:
        if case.score.agent not in {*references, *REFERENCES}:
            cells.note_form(case)
    return cells.matrix(costs)


def patterns_of(matrix: Matrix, silent: Mapping[str, frozenset[str]]) -> Iterator[CardPattern]:
    """
    Yield how elements fare with each model, the commonest pattern first.

    ``silent`` has the models, each with the pillars whose changes say nothing of it.
    """
    for model, pillars in silent.items():
        named = []
        for element in matrix.elements:
            fared = (_fared(matrix.columns[at], cell) for at, cell in element.of(model).items())
            cells = [cell for cell in fared if not cell.before or cell.words[0] not in pillars]
            if cells:
                form = "field of a form: " * (cells[0].words[0] == FORMS)
                named.append((form + pattern_name(cells), element.pair))
        for name, pairs in grouped_by_name(named):
            yield CardPattern(model, name, pairs)


def _fared(column: CardColumn, cell: CardCell) -> FaredCell:
    title = column.title.removesuffix(f", {column.instruction}")
    words = (column.pillar, column.instruction)
    changed = (column.variant, column.before)
    return FaredCell(column.facet, title, words, *changed, cell.hits, cell.asked)


def small_picture(picture: TargetPicture) -> str:
    """Draw a part of the screen around an element, which is framed, as SVG."""
    across, down = _AROUND
    middle, box = picture.box.center, picture.box
    wide, tall = max(box.width / 2, 20.0) + across, max(box.height / 2, 8.0) + down
    around = Box(middle.x - wide, middle.y - tall, middle.x + wide, middle.y + tall)
    part = around.intersection(picture.bounds) or picture.bounds
    part = Box(*(float(round(side)) for side in part.as_tuple()))
    place = f'x="{part.left:.0f}" y="{part.top:.0f}" width="{part.width:.0f}"'
    drawn = embed_image(ObjectStore(picture.bench).get(picture.image), part, width=_WIDTH)
    return (
        f'<svg aria-hidden="true" viewBox="{part.left:.0f} {part.top:.0f} {part.width:.0f} '
        f'{part.height:.0f}"><image href="{drawn}" {place} height="{part.height:.0f}"/>'
        f'<rect class="box" x="{box.left:.1f}" y="{box.top:.1f}" width="{box.width:.1f}" '
        f'height="{box.height:.1f}"/></svg>'
    )


def _by_words(scoring: Scoring) -> bool:
    return any(contrast.varies == "instruction" for contrast in scoring.contrasts)


def _apart(scoring: Scoring, question: Question) -> bool:
    cell = question.cell
    return scoring.apart(Condition("", cell.reasoning, cell.instruction, cell.variant))


def _cost(
    pillar: str, model: str, answers: Sequence[Answer], seconds: Sequence[float]
) -> CardCost:
    used = [answer.usage for answer in answers]
    return CardCost(
        pillar=pillar,
        model=model,
        replies=len(answers),
        seconds=sum(seconds) if seconds else None,
        read=sum(usage.prompt_tokens for usage in used),
        written=sum(usage.completion_tokens for usage in used),
        dollars=sum(usage.cost for usage in used),
    )
