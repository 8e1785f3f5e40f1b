"""
The report on a hidden benchmark: IoU and BCP under each mask, and pictures of the masks.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from PIL import Image

from surefoot.core.files import write_atomic
from surefoot.core.geometry import Box, Point
from surefoot.core.question import Answer, Parsed, Question
from surefoot.core.seeds import random_source
from surefoot.core.store import ObjectStore
from surefoot.report.hidden.sections import (
    hidden_sections,
    hidden_sentences,
    sanity_section,
)
from surefoot.report.hits.page import ReportOptions
from surefoot.report.html.document import Document, Gallery, identity_rulers, render
from surefoot.report.html.gallery import Card, Pane, embed_image
from surefoot.report.html.verdicts import truth_shapes
from surefoot.run.asking.runs import FinishedRun, open_run
from surefoot.score.boxes import best_iou
from surefoot.score.hidden_summary import HiddenSummary, mask_rank, summarise_hidden
from surefoot.score.hits import is_hit
from surefoot.score.outcomes import match
from surefoot.score.words import METHOD, counted

__all__ = ["mask_cards", "render_hidden", "score_hidden", "write_hidden"]

_MARGIN: Final = 110.0
_LEAST: Final = (520.0, 330.0)
_LOOK: Final = (
    "Each card is one target under every mask: the part of the screen around it and around "
    "the box that was answered."
)
_KEYS: Final = (("target", "target"), ("prediction", "predicted box, or point"))


def score_hidden(
    runs: Sequence[FinishedRun], *, tolerance: float = 0.0, seed: int = 0
) -> HiddenSummary:
    """Score finished runs of hidden benchmarks; raises as ``summarise_hidden`` does."""
    records = (record for run in runs for record in match(run.name, run.questions, run.answers))
    return summarise_hidden(records, tolerance=tolerance, seed=seed)


def render_hidden(
    runs: Sequence[FinishedRun],
    summary: HiddenSummary,
    *,
    title: str,
    cards: int = 12,
    references: HiddenSummary | None = None,
) -> str:
    """Render the report; ``cards`` is the largest number of targets shown of each model."""
    shown = (
        card
        for run in runs
        for card in mask_cards(run, limit=cards, seed=summary.seed, tolerance=summary.tolerance)
    )
    return render(
        Document(
            title=title,
            kicker="Surefoot report on hidden elements",
            facts=_facts(summary),
            sentences=tuple(hidden_sentences(summary)),
            warnings=summary.warnings,
            sections=(*hidden_sections(summary), sanity_section(summary, references)),
            gallery=Gallery("The masks", _LOOK, _KEYS, tuple(shown), "No pictures at hand."),
            rulers=tuple(_rulers(runs, summary)),
        )
    )


def write_hidden(
    runs: Sequence[Path],
    out: Path,
    *,
    options: ReportOptions,
    bench: Path | None = None,
    sanity: Sequence[Path] = (),
) -> list[str]:
    """
    Score runs, write their report, and return its sentences.

    ``sanity`` are runs of reference models (flat-mask, ocr, ...) over the same benchmark.
    """
    finished = [open_run(run, bench) for run in runs]
    summary = score_hidden(finished, tolerance=options.tolerance, seed=options.seed)
    others = [open_run(run, bench) for run in sanity]
    references = None
    if others:
        references = score_hidden(others, tolerance=options.tolerance, seed=options.seed)
    names = ", ".join(run.name for run in finished)
    page = render_hidden(
        finished,
        summary,
        title=options.title or f"How {names} found what is hidden",
        cards=options.cards,
        references=references,
    )
    out.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(out, page.encode())
    return hidden_sentences(summary)


def mask_cards(run: FinishedRun, *, limit: int, seed: int, tolerance: float = 0.0) -> list[Card]:
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

    return [_card(run.name, group, pane) for group in _groups(run, limit, seed)]


def _groups(run: FinishedRun, limit: int, seed: int) -> list[list[Question]]:
    groups: dict[tuple[str, str, bool], list[Question]] = {}
    for each in run.questions:
        if each.image and each.answerable and each.truth.area > 0:
            key = (each.pair, each.instruction.text, each.cell.reasoning)
            groups.setdefault(key, []).append(each)
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
    return [group for _, _, group in sorted(ranked, key=lambda each: each[:2])[:limit]]


def _card(name: str, group: Sequence[Question], pane: Callable[[Question], Pane]) -> Card:
    ordered = sorted(group, key=lambda each: mask_rank(each.cell.variant))
    panes = tuple(map(pane, ordered))
    first = ordered[0]
    return Card(first.instruction.text, first.page_name, name, first.role or "element", panes)


def _pane(question: Question, answer: Answer | None, png: bytes, *, hit: bool) -> Pane:
    parsed = answer.parsed if answer else None
    view = _view(question, parsed)
    with Image.open(io.BytesIO(png)) as opened:
        part = io.BytesIO()
        sides = (int(view.left), int(view.top), int(view.right), int(view.bottom))
        opened.convert("RGB").crop(sides).save(part, "PNG")
    verdict = _verdict(question, answer, hit=hit)
    label = f"{question.cell.variant}: {verdict}"
    place = f'x="{view.left:.0f}" y="{view.top:.0f}" width="{view.width:.0f}"'
    svg = (
        f'<svg role="img" aria-label="{label}" '
        f'viewBox="{view.left:.0f} {view.top:.0f} {view.width:.0f} {view.height:.0f}">'
        f'<image href="{embed_image(part.getvalue())}" {place} height="{view.height:.0f}"/>'
        f"{truth_shapes(question, 'target')}{_mark(parsed)}</svg>"
    )
    return Pane(question.cell.variant, svg, verdict, hit)


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


def _facts(summary: HiddenSummary) -> str:
    return (
        f"{summary.answers:,} answers about {summary.pairs:,} targets on "
        f"{counted(summary.clusters, 'sites')}; tolerance of centres {summary.tolerance:g} px; "
        f"{summary.failed:,} questions failed; {summary.left_out:,} have no box to find"
    )


def _rulers(runs: Sequence[FinishedRun], summary: HiddenSummary) -> list[tuple[str, str]]:
    rulers = [
        (
            "IoU",
            (
                "area shared by the predicted and the target's box over the area of both; the "
                "best of several right boxes; a reply without a box counts 0"
            ),
        ),
        (
            "BCP",
            (
                "the centre of the predicted box, or the point, lies in the target; tolerance "
                f"{summary.tolerance:g} px"
            ),
        ),
        (
            "Intervals",
            METHOD.format(one="site"),
        ),
        (
            "Targets",
            f"{summary.pairs:,} targets on {counted(summary.clusters, 'sites')}",
        ),
    ]
    for run in runs:
        rulers += identity_rulers(run.name, run.identity)
    return rulers
