"""
What is planted, and what is said: simulated runs, read as a person reads their first screen.

Each run has sites that differ (log-odds with a standard deviation of 1), elements that differ
within them, two kinds of words and six variants, and drops like those of the demo: a relation
survives a change of the order in a third of the elements. A loss is planted in some cells, and
the run is scored as any other. Nothing but the sentences is then read: which effects are
claimed, and in what order. A claim is false where nothing was planted that bears it, or where
it has the other sign.

Beside it stands the power of the plainest test of what was planted: Student's t over the means
of sites, on the elements that have both sides, without any correction.

    python bench/what_is_said.py    # 200 runs each, the tables of studies/docs/statistics.md
"""

from __future__ import annotations

import argparse
import functools
import re
import sys
import time
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

import msgspec
import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, ndtr, ndtri
from scipy.stats import ttest_1samp

from surefoot.core.perturbation import ORIGINAL
from surefoot.phrasing.headlines import headline_sentences
from surefoot.score.conditions.rows import Condition, measured_rows
from surefoot.score.contrasts.comparisons import INSTRUCTIONS, MODELS, VARIANTS
from surefoot.score.metric import GivenMetric
from surefoot.score.scoring import Scoring
from surefoot.score.stats.arrays import Floats, Ints
from surefoot.score.summary import summarise_rows

Cell: TypeAlias = tuple[str, str]
LEVEL: Final = 0.05
VARIED: Final = ("order", "precision", "style", "text_shrink", "theme")
KINDS: Final = ("direct", "relational")
CELLS: Final = tuple((kind, variant) for kind in KINDS for variant in (ORIGINAL, *VARIED))
SHUFFLED: Final = ("order", "style")  # which a relation survives in a third of the elements
TITLES: Final = {
    "order": "order",
    "precision": "zoom 70 %",
    "style": "theme and order",
    "text_shrink": "smaller text",
    "theme": "theme",
}
HIT: Final = GivenMetric(name="hit", title="hit rate", summary="the target is hit")
SCORING: Final = Scoring(name="hits", metrics=("hit",), contrasts=(VARIANTS, INSTRUCTIONS, MODELS))
DESIGNS: Final = {"29 sites": (29, 256), "12 sites": (12, 96), "6 sites": (6, 54)}
RUNS: Final = 200


class Planted(msgspec.Struct, frozen=True):
    """
    Say what is planted: the loss in points of some cells, and which claims are then true.

    ``main`` is the claim that names it. Where it ``selects``, easy elements drop out, so that
    cells keep hard ones. Of two ``models`` the second has the loss. ``start`` is the rate
    without any loss.
    """

    name: str
    loss: Mapping[Cell, float] = {}
    main: str = ""
    true: frozenset[str] = frozenset()
    selects: bool = False
    models: int = 1
    start: float = 0.88


def everywhere(points: float, *, kind: str = "", variant: str = "") -> dict[Cell, float]:
    """Return a loss in all cells of a kind of words, of a variant, or of both."""
    return {
        cell: points
        for cell in CELLS
        if cell[0] == (kind or cell[0]) and cell[1] == (variant or cell[1])
    }


RELATIONAL: Final = everywhere(15, kind="relational")
WORDS: Final = frozenset({"words"})
ZOOM: Final = frozenset({"screen", "precision"})
SCENARIOS: Final = (
    Planted("nothing"),
    Planted("relational words -15", RELATIONAL, "words", WORDS),
    Planted("one variant -15", everywhere(15, variant="precision"), "precision", ZOOM),
    Planted(
        "one cell -30",
        everywhere(30, kind="relational", variant="precision"),
        "interaction precision",
        ZOOM | WORDS | {"interaction precision"},
    ),
    Planted("hard elements kept, nothing", selects=True),
    Planted("hard elements kept, words -15", RELATIONAL, "words", WORDS, selects=True),
    Planted("3 % on the original", start=0.03),
    Planted("99 % on the original", start=0.99),
    Planted("two models, nothing", models=2),
    Planted("two models, -8", everywhere(8), "models", frozenset({"models"}), models=2),
)


class Outcome(msgspec.Struct, frozen=True):
    """Hold what one run's sentences claim, in order, and whether the plain test finds it."""

    claims: tuple[Claim, ...]
    found: bool


def simulate(planted: Planted, design: str, random: np.random.Generator) -> Outcome:
    """Draw one run, score it, and read its sentences."""
    sites, count = DESIGNS[design]
    site = np.sort(np.concatenate([np.arange(sites), random.integers(sites, size=count - sites)]))
    odds = random.normal(0, 1.0, sites)[site] + random.normal(0, 1.0, count)
    chance = expit(odds + middle_odds(planted.start))
    hard = chance < np.median(chance)
    asked = dict(zip(KINDS, random.random((2, count)) < [[0.77], [0.91]], strict=True))
    kept = []
    for kind, variant in CELLS:
        stays = np.full(count, 1.0)
        if kind == "relational" and variant != ORIGINAL:
            stays[:] = 0.33 if variant in SHUFFLED else 0.93
            if planted.selects and variant in SHUFFLED:
                stays = np.where(hard, 0.6, 0.06)
        kept.append(asked[kind] & (random.random(count) < stays))
    tables = []
    for model in range(planted.models):
        steady = random.normal(0, 1, count)  # a model answers one element alike, mostly
        hits = np.full((len(CELLS), count), np.nan)
        for at, cell in enumerate(CELLS):
            lost = planted.loss.get(cell, 0.0) if model == planted.models - 1 else 0.0
            rate = chance * (1 - lost / 100 / planted.start)
            luck = ndtr(np.sqrt(0.8) * steady + np.sqrt(0.2) * random.normal(0, 1, count))
            hits[at, kept[at]] = (luck < rate)[kept[at]]
        tables.append(hits)
    claimed = tuple(claims(sentences(tables, site)))
    return Outcome(claimed, plain_test(planted, tables, site))


@functools.cache
def middle_odds(rate: float) -> float:
    """Return the log-odds around which sites and elements have a rate on average."""
    spread = np.sqrt(2) * ndtri((np.arange(400) + 0.5) / 400)
    return float(brentq(lambda odds: expit(odds + spread).mean() - rate, -20, 20))


def sentences(tables: Sequence[Floats], site: Ints) -> list[str]:
    """Score hits of models, (cells, elements) each, and return what is said first of them."""
    conditions, elements, hits = [], [], []
    for model, table in zip("ab", tables, strict=False):
        for (kind, variant), row in zip(CELLS, table, strict=True):
            (known,) = np.nonzero(~np.isnan(row))
            conditions += [Condition(model, instruction=kind, variant=variant)] * len(known)
            elements += known.tolist()
            hits += row[known].tolist()
    clusters = [f"site {site[element]}" for element in elements]
    rows = measured_rows(conditions, elements, clusters, {HIT.name: hits}, {})
    return headline_sentences(summarise_rows(rows, SCORING, lambda _name: HIT))


class Claim(NamedTuple):
    """Say what is claimed, and of whom: a model, or both; a gain has a sign, and is never true."""

    whose: str
    what: str


def claims(said: Iterable[str]) -> Iterator[Claim]:
    """
    Yield what sentences claim, as a reader takes it.

    >>> list(claims(["Over 5 changes of the screen, a falls by 6.1 points: it hits ..."]))
    [Claim(whose='a', what='screen')]
    >>> list(claims(["Yet under zoom 70 %, it rises by 3.0 points: it hits ..."]))
    [Claim(whose='', what='+precision')]
    """
    whose = ""
    for sentence in said:
        opening = sentence.partition(":")[0]
        whose = next(iter(re.findall(r", ([ab]) ", opening)), whose)
        named = [name for name, title in TITLES.items() if f"under {title}" in sentence.lower()]
        if "does better than" in sentence:
            yield Claim("both", "models" if sentence.startswith("a does") else "+models")
        elif " it is " in opening and ", but " in sentence:
            sides = re.findall(r"[+-]\d+\.\d(?= points)", sentence)
            sign = "" if float(sides[1]) < float(sides[0]) else "+"
            yield Claim(whose, f"{sign}interaction {named[-1] if named else 'models'}")
        elif re.search(r", (a|b|it) (falls|rises) by ", opening):
            sign = "+" if " rises by " in opening else ""
            whole = "screen" if "changes of the screen" in opening else "words"
            yield Claim(whose, f"{sign}{named[-1] if named and whole == 'words' else whole}")


def plain_test(planted: Planted, tables: Sequence[Floats], site: Ints) -> bool:
    """Tell whether a t-test over the means of sites finds what is planted, at 0.05."""
    cells = {cell: tables[-1][at] for at, cell in enumerate(CELLS)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of elements in no cell
        if planted.main == "models":
            changes = np.nanmean(tables[1] - tables[0], axis=0)
        elif planted.main == "words":
            variants = (ORIGINAL, *VARIED)
            both = [cells["relational", name] - cells["direct", name] for name in variants]
            changes = np.nanmean(both, axis=0)
        elif planted.main == "precision":
            both = [cells[kind, "precision"] - cells[kind, ORIGINAL] for kind in KINDS]
            changes = np.nanmean(both, axis=0)
        elif planted.main:
            changes = cells["relational", "precision"] - cells["relational", ORIGINAL]
            changes = changes - (cells["direct", "precision"] - cells["direct", ORIGINAL])
        else:
            return False
    known = ~np.isnan(changes)
    means = [changes[known & (site == one)].mean() for one in np.unique(site[known])]
    return bool(np.ptp(means) > 0 and ttest_1samp(means, 0.0).pvalue < LEVEL)


class Row(msgspec.Struct, frozen=True):
    """
    Hold the shares of the runs of one scenario in one design.

    ``false`` is of what is said of one model, or of both together: each has a level of its own.
    ``anywhere`` is of the whole page.
    """

    planted: str
    design: str
    power: float
    first: float
    named: float
    false: float
    anywhere: float


def measure(planted: Planted, design: str, *, runs: int, seed: int = 0) -> Row:
    """Simulate runs, and count what is said in them."""
    place = [one.name for one in SCENARIOS].index(planted.name), list(DESIGNS).index(design)
    outcomes = [
        simulate(planted, design, np.random.default_rng([seed, *place, run]))
        for run in range(runs)
    ]
    claimed = [[claim.what for claim in one.claims] for one in outcomes]
    wrong = [
        {claim.whose for claim in one.claims if claim.what not in planted.true} for one in outcomes
    ]
    families = {whose for one in wrong for whose in one}
    return Row(
        planted=planted.name,
        design=design,
        power=share(one.found for one in outcomes),
        first=share(bool(planted.true.intersection(one[:1])) for one in claimed),
        named=share(planted.main in one for one in claimed),
        false=max((share(whose in one for one in wrong) for whose in families), default=0.0),
        anywhere=share(bool(one) for one in wrong),
    )


def share(found: Iterable[bool]) -> float:
    """Return the share of what is true."""
    return float(np.mean(list(found)))


def table(rows: Iterable[Row]) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    head = ("planted", "design", "plain test", "first", "named", "false", "false on the page")
    for cells in (head, ("---",) * len(head)):
        yield f"| {' | '.join(cells)} |"
    planted = {one.name: one for one in SCENARIOS}
    for row in rows:
        shares = (row.power, row.first, row.named) if planted[row.planted].main else ()
        shown = [f"{100 * part:.0f} %" for part in shares] or ["", "", ""]
        false = [f"{100 * part:.1f} %" for part in (row.false, row.anywhere)]
        yield f"| {' | '.join((row.planted, row.design, *shown, *false))} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS)
    runs = parser.parse_args().runs
    start = time.process_time()
    rows = []
    for planted in SCENARIOS:
        for design in DESIGNS:
            rows.append(measure(planted, design, runs=runs))
            print(list(table(rows[-1:]))[-1], file=sys.stderr, flush=True)
    print(f"{runs} runs of each\n", *table(rows), sep="\n")
    print(f"\n{time.process_time() - start:.0f} s of one core")


if __name__ == "__main__":
    main()
