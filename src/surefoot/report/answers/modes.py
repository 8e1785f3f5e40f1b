"""
How answers failed: the modes of failure as bars and as a table, and failures of each mode.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from surefoot.core.perturbation import variant_title
from surefoot.core.store import ObjectStore
from surefoot.failures.shares import FailedCondition, Failures
from surefoot.failures.thought import thought_of
from surefoot.failures.words import condition_words, unjudged_sentences
from surefoot.phrasing.values import Shown, amount, count, ends
from surefoot.report.html.figures import StackedRow, stacked_bars
from surefoot.report.html.gallery import Card, Pane, draw_pane, embed_image
from surefoot.report.html.section import Figure, Section, Table
from surefoot.run.asking.failures import FailureExample

UNTOLD: Final = "not told"
PANES: Final = 4  # of a mode
QUOTED: Final = 240  # characters of a thought under a picture
KEYS: Final = (
    ("target", "target"),
    ("landmark", "landmark"),
    ("prediction", "where the model clicked"),
)


def failure_section(failures: Failures, cards: Iterable[Card] = ()) -> Section:
    """Lay out how the answers failed under each condition; no figures where none failed."""
    failed = [condition for condition in failures.conditions if condition.failures]
    note = " ".join(unjudged_sentences(failures))
    title = "Failures by mode"
    parts = [*(mode.mode for condition in failed[:1] for mode in condition.modes), UNTOLD]
    rows = [
        StackedRow(
            condition_words(condition),
            (*(mode.count for mode in condition.modes), condition.unjudged),
            f"{condition.failures:,} of {condition.answers:,} answers failed",
        )
        for condition in failed
    ]
    figures = (
        Figure(title, _shares(failed), stacked_bars(rows, parts, title=title), note),
        Figure("What the modes mean", _meanings(failures)),
    )
    lead = (
        "What each failure looks like, told by rule from where the click landed, from what is "
        "there, and from the thought before the answer; where the evidence decides nothing, it "
        "is undecided. A bar is all failures of a model on a variant, whatever their number."
    )
    drawn = tuple(cards)
    keys = KEYS if drawn else ()
    return Section("modes", "How it failed", lead, figures if failed else (), drawn, keys)


def mode_cards(examples: Iterable[FailureExample], failures: Failures) -> Iterator[Card]:
    """Draw a card for each mode that has pictures: some failures of it, side by side."""
    by_mode: dict[str, list[FailureExample]] = {}
    for example in examples:
        by_mode.setdefault(example.verdict.mode, []).append(example)
    for mode, meaning in failures.meanings.items():
        panes = [pane for example in by_mode.get(mode, []) for pane in _pane(example)][:PANES]
        if panes:
            yield Card(mode, "", "", "", tuple(panes), caption=meaning)


def _pane(example: FailureExample) -> Iterator[Pane]:
    question, store = example.question, ObjectStore(example.bench)
    if not all(sha and store.path(sha).is_file() for sha in question.images):
        return
    pictures = [embed_image(store.get(sha)) for sha in question.images]
    drawn = draw_pane(question, example.answer, example.screen, *pictures, hit=False)
    verdict = f"{variant_title(question.cell.variant)}, {question.page_name}: {drawn.verdict}"
    if example.verdict.why:
        verdict += f"; {example.verdict.why}"
    if thought := " ".join(thought_of(example.answer.raw).split()):
        cut = f"{thought[: QUOTED - 3]}..." if len(thought) > QUOTED else thought
        verdict += f". It thought: {cut}"
    asked = f"{question.instruction.text} ({example.model})"
    yield msgspec.structs.replace(drawn, variant=asked, verdict=verdict)


def _shares(failed: Sequence[FailedCondition]) -> Table:
    intervals = (mode.interval for condition in failed for mode in condition.modes)
    over = next((item.over for item in intervals if item is not None), "sites")
    head = ("condition", "mode", "failures", "of those told", "share", "interval", over)
    rows: list[tuple[Shown, ...]] = []
    for condition in failed:
        for mode in condition.modes:
            if mode.of and not mode.count:
                continue
            interval = mode.interval
            clusters = interval.clusters or None if interval else None
            rows.append(
                (
                    condition_words(condition),
                    mode.mode,
                    count(mode.count if mode.of else None),
                    count(mode.of),
                    amount(mode.share, "share") if mode.of else "not judged",
                    ends(interval, "share"),
                    count(clusters),
                )
            )
    return Table(head, tuple(rows))


def _meanings(failures: Failures) -> Table:
    sources = dict.fromkeys(failures.from_thought, "the click and the thought")
    sources |= dict.fromkeys(failures.from_change, "the click and the original")
    sources |= dict.fromkeys(failures.from_judge, "somebody's verdict (--verdicts)")
    sources |= dict.fromkeys(("unparsed", "refused"), "the reply")
    rows = tuple(
        (mode, meaning, sources.get(mode, "the click"))
        for mode, meaning in failures.meanings.items()
    )
    return Table(("mode", "what it means", "told from"), rows)
