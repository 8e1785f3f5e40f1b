"""
Each cause that is said: in one sentence, with pictures of what fails and what does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from surefoot.diagnose.findings import ClassExample, Diagnosis, Weakness
from surefoot.diagnose.summary import (
    cause_sentences,
    confirmed_words,
    facts_words,
    first_words,
    pillar_words,
)
from surefoot.report.html.figures import break_lines, draw_svg, draw_twice, write_lines
from surefoot.report.html.section import Figure, Table

COLUMNS: Final = 3
WIDTH: Final = 248.0
HEIGHT: Final = 158.0
GAP: Final = 12.0
SIDES: Final = {
    True: ("Of this class, missed:", "Not of it, hit:"),
    False: ("Where it could show, missed:", "Where it could show, hit:"),
}


def cause_figures(diagnosis: Diagnosis) -> Iterator[Figure]:
    """Yield a figure for each cause that is said, that which explains most first."""
    for weakness in diagnosis.profile:
        if weakness.said:
            yield _figure(diagnosis.model, weakness, diagnosis.unit)


def _figure(model: str, weakness: Weakness, unit: str) -> Figure:
    title = f"{model} {weakness.words}{pillar_words(weakness)}"
    facts = weakness.facts
    rows = [("what the search found", first_words(weakness))]
    if weakness.pillars:
        rows.append(("where it shows", " and ".join(weakness.pillars)))
    rows.append(("what fresh questions say", confirmed_words(weakness, unit)))
    drawn = ""
    if facts is not None:
        advice = {
            "train": facts.data,
            "ask": facts.asking,
            "change the page": facts.page,
        }
        rows += [(f"to do: {name}", words) for name, words in advice.items() if words]
        if facts.more:
            rest = f"{facts.more:,} of {facts.of:,}"
            rows.append(("controls of the class not asked about", rest))
        shown = (*facts.inside, *facts.outside)
        rows += [
            (_outcome(example), f"{example.instruction} ({example.page})") for example in shown
        ]
        if shown:

            def draw(*, phone: bool) -> str:
                return _pictures(title, weakness, 1 if phone else COLUMNS)

            drawn = draw_twice(draw)
    table = Table(("of the cause", "is known"), tuple(rows))
    return Figure(title, table, drawn, " ".join(cause_sentences(weakness, unit)))


def _outcome(example: ClassExample) -> str:
    return "hit" if example.hit else "missed"


def _pictures(title: str, weakness: Weakness, columns: int) -> str:
    """Draw what fails above what does not, each with its instruction, and say what to do."""
    facts = weakness.facts
    assert facts is not None, "it has pictures"  # noqa: S101 - says it to the type checker
    body: list[str] = []
    y = 0.0
    sides = zip(SIDES[weakness.sliced], (facts.inside, facts.outside), strict=True)
    for words, several in sides:
        if not several:
            continue
        drawn, y = write_lines([words], 0, y + 4, "label")
        body.append(drawn)
        for start in range(0, len(several), columns):
            y += GAP / 2
            bottoms = []
            for place, example in enumerate(several[start : start + columns]):
                x = place * (WIDTH + GAP)
                body.append(
                    f'<image href="{escape(example.picture)}" x="{x:.0f}" y="{y:.0f}" '
                    f'width="{WIDTH:.0f}" height="{HEIGHT:.0f}" '
                    'preserveAspectRatio="xMidYMid meet"/>'
                )
                lines = break_lines(example.instruction, WIDTH)
                drawn, bottom = write_lines(lines, x, y + HEIGHT, "tick")
                body.append(drawn)
                bottoms.append(bottom)
            y = max(bottoms)
        y += GAP
    width = columns * (WIDTH + GAP) - GAP
    for sentence in facts_words(weakness):
        lines = break_lines(f"{sentence[0].upper()}{sentence[1:]}.", width)
        drawn, y = write_lines(lines, 0, y, "label")
        body.append(drawn)
    shown = (*facts.inside, *facts.outside)
    description = "; ".join(f"{_outcome(example)}: {example.instruction}" for example in shown)
    return draw_svg(width, y, title, description, "".join(body))
