"""
How the answers to a benchmark are scored: which metrics, broken down how, compared with what.

Every benchmark names one ``Scoring``; nothing is scored by default.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import msgspec

from surefoot.core.question import Question
from surefoot.core.screen import Screen
from surefoot.score.conditions.rows import Condition
from surefoot.score.conditions.scores import Score
from surefoot.score.contrasts.comparisons import Contrast
from surefoot.score.metric import METRICS, Metric, Ruler
from surefoot.score.outcomes import AskedQuestions, Outcomes, Run, tabulate_runs
from surefoot.score.stats.arrays import Labels, sorted_labels
from surefoot.score.stats.keyed import KeyedSums
from surefoot.score.stats.units import SITES

Screens = Mapping[str, Screen]
Detail = Callable[[Outcomes, Ruler], object]


class SummedDetail(msgspec.Struct, frozen=True):
    """Say how a detail is counted of a table or of each of its parts, and what sums come to."""

    count: Callable[[Outcomes, Ruler], KeyedSums]
    tell: Callable[[KeyedSums, Ruler], object]

    def __call__(self, outcomes: Outcomes, ruler: Ruler) -> object:
        """Return the detail of a whole table."""
        return self.tell(self.count(outcomes, ruler), ruler)


def _as_they_are(questions: Iterable[Question]) -> Iterable[Question]:
    return questions


def _nothing(_question: Question, _screen: Screen | None) -> dict[str, str]:
    return {}


def _never(_condition: Condition) -> bool:
    return False


def _silent(_scores: Sequence[Score], _details: Mapping[str, object]) -> Iterable[str]:
    return ()


class Scoring(msgspec.Struct, frozen=True, kw_only=True):
    """
    Say how answers are scored.

    ``metrics`` are names in the registry, the headline first; each is compared in every one
    of ``contrasts``. Where ``once``, no element is asked twice under one condition.
    ``descriptive`` metrics get a score, and no test. A condition that is ``apart`` is
    scored by itself, and pooled with nothing else. ``arrange`` may leave questions out, or set
    the cells that they are compared by. ``describe`` tells the
    ``traits`` of a question, with its screen where it ``looks`` at screens, which are then read,
    and ``derive`` makes more of them from all that was asked; scores are broken down by each of
    ``slices``. ``details`` are what no metric says, by name; ``warn`` says from scores and
    details what a reader must not overlook. Where ``modes``, the modes of the failures are told
    from questions, answers and screens; the questions are then taken as they are. Where
    ``in_parts``, what is arranged and derived of an element hangs on nothing but that element, so
    that a table may be scored in parts; details are then told that are a ``SummedDetail``.
    """

    name: str
    metrics: tuple[str, ...]
    once: bool = False
    contrasts: tuple[Contrast, ...]
    descriptive: tuple[str, ...] = ()
    apart: Callable[[Condition], bool] = _never
    slices: tuple[str, ...] = ()
    arrange: Callable[[Iterable[Question]], Iterable[Question]] = _as_they_are
    traits: tuple[str, ...] = ()
    looks: bool = False
    describe: Callable[[Question, Screen | None], Mapping[str, str]] = _nothing
    derive: Mapping[str, Callable[[AskedQuestions], Labels]] = {}
    details: Mapping[str, Detail] = {}
    warn: Callable[[Sequence[Score], Mapping[str, object]], Iterable[str]] = _silent
    modes: bool = False
    in_parts: bool = False

    @property
    def summed(self) -> dict[str, SummedDetail]:
        """Return the details that are made of sums."""
        return {
            name: detail
            for name, detail in self.details.items()
            if isinstance(detail, SummedDetail)
        }

    def with_metrics(self, names: Sequence[str]) -> Scoring:
        """Return the scoring with further metrics, compared as its own are."""
        more = [name for name in names if name not in self.metrics]
        kept = tuple(name for name in self.descriptive if name not in more)
        return msgspec.structs.replace(self, metrics=(*self.metrics, *more), descriptive=kept)

    def chosen(self, names: Sequence[str]) -> tuple[Metric, ...]:
        """Return metrics by their names; raises UnknownNameError."""
        return tuple(METRICS.get(name) for name in names)


_NO_SCREENS: Final[dict[str, Screen]] = {}


def tabulate_for(
    scoring: Scoring,
    groups: Iterable[tuple[Iterable[Question], Sequence[Run]]],
    screens: Screens = _NO_SCREENS,
    *,
    site_noun: str = SITES,
) -> Outcomes:
    """
    Build the table that a scoring needs from groups of questions and the runs over them.

    ``screens`` are by id, and ``site_noun`` is the plural of what the questions' sites are.
    Raises InvalidInputError as ``tabulate_runs`` does.
    """
    metrics = scoring.chosen((*scoring.metrics, *scoring.descriptive))
    table = tabulate_runs(
        groups,
        arrange=scoring.arrange,
        traits=scoring.traits,
        describe=lambda question: scoring.describe(question, screens.get(question.screen)),
        measures={metric.name: metric.measure for metric in metrics if metric.measure},
        site_noun=site_noun,
    )
    return with_traits(scoring, table)


def with_traits(scoring: Scoring, table: Outcomes) -> Outcomes:
    """Give a table the traits that a scoring derives from it, and those of every table."""
    asked = table.asked
    derived = {name: make(asked) for name, make in scoring.derive.items()}
    own = {"role": asked.role, "direction": asked.direction, "site": asked.site}
    named = {name: sorted_labels(labels) for name, labels in {**own, **asked.traits}.items()}
    traits = {**named, **derived}
    return msgspec.structs.replace(table, asked=msgspec.structs.replace(asked, traits=traits))
