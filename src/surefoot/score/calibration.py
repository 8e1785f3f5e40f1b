"""
Calibration: whether a shift or a scale of its places would give a run its hits back.

A model that is read in the wrong space misses everywhere by one rule, and one that does not
understand misses anywhere. So the rule is fitted on half of the clusters and judged on the other
half. No rule is the answer unless cross-validation inside the fitting half gains beyond chance,
corrected for the number of rules that are tried.

A rule takes numbers, in pixels or as shares of the picture, to pixels or shares, so that
thousandths that were read as pixels are one rule on pictures of any size. It is fitted to as many
places as come near their targets by it, whatever the others do (random sample consensus, Fischler
and Bolles 1981, with a Gaussian kernel of the target's sides).
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec
import numpy as np

from surefoot.core.geometry import Box, Point
from surefoot.core.question import Answer, Parsed, Question
from surefoot.core.seeds import random_source
from surefoot.score.boxes import best_iou
from surefoot.score.hits import judge
from surefoot.score.stats.arrays import Floats
from surefoot.score.stats.paired import PairedChange, paired_change
from surefoot.score.stats.units import Unit

RuleKind: TypeAlias = Literal["identity", "shift", "scale", "affine", "place"]
Extent: TypeAlias = tuple[float, float]
LEVEL: Final = 0.05
LEAST_PLACES: Final = 40  # answers with a place that a rule is fitted on
FOLDS: Final = 5
GUESSES: Final = 200
SEEN: Final = 800  # places that each guess is judged on
ROUNDS: Final = 20


class PlaceRule(msgspec.Struct, frozen=True):
    """
    Take places to others: ``scale`` times their numbers plus ``shift``, by axis.

    ``numbers`` are pixels, or shares of the picture's sides where ``from_shares``, and come out
    as shares where ``to_shares``.

    >>> PlaceRule("scale", scale=(0.001, 0.001), to_shares=True).place(Point(500, 250), 1280, 800)
    Point(x=640.0, y=200.0)
    """

    kind: RuleKind = "identity"
    scale: tuple[float, float] = (1.0, 1.0)
    shift: tuple[float, float] = (0.0, 0.0)
    from_shares: bool = False
    to_shares: bool = False

    def place(self, parsed: Parsed, width: int, height: int) -> Parsed:
        """Return a point or a box, in pixels, where the rule puts it; all else as it is."""
        if self.kind == "identity" or not isinstance(parsed, Point | Box):
            return parsed
        factors, (across, down) = self.pixels(width, height), self.shift
        if self.to_shares:
            across, down = across * width, down * height
        if isinstance(parsed, Point):
            return Point(parsed.x * factors[0] + across, parsed.y * factors[1] + down)
        left, top, right, bottom = parsed.as_tuple()
        return Box(
            left * factors[0] + across,
            top * factors[1] + down,
            right * factors[0] + across,
            bottom * factors[1] + down,
        )

    def pixels(self, width: int, height: int) -> tuple[float, float]:
        """Return by how much the rule stretches pixels of a picture."""
        found = []
        for factor, side in zip(self.scale, (width, height), strict=True):
            shares = self.to_shares - self.from_shares
            found.append(factor * float(side) ** shares)
        return found[0], found[1]


class MetricChange(msgspec.Struct, frozen=True):
    """
    Hold the means of a metric ("hit"; "iou" and "bcp" of boxes) before and after, over elements.

    ``low`` and ``high`` are the ends of the change's 95 % interval, None where that is unknown.
    """

    metric: str
    before: float
    after: float
    low: float | None
    high: float | None


class Calibration(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold what a rule that was fitted on half of a run's clusters does to the other half.

    ``places`` are the answers it was fitted on, ``elements`` and ``clusters`` those it was judged
    on, ``size`` is the commonest picture's, in pixels.
    """

    model: str
    rule: PlaceRule
    places: int
    elements: int
    clusters: int
    over: str
    size: tuple[int, int]
    changes: tuple[MetricChange, ...]

    @property
    def extent(self) -> Extent:
        """Return the size in pixels that the commonest picture counts as, by the rule."""
        factors = self.rule.pixels(*self.size)
        return self.size[0] / factors[0], self.size[1] / factors[1]


def calibrate(
    questions: Iterable[Question],
    answers: Iterable[Answer],
    *,
    model: str = "",
    overlap: bool = False,
    tolerance: float = 0.0,
    unit: Unit = "site",
    seed: int = 0,
) -> Calibration:
    """
    Fit a rule on half of the clusters of a run, and judge it on the other half.

    ``overlap`` judges boxes by IoU and BCP, points by BCP. Clusters are sites, pages or elements,
    as ``unit`` says; of one site they are elements. With under LEAST_PLACES places nothing is
    fitted.
    """
    replies = {answer.question: answer.parsed for answer in answers}
    about = [
        question for question in questions if question.asks == "place" and question.answerable
    ]
    if unit == "site" and len({question.cluster for question in about}) == 1:
        unit = "element"
    names = {"site": "cluster", "page": "page_name", "element": "pair"}
    boxes = overlap and any(isinstance(parsed, Box) for parsed in replies.values())
    asked = [
        _Asked(question, replies.get(question.id), str(getattr(question, names[unit])))
        for question in about
    ]
    clusters = sorted({item.cluster for item in asked})
    random_source(seed, "calibration").shuffle(clusters)
    fitting = set(clusters[: len(clusters) // 2])
    ruler = _Ruler("iou" if boxes else "hit", tolerance)
    half = [item for item in asked if item.cluster in fitting]
    rule, places = _chosen(half, ruler)
    other = [item for item in asked if item.cluster not in fitting]
    found = []
    for metric in ("iou", "hit") if boxes else ("hit",):
        change, before = _change(other, [rule] * len(other), _Ruler(metric, tolerance))
        interval = change.interval()
        found.append(
            MetricChange(
                "bcp" if overlap and metric == "hit" else metric,
                before,
                before + change.mean,
                interval.low if interval else None,
                interval.high if interval else None,
            )
        )
    sizes = Counter((question.width, question.height) for question in about)
    return Calibration(
        model=model,
        rule=rule,
        places=places,
        elements=change.n,
        clusters=change.clusters,
        over=f"{unit}s",
        size=sizes.most_common(1)[0][0] if sizes else (0, 0),
        changes=tuple(found),
    )


class _Asked(NamedTuple):
    question: Question
    parsed: Parsed | None
    cluster: str


class _Ruler(NamedTuple):
    metric: str
    tolerance: float

    def values(self, asked: Sequence[_Asked], rules: Sequence[PlaceRule]) -> Floats:
        """Return what each answer is worth, placed by a rule of its own."""
        placed = [
            Answer(item.question.id, "", rule.place(item.parsed, *_size(item)))
            if item.parsed is not None
            else None
            for item, rule in zip(asked, rules, strict=True)
        ]
        if self.metric == "iou":
            pairs = zip(asked, placed, strict=True)
            return np.array([best_iou(item.question, answer) for item, answer in pairs])
        found = judge(
            [item.question for item in asked],
            [answer for answer in placed if answer is not None],
            tolerance=self.tolerance,
        )
        return np.array([found[item.question.id] for item in asked], float)


def _size(one: _Asked) -> tuple[int, int]:
    return one.question.width, one.question.height


def _change(
    asked: Sequence[_Asked], rules: Sequence[PlaceRule], ruler: _Ruler
) -> tuple[PairedChange, float]:
    """Return the change that rules make to elements, and the elements' mean before."""
    before = ruler.values(asked, [PlaceRule()] * len(asked))
    changes = ruler.values(asked, rules) - before
    pairs = [item.question.pair for item in asked]
    _, first, element = np.unique(pairs, return_index=True, return_inverse=True)
    counts = np.bincount(element, minlength=1)
    _, home = np.unique([asked[at].cluster for at in first], return_inverse=True)
    means = [np.bincount(element, values, 1) / counts for values in (changes, before)]
    return paired_change(means[0], home.astype(np.int64), 1.0), float(means[1].mean())


def _chosen(half: Sequence[_Asked], ruler: _Ruler) -> tuple[PlaceRule, int]:
    """
    Return the rule that gains in cross-validation, and how many answers it is fitted on.

    Of rules that gain beyond chance it is the plainest within a standard error of the best. It
    has to gain more than one place for all answers does, since that needs no space at all.
    """
    placed = [item for item in half if isinstance(item.parsed, Point | Box)]
    clusters = sorted({item.cluster for item in half})
    if len(placed) < LEAST_PLACES or len(clusters) < FOLDS:
        return PlaceRule(), len(placed)
    fold = {cluster: at % FOLDS for at, cluster in enumerate(clusters)}
    same = len({_size(item) for item in placed}) == 1
    tried = list(_kinds(same=same))
    gains = []
    for kind in (*tried, PlaceRule("place", to_shares=True)):
        fits = [
            fitted([item for item in placed if fold[item.cluster] != at], kind)
            for at in range(FOLDS)
        ]
        gains.append(_change(half, [fits[fold[item.cluster]] for item in half], ruler)[0])
    least = max(0.0, gains.pop().mean)
    found = [
        (kind, gain)
        for kind, gain in zip(tried, gains, strict=True)
        if gain.mean - gain.scale * gain.error > least and gain.p < LEVEL / len(tried)
    ]
    if not found:
        return PlaceRule(), len(placed)
    best = max((gain for _, gain in found), key=lambda gain: gain.mean)
    near = best.mean - best.scale * best.error
    kind = next(kind for kind, gain in found if gain.mean >= near)
    return fitted(placed, kind), len(placed)


def _kinds(*, same: bool) -> Iterator[PlaceRule]:
    """Yield what can be fitted, the plainest first; pictures of one size need no shares."""
    spaces = ((False, False),) if same else tuple(itertools.product((False, True), repeat=2))
    for kind in ("shift", "scale", "affine"):
        for from_shares, to_shares in spaces:
            if kind != "shift" or from_shares == to_shares:
                yield PlaceRule(kind, from_shares=from_shares, to_shares=to_shares)


def fitted(placed: Sequence[_Asked], kind: PlaceRule) -> PlaceRule:
    """Return a rule of a kind by which as many places as can come near their targets."""
    numbers, truths, reach = _corners(placed, kind)
    source = random_source(len(placed), "calibration guesses")
    rows = range(len(numbers))
    pairs = np.array([[source.choice(rows), source.choice(rows)] for _ in range(GUESSES)])
    first, second = numbers[pairs[:, 0]], numbers[pairs[:, 1]]
    with np.errstate(divide="ignore", invalid="ignore"):
        if kind.kind == "affine":
            scale = (truths[pairs[:, 1]] - truths[pairs[:, 0]]) / (second - first)
        elif kind.kind == "scale":
            scale = truths[pairs[:, 0]] / first
        else:
            scale = np.full_like(first, float(kind.kind != "place"))
    shift = np.zeros_like(scale) if kind.kind == "scale" else truths[pairs[:, 0]] - scale * first
    usable = (np.isfinite(scale) & (scale >= 0)).all(axis=1)
    scale, shift = scale[usable], shift[usable]
    seen = np.arange(len(numbers))[:: max(1, len(numbers) // SEEN)]
    near = [
        float(_nearness(numbers[seen], truths[seen], reach[seen], item, other).sum())
        for item, other in zip(scale, shift, strict=True)
    ]
    if not near:
        return PlaceRule()
    at = int(np.argmax(near))
    best, moved = scale[at], shift[at]
    for _ in range(ROUNDS):
        weight = _nearness(numbers, truths, reach, best, moved)[:, None] / reach**2
        best, moved = _least_squares(numbers, truths, weight, kind.kind, best)
    return msgspec.structs.replace(
        kind, scale=(float(best[0]), float(best[1])), shift=(float(moved[0]), float(moved[1]))
    )


def _corners(placed: Sequence[_Asked], kind: PlaceRule) -> tuple[Floats, Floats, Floats]:
    """
    Return what was answered and what is right, and the targets' sides, in a rule's units.

    A point stands for its target's centre, a box for two corners.
    """
    rows = []
    for item in placed:
        truth, parsed = item.question.truth, item.parsed
        sides = max(1.0, truth.width), max(1.0, truth.height)
        if isinstance(parsed, Box):
            corners = parsed.as_tuple(), truth.as_tuple()
            rows += [
                (_size(item), *(corner[at : at + 2] for corner in corners), sides) for at in (0, 2)
            ]
        elif isinstance(parsed, Point):
            center = truth.center
            rows.append((_size(item), (parsed.x, parsed.y), (center.x, center.y), sides))
    size, numbers, truths, sides = np.array(rows, float).transpose(1, 0, 2)
    within = size if kind.to_shares else 1.0
    return numbers / (size if kind.from_shares else 1.0), truths / within, sides / within


def _nearness(
    numbers: Floats, truths: Floats, reach: Floats, scale: Floats, shift: Floats
) -> Floats:
    off = (scale * numbers + shift - truths) / reach
    return np.asarray(np.exp(-(off**2).sum(axis=1) / 2))


def _least_squares(
    numbers: Floats, truths: Floats, weight: Floats, kind: RuleKind, scale: Floats
) -> tuple[Floats, Floats]:
    total = weight.sum(axis=0)
    if kind == "scale":
        return (weight * numbers * truths).sum(axis=0) / (weight * numbers**2).sum(
            axis=0
        ), 0 * scale
    middle, right = ((weight * values).sum(axis=0) / total for values in (numbers, truths))
    if kind == "affine":
        off = numbers - middle
        spread = (weight * off**2).sum(axis=0)
        found = (weight * off * (truths - right)).sum(axis=0) / np.where(spread > 0, spread, 1)
        scale = np.where((spread > 0) & (found > 0), found, scale)
    return scale, right - scale * middle
