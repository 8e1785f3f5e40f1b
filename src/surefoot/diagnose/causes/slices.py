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

from collections.abc import Collection, Iterator, Sequence
from typing import Final

import msgspec
import numpy as np

from surefoot.diagnose.causes.table import AnswerTable, Atom, Slice
from surefoot.score.stats.arrays import Bools, Floats, Ints

__all__ = ["Found", "excess", "search_slices"]

LEAST: Final = 10  # answers on either side
LEAST_SITES: Final = 2
LEAST_EFFECT: Final = 0.1  # beyond what blind clicks would have
LEVEL: Final = 0.01
PERMUTATIONS: Final = 999
BLOCK: Final = 512  # slices at once
ROUNDING: Final = 1e-9
POWER: Final = 200  # permutations that tell whether a slice could be seen
MOST: Final = 6  # slices
LEAST_GAIN: Final = 3.0  # of log-likelihood by a second atom, or by a slice beside the others


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


def search_slices(
    table: AnswerTable,
    *,
    seed: int = 0,
    held: Sequence[tuple[Slice, float, Bools]] = (),
    dropped: Collection[Slice] = (),
) -> Found:
    """
    Search for slices in which a model fails more often; ``seed`` is that of the flips.

    ``held`` are named already, with their p and the answers that they hold of: what they
    explain is no evidence for others. What is in ``dropped`` is not named, with any bound.
    """
    count = len(table.failed)
    enough = _enough(table.inside, count)
    orders = _orders(table, seed)
    named = [(one, p) for one, p, _ in held]
    masks = [mask for _, _, mask in held]
    barred = {one.names for one in dropped}
    first: tuple[Floats, Floats, float] | None = None
    everything = usable = _others(table, np.flatnonzero(enough), [one for one, _ in named])
    while len(usable) and len(named) < MOST and table.sites >= LEAST_SITES:
        stratum = _strata(masks, count)
        inside = table.inside[:, usable]
        found = _tested(inside, table.failed, stratum, orders)
        first = first or found
        best = _best(table, usable, stratum, found, barred)
        if best is None:
            break
        one, mask, p = best
        named.append((one, p))
        masks.append(mask)
        usable = _others(table, usable, [one])
    kept = _needed(table, masks, len(held))
    order = _by_share(table.failed, [masks[at] for at in kept])
    shown, unnameable = _shown(table, everything, first, orders)
    return Found(
        named=tuple(named[kept[at]] for at in order),
        shown=shown,
        unnameable=(*unnameable, *_rare(table, enough)),
        looked_at=len(everything),
    )


def _others(table: AnswerTable, usable: Ints, named: Sequence[Slice]) -> Ints:
    """Leave out the atoms of slices that are named: another bound is no other cause."""
    taken: frozenset[str] = frozenset().union(*(one.names for one in named))
    return np.array([at for at in usable if table.atoms[at].name not in taken], dtype=np.int64)


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
    table: AnswerTable,
    usable: Ints,
    stratum: Ints,
    tested: tuple[Floats, Floats, float],
    barred: Collection[frozenset[str]],
) -> tuple[Slice, Bools, float] | None:
    """Return the slice of those that count which tells failures best, None without any."""
    found, p, _ = tested
    inside = table.inside[:, usable]
    gain = _gains(inside, table.failed, stratum)
    names = [table.atoms[at].name for at in usable]
    free = np.array([frozenset({name}) not in barred for name in names], dtype=bool)
    counts = (p < LEVEL) & (found > 0) & _large(table, inside) & free
    if not counts.any():
        return None
    at = int(np.argmax(np.where(counts, gain, -np.inf)))
    pair = _pair(table, inside, stratum, np.flatnonzero(counts), float(gain[at]))
    if pair is not None and frozenset(names[one] for one in pair) in barred:
        pair = None
    first, second = pair or (at, at)
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


def _needed(table: AnswerTable, masks: Sequence[Bools], held: int) -> list[int]:
    """Leave out slices that later ones made superfluous, the first of them that is not held."""
    kept = list(range(len(masks)))
    for at in range(held, len(masks)):
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
