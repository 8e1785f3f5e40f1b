"""
The work behind ``surefoot build suite``: a folder SCREENS becomes a folder SUITE.

A SUITE holds a BENCH a pillar, each a folder like any other. The first pillar looks at every
element of every page, each other one at the most promising so far, and of those the targets are
chosen once, for all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from surefoot.benchmarks.benchmark import (
    BENCHMARKS,
    AssembledBench,
    PageResult,
    WrittenPages,
)
from surefoot.benchmarks.crossing.bases import with_bases
from surefoot.benchmarks.suite import (
    SuiteTarget,
    affordable,
    askable,
    choose,
    group_of,
    only_chosen,
)
from surefoot.core.errors import NothingKeptError
from surefoot.core.ledger import Ledger
from surefoot.run.building.pages import (
    MadePages,
    build_benchmark,
    by_the_other_name,
    finish_bench,
    page_results,
)
from surefoot.run.engine.outcome import Outcome
from surefoot.run.engine.progress import Tally
from surefoot.run.folders.folder import export, manifest_digest
from surefoot.run.folders.parallel import is_parallel
from surefoot.run.suites.design import MULTILINGUAL, SuiteDesign
from surefoot.run.suites.folder import BENCHES, TARGETS

if TYPE_CHECKING:
    from rich.console import Console


def build_suite(
    screens: Sequence[Path],
    out: Path,
    design: SuiteDesign,
    *,
    workers: int = 2,
    retry_failed: bool = False,
    console: Console | None = None,
) -> Outcome:
    """
    Build every pillar of a suite over the same elements, each into a folder of its name.

    Of the folders those with pages in several languages are for its languages, too; all
    pillars ask in the first of them, and `perturbed` in each by what elements are called there.

    Raises InvalidInputError as ``build_benchmark`` does, and NothingKeptError where no element
    can be asked for under every pillar.
    """
    chosen = msgspec.to_builtins(design)
    plan: dict[str, Any] = {
        "kind": "suite",
        "screens": [manifest_digest(folder, "screens") for folder in screens],
        "design": chosen,
    }
    parallel = [folder for folder in screens if is_parallel(folder)]
    how: dict[str, Any] = {"workers": workers, "retry_failed": retry_failed, "console": console}
    made: dict[str, MadePages] = {}
    elements: list[SuiteTarget] = []
    pairs: set[str] | None = None
    with Ledger.open(out, plan, retry_failed=retry_failed):
        for left, pillar in zip(reversed(range(len(design.order))), design.order, strict=True):
            made[pillar] = page_results(
                pillar,
                screens,
                out / pillar,
                design.options(pillar),
                pairs=pairs,
                more={"suite": chosen},
                **how,
            )
            # Twice as many as are wanted go on to each pillar that is still to come.
            site = design.targets.site * 2**left
            so_far = {name: pages.results for name, pages in made.items()}
            wanted = msgspec.structs.replace(design.targets, site=site)
            elements = choose(askable(so_far), wanted, design.seed, last=not left)
            pairs = {element.pair for element in elements if element.chosen}
        ended = [Outcome(out, pages.tally, pages.failures) for pages in made.values()]
        if parallel and design.languages.languages:
            options = design.options(MULTILINGUAL)
            ended.append(
                build_benchmark(MULTILINGUAL, parallel, out / MULTILINGUAL, options, **how)
            )
        failures = tuple(failure for outcome in ended for failure in outcome.failures)
        if not pairs and not failures:
            raise NothingKeptError(
                "an element that can be asked for under every pillar",
                found="none",
                remedy="give more screens, or let a suite have others: shared = 0 in [targets]",
            )
        written = _written(made, elements, design)
        if design.budget:
            asked = Counter(
                question.pair for bench, _ in written.values() for question in bench.questions
            )
            elements = affordable(elements, asked, design.budget, design.seed)
            written = _written(made, elements, design)
        for pillar, (assembled, results) in written.items():
            bench = assembled if pillar == next(iter(made)) else by_the_other_name(assembled)
            finish_bench(bench, WrittenPages(results, ()), out / pillar)
        folders = [*made, *([MULTILINGUAL] if len(ended) > len(made) else [])]
        benches = {pillar: manifest_digest(out / pillar, "bench") for pillar in folders}
        export(out, "suite", {TARGETS: elements}, {BENCHES: benches})
    tally = Tally(
        **{
            field: sum(getattr(outcome.tally, field) for outcome in ended)
            for field in Tally.__struct_fields__
        }
    )
    captured = dict.fromkeys(line for pages in made.values() for line in pages.lines)
    return Outcome(out, tally, failures, (*captured, *suite_lines(elements, tuple(made))))


def _written(
    made: Mapping[str, MadePages], elements: Sequence[SuiteTarget], design: SuiteDesign
) -> dict[str, tuple[AssembledBench, tuple[PageResult, ...]]]:
    """Return, of each pillar, the questions about the chosen elements, and its pages' results."""
    pairs = {element.pair for element in elements if element.chosen}
    found = {}
    for pillar, pages in made.items():
        results = only_chosen(pages.results, pairs, design.targets, design.seed)
        assembled = BENCHMARKS.get(pillar).assemble(results, pages.options)
        found[pillar] = with_bases(assembled, pages.options), tuple(results)
    return found


def suite_lines(elements: Sequence[SuiteTarget], pillars: Sequence[str]) -> list[str]:
    """Say what each pillar asks for, what all share, and what sharing costs by role."""
    chosen = [element for element in elements if element.chosen]
    shared = [element for element in chosen if len(element.pillars) == len(pillars)]
    lines = []
    for pillar in pillars:
        able = sum(pillar in element.pillars for element in elements)
        own = sum(pillar in element.pillars for element in chosen)
        lines.append(f"{own:7d}  of {len(chosen)} targets in {pillar}, which could ask for {able}")
    everywhere, kept = _groups(elements), _groups(chosen)
    lines += [
        f"{kept[group]:7d}  {group}: {_percent(kept[group], len(chosen))} of the targets, "
        f"{_percent(count, len(elements))} of what the pages have"
        for group, count in sorted(everywhere.items())
    ]
    sites = {element.site for element in elements}
    lines.append(
        f"{len(chosen)} targets of {len({item.site for item in chosen})} of {len(sites)} sites, "
        f"{len(shared)} of them ({_percent(len(shared), len(chosen))}) under every pillar"
    )
    return lines


def _groups(elements: Sequence[SuiteTarget]) -> Counter[str]:
    return Counter(group_of(element.role) for element in elements)


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "none"
