"""
How much a model's click depends on how the element is described: s_mean, s_worst, s_oob.
"""

from __future__ import annotations

from collections import Counter
from typing import Final, Literal

import msgspec
import numpy as np

from surefoot.core.errors import InvalidInputError
from surefoot.score.hits import hits
from surefoot.score.matched import ORIGINAL, conditions
from surefoot.score.outcomes import Outcomes
from surefoot.score.sensitivity.differences import Difference, corrected, differences
from surefoot.score.sensitivity.grid import Grid, Units, lay_out, number_elements
from surefoot.score.sensitivity.ranks import (
    LEAST_MODELS,
    Rank,
    RankComparison,
    Standard,
    compare_ranks,
    other_standard,
    own_standard,
)
from surefoot.score.sensitivity.rows import Ruler, SensitivityRow, measure
from surefoot.score.sensitivity.table import REWORDED, TRAITS, SensitivityTable, Trait
from surefoot.score.spread import deviations
from surefoot.score.stats.arrays import Bools, Floats, Ints
from surefoot.score.stats.clusters import few_clusters
from surefoot.score.stats.intervals import CONFIDENCE

__all__ = ["OTHER_STANDARD", "OWN_STANDARD", "SensitivitySummary", "sensitivity"]

OTHER_STANDARD: Final = "the runs that were named as the standard"
OWN_STANDARD: Final = "the direct instructions on the original"
_CONTRASTED: Final[tuple[Literal["kind", "specificity", "wording"], ...]] = (
    "kind",
    "specificity",
    "wording",
)


class SensitivitySummary(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold all that is measured of one or several runs, with the rulers that it shares.

    ``views`` has a row for each model in each view, ``slices`` one for each value of a
    trait within it, where there is more than one value. ``ranks`` and ``orders`` compare
    the models' order by hit rate on ``standard`` with that by each metric; ``no_ranks``
    says why they are empty. ``warnings`` are sentences that belong beside the numbers.
    """

    tolerance: float
    spread: str
    confidence: float
    seed: int
    elements: int
    clusters: int
    answers: int
    failed: int
    views: tuple[SensitivityRow, ...]
    slices: tuple[SensitivityRow, ...]
    differences: tuple[Difference, ...]
    standard: str
    ranks: tuple[Rank, ...]
    orders: tuple[RankComparison, ...]
    no_ranks: str
    warnings: tuple[str, ...]


def sensitivity(
    table: SensitivityTable, ruler: Ruler | None = None, *, standard: Outcomes | None = None
) -> SensitivitySummary:
    """
    Compute the three metrics of a table, their break-downs, differences and orders.

    ``standard`` are the same models' answers to another benchmark, whose hit rate orders
    them instead of that of the direct instructions. Raises InvalidInputError for an empty
    table, a bad tolerance, a target without a diagonal, and an element on two sites.
    """
    ruler, outcomes = ruler or Ruler(), table.outcomes
    if not len(outcomes):
        raise InvalidInputError("at least one question to score", found="none")
    units = number_elements(outcomes)
    hit, far = hits(outcomes, tolerance=ruler.tolerance), _far(outcomes, units, ruler)
    grid = lay_out(outcomes, units, hit, far)
    cut = {trait: lay_out(outcomes, units, hit, far, table.traits[trait]) for trait in TRAITS}
    ranks, orders = compare_ranks(grid, _standard(cut, standard, ruler), ruler)
    views = measure(grid, "view", ruler)
    compared = [*_view_differences(table, units, hit, ruler), *_differences(grid, cut)]
    answered = outcomes.answered[~table.repeated]
    return SensitivitySummary(
        tolerance=ruler.tolerance,
        spread=ruler.spread,
        confidence=CONFIDENCE,
        seed=ruler.seed,
        elements=units.elements,
        clusters=len(units.starts),
        answers=int(answered.sum()),
        failed=int((~answered).sum()),
        views=views,
        slices=_slices(cut, ruler),
        differences=corrected(compared),
        standard=OWN_STANDARD if standard is None else OTHER_STANDARD,
        ranks=ranks,
        orders=orders,
        no_ranks="" if orders else _no_ranks(len(ranks)),
        warnings=_warnings(views, units),
    )


def _standard(cut: dict[Trait, Grid], standard: Outcomes | None, ruler: Ruler) -> Standard:
    return own_standard(cut["kind"]) if standard is None else other_standard(standard, ruler)


def _differences(grid: Grid, cut: dict[Trait, Grid]) -> tuple[Difference, ...]:
    compared = [*differences(grid, "model")]
    for trait in _CONTRASTED:
        compared += differences(cut[trait], trait)
    return tuple(compared)


def _far(outcomes: Outcomes, units: Units, ruler: Ruler) -> Floats:
    """Measure each click against the others of its element, model and view."""
    _, condition = conditions(outcomes)
    sides = outcomes.truth[:, 2:] - outcomes.truth[:, :2]
    group = condition * units.elements + units.element
    _, dense = np.unique(group, return_inverse=True)
    return deviations(outcomes.place, np.hypot(*sides.T), dense, spread=ruler.spread)


def _view_differences(
    table: SensitivityTable, units: Units, hit: Bools, ruler: Ruler
) -> tuple[Difference, ...]:
    """Compare each view with the original on the instructions that both have."""
    compared: list[Difference] = []
    views = table.outcomes.variant
    for beside in ("", REWORDED):
        base = ORIGINAL + beside
        others = [each for each in views.names if each != base and _family(each) == beside]
        for view in sorted(others) if base in views.names else ():
            rows = _shared(table, views.names.index(base), views.names.index(view))
            part = table.outcomes.take(rows)
            inside = msgspec.structs.replace(units, element=units.element[rows])
            far = _far(part, inside, ruler)
            compared += differences(lay_out(part, inside, hit[rows], far), "view")
    return tuple(compared)


def _family(view: str) -> str:
    return REWORDED if view.endswith(REWORDED) else ""


def _shared(table: SensitivityTable, base: int, view: int) -> Ints:
    """Return the rows of two views whose instruction was asked in both."""
    outcomes = table.outcomes
    keys = (outcomes.model, outcomes.pair, table.said)
    columns = [each.codes for each in keys] + [outcomes.reasoning.astype(np.int64)]
    _, key = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
    key = key.ravel()
    here = [np.flatnonzero(outcomes.variant.codes == each) for each in (base, view)]
    both = np.intersect1d(key[here[0]], key[here[1]])
    rows = np.sort(np.concatenate(here))
    return np.asarray(rows[np.isin(key[rows], both)])


def _slices(cut: dict[Trait, Grid], ruler: Ruler) -> tuple[SensitivityRow, ...]:
    rows = [row for trait, grid in cut.items() for row in measure(grid, trait, ruler)]
    count = Counter(_slice(row) for row in rows)
    return tuple(row for row in rows if count[_slice(row)] > 1)


def _slice(row: SensitivityRow) -> tuple[str, bool, str, str]:
    return row.model, row.reasoning, row.view, row.by


def _no_ranks(models: int) -> str:
    return (
        f"An order needs {LEAST_MODELS} models or more with a hit rate and all three metrics "
        f"in the original view; there {'is' if models == 1 else 'are'} {models or 'none'}."
    )


def _warnings(views: tuple[SensitivityRow, ...], units: Units) -> tuple[str, ...]:
    few = few_clusters(np.diff(units.starts, append=units.elements))
    said = [few] if few else []
    lost = sum(row.unparsed + row.refused + row.failed for row in views)
    if lost:
        said.append(
            f"{lost:,} of {sum(row.instructions for row in views):,} answers name no place; "
            "they count as outside in s_oob and cannot count in s_mean and s_worst."
        )
    if any(row.s_mean.value == 0 and row.s_oob.value for row in views):
        said.append("An s_mean of 0 beside misses is a click that never moves, not a sure one.")
    return tuple(said)
