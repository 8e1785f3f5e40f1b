"""
What the variants of a benchmark do, shown: one target of the run's screens before and after.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from surefoot.core.errors import UserError
from surefoot.core.geometry import Box, window_around
from surefoot.core.perturbation import ORIGINAL, parse_variant, variant_title
from surefoot.core.question import Question
from surefoot.core.seeds import random_source
from surefoot.core.store import ObjectStore
from surefoot.report.html.gallery import Card, Pane, embed_image
from surefoot.report.html.section import Section
from surefoot.report.html.verdicts import truth_shapes
from surefoot.run.asking.runs import FinishedRun

_SIZE: Final = (400.0, 250.0)  # of a picture's part, in pixels of the screen
_MARGIN: Final = 16.0
_MOVED: Final = 8.0  # pixels that a target moves by to be seen elsewhere
_LEAD: Final = (
    "One target before and after each variant, in its frame, from the screens that were asked "
    "about. Both pictures show the same part of the screen, unless the variant changes its size."
)


def variants_section(run: FinishedRun, *, seed: int) -> Section:
    """
    Lay out each variant's pictures; no cards where the original or the pictures are lacking.

    Of the targets the seed draws one that moves, where the variant moves any, and stays
    in the part that is shown.
    """
    cards = tuple(_cards(run, seed))
    keys = (("target", "target"),)
    return Section("variants", "What the variants do", _LEAD, (), cards, keys, chapter="shown")


def _cards(run: FinishedRun, seed: int) -> Iterator[Card]:
    store = ObjectStore(run.bench)
    shown = [
        question
        for question in run.questions
        if question.image and question.truth.area > 0 and store.path(question.image).is_file()
    ]
    originals = {item.pair: item for item in shown if item.cell.variant == ORIGINAL}
    for variant in dict.fromkeys(item.cell.variant for item in shown):
        pairs = [
            (originals[item.pair], item)
            for item in shown
            if item.cell.variant == variant != ORIGINAL and item.pair in originals
        ]
        if pairs:
            random_source(seed, "variants", variant).shuffle(pairs)
            yield _card(variant, *min(pairs, key=_rank), store)


def _rank(pair: tuple[Question, Question]) -> tuple[bool, bool]:
    """Put first what stays in the part that is shown, and of that what moves in it."""
    before, after = (question.truth for question in pair)
    around = Box.around([before, after])
    room = tuple(side - 2 * _MARGIN for side in _SIZE)
    moved = max(abs(after.left - before.left), abs(after.top - before.top))
    return around.width > room[0] or around.height > room[1], moved < _MOVED


def _card(variant: str, before: Question, after: Question, store: ObjectStore) -> Card:
    one_size = (before.width, before.height) == (after.width, after.height)
    shared = [before.truth, after.truth] if one_size else []
    panes = tuple(
        _pane(question, _part(question, Box.around(shared or [question.truth])), store)
        for question in (before, after)
    )
    title = variant_title(variant)
    summaries = _summaries(variant)
    summary = "together: " * (len(summaries) > 1) + "; ".join(summaries)
    named = f"'{variant}' in commands and files" if title != variant else ""
    caption = ". ".join(filter(None, (summary, named)))
    return Card(title, "", "", "", panes, caption=caption or before.page_name)


def _summaries(variant: str) -> Sequence[str]:
    try:
        return parse_variant(variant).summaries
    except UserError:
        return ()


def _pane(question: Question, part: Box, store: ObjectStore) -> Pane:
    picture = embed_image(store.get(question.image), part)
    title = variant_title(question.cell.variant)
    place = f'x="{part.left:.0f}" y="{part.top:.0f}" width="{part.width:.0f}"'
    svg = (
        f'<svg role="img" aria-label="{escape(f"{title}: {question.page_name}")}" '
        f'viewBox="{part.left:.0f} {part.top:.0f} {part.width:.0f} {part.height:.0f}">'
        f'<image href="{picture}" {place} height="{part.height:.0f}"/>'
        f"{truth_shapes(question, 'target')}</svg>"
    )
    return Pane(title, svg, question.page_name, None)


def _part(question: Question, around: Box) -> Box:
    """Return whole pixels around a box, of the size that is shown, within the picture."""
    whole = Box(0.0, 0.0, float(question.width), float(question.height))
    return window_around(around, whole, least=_SIZE, margin=_MARGIN)
