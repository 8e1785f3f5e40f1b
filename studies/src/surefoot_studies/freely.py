"""
The table of elements chosen freely: how much of what fails a search finds, both ways.

A model is searched for failing instructions about the elements of a benchmark's questions, and
about all controls of its screens (``surefoot diagnose --freely``), with the same number of
questions, and held against the questions that the same search draws at random before.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from surefoot.core.canonical import canonical_json, decode
from surefoot.core.files import write_atomic
from surefoot.core.ledger import Ledger
from surefoot.core.plan import plan_digest
from surefoot.diagnose.causes.checking import Checker
from surefoot.diagnose.collecting import check_trail
from surefoot.diagnose.diagnosing import diagnosis_plan
from surefoot.diagnose.rates import Found, ratio_interval
from surefoot.diagnose.search.asker import Asker
from surefoot.diagnose.search.loop import search
from surefoot.diagnose.search.options import DiagnoseOptions
from surefoot.diagnose.search.planner import SearchPlanner
from surefoot.diagnose.search.pool import BenchPool, open_pool
from surefoot.diagnose.search.trail import EXPLORED
from surefoot.models import Options, open_model
from surefoot.phrasing.words import ends_words
from surefoot.run.engine.progress import Progress
from surefoot.score.stats.intervals import Interval
from surefoot_studies.pages import write_between
from surefoot_studies.planted import FAULTS

if TYPE_CHECKING:
    from rich.console import Console


BEGIN: Final = "<!-- measured by surefoot-studies freely -->"
END: Final = "<!-- end of what is measured freely -->"
MODELS: Final = ("icons", "between", "right-third", "over-12-words")
CHOSEN: Final = DiagnoseOptions(shrink=0, budget=400, confirm=0)


class FreelyRow(msgspec.Struct, frozen=True):
    """
    Say what one search found: valid failures and questions, planned ones and random ones.

    ``elements`` counts those that were asked about, ``plan`` is the digest of its plan.
    """

    model: str
    freely: bool
    plan: str
    elements: int
    planned: Found
    random: Found
    ratio: float | None
    interval: Interval | None


def search_freely(
    bench: Path, out: Path, models: Sequence[str] = (), *, console: Console | None = None
) -> list[FreelyRow]:
    """
    Search what fails models, both ways, or go on with it; a folder for each search.

    A model is a planted fault by its name, or any that ``surefoot diagnose`` takes. What is
    finished is read.
    """
    pool = open_pool(bench, out / "pictures", seed=CHOSEN.seed, most=CHOSEN.most)
    checker = Checker(pool.scenes)
    return [
        _searched(bench, out, name, pool, checker, freely=freely, console=console)
        for name in models or MODELS
        for freely in (False, True)
    ]


def _searched(
    bench: Path,
    out: Path,
    name: str,
    pool: BenchPool,
    checker: Checker,
    *,
    freely: bool,
    console: Console | None,
) -> FreelyRow:
    chosen = msgspec.structs.replace(CHOSEN, freely=freely)
    model = open_model(f"simulated:{name}@{bench}" if name in FAULTS else name, options=Options())
    plan = {**diagnosis_plan(bench, model, chosen), "kind": "search"}
    folder = out / f"{model.name}-{'freely' if freely else 'given'}"
    found = folder / "found.json"
    if found.is_file():
        row = decode(found.read_bytes(), FreelyRow, what=str(found))
        if row.plan == plan_digest(plan):
            return row

    async def searched(ledger: Ledger, progress: Progress) -> FreelyRow:
        asker = Asker(model, pool.pictures.get, ledger, twice=chosen.twice)
        planner = SearchPlanner(chosen.seed, pool)
        try:
            trails = await search(pool, planner, asker, chosen, progress)
        finally:
            await model.close()
        sites = {trail.subject.pair: trail.subject.cluster for trail in trails}
        planned: dict[str, Found] = {}
        random: dict[str, Found] = {}
        for trail in trails:
            rounds = [result.round for result in check_trail(trail, checker).valid]
            pair = trail.subject.pair
            planned[pair] = sum(at >= 0 for at in rounds), len(trail.steered)
            random[pair] = rounds.count(EXPLORED), len(trail.explored)
        ratio, interval = ratio_interval(planned, random, sites)
        asked = sum(bool(trail.tried) for trail in trails)
        sums = _sum(planned.values()), _sum(random.values())
        return FreelyRow(name, freely, plan_digest(plan), asked, *sums, ratio, interval)

    with Ledger.open(folder, plan) as ledger, Progress(folder.name, console) as progress:
        row = asyncio.run(searched(ledger, progress))
    write_atomic(found, canonical_json(row))
    return row


def _sum(counts: Iterable[Found]) -> Found:
    failures, questions = zip(*counts, strict=True)
    return sum(failures), sum(questions)


def freely_lines(rows: Iterable[FreelyRow]) -> Iterator[str]:
    """Yield the table in Markdown."""
    yield "| model | elements | asked about | planned | at random | times random |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for row in rows:
        ends = ends_words(row.interval, "", digits=2)
        times = "" if row.ratio is None else f"{row.ratio:.2f}{f' ({ends})' * bool(ends)}"
        cells = (
            f"`{row.model}`",
            "all controls" if row.freely else "of the benchmark",
            f"{row.elements}",
            *(f"{failures} of {asked}" for failures, asked in (row.planned, row.random)),
            times,
        )
        yield f"| {' | '.join(cells)} |"


def write_freely(page: Path, rows: Iterable[FreelyRow]) -> None:
    """Write the table into a page, between its marks; raises as ``write_between`` does."""
    write_between(page, BEGIN, END, freely_lines(rows))
