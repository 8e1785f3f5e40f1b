"""
Measure how often intervals hold what they should, and how often tests find nothing's change.

Hits are drawn on pages of sites: the log-odds of a hit are a constant, an effect of the site
and a smaller one of the page, both normal. What an interval should hold is the rate over all
sites that there could be, not over those drawn. A paired change asks the same targets twice,
with an effect of the site on the change; under the null hypothesis both rates over all sites
are equal. Sites are of one size, of sizes that vary log-normally, or one holds 40 %.

Every candidate sees the same draws. "By page" is a percentile bootstrap over pages, or
Obuchowski's test over pages, as if pages of one site were independent. The candidate that
``surefoot.score.stats`` has is called through it. Prints the tables of
studies/docs/statistics.md. One core,
some minutes, always the same numbers.

The other candidates: percentile bootstrap and bootstrap-t over sites (Davison and Hinkley,
1997); t with m - 1 degrees of freedom on the linearised error; Bell and McCaffrey's CR2 with
their degrees of freedom (Survey Methodology 28, 2002); Wilson's interval and Clopper and
Pearson's with an effective sample size (Dean and Pagano, Survey Methodology 41, 2015; Korn
and Graubard, Survey Methodology 24, 1998); one more site of hits and one of misses (after
Agresti and Coull, 1998); swaps within whole sites; the wild cluster bootstrap-t with the null
hypothesis imposed (Cameron, Gelbach and Miller, 2008).
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from scipy.optimize import brentq
from scipy.special import betaincinv, chdtrc, expit, ndtri, stdtr, stdtrit

from surefoot.score.stats.arrays import Bools, Floats, Ints
from surefoot.score.stats.clusters import (
    CHANGE,
    POSITIVE,
    RATE,
    Bounds,
    interval_bounds,
    p_values,
    ratio,
)
from surefoot.score.stats.paired import PairedChange, paired_change

REPLICATIONS: Final = 2_000
RESAMPLES: Final = 400
SITES: Final = (6, 10, 20, 40, 100)
RATES: Final = (0.5, 0.8, 0.9, 0.95)
SITE_SDS: Final = (0.0, 0.5, 1.0, 1.5)
SIZES: Final = ("equal", "varied", "one holds 40 %")
PAGE_SD: Final = 0.5
ALIKE: Final = 3
CHANGE_SD: Final = 0.5  # of the change's effect of a site, as a share of that on the rate
PAGES: Final = 12
TARGETS: Final = 5
GAIN: Final = -0.05
LEVEL: Final = 0.05
FEW: Final = (0, 1, 2, 3, 5)
LEAST, MOST = 93.0, 97.0
BEFORE, AFTER = "percentile bootstrap by page", "Wilson at effective size (chosen)"
AFTER_CHANGE = "paired changes at effective size (chosen)"
BEFORE_TEST, AFTER_TEST = "Obuchowski by page", "paired changes at effective size (chosen)"

Ends: TypeAlias = tuple[Floats, Floats]
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(80)


class Drawn(NamedTuple):
    """
    Hold replications of one experiment.

    ``pages`` is (pages, replications) of sums over the targets of a page, ``site`` the site
    of each page; all pages have as many targets. ``targets`` is (targets, replications), page
    by page, of a change; ``squares`` are sums like ``pages`` of what lies between 0 and 1.
    """

    pages: Floats
    site: Ints
    targets: Floats | None = None
    squares: Floats | None = None

    def sums(self) -> tuple[Floats, Floats]:
        """Return numerators and denominators, both (sites, replications)."""
        above = self.by_site(self.pages)
        below = np.bincount(self.site)[:, None] * float(TARGETS)
        return above, np.broadcast_to(below, above.shape)

    def by_site(self, pages: Floats) -> Floats:
        """Return (sites, replications): the sums of pages."""
        return np.add.reduceat(pages, np.flatnonzero(np.diff(self.site, prepend=-1)))


def intercept(rate: float, sd: float) -> float:
    """Return the mean log-odds that give a rate under normal effects of this deviation."""

    def beyond(mean: float) -> float:
        return float(WEIGHTS @ expit(mean + sd * NODES) / WEIGHTS.sum()) - rate

    return float(brentq(beyond, -30, 30))


def pages_of(sites: int, sizes: str) -> Ints:
    """Return the number of pages of each site, at least one."""
    share = np.ones(sites)
    if sizes == "varied":
        share = np.exp(ndtri((np.arange(sites) + 0.5) / sites))
    elif sizes == "one holds 40 %":
        others = 1 / np.arange(1.0, sites)
        share = np.concatenate([[0.4], 0.6 * others / others.sum()])
    return np.asarray(np.maximum(1, np.rint(share / share.sum() * sites * PAGES)), np.int64)


def draw_rate(random: np.random.Generator, site: Ints, rate: float, sd: float) -> Drawn:
    """Draw hits on every page of the sites."""
    shape = (len(site), REPLICATIONS)
    effect = sd * random.standard_normal((int(site.max()) + 1, REPLICATIONS))[site]
    effect += PAGE_SD * random.standard_normal(shape)
    chance = expit(intercept(rate, float(np.hypot(sd, PAGE_SD))) + effect)
    return Drawn(random.binomial(TARGETS, chance).astype(np.float64), site)


def draw_change(
    random: np.random.Generator, site: Ints, rates: tuple[float, float], sd: float
) -> Drawn:
    """
    Draw the same targets twice, and sum after minus before over every page.

    Some targets are answered alike both times but for what the change's effect moves.
    """
    sites = int(site.max()) + 1
    common = sd * random.standard_normal((sites, REPLICATIONS))[site]
    common += PAGE_SD * random.standard_normal(common.shape)
    moved = CHANGE_SD * sd * random.standard_normal((sites, REPLICATIONS))[site]
    spread = float(np.hypot(sd, PAGE_SD))
    before = expit(intercept(rates[0], spread) + common)
    after = expit(intercept(rates[1], float(np.hypot(spread, CHANGE_SD * sd))) + common + moved)
    before, after = (np.repeat(rate, TARGETS, axis=0) for rate in (before, after))
    alike = (np.arange(len(before)) % TARGETS < ALIKE)[:, None]
    luck = random.random((2, *before.shape), dtype=np.float32)
    other = np.where(alike, luck[0], luck[1])
    change = (luck[0] < after).astype(np.float64) - (other < before)
    pages = change.reshape(len(site), TARGETS, -1).sum(axis=1)
    return Drawn(pages, site, targets=change)


# Intervals ------------------------------------------------------------------------------


def linearised(above: Floats, below: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the rate, the weights of the sites and their errors, which sum to 0."""
    total = below.sum(axis=0)
    rate = above.sum(axis=0) / total
    return rate, below / total, (above - rate * below) / total


def bell_mccaffrey(weight: Floats) -> Floats:
    """Return their degrees of freedom from the matrix that defines them, as a check of ours."""
    found = []
    for share in np.unique(weight, axis=1).T:
        matrix = np.diag(share) @ (np.eye(len(share)) - np.outer(np.ones(len(share)), share))
        matrix /= np.sqrt(1 - share)[:, None]
        spread = matrix @ np.diag(1 / share) @ matrix.T
        found.append(np.trace(spread) ** 2 / np.trace(spread @ spread))
    assert len(found) == 1, "all replications have the same sizes"
    return np.full(weight.shape[1], found[0])


def on_log_odds(rate: Floats, reach: Floats) -> Ends:
    """Carry a symmetrical reach over to the scale of log-odds."""
    with np.errstate(divide="ignore", invalid="ignore"):
        odds, far = np.log(rate / (1 - rate)), reach / (rate * (1 - rate))
        low, high = expit(odds - far), expit(odds + far)
    flat = (rate <= 0) | (rate >= 1)
    return np.where(flat, rate, low), np.where(flat, rate, high)


def by_weights(random: np.random.Generator, units: int) -> Floats:
    """Return (resamples, units): how often a bootstrap draws each unit."""
    return random.multinomial(units, np.full(units, 1 / units), RESAMPLES).astype(float)


def percentile(random: np.random.Generator, above: Floats, below: Floats) -> Ends:
    """Return the percentile bootstrap over rows."""
    drawn = by_weights(random, len(above))
    low, high = np.percentile((drawn @ above) / (drawn @ below), [2.5, 97.5], axis=0)
    return low, high


def bootstrap_t(random: np.random.Generator, above: Floats, below: Floats) -> Ends:
    """Return the bootstrap-t over sites; a resample without spread has an infinite t."""
    rate, _, error = linearised(above, below)
    drawn = by_weights(random, len(above))
    total = drawn @ below
    again = (drawn @ above) / total
    squares = drawn @ above**2 - 2 * again * (drawn @ (above * below))
    squares += again**2 * (drawn @ below**2)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.nan_to_num((again - rate) * total / np.sqrt(np.maximum(squares, 0)))
    low, high = np.percentile(found, [2.5, 97.5], axis=0)
    spread = np.sqrt((error**2).sum(axis=0))
    return rate - high * spread, rate - low * spread


def effective_size(rate: Floats, variance: Floats, answers: Floats) -> Floats:
    """Return how many independent answers would be as sure, at most all that there are."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.fmin(rate * (1 - rate) / variance, answers), np.float64)


def wilson_ends(rate: Floats, size: Floats, quantile: Floats) -> Ends:
    """Return Wilson's interval for a sample of this size."""
    scale = 1 + quantile**2 / size
    middle = (rate + quantile**2 / (2 * size)) / scale
    reach = quantile * np.sqrt(rate * (1 - rate) / size + quantile**2 / (4 * size**2)) / scale
    return middle - reach, middle + reach


def exact_ends(rate: Floats, size: Floats) -> Ends:
    """Return Clopper and Pearson's interval for a sample of this size."""
    hits, misses = rate * size, (1 - rate) * size
    tiny = np.finfo(float).tiny
    low = np.where(hits > 0, betaincinv(np.maximum(hits, tiny), misses + 1, 0.025), 0.0)
    high = np.where(misses > 0, betaincinv(hits + 1, np.maximum(misses, tiny), 0.975), 1.0)
    return low, high


def rate_intervals(random: np.random.Generator, drawn: Drawn) -> Iterator[tuple[str, Ends]]:
    """Yield every candidate's interval for a rate."""
    above, below = drawn.sums()
    sites = len(above)
    rate, weight, error = linearised(above, below)
    degrees, plain = bell_mccaffrey(weight), np.full(REPLICATIONS, sites - 1.0)
    variance = (error**2).sum(axis=0) * sites / (sites - 1)
    adjusted = (error**2 / (1 - weight)).sum(axis=0)
    t_plain, t_fewer = (np.asarray(stdtrit(item, 0.975), np.float64) for item in (plain, degrees))
    each_page = np.full_like(drawn.pages, TARGETS)
    yield BEFORE, percentile(random, drawn.pages, each_page)
    yield "percentile bootstrap by site", percentile(random, above, below)
    yield "bootstrap-t by site", bootstrap_t(random, above, below)
    yield "t, m - 1", (rate - t_plain * variance**0.5, rate + t_plain * variance**0.5)
    yield "t, m - 1, on log-odds", on_log_odds(rate, t_plain * variance**0.5)
    yield (
        "CR2, Bell-McCaffrey",
        (rate - t_fewer * adjusted**0.5, rate + t_fewer * adjusted**0.5),
    )
    yield "CR2, Bell-McCaffrey, on log-odds", on_log_odds(rate, t_fewer * adjusted**0.5)
    size = effective_size(rate, adjusted, below.sum(axis=0))
    yield "Wilson, effective n and t", wilson_ends(rate, size, t_fewer)
    answers = below.sum(axis=0)
    fewer = size * (stdtrit(answers - 1, 0.975) / t_fewer) ** 2
    yield "Korn-Graubard", exact_ends(rate, np.minimum(fewer, answers))
    mean = below.mean(axis=0)[None]
    middle, _, apart = linearised(
        np.vstack([above, mean, 0 * mean]), np.vstack([below, mean, mean])
    )
    reach = stdtrit(sites + 1.0, 0.975) * np.sqrt(
        (apart**2).sum(axis=0) * (sites + 2) / (sites + 1)
    )
    yield "two more sites, t", (middle - reach, middle + reach)
    yield "jackknife t on log-odds", on_log_odds(rate, jackknife_reach(above, below))
    yield AFTER, chosen(drawn, RATE)


def change_intervals(random: np.random.Generator, drawn: Drawn) -> Iterator[tuple[str, Ends]]:
    """Yield candidates for a change, which has no log-odds of its own."""
    above, below = drawn.sums()
    sites = len(above)
    value, weight, error = linearised(above, below)
    yield BEFORE, percentile(random, drawn.pages, np.full_like(drawn.pages, TARGETS))
    yield "percentile bootstrap by site", percentile(random, above, below)
    yield "bootstrap-t by site", bootstrap_t(random, above, below)
    reach = stdtrit(sites - 1.0, 0.975) * ((error**2).sum(axis=0) * sites / (sites - 1)) ** 0.5
    yield "t, m - 1", (value - reach, value + reach)
    reach = stdtrit(bell_mccaffrey(weight), 0.975) * (error**2 / (1 - weight)).sum(axis=0) ** 0.5
    yield "CR2, Bell-McCaffrey", (value - reach, value + reach)
    yield "jackknife t on log-odds", tuple(interval_bounds(ratio(above, below), CHANGE))
    found = [change.interval() for change in paired(drawn)]
    ends = np.array([(one.low, one.high) if one else (np.nan, np.nan) for one in found])
    yield AFTER_CHANGE, (ends[:, 0], ends[:, 1])


def jackknife_reach(above: Floats, below: Floats) -> Floats:
    """Return how far the jackknife's interval reaches, on the scale of the rate."""
    found = ratio(above, below)
    return np.asarray(stdtrit(found.degrees, 0.975) * found.standard_error, np.float64)


def paired(drawn: Drawn) -> list[PairedChange]:
    """Return the package's own estimate of every replication."""
    assert drawn.targets is not None
    home = np.repeat(drawn.site, TARGETS)
    return [paired_change(changes, home, 1.0) for changes in drawn.targets.T]


def chosen(drawn: Drawn, bounds: Bounds) -> Ends:
    """Return the package's own interval of a rate or a mean."""
    squares = None if drawn.squares is None else drawn.by_site(drawn.squares)
    low, high = interval_bounds(ratio(*drawn.sums(), squares), bounds)
    return low, high


# Tests ----------------------------------------------------------------------------------


def obuchowski(sums: Floats) -> Floats:
    """Return p of Obuchowski's test over rows (Statistics in Medicine 17, 1998)."""
    rows = len(sums)
    with np.errstate(invalid="ignore"):
        statistic = sums.sum(axis=0) ** 2 / (sums**2).sum(axis=0) * (rows - 1) / rows
    return np.asarray(chdtrc(1, np.nan_to_num(statistic)))


def t_test(value: Floats, spread: Floats, degrees: Floats) -> Floats:
    """Return Student's two-sided p, 1 where there is neither a value nor a spread."""
    with np.errstate(divide="ignore", invalid="ignore"):
        size = np.nan_to_num(np.abs(value) / spread, nan=0.0)
    return np.asarray(2 * stdtr(degrees, -size), np.float64)


def signs_of(random: np.random.Generator, sites: int) -> Floats:
    """Return all sign patterns of up to 8 sites, else as many as there are resamples."""
    if sites <= 8:  # noqa: PLR2004
        return np.array(list(itertools.product([-1.0, 1.0], repeat=sites)))
    first = np.ones((1, sites))
    return np.vstack([first, random.choice([-1.0, 1.0], (RESAMPLES - 1, sites))])


def change_tests(random: np.random.Generator, drawn: Drawn) -> Iterator[tuple[str, Floats]]:
    """Yield the p of every candidate under the null hypothesis."""
    above, below = drawn.sums()
    sites = len(above)
    rate, weight, error = linearised(above, below)
    yield BEFORE_TEST, obuchowski(drawn.pages)
    yield "Obuchowski by site", obuchowski(above)
    spread = np.sqrt((error**2).sum(axis=0) * sites / (sites - 1))
    yield "t, m - 1", t_test(rate, spread, np.full(REPLICATIONS, sites - 1.0))
    spread = np.sqrt((error**2 / (1 - weight)).sum(axis=0))
    yield "CR2, Bell-McCaffrey", t_test(rate, spread, bell_mccaffrey(weight))
    signs = signs_of(random, sites)
    swapped = signs @ above
    seen = np.abs(above.sum(axis=0)) - 1e-9
    yield "swaps within sites", (np.abs(swapped) >= seen).mean(axis=0)
    again = swapped / below.sum(axis=0)
    squares = (above**2).sum(axis=0) - 2 * again * (signs @ (above * below))
    squares = np.maximum(squares + again**2 * (below**2).sum(axis=0), 0)
    seen_square = ((above - rate * below) ** 2).sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        drawn_t = np.nan_to_num(np.abs(swapped) / np.sqrt(squares))
        seen_t = np.nan_to_num(np.abs(above.sum(axis=0)) / np.sqrt(seen_square))
    yield "wild cluster bootstrap-t", (drawn_t >= seen_t - 1e-9).mean(axis=0)
    yield "jackknife t", p_values(ratio(above, below), CHANGE)
    yield AFTER_TEST, np.array([change.p for change in paired(drawn)])


# Other metrics --------------------------------------------------------------------------


def draw_iou(random: np.random.Generator, site: Ints, sd: float) -> tuple[Drawn, float]:
    """Draw IoUs: a box is found at the odds of its site, and fits as a beta variable."""
    effect = sd * random.standard_normal((int(site.max()) + 1, REPLICATIONS))[site]
    chance, total = expit(intercept(0.8, sd) + effect), np.zeros((len(site), REPLICATIONS))
    squares = np.zeros_like(total)
    for _ in range(TARGETS):
        overlap = (random.random(total.shape) < chance) * random.beta(6, 2, total.shape)
        total += overlap
        squares += overlap**2
    return Drawn(total, site, squares=squares), 0.8 * 6 / 8


def draw_distance(random: np.random.Generator, site: Ints, sd: float) -> tuple[Drawn, float]:
    """Draw distances that are log-normal within and between sites."""
    effect = sd * random.standard_normal((int(site.max()) + 1, REPLICATIONS))[site]
    total = np.zeros((len(site), REPLICATIONS))
    for _ in range(TARGETS):
        total += np.exp(effect + random.standard_normal(total.shape))
    return Drawn(total, site), float(np.exp((sd**2 + 1) / 2))


# Few misses -----------------------------------------------------------------------------


def few_misses() -> Iterator[str]:
    """Yield a table of coverage given the count of misses, the true rate being log-uniform."""
    rows = []
    rates = np.exp(np.linspace(np.log(0.001), np.log(0.2), 60))
    for number, (sites, each) in enumerate(((6, 9), (12, 8), (29, 7), (100, 7))):
        random = np.random.default_rng([3, number])
        held: dict[int, list[Bools]] = {count: [] for count in FEW}
        for sd, rate in itertools.product(SITE_SDS, rates):
            odds = intercept(float(rate), sd) + sd * random.standard_normal((sites, REPLICATIONS))
            misses = random.binomial(each, expit(odds)).astype(np.float64)
            low, high = interval_bounds(ratio(misses, np.full_like(misses, each)), RATE)
            inside = (low <= rate) & (rate <= high)
            for count in FEW:
                held[count].append(inside[misses.sum(axis=0) == count])
        found = [100 * np.concatenate(held[count]).mean() for count in FEW]
        rows.append([f"{sites} x {each}", *(f"{share:.1f}" for share in found)])
    yield from lines(["sites x answers", *(f"{count} misses" for count in FEW)], rows)


# Tables ---------------------------------------------------------------------------------


class Cell(NamedTuple):
    """Hold the percentage of one candidate in one setting, and the mean width."""

    sizes: str
    sites: int
    rate: float
    sd: float
    name: str
    percent: float
    width: float = 0.0


def held(ends: Ends, truth: float) -> tuple[float, float]:
    """Return how many percent of the intervals hold the truth, and their median width."""
    low, high = ends
    return 100 * float(((low <= truth) & (truth <= high)).mean()), float(np.median(high - low))


def settings() -> Iterator[tuple[np.random.Generator, str, int, Ints, float, float]]:
    """Yield every setting with its own source of randomness."""
    for number, (sizes, sites, rate, sd) in enumerate(
        itertools.product(SIZES, SITES, RATES, SITE_SDS)
    ):
        site = np.repeat(np.arange(sites), pages_of(sites, sizes))
        yield np.random.default_rng([20_240, number]), sizes, sites, site, rate, sd


def measure() -> tuple[list[Cell], list[Cell], list[Cell]]:
    """Return coverage of a rate, coverage of a change, and false positives."""
    rates: list[Cell] = []
    changes: list[Cell] = []
    false: list[Cell] = []
    for random, sizes, sites, site, rate, sd in settings():
        where = (sizes, sites, rate, sd)
        drawn = draw_rate(random, site, rate, sd)
        rates += [Cell(*where, name, *held(e, rate)) for name, e in rate_intervals(random, drawn)]
        drawn = draw_change(random, site, (rate, rate + GAIN), sd)
        changes += [
            Cell(*where, name, *held(e, GAIN)) for name, e in change_intervals(random, drawn)
        ]
        drawn = draw_change(random, site, (rate, rate), sd)
        false += [
            Cell(*where, name, 100 * float((p < LEVEL).mean()))
            for name, p in change_tests(random, drawn)
        ]
    return rates, changes, false


def names_of(cells: Sequence[Cell]) -> list[str]:
    """Return the candidates in their order."""
    return list(dict.fromkeys(cell.name for cell in cells))


def lines(title: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    for row in (title, ["---"] * len(title), *rows):
        yield f"| {' | '.join(row)} |"


def candidates(cells: Sequence[Cell], inside: tuple[float, float]) -> Iterator[str]:
    """Yield a row for each candidate: how many settings it keeps, its worst, its width."""
    rows = []
    for name in names_of(cells):
        row = [name]
        for sizes in SIZES:
            own = [cell for cell in cells if cell.name == name and cell.sizes == sizes]
            percent = np.array([item.percent for item in own])
            kept = 100 * ((percent >= inside[0]) & (percent <= inside[1])).mean()
            row.append(f"{kept:.0f} % ({percent.min():.1f} to {percent.max():.1f})")
        rows.append(row)
    yield from lines(["", *SIZES], rows)


def before_after(
    cells: Sequence[Cell], sizes: str, names: tuple[str, str], sds: Sequence[float] = SITE_SDS
) -> Iterator[str]:
    """Yield a row for each number of sites and deviation, a column for each rate."""
    found = {cell[:5]: cell.percent for cell in cells}
    rows = [
        [
            str(sites),
            f"{sd:g}",
            *(
                " / ".join(f"{found[sizes, sites, rate, sd, name]:.1f}" for name in names)
                for rate in RATES
            ),
        ]
        for sites, sd in itertools.product(SITES, sds)
    ]
    yield from lines(["sites", "site sd", *(f"rate {rate:g}" for rate in RATES)], rows)


def other_metrics() -> Iterator[str]:
    """Yield a table of coverage for a mean IoU and a mean distance."""
    kinds: tuple[tuple[str, Callable[..., tuple[Drawn, float]], Bounds], ...] = (
        ("mean IoU", draw_iou, RATE),
        ("mean distance", draw_distance, POSITIVE),
    )
    rows = []
    for number, (sizes, sites, sd) in enumerate(itertools.product(SIZES, SITES, (0.5, 1.0))):
        random = np.random.default_rng([7, number])
        site = np.repeat(np.arange(sites), pages_of(sites, sizes))
        row = [sizes, str(sites), f"{sd:g}"]
        for _, draw, bounds in kinds:
            drawn, truth = draw(random, site, sd)
            old = percentile(random, drawn.pages, np.full_like(drawn.pages, TARGETS))
            both = (old, chosen(drawn, bounds))
            row.append(" / ".join(f"{held(ends, truth)[0]:.1f}" for ends in both))
        rows.append(row)
    yield from lines(["sizes", "sites", "site sd", *(name for name, _, _ in kinds)], rows)


def outside(cells: Sequence[Cell], name: str) -> Iterator[str]:
    """Yield a sentence for each side on which the chosen one leaves the target."""
    own = [cell for cell in cells if cell.name == name]
    for word, some in (
        ("under", [item for item in own if item.percent < LEAST]),
        ("over", [item for item in own if item.percent > MOST]),
    ):
        worst = sorted(some, key=lambda item: abs(item.percent - 95), reverse=True)[:3]
        told = "; ".join(
            f"{item.percent:.1f} % ({item.sizes}, {item.sites} sites, rate {item.rate:g}, "
            f"sd {item.sd:g})"
            for item in worst
        )
        yield f"{len(some)} of {len(own)} settings {word}: {told}"


def main() -> None:
    """Print every table."""
    start = time.process_time()
    rates, changes, false = measure()
    print("### Candidates: settings with 93 to 97 % coverage of a rate (least to most)\n")
    print(*candidates(rates, (LEAST, MOST)), "", sep="\n")
    for sizes in SIZES:
        print(f"### Coverage of a rate in percent, before / after, sizes: {sizes}\n")
        print(*before_after(rates, sizes, (BEFORE, AFTER)), "", sep="\n")
    print(*outside(rates, AFTER), "", sep="\n")
    print("### Coverage of a loss of 5 points: settings with 93 to 97 %\n")
    print(*candidates(changes, (LEAST, MOST)), "", sep="\n")
    print(*outside(changes, AFTER_CHANGE), "", sep="\n")
    print("### Candidates: settings with 3 to 7 % false positives\n")
    print(*candidates(false, (3.0, 7.0)), "", sep="\n")
    for sizes in SIZES:
        print(f"### False positives in percent, before / after, sizes: {sizes}\n")
        print(*before_after(false, sizes, (BEFORE_TEST, AFTER_TEST)), "", sep="\n")
    print("### Coverage of other metrics in percent, before / after\n")
    print(*other_metrics(), "", sep="\n")
    print("### Coverage in percent given the count of misses\n")
    print(*few_misses(), "", sep="\n")
    print(f"{time.process_time() - start:.0f} s of one core")


if __name__ == "__main__":
    main()
