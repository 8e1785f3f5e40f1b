"""
Comparisons: one condition against another on the same elements, whatever is measured.

Within a model every contrast and metric is a family of tests of its own for Holm's correction;
between models every pair of them has families of its own. So no number of a model, or of two,
depends on which others stand beside. What a factor does as a whole stands in ``effects.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np

from surefoot.core.perturbation import ORIGINAL, OVER, REWORDED
from surefoot.score.conditions.rows import DIRECT, Condition, Rows
from surefoot.score.contrasts.matching import (
    NO_FLIPS,
    Column,
    Matched,
    Sides,
    element_columns,
    merge_cells,
    sums_by_element,
)
from surefoot.score.metric import Metric
from surefoot.score.stats.arrays import Bools, Floats, Ints
from surefoot.score.stats.clusters import (
    JACKKNIFE,
    difference_of_ratios,
    intervals,
    p_values,
)
from surefoot.score.stats.exact import ExactSums
from surefoot.score.stats.intervals import CONFIDENCE, Interval
from surefoot.score.stats.mcnemar import mcnemar
from surefoot.score.stats.multiplicity import benjamini_hochberg, holm
from surefoot.score.stats.paired import PAIRED, ChangeSums
from surefoot.score.stats.proportions import two_proportion_z


class Contrast(msgspec.Struct, frozen=True, kw_only=True):
    """
    Say what is compared with what.

    ``varies`` is a part of the condition ("variant", "instruction", "model", "reasoning")
    or the name of a trait; all other parts are the same on both sides. ``baseline`` is the
    value compared with; without one every two values are compared, the one that sorts first
    being the baseline. Where ``alike``, only rows that were asked the same are compared,
    else all rows of the same element; where not ``paired``, all rows, whatever element they
    are of. ``pooled`` compares over all variants and kinds of instruction at once: the change
    of an element is then the mean of its changes under each.
    """

    name: str
    varies: str
    baseline: str = ""
    alike: bool = True
    paired: bool = True
    pooled: bool = False


LEVEL: Final = 1 - CONFIDENCE
VARIANTS: Final = Contrast(name="variant", varies="variant", baseline=ORIGINAL)
# Of benchmarks that are crossed: what a change of the screen does below all else that is done.
BASES: Final = Contrast(name="base", varies=OVER, baseline=ORIGINAL)
INSTRUCTIONS: Final = Contrast(
    name="instruction", varies="instruction", baseline=DIRECT, alike=False
)
MODELS: Final = Contrast(name="model", varies="model", pooled=True)
REASONING: Final = Contrast(name="reasoning", varies="reasoning", baseline="False", pooled=True)
MODELS_BY_VARIANT: Final = Contrast(name="model", varies="model")
REASONING_BY_VARIANT: Final = Contrast(name="reasoning", varies="reasoning", baseline="False")


class Discordance(msgspec.Struct, frozen=True, kw_only=True):
    """
    Count elements that were right in both conditions, in one, and in neither.

    ``b`` were right in the baseline alone, ``c`` here alone. The tests take elements as
    independent, which they are not: they are here to be compared with work that reports
    them. ``design_effect`` is the variance of the change over what independent elements
    would have.
    """

    both: int
    b: int
    c: int
    neither: int
    flip_rate: float
    test: str
    p: float
    p_mid: float
    p_holm: float = 1.0
    p_bh: float = 1.0
    chi_square: float | None = None
    p_z: float | None = None
    design_effect: float | None = None


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold one metric of a condition minus that of its baseline, on the elements of both.

    ``baseline`` is the other value of what the ``contrast`` varies, a part of the condition
    or a trait; ``value`` is the value of a trait or a base, else "". Each element counts once,
    with the mean of what was measured of it. ``unmatched`` elements were asked on one side and
    are not known on both; ``dropped`` of them are known in the baseline alone, where their mean
    is ``before_dropped``. ``unparsed`` counts the replies of both sides that could not be read.
    ``p`` takes clusters as independent, ``p_holm`` is corrected within the ``family`` of tests
    of one contrast, metric and model, or pair of models. ``detectable`` is the smallest true
    change that the test finds with power 0.8. None stands where nothing can be said.
    """

    metric: str
    contrast: str
    varies: str
    model: str
    reasoning: bool
    instruction: str
    variant: str
    value: str = ""
    baseline: str
    n: int
    unmatched: int
    dropped: int = 0
    before_dropped: float | None = None
    clusters: int
    unparsed: int
    before: float | None
    after: float | None
    change: float | None
    interval: Interval | None
    detectable: float | None
    test: str = PAIRED
    p: float
    p_holm: float = 1.0
    family: int = 1
    discordance: Discordance | None = None


class GroupSides(msgspec.Struct, frozen=True, eq=False):
    """
    Hold what one metric says of elements of two groups, which need not be the same.

    ``before`` and ``after`` are (2, elements): the sum over an element's rows, and their
    number, 0 where nothing is known. ``asked`` tells the elements that were asked on either side.
    """

    before: Floats
    after: Floats
    asked: Bools


class ColumnPair(msgspec.Struct, frozen=True, eq=False):
    """
    Hold two sides that a contrast compares, all other conditions being alike.

    ``condition`` and ``value`` are those of the side that is compared with ``baseline``, and
    ``level`` is its value of what the contrast varies. ``start`` and ``place`` are the places of
    the baseline and of this side among the columns of rows.
    """

    condition: Condition
    value: str
    level: str
    baseline: str
    start: int
    place: int


def paired_columns(rows: Rows, contrast: Contrast) -> Iterator[ColumnPair]:
    """Yield each two sides that a contrast compares."""
    columns = element_columns(rows, contrast.varies).columns
    names = [_named(column, contrast) for column in columns]
    for start, place in _pairs(columns, names, contrast):
        condition, value = columns[place]
        yield ColumnPair(
            condition=condition,
            value=names[place] if contrast.varies == OVER else value,
            level=names[place],
            baseline=names[start],
            start=start,
            place=place,
        )


def match_elements(
    rows: Rows, metric: Metric, values: Floats, contrast: Contrast, pair: ColumnPair
) -> Matched:
    """
    Say what a metric, with its values of all rows, says of the elements of both sides.

    What depends on the rows beside it is measured anew among those that both sides share;
    nothing is then known of the elements of the baseline alone.
    """
    columns = element_columns(rows, contrast.varies)
    apart = contrast.alike and rows.same is not rows.element
    if apart or _is_measured_anew(metric, contrast) or rows.repeated.any():
        return _match_rows(rows, metric, values, contrast, pair)
    return columns.match(metric, values, pair.start, pair.place, pair.condition)


def _is_measured_anew(metric: Metric, contrast: Contrast) -> bool:
    return contrast.alike and metric.together and metric.within != "sum"


def _match_rows(
    rows: Rows, metric: Metric, values: Floats, contrast: Contrast, pair: ColumnPair
) -> Matched:
    """Match elements by the rows that both sides share, which need not be all of an element."""
    members = element_columns(rows, contrast.varies).members
    first, second = members[pair.start], members[pair.place]
    start, place = _shared(rows, contrast, first, second)
    chosen = np.concatenate([start, place])
    asked = np.zeros(rows.elements, dtype=np.bool_)
    asked[rows.element[first]] = asked[rows.element[second]] = True
    anew = _is_measured_anew(metric, contrast)
    if anew and len(chosen):
        order = np.argsort(chosen, kind="stable")
        measured = np.empty(len(chosen))
        measured[order] = rows.measure(metric, chosen[order])
    else:
        measured = values[chosen]
    side = np.repeat([0, 1], [len(start), len(place)])
    above, below = sums_by_element(rows, metric, measured, chosen, side)
    known = (below > 0).all(axis=0)
    baseline, alone = below[0] > 0, np.empty(0)
    if not anew:
        (total,), (count,) = sums_by_element(rows, metric, values[first], first)
        gone = (count > 0) & (below[1] == 0)
        alone, baseline = total[gone] / count[gone], baseline | gone
    once = (below <= 1).all() and ((above == 0) | (above == 1)).all()
    flips = NO_FLIPS
    if once and not rows.repeated[chosen].any():
        was, now = above[:, known] == 1
        kinds = (was & now, was & ~now, ~was & now, ~was & ~now)
        flips = np.array([0, *map(np.count_nonzero, kinds)])
    return Matched(
        sides=Sides(np.flatnonzero(known), above[:, known] / below[:, known]),
        alone=np.asarray(alone),
        asked=asked,
        baseline=np.asarray(baseline),
        cells=((pair.condition, flips),),
    )


def _group_sides(
    rows: Rows, metric: Metric, values: Floats, contrast: Contrast, pairs: Sequence[ColumnPair]
) -> GroupSides:
    """Return what a metric says of two groups, each element's mean where there are several."""
    members = element_columns(rows, contrast.varies).members
    cells = []
    for pair in pairs:
        first, second = members[pair.start], members[pair.place]
        asked = np.zeros(rows.elements, dtype=np.bool_)
        asked[rows.element[first]] = asked[rows.element[second]] = True
        chosen = np.concatenate([first, second])
        side = np.repeat([0, 1], [len(first), len(second)])
        measured = values[chosen]
        if _is_measured_anew(metric, contrast) and len(chosen):
            order = np.argsort(chosen, kind="stable")
            measured[order] = rows.measure(metric, chosen[order])
        above, below = sums_by_element(rows, metric, measured, chosen, side)
        before, after = (np.stack([above[at], below[at]]) for at in (0, 1))
        cells.append(GroupSides(before, after, asked))
    if len(cells) == 1:
        return cells[0]
    before, after = np.zeros((2, 2, rows.elements))
    for cell in cells:
        known = (cell.before[1] > 0) & (cell.after[1] > 0)
        for total, own in ((before, cell.before), (after, cell.after)):
            total[0, known] += np.nan_to_num(own[0, known] / own[1, known])
            total[1] += known
    return GroupSides(before, after, np.logical_or.reduce([cell.asked for cell in cells]))


class ComparisonSums:
    """
    Hold all that a comparison is made of, as sums over clusters.

    Sums of parts merge to those of the whole to the last bit, if an element lies in one part and
    rows are numbered alike. ``counts`` are of elements known, of others that were asked, of those
    of them that the baseline knows, and of replies that could not be read. ``flips`` are by
    condition.
    """

    def __init__(self, clusters: int) -> None:
        self.change = ChangeSums(clusters)
        self.sides = ExactSums(3)  # before and after, and what the baseline says alone
        self.counts = np.zeros(4, dtype=np.int64)
        self.flips: dict[Condition, Ints] = {}
        # Numerators and denominators of both sides, of groups that are not the same elements.
        self.groups = [ExactSums(clusters) for _ in range(4)]

    def add(self, rows: Rows, matched: Matched, unparsed: int) -> None:
        """Add the elements of rows under the columns that were matched."""
        before, after = matched.sides.means
        self.change.add(after - before, rows.home[matched.sides.elements])
        for place, values in enumerate((before, after, matched.alone)):
            self.sides.add_all(values, place)
        n, asked = len(before), np.count_nonzero(matched.asked)
        self.counts += np.array([n, asked - n, len(matched.alone), unparsed])
        for condition, flips in matched.cells:
            self.flips[condition] = self.flips.get(condition, 0) + flips

    def add_groups(self, rows: Rows, groups: GroupSides, unparsed: int) -> None:
        """Add the elements of two groups that need not be the same; flips are not told."""
        for total, values in zip(self.groups, (*groups.before, *groups.after), strict=True):
            total.add(values, rows.home)
        n = np.count_nonzero(groups.before[1] + groups.after[1] > 0)
        self.counts += np.array([n, np.count_nonzero(groups.asked) - n, 0, unparsed])

    def merge(self, other: ComparisonSums) -> None:
        """Add the sums of other elements."""
        self.change.merge(other.change)
        self.sides.merge(other.sides)
        self.counts += other.counts
        for condition, flips in other.flips.items():
            self.flips[condition] = self.flips.get(condition, 0) + flips
        for total, more in zip(self.groups, other.groups, strict=True):
            total.merge(more)

    def fields(self, metric: Metric, contrast: Contrast, over: str) -> dict[str, Any]:
        """Return the fields of a comparison that say what changed."""
        own = self._elements if contrast.paired else self._groups
        n, unmatched, dropped, unparsed = map(int, self.counts)
        counts = {"n": n, "unmatched": unmatched, "dropped": dropped, "unparsed": unparsed}
        return {**counts, **own(metric, over)}

    def _elements(self, metric: Metric, over: str) -> dict[str, Any]:
        """Say what changed of the shared elements."""
        found = self.change.estimate(change_bound(metric), over=over)
        before, after, alone = self.sides.rounded().tolist()
        n, _, dropped, _ = map(int, self.counts)
        return {
            "before_dropped": alone / dropped if dropped else None,
            "clusters": found.clusters,
            "before": before / n if n else None,
            "after": after / n if n else None,
            "change": found.mean if n else None,
            "interval": found.interval(),
            "detectable": found.detectable(),
            "p": found.p,
            "discordance": _discordance(list(self.flips.values()), found.scale * found.error),
        }

    def _groups(self, metric: Metric, over: str) -> dict[str, Any]:
        """Say the same of groups of elements that need not be the same."""
        above, below, higher, lower = (group.rounded()[:, None] for group in self.groups)
        found = difference_of_ratios((above, below), (higher, lower))
        bound, change = change_bound(metric), float(found.value[0])
        return {
            "clusters": int(found.clusters[0]),
            "before": float(above.sum() / below.sum()) if below.any() else None,
            "after": float(higher.sum() / lower.sum()) if lower.any() else None,
            "change": None if np.isnan(change) else change,
            "interval": intervals(found, (-bound, bound), over=over)[0],
            "detectable": None,
            "test": JACKKNIFE,
            "p": float(p_values(found, (-bound, bound))[0]),
        }


class Compared(NamedTuple):
    """Name what is compared in a metric: a condition, or a trait's value, and its baseline."""

    metric: str
    condition: Condition
    value: str
    baseline: str


def sums_of_comparisons(
    rows: Rows, metrics: Mapping[Metric, Floats], contrast: Contrast
) -> Iterator[tuple[Compared, ComparisonSums]]:
    """
    Yield the sums of the columns that a contrast pairs, metric by metric.

    ``metrics`` come with their values of all rows.
    """
    groups: dict[tuple[Condition, str, str], list[ColumnPair]] = {}
    for pair in paired_columns(rows, contrast):
        own = Condition(pair.condition.model, pair.condition.reasoning)
        condition = own if contrast.pooled else pair.condition
        baseline = pair.baseline
        if contrast.varies == "variant":  # over a base the baseline is the base as it is
            baseline = condition.with_part("variant", baseline).variant
        groups.setdefault((condition, pair.value, baseline), []).append(pair)
    unread = element_columns(rows, contrast.varies).unparsed
    for metric, values in metrics.items():
        for key, pairs in groups.items():
            sums = ComparisonSums(rows.clusters)
            unparsed = sum(unread[pair.start] + unread[pair.place] for pair in pairs)
            if contrast.paired:
                cells = [match_elements(rows, metric, values, contrast, pair) for pair in pairs]
                sums.add(rows, merge_cells(cells, rows.elements), unparsed)
            else:
                groups_found = _group_sides(rows, metric, values, contrast, pairs)
                sums.add_groups(rows, groups_found, unparsed)
            yield Compared(metric.name, *key), sums


def comparison_of(
    compared: Compared, sums: ComparisonSums, metric: Metric, contrast: Contrast, over: str
) -> Comparison:
    """Return what sums come to; p-values are not corrected."""
    return Comparison(
        metric=metric.name,
        contrast=contrast.name,
        varies=contrast.varies,
        **compared.condition.named,
        value=compared.value,
        baseline=compared.baseline,
        **sums.fields(metric, contrast, over),
    )


def compare_rows(
    rows: Rows, metrics: Mapping[Metric, Floats], contrast: Contrast
) -> tuple[Comparison, ...]:
    """
    Compare the columns that a contrast pairs in every metric; p-values are not corrected.

    ``metrics`` come with their values of all rows.
    """
    known = {metric.name: metric for metric in metrics}
    return tuple(
        comparison_of(compared, sums, known[compared.metric], contrast, rows.unit)
        for compared, sums in sums_of_comparisons(rows, metrics, contrast)
    )


def corrected(raw: Sequence[Comparison]) -> tuple[Comparison, ...]:
    """Correct p-values by Holm within a contrast, a metric and a model, or a pair of models."""
    done = list(raw)
    families: dict[tuple[str, ...], list[int]] = {}
    for index, comparison in enumerate(raw):
        other = comparison.baseline if comparison.varies == "model" else ""
        families.setdefault(
            (comparison.contrast, comparison.metric, comparison.model, other), []
        ).append(index)
    for at in families.values():
        for index, p in zip(at, holm([raw[index].p for index in at]), strict=True):
            done[index] = msgspec.structs.replace(raw[index], p_holm=p, family=len(at))
        flips = [(index, flip) for index in at if (flip := raw[index].discordance)]
        ps = [flip.p for _, flip in flips]
        both = zip(flips, holm(ps), benjamini_hochberg(ps), strict=True)
        for (index, flip), p_holm, p_bh in both:
            adjusted = msgspec.structs.replace(flip, p_holm=p_holm, p_bh=p_bh)
            done[index] = msgspec.structs.replace(done[index], discordance=adjusted)
    return tuple(done)


def _pairs(
    columns: Sequence[Column], names: Sequence[str], contrast: Contrast
) -> Iterator[tuple[int, int]]:
    """Yield the places of each baseline and of what is compared with it."""
    if not contrast.baseline:
        alike: dict[Column, list[int]] = {}
        rests = [_with(column, contrast, "") for column in columns]
        for place, rest in enumerate(rests):
            alike.setdefault(rest, []).append(place)
        for place, rest in enumerate(rests):
            yield from ((at, place) for at in alike[rest] if names[at] < names[place])
        return
    known = {column: place for place, column in enumerate(columns)}
    for place, (condition, value) in enumerate(columns):
        own = names[place]
        base = contrast.baseline
        if contrast.varies == "variant" and own.endswith(REWORDED):
            base += REWORDED
        start = known.get(_with((condition, value), contrast, base))
        if own != base and start is not None:
            yield start, place


def _named(column: Column, contrast: Contrast) -> str:
    condition, value = column
    return value or condition.part(contrast.varies)


def _with(column: Column, contrast: Contrast, base: str) -> Column:
    condition, _ = column
    if contrast.varies not in Condition.__struct_fields__:
        return condition, base
    return condition.with_part(contrast.varies, base), ""


def change_bound(metric: Metric) -> float:
    """Return the greatest change that an element can have in a metric, infinite without."""
    low, high = metric.bounds
    return high - low


def _shared(rows: Rows, contrast: Contrast, start: Ints, place: Ints) -> tuple[Ints, Ints]:
    """Return the rows of both sides that have a partner on the other."""
    if not contrast.paired:
        return start, place
    key, count = rows.element, rows.elements
    if contrast.alike:
        key, count = rows.same, rows.questions
    here, there = np.zeros((2, count), dtype=np.bool_)
    here[key[start]] = there[key[place]] = True
    both = here & there
    return start[both[key[start]]], place[both[key[place]]]


def _discordance(cells: Sequence[Ints], error: float) -> Discordance | None:
    if not cells or any(unfit or not sum(flips) for unfit, *flips in cells):
        return None
    _, both, b, c, neither = (int(count) for count in np.sum(cells, axis=0))
    n = both + b + c + neither
    naive = mcnemar(b, c)
    alone = (b + c) / n**2 - (c - b) ** 2 / n**3
    return Discordance(
        both=both,
        b=b,
        c=c,
        neither=neither,
        flip_rate=(b + c) / n,
        test=naive.test,
        p=naive.p,
        p_mid=naive.p_mid,
        chi_square=naive.chi_square,
        p_z=two_proportion_z((both + b, both + c), (n, n))[1],
        design_effect=error**2 / alone if alone > 0 and error > 0 else None,
    )


def is_clear(interval: Interval | None, p_holm: float) -> bool:
    """
    Tell whether a change is more than chance: its interval and its corrected test agree.

    Of one cluster nothing is claimed, whatever its elements say.

    >>> is_clear(Interval(0.1, 0.3, ""), 0.01), is_clear(Interval(0.1, 0.3, ""), 0.2)
    (True, False)
    >>> is_clear(Interval(0.1, 0.3, "", clusters=1, over="sites"), 0.01)
    False
    """
    if interval is None or interval.clusters == 1:
        return False
    return (interval.low > 0 or interval.high < 0) and p_holm < LEVEL


def is_claimed(found: Comparison, unit: str) -> bool:
    """
    Tell whether a comparison of a metric in a unit may be called a gain or a loss.

    What is measured in diagonals of the target depends on how large the picture around it
    is: clicks at random lie closer together where the picture is smaller. So between views
    it is shown and not claimed.
    """
    return not is_by_picture(found, unit) and is_clear(found.interval, found.p_holm)


def is_by_picture(found: Comparison, unit: str) -> bool:
    """Tell whether a comparison is between pictures of other sizes, in a unit that this moves."""
    return unit == "diagonals" and found.contrast == "variant"
