"""
How often answers failed in which mode: shares of the failures, with intervals over clusters.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec
import numpy as np

from surefoot.core.seeds import random_source
from surefoot.failures.modes import FROM_CHANGE, FROM_JUDGE, FROM_THOUGHT, MODES, FailureMode
from surefoot.score.conditions.rows import Condition, conditions
from surefoot.score.conditions.scores import sum_clusters
from surefoot.score.hits import hits
from surefoot.score.metric import Ruler
from surefoot.score.outcomes import Outcomes
from surefoot.score.stats.arrays import Bools, Ints
from surefoot.score.stats.clusters import RATE, intervals, ratio
from surefoot.score.stats.intervals import Interval

MOST_JUDGED: Final = 1000  # failures of a condition: a share is then good to 3 points
NOT_JUDGED: Final = -1
NAMES: Final = tuple(MODES)


class DrawnFailures(msgspec.Struct, frozen=True, eq=False):
    """
    Tell of each row of a table whether it ``failed``, and whether it was ``drawn`` to look at.

    ``condition`` are places in ``conditions``, which have all kinds of instruction as one.
    """

    conditions: tuple[Condition, ...]
    condition: Ints
    failed: Bools
    drawn: Bools


class JudgedRows(msgspec.Struct, frozen=True, eq=False):
    """
    Hold what was found about the rows of a table.

    ``mode`` is the place of each drawn failure's mode in MODES, NOT_JUDGED where the screen
    does not tell; ``thoughtful`` tells the replies that have a thought, ``moved`` the targets
    that stand elsewhere than on the original, ``verdict`` the replies that somebody judged, and
    ``alone`` those on screens of which the target alone is known.
    """

    failures: DrawnFailures
    mode: Ints
    thoughtful: Bools
    moved: Bools
    verdict: Bools
    alone: Bools


class ModeShare(msgspec.Struct, frozen=True):
    """
    Hold how many of some failures are of one mode.

    ``of`` counts those that could have been: of a mode that only a thought can show, the
    failures whose reply has one; of one that only a change can show, those whose target was
    moved; of one that only a judge can tell, those that were judged. Of none there is no share.
    """

    mode: FailureMode
    count: int
    of: int
    share: float | None
    interval: Interval | None


class FailedCondition(msgspec.Struct, frozen=True):
    """
    Hold how the answers of a model to one variant failed, all kinds of instruction together.

    Of the ``failures`` so many were ``drawn`` and looked at, all of them where they are few.
    ``unjudged`` of these do not ask for one element; they are in no share. ``thoughtful`` of
    those drawn have a thought, and ``alone`` stand on screens of which the target alone is known.
    """

    model: str
    reasoning: bool
    variant: str
    answers: int
    failures: int
    drawn: int
    unjudged: int
    thoughtful: int
    alone: int
    modes: tuple[ModeShare, ...]

    @property
    def judged(self) -> int:
        """Count the failures whose mode was told."""
        return self.drawn - self.unjudged


class Failures(msgspec.Struct, frozen=True):
    """Hold how the answers failed under each condition, and what each mode means."""

    meanings: dict[FailureMode, str]
    from_thought: tuple[FailureMode, ...]
    from_change: tuple[FailureMode, ...]
    from_judge: tuple[FailureMode, ...]
    conditions: tuple[FailedCondition, ...]


def draw_failures(outcomes: Outcomes, ruler: Ruler, *, seed: int = 0) -> DrawnFailures:
    """
    Draw the failures to look at: at most MOST_JUDGED of a condition, by the seed.

    A failure is an answer that is no hit; a question without a reply is none.
    """
    found, row = _by_variant(outcomes)
    failed = outcomes.answered & ~hits(outcomes, tolerance=ruler.tolerance)
    drawn = failed.copy()
    places = np.flatnonzero(failed)
    places = places[np.argsort(row[places], kind="stable")]
    ends = np.searchsorted(row[places], np.arange(1, len(found)))
    for condition, own in zip(found, np.split(places, ends), strict=True):
        if len(own) > MOST_JUDGED:
            name = f"{condition.model} {condition.variant} {condition.reasoning}"
            kept = random_source(seed, "failures", name).sample(range(len(own)), MOST_JUDGED)
            drawn[own] = False
            drawn[own[kept]] = True
    return DrawnFailures(found, row, failed, drawn)


def failure_shares(outcomes: Outcomes, judged: JudgedRows) -> Failures:
    """
    Sum up the modes of failures, one record for each model, mode of reasoning and variant.

    Intervals are over the clusters of the table.
    """
    found, row = judged.failures.conditions, judged.failures.condition
    asked, over = outcomes.asked.cluster, outcomes.asked.cluster_noun
    drawn = judged.failures.drawn
    is_judged = drawn & (judged.mode != NOT_JUDGED)
    counts = {
        name: np.bincount(row[chosen], minlength=len(found)).tolist()
        for name, chosen in (
            ("answers", outcomes.answered),
            ("failures", judged.failures.failed),
            ("drawn", drawn),
            ("unjudged", drawn & ~is_judged),
            ("thoughtful", drawn & judged.thoughtful),
            ("alone", drawn & judged.alone & ~judged.verdict),
        )
    }
    rows = np.flatnonzero(is_judged)
    names, cluster = np.unique(asked.codes[outcomes.question[rows]], return_inverse=True)
    shape = (len(names), len(found))

    def shares(mode: FailureMode) -> Iterator[ModeShare]:
        """Yield a mode's share of the failures under each condition."""
        could = np.ones(len(rows), np.bool_)
        if mode in FROM_THOUGHT:
            could = judged.thoughtful[rows]
        elif mode in FROM_CHANGE:
            could = judged.moved[rows]
        elif mode in FROM_JUDGE:
            could = judged.verdict[rows]
        shown = (judged.mode[rows] == NAMES.index(mode))[could].astype(np.float64)
        parts = (shown, np.ones(len(shown)))
        above, below = sum_clusters(parts, cluster[could], row[rows][could], shape)
        share = ratio(above, below)
        for index, interval in enumerate(intervals(share, RATE, over=over)):
            of = int(below[:, index].sum())
            value = float(share.value[index]) if of else None
            yield ModeShare(mode, int(above[:, index].sum()), of, value, interval)

    known = [mode for mode in NAMES if mode not in FROM_JUDGE or judged.verdict.any()]
    by_condition = zip(*map(shares, known), strict=True)
    return Failures(
        meanings=dict(MODES),
        from_thought=tuple(sorted(FROM_THOUGHT)),
        from_change=tuple(sorted(FROM_CHANGE)),
        from_judge=tuple(sorted(FROM_JUDGE)),
        conditions=tuple(
            FailedCondition(
                model=condition.model,
                reasoning=condition.reasoning,
                variant=condition.variant,
                **{name: count[index] for name, count in counts.items()},
                modes=modes,
            )
            for index, (condition, modes) in enumerate(zip(found, by_condition, strict=True))
        ),
    )


def _by_variant(outcomes: Outcomes) -> tuple[tuple[Condition, ...], Ints]:
    """Return the conditions with all kinds of instruction as one, and each row's place."""
    found, row = conditions(outcomes)
    whole = [msgspec.structs.replace(condition, instruction="") for condition in found]
    kept = tuple(dict.fromkeys(whole))
    place = np.array([kept.index(condition) for condition in whole], dtype=np.int64)
    return kept, place[row]
