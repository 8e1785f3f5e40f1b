"""
Slices: in which questions a model fails more often, searched for among all that is known.

An atom is a feature that a question has or lacks, or a measure at or above a bound or below
it; a slice is one atom, or two together. What is searched hardest finds most by chance, so a
slice counts only where it beats the largest of all slices under the null: the failures of
whole sites change places, in them those of whole elements, and in them those of answers, so
that failures that cluster stay together while what is known of the questions stays where it
is; the largest statistic of all slices is compared with its own distribution (Westfall and
Young, Resampling-based multiple testing, 1993, single step). The statistic of a slice is

    sum of (x - mean x) (y - mean y), x for being in the slice, y for failing,

over its standard deviation under these permutations. Of the slices that count, the one that
tells failures from hits best is taken (the gain in binomial log-likelihood), failures are
compared anew within and without it (the means above become those of each part), and so on.
So what overlaps with a cause and adds nothing to it is not found a second time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
import numpy as np

from surefoot.diagnose.search.arms import Arm, ArmResult
from surefoot.diagnose.search.features import words_of
from surefoot.diagnose.search.measures import MEASURES
from surefoot.score.stats.arrays import Bools, Floats, Ints

__all__ = [
    "AnswerTable",
    "Atom",
    "Found",
    "Slice",
    "excess",
    "search_slices",
    "slice_of",
    "table_of",
]

LEAST: Final = 10  # answers on either side
LEAST_SITES: Final = 2
LEAST_EFFECT: Final = 0.1  # beyond what blind clicks would have
LEVEL: Final = 0.01
PERMUTATIONS: Final = 999
BLOCK: Final = 512  # slices at once
ROUNDING: Final = 1e-9
POWER: Final = 200  # permutations that tell whether a slice could be seen
MOST: Final = 6  # slices
BOUNDS: Final = 24  # of a measure that are tried
LEAST_GAIN: Final = 3.0  # of log-likelihood by a second atom, or by a slice beside the others


class Atom(msgspec.Struct, frozen=True, order=True):
    """
    Name a feature that is there or not, or a measure on one side of a bound.

    >>> Atom("words", least=13.0).words, Atom("side", below=26.0).key
    ('instructions of 13 words or more', 'side<26')
    """

    name: str
    least: float | None = None
    below: float | None = None
    lacks: bool = False

    @property
    def key(self) -> str:
        """Return the atom as code."""
        if self.least is not None:
            return f"{self.name}>={self.least:g}"
        if self.below is not None:
            return f"{self.name}<{self.below:g}"
        return f"not {self.name}" if self.lacks else self.name

    @property
    def words(self) -> str:
        """Return the atom in words."""
        if self.least is not None:
            return MEASURES[self.name].least.format(f"{self.least:g}")
        if self.below is not None:
            return MEASURES[self.name].below.format(f"{self.below:g}")
        return f"all but {words_of(self.name)}" if self.lacks else words_of(self.name)

    def holds(self, features: Sequence[str], measures: dict[str, float]) -> bool:
        """Tell whether the atom holds of a question."""
        if self.least is None and self.below is None:
            return (self.name in features) != self.lacks
        number = measures.get(self.name)
        if number is None:
            return False
        return number >= self.least if self.least is not None else number < (self.below or 0.0)


class Slice(msgspec.Struct, frozen=True, order=True):
    """Hold one atom, or two that hold together."""

    atoms: tuple[Atom, ...]

    @property
    def key(self) -> str:
        """Return the slice as code."""
        return " & ".join(atom.key for atom in self.atoms)

    @property
    def words(self) -> str:
        """Return the slice in words."""
        return ", with ".join(atom.words for atom in self.atoms)

    def holds(self, features: Sequence[str], measures: dict[str, float]) -> bool:
        """Tell whether a question is in the slice."""
        return all(atom.holds(features, measures) for atom in self.atoms)


def slice_of(key: str) -> Slice:
    """
    Read a slice's key.

    >>> slice_of("side<26 & not role:link").words
    'targets with a side under 26 px, with all but targets of role link'
    """
    return Slice(tuple(_atom(part) for part in key.split(" & ")))


def _atom(key: str) -> Atom:
    name, found, number = key.partition(">=")
    if found and name in MEASURES:
        return Atom(name, least=float(number))
    name, found, number = key.partition("<")
    if found and name in MEASURES:
        return Atom(name, below=float(number))
    return Atom(key.removeprefix("not "), lacks=key.startswith("not "))


class AnswerTable(msgspec.Struct, frozen=True, eq=False):
    """
    Hold answers as columns: failed (0 or 1), site and element by number, blind chance to miss.

    ``inside`` is (answers, atoms).
    """

    failed: Floats
    site: Ints
    element: Ints
    blind: Floats
    atoms: tuple[Atom, ...]
    inside: Bools

    @property
    def sites(self) -> int:
        """Count the sites."""
        return int(self.site.max(initial=-1)) + 1


class Found(msgspec.Struct, frozen=True, eq=False):
    """
    Hold what the search came to.

    ``named`` are slices with their p, those that explain most first; ``shown`` the best atom
    of each feature and measure with its p, before anything is taken out. ``unnameable`` are
    the features that too few sites have or lack for any effect to be seen.
    """

    named: tuple[tuple[Slice, float], ...]
    shown: tuple[tuple[Slice, float], ...]
    unnameable: tuple[Atom, ...]
    looked_at: int


def table_of(answers: Sequence[ArmResult]) -> AnswerTable:
    """Lay answers out with every atom that enough of them have and lack."""
    asked = [answer.arm for answer in answers]
    atoms: list[Atom] = []
    columns: list[Bools] = []
    seen: set[bytes] = set()
    for atom, column in _atoms(asked):
        key = column.tobytes()
        if key not in seen and min(column.sum(), (~column).sum()) > 0:
            seen.add(key)
            atoms.append(atom)
            columns.append(column)
    _, site = np.unique([arm.question.cluster for arm in asked] or [""], return_inverse=True)
    _, element = np.unique([arm.question.pair for arm in asked] or [""], return_inverse=True)
    return AnswerTable(
        failed=np.array([answer.failed for answer in answers], dtype=np.float64),
        site=site[: len(asked)].astype(np.int64),
        element=element[: len(asked)].astype(np.int64),
        blind=np.array([_blind(answer) for answer in answers], dtype=np.float64),
        atoms=tuple(atoms),
        inside=np.array(columns, dtype=bool).reshape(len(columns), len(asked)).T,
    )


def _blind(answer: ArmResult) -> float:
    """Return how often a click anywhere in the picture would miss."""
    question = answer.arm.question
    return 1 - min(question.truth.area / max(question.width * question.height, 1), 1.0)


def _atoms(asked: Sequence[Arm]) -> Iterator[tuple[Atom, Bools]]:
    features = [set(arm.features) for arm in asked]
    for name in sorted(set().union(*features)) if features else ():
        column = np.array([name in own for own in features], dtype=bool)
        yield Atom(name), column
        yield Atom(name, lacks=True), ~column
    for name, measure in MEASURES.items():
        numbers = np.array([arm.measures.get(name, np.nan) for arm in asked])
        for bound in _bounds(numbers[~np.isnan(numbers)], measure.step):
            yield Atom(name, least=bound), numbers >= bound
            yield Atom(name, below=bound), numbers < bound


def _bounds(numbers: Floats, step: float) -> list[float]:
    """Return bounds between the numbers: all where they are few, else at even shares."""
    if not len(numbers):
        return []
    distinct = np.unique(np.round(numbers / step) * step)[1:]
    if len(distinct) > BOUNDS:
        shares = np.linspace(0, 1, BOUNDS + 2)[1:-1]
        distinct = np.unique(np.round(np.quantile(numbers, shares) / step) * step)
    return [round(float(bound), 6) for bound in distinct]


def search_slices(table: AnswerTable, *, seed: int = 0) -> Found:
    """Search for slices in which a model fails more often; ``seed`` is that of the flips."""
    count = len(table.failed)
    enough = _enough(table.inside, count)
    orders = _orders(table, seed)
    named: list[tuple[Slice, float]] = []
    masks: list[Bools] = []
    first: tuple[Floats, Floats, float] | None = None
    everything = usable = np.flatnonzero(enough)
    while len(usable) and len(named) < MOST and table.sites >= LEAST_SITES:
        stratum = _strata(masks, count)
        inside = table.inside[:, usable]
        found = _tested(inside, table.failed, stratum, orders)
        first = first or found
        best = _best(table, usable, stratum, found)
        if best is None:
            break
        one, mask, p = best
        named.append((one, p))
        masks.append(mask)
        taken = {atom.name for atom in one.atoms}  # another bound of it is no other cause
        usable = np.array([at for at in usable if table.atoms[at].name not in taken], np.int64)
    kept = _needed(table, masks)
    order = _by_share(table.failed, [masks[at] for at in kept])
    shown, unnameable = _shown(table, everything, first, orders)
    return Found(
        named=tuple(named[kept[at]] for at in order),
        shown=shown,
        unnameable=(*unnameable, *_rare(table, enough)),
        looked_at=len(everything),
    )


def _enough(inside: Bools, count: int) -> Bools:
    having = inside.sum(axis=0)
    found: Bools = (having >= LEAST) & (count - having >= LEAST)
    return found


def _strata(masks: Sequence[Bools], count: int) -> Ints:
    code = np.zeros(count, dtype=np.int64)
    for at, mask in enumerate(masks):
        code += mask.astype(np.int64) << at
    _, found = np.unique(code, return_inverse=True)
    return found.astype(np.int64)


def _orders(table: AnswerTable, seed: int) -> Ints:
    """
    Return (orders, answers): which answer's failure stands in place of each one's.

    The first order changes nothing.
    """
    count = len(table.failed)
    random = np.random.default_rng(seed)
    fixed = np.lexsort((table.element, table.site))
    orders = np.empty((PERMUTATIONS + 1, count), dtype=np.int64)
    orders[0] = np.arange(count)
    elements = int(table.element.max(initial=-1)) + 1
    for row in orders[1:]:
        of_site = random.permutation(table.sites)[table.site]
        of_element = random.permutation(elements)[table.element]
        row[fixed] = np.lexsort((random.random(count), of_element, of_site))
    return orders


def _centred(numbers: Floats, stratum: Ints) -> Floats:
    """Return numbers (answers, ...) minus the mean of their stratum."""
    size = np.bincount(stratum).astype(np.float64)
    one_hot = np.zeros((len(stratum), len(size)))
    one_hot[np.arange(len(stratum)), stratum] = 1.0
    means = (one_hot.T @ numbers) / (size[:, None] if numbers.ndim > 1 else size)
    found: Floats = numbers - means[stratum]
    return found


def _tested(
    inside: Bools, failed: Floats, stratum: Ints, orders: Ints
) -> tuple[Floats, Floats, float]:
    """Return the slices' statistics, their p, and the least statistic that counts."""
    outcome = _centred(failed, stratum)[orders]
    found = np.empty(inside.shape[1])
    largest = np.zeros(len(orders))
    for start in range(0, inside.shape[1], BLOCK):
        block = slice(start, start + BLOCK)
        sums = outcome @ _centred(inside[:, block].astype(np.float64), stratum)
        spread = sums[1:].std(axis=0)
        sums /= np.where(spread > 0, spread, np.inf)
        found[block] = sums[0]
        largest = np.maximum(largest, sums.max(axis=1, initial=0.0))
    ordered = np.sort(largest)
    above = len(ordered) - np.searchsorted(ordered, found - ROUNDING)
    needed = float(np.quantile(largest, 1 - LEVEL, method="higher"))
    return found, np.maximum(above, 1) / len(ordered), needed


def _best(
    table: AnswerTable, usable: Ints, stratum: Ints, tested: tuple[Floats, Floats, float]
) -> tuple[Slice, Bools, float] | None:
    """Return the slice of those that count which tells failures best, None without any."""
    found, p, _ = tested
    inside = table.inside[:, usable]
    gain = _gains(inside, table.failed, stratum)
    counts = (p < LEVEL) & (found > 0) & _large(table, inside)
    if not counts.any():
        return None
    at = int(np.argmax(np.where(counts, gain, -np.inf)))
    first, second = _pair(table, inside, stratum, np.flatnonzero(counts), float(gain[at])) or (
        at,
        at,
    )
    atoms = {table.atoms[usable[one]] for one in (first, second)}
    mask = inside[:, first] & inside[:, second]
    return Slice(tuple(sorted(atoms, key=lambda atom: atom.key))), mask, float(p[first])


def _pair(
    table: AnswerTable, inside: Bools, stratum: Ints, firsts: Ints, least: float
) -> tuple[int, int] | None:
    """
    Return the two atoms that tell failures best, None where one does nearly as well.

    The first of them counts by itself. What a second one adds must be more than the search
    among all of them gives: the logarithm of their number, and ``LEAST_GAIN``.
    """
    best, chosen = least + LEAST_GAIN + float(np.log(inside.shape[1])), None
    for first in firsts:
        both = inside & inside[:, [first]]
        fits = _enough(both, len(both)) & _large(table, both)
        gain = np.where(fits, _gains(both, table.failed, stratum), -np.inf)
        second = int(np.argmax(gain))
        if gain[second] > best:
            best, chosen = float(gain[second]), (int(first), second)
    return chosen


def _gains(inside: Bools, failed: Floats, stratum: Ints) -> Floats:
    """Return how much each slice adds to the log-likelihood of the failures."""
    gain = np.zeros(inside.shape[1])
    for part in range(int(stratum.max(initial=-1)) + 1):
        rows = stratum == part
        own, lost = inside[rows].astype(np.float64), failed[rows]
        n_in, k_in = own.sum(axis=0), lost @ own
        n, k = float(len(lost)), float(lost.sum())
        gain += _likelihood(k_in, n_in) + _likelihood(k - k_in, n - n_in)
        gain -= _likelihood(np.array([k]), np.array([n]))[0]
    return gain


def _likelihood(k: Floats, n: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        share = k / n
        found = k * np.log(share) + (n - k) * np.log1p(-share)
    return np.where((k > 0) & (k < n), found, 0.0)


def _large(table: AnswerTable, inside: Bools) -> Bools:
    """Tell which slices fail more often by enough, beyond what blind clicks would."""
    own = inside.astype(np.float64)
    n_in = np.maximum(own.sum(axis=0), 1.0)
    n_out = np.maximum(len(own) - own.sum(axis=0), 1.0)

    def apart(numbers: Floats) -> Floats:
        found: Floats = numbers @ own / n_in - numbers @ (1 - own) / n_out
        return found

    by_hand = np.maximum(apart(table.blind), 0.0)
    found: Bools = apart(table.failed) - by_hand >= LEAST_EFFECT
    return found


def _needed(table: AnswerTable, masks: Sequence[Bools]) -> list[int]:
    """Leave out slices that later ones made superfluous, the first of them first."""
    kept = list(range(len(masks)))
    for at in range(len(masks)):
        others = [masks[other] for other in kept if other != at]
        if not others:
            break
        stratum = _strata(others, len(table.failed))
        if _gains(masks[at][:, None], table.failed, stratum)[0] < LEAST_GAIN:
            kept.remove(at)
    return kept


def _by_share(failed: Floats, masks: Sequence[Bools]) -> list[int]:
    return sorted(range(len(masks)), key=lambda at: -excess(failed, masks[at], masks))


def excess(failed: Floats, mask: Bools, masks: Sequence[Bools]) -> float:
    """Return how many failures a slice has beyond the rate outside of all slices."""
    outside = ~np.logical_or.reduce([np.zeros(len(failed), dtype=bool), *masks])
    base = float(failed[outside].mean()) if outside.any() else 0.0
    return float((failed[mask] - base).sum())


def _shown(
    table: AnswerTable, usable: Ints, first: tuple[Floats, Floats, float] | None, orders: Ints
) -> tuple[tuple[tuple[Slice, float], ...], tuple[Atom, ...]]:
    """
    Return the best atom of each name, and the names that no effect could bring out.

    The greatest effect is that every answer with it fails, and of the others as many as do.
    """
    if first is None:
        return (), ()
    found, p, needed = first
    best: dict[str, int] = {}
    seen: dict[str, bool] = {}
    whole = np.zeros(len(table.failed), dtype=np.int64)
    for at, number in enumerate(usable):
        name = table.atoms[number].name
        if name not in best or found[at] > found[best[name]]:
            best[name] = at
    for name, at in best.items():
        column = table.inside[:, [usable[at]]]
        worst = np.where(column[:, 0], 1.0, table.failed[~column[:, 0]].mean())
        seen[name] = bool(_tested(column, worst, whole, orders[:POWER])[0][0] >= needed)
    shown = [(Slice((table.atoms[usable[at]],)), float(p[at])) for at in best.values()]
    unseen = [table.atoms[usable[best[name]]] for name, visible in seen.items() if not visible]
    return tuple(shown), tuple(unseen)


def _rare(table: AnswerTable, enough: Bools) -> Iterator[Atom]:
    """Yield what too few answers have, or lack."""
    known = {table.atoms[at].name for at in np.flatnonzero(enough)}
    seen: set[str] = set()
    for atom in table.atoms:
        if atom.name not in known and atom.name not in seen and atom.least is None:
            seen.add(atom.name)
            yield atom
