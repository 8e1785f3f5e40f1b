"""
Slices: in which questions a model fails more often, searched for among all that is known.

An atom is a feature that a question has or lacks, or a measure at or above a bound or below
it; a slice is one atom, or up to three together. What is searched hardest finds most by chance,
so a slice counts only where it beats the largest of all slices under the null (Westfall and
Young, Resampling-based multiple testing, 1993, single step). Under it failures are drawn anew:
each site gets those of another site, each of its elements those of one of that site's elements,
drawn in turn where it was asked more often. So failures that cluster stay together, whatever
the sizes, while what is known of the questions stays where it is. The statistic of a slice is

    sum of (x - mean x) (y - mean y), x for being in the slice, y for failing,

over its standard deviation in these draws. Of the slices that count, the one that tells
failures from hits best is taken (the gain in binomial log-likelihood), its bounds are set where
the answers tell best, failures are compared anew within and without it (the means above become
those of each part), and so on. So what overlaps with a cause and adds nothing to it is not found
a second time.

Answers of several benchmarks, the pillars, are compared within each of them alone: else the one
that is hardest would be the cause. Their means are parts of their own from the first, failures are
drawn anew within a pillar, and differences of rates are means of those of the pillars, weighted
by what each of them tells.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from typing import Final

import msgspec
import numpy as np

from surefoot.diagnose.causes.table import SAME, AnswerTable, Atom, Slice, phi_of
from surefoot.score.stats.arrays import Bools, Floats, Ints

LEAST: Final = 10  # answers on either side
LEAST_SITES: Final = 2
LEAST_EFFECT: Final = 0.1  # beyond what blind clicks would have
LEVEL: Final = 0.01
DRAWS: Final = 999
BLOCK: Final = 512  # slices at once
ROUNDING: Final = 1e-9
POWER: Final = 200  # draws of the null that tell whether a slice could be seen
MOST: Final = 6  # slices
MOST_ATOMS: Final = 3  # of one slice
APART: Final = 1.28  # standard errors, from which on two slices are told apart
LEAST_GAIN: Final = 3.0  # of log-likelihood by a second atom, or by a slice beside the others


class Found(msgspec.Struct, frozen=True, eq=False):
    """
    Hold what the search came to.

    ``named`` are slices with their p, those that tell failures best first; ``shown`` the best atom
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
    dropped: Sequence[Slice] = (),
    closed: Sequence[Slice] = (),
) -> Found:
    """
    Search for slices in which a model fails more often; ``seed`` is that of the null.

    ``held`` are named already, with their p and the answers that they hold of: what they
    explain is no evidence for others. What is in ``dropped`` is not named again; of what is in
    ``closed`` nothing is, neither with other bounds nor what goes with it.
    """
    enough = _enough(table, table.inside)
    orders = _orders(table, seed)
    named = [(item, p) for item, p, _ in held]
    masks = [mask for _, _, mask in held]
    first: tuple[Floats, Floats, float] | None = None
    everything = usable = _others(
        table, np.flatnonzero(enough), [item for item, _ in named], masks
    )
    while len(usable) and len(named) < MOST and table.sites >= LEAST_SITES:
        stratum = _strata(table, masks)
        inside = table.inside[:, usable]
        found = _tested(inside, table.failed, stratum, orders)
        first = first or found
        best = _best(table, usable, stratum, found, dropped, closed)
        if best is None:
            break
        one, mask, p = best
        named.append((one, p))
        masks.append(mask)
        usable = _others(table, usable, [one], [mask])
    kept = _needed(table, masks, len(held))
    order = _by_gain(table, [masks[at] for at in kept])
    shown, unnameable = _shown(table, everything, first, orders)
    return Found(
        named=tuple(named[kept[at]] for at in order),
        shown=shown,
        unnameable=(*unnameable, *_rare(table, enough)),
        looked_at=len(everything),
    )


def _others(
    table: AnswerTable, usable: Ints, named: Sequence[Slice], masks: Sequence[Bools]
) -> Ints:
    """
    Leave out what would say again what is named: other bounds of it, and what goes with it.

    Two classes go together from a phi coefficient of ``SAME`` on.
    """
    taken: frozenset[str] = frozenset().union(*(item.names for item in named))
    kept = np.array([table.atoms[at].name not in taken for at in usable], dtype=bool)
    for mask in masks:
        kept &= phi_of(table.inside[:, usable], mask) < SAME
    left: Ints = usable[kept]
    return left


def _pillars(table: AnswerTable) -> list[Bools]:
    """Return the answers of each pillar."""
    return [table.pillar == number for number in range(int(table.pillar.max(initial=0)) + 1)]


def _enough(table: AnswerTable, inside: Bools) -> Bools:
    """Tell which slices have answers enough on either side, in pillars that have both."""
    least = np.zeros(inside.shape[1], dtype=np.int64)
    for rows in _pillars(table):
        having = inside[rows].sum(axis=0)
        least += np.minimum(having, int(rows.sum()) - having)
    found: Bools = least >= LEAST
    return found


def _strata(table: AnswerTable, masks: Sequence[Bools]) -> Ints:
    """Return the number of the part that pillars and classes put each answer into."""
    code = table.pillar.copy()
    for mask in masks:
        code = 2 * code + mask
    _, found = np.unique(code, return_inverse=True)
    return found.astype(np.int64)


def _orders(table: AnswerTable, seed: int) -> Ints:
    """
    Return (orders, answers): which answer's failure stands in place of each one's.

    The first order changes nothing. In the others some failures come more than once. A site that
    several pillars share has one donor in all of them, where they have the same sites.
    """
    random = np.random.default_rng(seed)
    pillars = _pillars(table)
    if len(pillars) == 1:
        found = _drawn(table.site, table.element, random)
    else:
        turns = random.random((DRAWS, table.sites))
        found = np.empty((DRAWS, len(table.failed)), dtype=np.int64)
        for rows in map(np.flatnonzero, pillars):
            sites, site = np.unique(table.site[rows], return_inverse=True)
            _, element = np.unique(table.element[rows], return_inverse=True)
            found[:, rows] = rows[_drawn(site, element, random, turns[:, sites])]
    return np.concatenate([np.arange(len(table.failed))[None], found])


def _drawn(
    site_of: Ints, element: Ints, random: np.random.Generator, turns: Floats | None = None
) -> Ints:
    """Return (draws, answers): donors by site, then by element; sites by their ``turns``."""
    rows, count = DRAWS, len(element)
    site = np.zeros(int(element.max(initial=-1)) + 1, dtype=np.int64)
    site[element] = site_of
    # Elements in the order of their sites, shuffled within each of them, row by row; so answers.
    elements = np.argsort(site + random.random((rows, len(site))), axis=1)
    answers = np.argsort(element + random.random((rows, count)), axis=1)
    if turns is None:
        turns = random.random((rows, int(site_of.max(initial=-1)) + 1))
    donors = np.argsort(turns, axis=1)[:, site]
    donor = np.take_along_axis(elements, _taken(site, donors), axis=1)[:, element]
    found: Ints = np.take_along_axis(answers, _taken(element, donor), axis=1)
    return found


def _taken(group: Ints, donor: Ints) -> Ints:
    """
    Return where the members of groups, sorted by group, are taken from.

    ``group`` is that of each member, ``donor`` (rows, members) the group that gives; of a
    smaller one members are taken again in turn.
    """
    size = np.bincount(group)
    first = np.cumsum(size) - size
    turn = np.empty(len(group), dtype=np.int64)
    turn[np.argsort(group, kind="stable")] = np.arange(len(group)) - np.repeat(first, size)
    found: Ints = first[donor] + turn % size[donor]
    return found


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
    dropped: Sequence[Slice],
    closed: Sequence[Slice],
) -> tuple[Slice, Bools, float] | None:
    """
    Return the slice of those that count which tells failures best, None without any.

    Of those that the answers cannot tell from it, it is the simplest.
    """
    found, p, _ = tested
    inside = table.inside[:, usable]
    gain = _gains(inside, table.failed, stratum)
    names = [table.atoms[at].name for at in usable]
    counts = (p < LEVEL) & (found > 0) & _large(table, inside)
    barred = {item.names for item in closed}
    shut = [table.meets(item.atoms) for item in closed]
    for mask in shut:
        counts &= phi_of(inside, mask) < SAME
    while True:
        free = counts & np.array([frozenset({name}) not in barred for name in names], dtype=bool)
        if not free.any():
            return None
        leading: dict[str, int] = {}  # the best bound of each name: all with all are too many
        for at in np.flatnonzero(free).tolist():
            if names[at] not in leading or gain[at] > gain[leading[names[at]]]:
                leading[names[at]] = at
        firsts = sorted(leading.values(), key=lambda at: -gain[at])
        together, first = _together(table, usable, stratum, firsts, barred)
        atoms = _simplest(table, stratum, together, [table.atoms[usable[at]] for at in firsts])
        one = Slice(tuple(sorted(atoms, key=lambda atom: atom.key)))
        mask = table.meets(atoms)
        if one not in dropped and not any(
            phi_of(mask[:, None], other)[0] >= SAME for other in shut
        ):
            return one, mask, float(p[first])
        # What the answers cannot tell from something barred is barred as well.
        together_names = frozenset(atom.name for atom in together)
        barred.add(together_names if one.names in barred else one.names)


def _simplest(
    table: AnswerTable, stratum: Ints, best: list[Atom], firsts: Sequence[Atom]
) -> list[Atom]:
    """
    Return the simplest of the slices that the answers cannot tell from the best one.

    Those are the best one, what is left of it without some of its atoms, and each atom that
    counts by itself. Two are told apart where the difference of their log-likelihoods is more
    than ``LEAST_GAIN`` and ``APART`` of its standard errors, the elements being the units
    (Vuong, Likelihood ratio tests for model selection and non-nested hypotheses, 1989). Fewer
    atoms are simpler, then plainer ones, and then what tells failures better.
    """
    parts = [
        list(part)
        for size in range(1, len(best))
        for part in itertools.combinations(best, size)
        if {atom.name for atom in part} & {atom.name for atom in firsts}
    ]
    others = [_bounded(table, part, stratum) for part in (*parts, *([first] for first in firsts))]
    fit = _log_likelihoods(table, stratum, table.meets(best))
    allowed = [best]
    for other in others:
        less = fit - _log_likelihoods(table, stratum, table.meets(other))
        of_element = np.bincount(table.element, less)
        error = float(of_element.std()) * len(of_element) ** 0.5
        if less.sum() <= max(LEAST_GAIN, APART * error):
            allowed.append(other)

    def cost(atoms: list[Atom]) -> tuple[int, int, float]:
        gain = _gains(table.meets(atoms)[:, None], table.failed, stratum)[0]
        return len(atoms), max(atom.plain for atom in atoms), -float(gain)

    return min(allowed, key=cost)


def _log_likelihoods(table: AnswerTable, stratum: Ints, inside: Bools) -> Floats:
    """Return each answer's log-likelihood by the failure rates within and without a slice."""
    code = 2 * stratum + inside
    size = np.bincount(code, minlength=1).astype(np.float64)
    rate = (np.bincount(code, table.failed) + 0.5) / (size + 1)
    found: Floats = np.where(table.failed > 0, np.log(rate[code]), np.log1p(-rate[code]))
    return found


def _together(
    table: AnswerTable,
    usable: Ints,
    stratum: Ints,
    firsts: Sequence[int],
    barred: Collection[frozenset[str]],
) -> tuple[list[Atom], int]:
    """
    Return the atoms that tell failures best together, and the place of the first.

    The first counts by itself, and is one of ``firsts``, the best of which comes first. What
    another one adds must be more than the search among all of them gives: the logarithm of
    their number, and ``LEAST_GAIN``.
    """
    inside = table.inside[:, usable]
    least = LEAST_GAIN + float(np.log(inside.shape[1]))
    first = firsts[0]
    atoms = _bounded(table, [table.atoms[usable[first]]], stratum)
    best = float(_gains(table.meets(atoms)[:, None], table.failed, stratum)[0])
    several = [[at] for at in firsts]
    for _ in range(1, MOST_ATOMS):
        places = _one_more(table, inside, stratum, several)
        more = _bounded(table, [table.atoms[usable[at]] for at in places], stratum)
        gain = float(_gains(table.meets(more)[:, None], table.failed, stratum)[0])
        if gain <= best + least or frozenset(atom.name for atom in more) in barred:
            break
        atoms, first, best, several = more, places[0], gain, [places]
    return atoms, first


def _one_more(
    table: AnswerTable, inside: Bools, stratum: Ints, firsts: Sequence[list[int]]
) -> list[int]:
    """Return the places of some atoms and of the one that adds most to them."""
    best, chosen = -np.inf, firsts[0]
    for first in firsts:
        own: Bools = np.logical_and.reduce(inside[:, first], axis=1)
        both = inside & own[:, None]
        fits = _enough(table, both) & _large(table, both)
        gain = np.where(fits, _gains(both, table.failed, stratum), -np.inf)
        at = int(np.argmax(gain))
        if gain[at] > best:
            best, chosen = float(gain[at]), [*first, at]
    return chosen


def _bounded(table: AnswerTable, atoms: list[Atom], stratum: Ints) -> list[Atom]:
    """Return atoms with the bounds that tell failures best, of all that there are."""
    atoms = list(dict.fromkeys(atoms))
    for _ in atoms:  # as often as the bounds of one can change the others'
        for place, atom in enumerate(atoms):
            others = [table.holds(other) for other in atoms if other != atom]
            atoms[place] = _refined(table, atom, others, stratum)
    return atoms


def _refined(table: AnswerTable, atom: Atom, others: Sequence[Bools], stratum: Ints) -> Atom:
    """Return an atom with the bound that tells failures best, together with others."""
    if atom.name not in table.numbers:
        return atom
    known = [atom, *(item for item in table.bounded(atom.name) if item.side == atom.side)]
    inside = np.array([table.holds(item) for item in known]).T
    for other in others:
        inside &= other[:, None]
    fits = _enough(table, inside) & _large(table, inside)
    gain = np.where(fits, _gains(inside, table.failed, stratum), -np.inf)
    return known[int(np.argmax(gain))]


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

    def apart(numbers: Floats) -> Floats:
        found, weights = np.zeros(inside.shape[1]), np.zeros(inside.shape[1])
        for rows in _pillars(table):
            own = inside[rows].astype(np.float64)
            n_in, n_out = own.sum(axis=0), len(own) - own.sum(axis=0)
            weight = n_in * n_out / max(len(own), 1)
            rate = numbers[rows] @ own / np.maximum(n_in, 1.0)
            rest = numbers[rows] @ (1 - own) / np.maximum(n_out, 1.0)
            found += weight * (rate - rest)
            weights += weight
        return np.where(weights > 0, found / np.where(weights > 0, weights, 1.0), 0.0)

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
        stratum = _strata(table, others)
        if _gains(masks[at][:, None], table.failed, stratum)[0] < LEAST_GAIN:
            kept.remove(at)
    return kept


def _by_gain(table: AnswerTable, masks: Sequence[Bools]) -> list[int]:
    """Return the places of classes, that which tells failures best alone first."""
    if not masks:
        return []
    gain = _gains(np.array(masks).T, table.failed, table.pillar)
    return sorted(range(len(masks)), key=lambda at: -gain[at])


def excess(table: AnswerTable, mask: Bools, masks: Sequence[Bools]) -> float:
    """Return how many failures a slice has beyond the rates outside of all slices."""
    failed, found = table.failed, 0.0
    outside = ~np.logical_or.reduce([np.zeros(len(failed), dtype=bool), *masks])
    for rows in _pillars(table):
        base = float(failed[outside & rows].mean()) if (outside & rows).any() else 0.0
        found += float((failed[mask & rows] - base).sum())
    return found


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
    whole = table.pillar
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
