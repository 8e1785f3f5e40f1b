"""
Where failures are, drawn: by round, by what was said, by the target's size, and the plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from surefoot.diagnose.breakdown import (
    Trait,
    failure_rates,
    moves_tried,
    precision,
    success_by_round,
    success_by_size,
)
from surefoot.diagnose.findings import Diagnosis
from surefoot.diagnose.rates import (
    AT_RANDOM,
    FAILED,
    FAILED_QUESTIONS,
    HELD,
    PRECISE,
    VALID,
)
from surefoot.diagnose.search.moves import MOVES
from surefoot.diagnose.search.trail import EXPLORED, RECORDED
from surefoot.phrasing.values import Shown, count
from surefoot.report.answers.sections import draw_levels, wide_table
from surefoot.report.html.curves import Curve, curve_plot
from surefoot.report.html.section import Figure, Section, Table
from surefoot.score.conditions.scores import Score
from surefoot.score.metric import GivenMetric
from surefoot.score.summary import metric_facts

MOST_ROUNDS: Final = 600  # rows of the plan's table
_TICKS: Final = 12  # numbers below a curve at most
_WHEN: Final = {EXPLORED: "at random", RECORDED: "recorded"}
_SAID: Final[dict[Trait, str]] = {
    "kind": "Questions that fail, by kind of instruction",
    "specificity": "Questions that fail, by specificity",
    "move": "Questions that fail, by the move that they make",
}


def rounds_figure(diagnoses: Sequence[Diagnosis]) -> Iterator[Figure]:
    """Draw which share of the elements failed by each round, where rounds are known."""
    found = {diagnosis.model: success_by_round(diagnosis) for diagnosis in diagnoses}
    found = {model: scores for model, scores in found.items() if scores}
    if not found:
        return
    last = max(len(scores) for scores in found.values()) - 1
    curves = [
        Curve(
            model,
            tuple((float(score.value), score.amount or 0.0) for score in scores),
            intervals=tuple(
                (float(score.value), score.interval.low, score.interval.high)
                for score in scores
                if score.interval is not None
            ),
        )
        for model, scores in found.items()
    ]
    step = -(-last // _TICKS) or 1
    ticks = [*range(0, last, step), last] if last else [0, 1]
    title = "Elements that fail, by round"
    svg = curve_plot(curves, ticks, title=title, words="round")
    scores = [score for several in found.values() for score in several]
    note = (
        "Round 0 is what was asked before anything was planned: the seeds, and what was drawn at "
        "random. Upright lines are 95 % intervals."
    )
    yield Figure(title, _table(scores, [FAILED]), svg, note)


def said_section(diagnoses: Sequence[Diagnosis]) -> Iterator[Section]:
    """Draw how often questions fail by kind, specificity and move."""
    figures = [
        figure for trait, title in _SAID.items() for figure in _rates(diagnoses, trait, title)
    ]
    if figures:
        lead = (
            "How often a question was missed each time, by what its instruction says. A search "
            "asks more of what fails, so that these are no rates of the model's; where questions "
            "were drawn at random, their rate stands beside it."
        )
        yield Section("said", "Which instructions fail", lead, tuple(figures))


def sizes_section(diagnoses: Sequence[Diagnosis]) -> Iterator[Section]:
    """Draw how often elements, and questions about them, fail by the size of the target."""
    scores = [
        score
        for diagnosis in diagnoses
        if any(element.trail for element in diagnosis.elements)
        for score in success_by_size(diagnosis)
    ]
    if not scores:
        return
    title = "Elements that fail, by the size of the target"
    figures = [
        Figure(title, _table(scores, [FAILED]), _levels(scores, FAILED, title)),
        *_rates(diagnoses, "size", "Questions that fail, by the size of the target"),
    ]
    lead = (
        "The size is the target's shorter side, in pixels of a screen at scale 1: of elements as "
        "they were captured, of questions as they were shown. The bounds 24 and 44 px are those "
        "of WCAG 2.2 (2.5.8 and 2.5.5)."
    )
    yield Section("sizes", "Small targets", lead, tuple(figures))


def selection_figure(diagnoses: Sequence[Diagnosis]) -> Iterator[Figure]:
    """Draw how many misses hold and are valid: those selected, and without either step."""
    scores = [score for diagnosis in diagnoses for score in precision(diagnosis)]
    if not scores:
        return
    title = "What the plan and the selection bring"
    precise = [score for score in scores if score.metric == PRECISE.name]
    rules = {
        "fewest": "that with the fewest loose matches",
        "first": "the first that was found",
    }
    used = {diagnosis.select for diagnosis in diagnoses}
    note = (
        f"Selected is {' or '.join(rules[rule] for rule in sorted(used))}, before it is asked "
        "again and judged by the second resolver. Without selection all misses count; without a "
        "plan those selected of random instructions, which --baseline asks."
    )
    svg = _levels(precise, PRECISE, title)
    yield Figure(title, _table(scores, [PRECISE, VALID, HELD]), svg, note)


def plan_section(diagnoses: Sequence[Diagnosis]) -> Iterator[Section]:
    """Lay out the plan: what each round tried about an element, why, and what came of it."""
    rows: list[tuple[Shown, ...]] = [
        (
            element.shown,
            diagnosis.model,
            element.page_name,
            _WHEN.get(turn.round) or count(turn.round),
            ", ".join(MOVES[item] for item in turn.tries),
            turn.why,
            "; ".join(f"{asked.shown}: {asked.outcome}" for asked in turn.asked) or "none",
        )
        for diagnosis in diagnoses
        for element in diagnosis.elements
        for turn in element.trail
    ]
    if not rows:
        return
    head = ("element", "model", "page", "round", "tries", "why", "asked")
    left = len(rows) - MOST_ROUNDS
    note = f"{left:,} more rounds stand in diagnosis.json." if left > 0 else ""
    lead = "What each round tried about an element, by what, and what its instructions came to."
    title = "The plan, round by round"
    figure = Figure(title, Table(head, tuple(rows[:MOST_ROUNDS])), "", note)
    moves: tuple[tuple[Shown, ...], ...] = tuple(
        (diagnosis.model, words, *map(count, counts))
        for diagnosis in diagnoses
        for words, counts in moves_tried(diagnosis).items()
    )
    tallies = Table(("model", "move", "rounds that tried it", "rounds in which it failed"), moves)
    figures = (Figure("The four moves", tallies), figure)
    yield Section("plan", "The plan", lead, figures, chapter="measured")


def _rates(diagnoses: Sequence[Diagnosis], trait: Trait, title: str) -> Iterator[Figure]:
    scores = [score for diagnosis in diagnoses for score in failure_rates(diagnosis, trait)]
    drawn = [
        score
        for diagnosis in diagnoses
        for score in failure_rates(diagnosis, trait, at_random=True)
    ]
    if scores:
        table = _table([*scores, *drawn], [FAILED_QUESTIONS, AT_RANDOM])
        yield Figure(title, table, _levels(scores, FAILED_QUESTIONS, title))


def _table(scores: Sequence[Score], metrics: Sequence[GivenMetric]) -> Table:
    return wide_table(scores, [metric_facts(metric, compared=False) for metric in metrics])


def _levels(scores: Sequence[Score], metric: GivenMetric, title: str) -> str:
    return draw_levels(scores, metric_facts(metric, compared=False), title)
