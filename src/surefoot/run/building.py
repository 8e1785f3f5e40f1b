"""
The work behind ``surefoot build``: a folder SCREENS becomes a folder BENCH.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from surefoot.benchmarks.benchmark import (
    BENCHMARKS,
    Assembled,
    Benchmark,
    BuildOptions,
    PageResult,
)
from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address, list_addresses
from surefoot.core.canonical import digest
from surefoot.core.errors import InvalidInputError
from surefoot.core.ledger import Ledger, read_plan
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.run.capturing import CAPTURE_VERSION, renderer
from surefoot.run.folder import export, manifest_digest, read_screens
from surefoot.run.outcome import Outcome, results_of
from surefoot.run.pool import Unit, Workers, run_units
from surefoot.run.progress import Progress

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["build_benchmark", "funnel_lines"]


def build_benchmark(
    name: str,
    screens: Path,
    out: Path,
    options: BuildOptions,
    *,
    workers: int = 2,
    retry_failed: bool = False,
    console: Console | None = None,
) -> Outcome:
    """
    Render every variant of every screen and write the questions that hold in all of them.

    The captures' own settings are taken from SCREENS. Raises InvalidInputError where the
    browser or the fonts are no longer those that SCREENS was captured with, unless every
    variant changes pictures alone.
    """
    benchmark = BENCHMARKS.get(name)
    captured = read_plan(screens)
    options = msgspec.structs.replace(
        options, settings=msgspec.convert(captured["settings"], Settings)
    )
    originals = read_screens(screens)
    if benchmark.renders and benchmark.needs_pages(options):
        _verify_renderer(captured, originals)
    plan = {
        "screens": manifest_digest(screens, "screens"),
        "renderer": captured["renderer"],
        **_plan(benchmark, options),
    }
    units = [_unit(screen, plan) for screen in originals]
    with (
        Ledger.open(out, plan, retry_failed=retry_failed) as ledger,
        Progress("building", console) as progress,
    ):
        _copy_images(originals, ObjectStore(screens), ObjectStore(out))
        tally = run_units(units, ledger, _workers(name, out, options, workers), progress=progress)
        failures = tuple(ledger.failures())
        assembled = _finish(benchmark, results_of(units, ledger, PageResult), options, out)
    return Outcome(out, tally, failures, tuple(funnel_lines(assembled)))


def funnel_lines(assembled: Assembled) -> list[str]:
    """Say how many candidates fell at each check, and what was kept."""
    lines = [f"{fall.count:7d}  {fall.stage}: {fall.reason}" for fall in assembled.funnel.falls]
    pairs = {question.pair for question in assembled.questions}
    pages = {question.cluster for question in assembled.questions}
    lines += [
        f"directions {which}: " + ", ".join(f"{name} {count}" for name, count in counts.items())
        for which, counts in assembled.funnel.directions.items()
    ]
    asked = f"{len(assembled.questions)} questions about {len(pairs)} targets"
    return [*lines, f"{asked} on {len(pages)} pages"]


def _plan(benchmark: Benchmark, options: BuildOptions) -> dict[str, Any]:
    return {
        "kind": "bench",
        "benchmark": f"{benchmark.name}@{benchmark.version}",
        "capture": CAPTURE_VERSION,
        "options": msgspec.to_builtins(options),
        "identity": dict(benchmark.identity(options)),
    }


def _finish(
    benchmark: Benchmark, results: Iterable[PageResult], options: BuildOptions, out: Path
) -> Assembled:
    pages = list(results)
    assembled = benchmark.assemble(pages, options)
    used = {question.screen for question in assembled.questions}
    screens = [screen for page in pages for screen in page.screens if screen.id in used]
    export(
        out,
        "bench",
        {"screens.jsonl": screens, "questions.jsonl": assembled.questions},
        {"funnel.json": assembled.funnel},
    )
    return assembled


def _verify_renderer(captured: dict[str, Any], screens: Iterable[Screen]) -> None:
    here = renderer(map(_address, screens))
    if captured["renderer"] != here:
        raise InvalidInputError(
            f"the renderer of the screens, {captured['renderer']}",
            found=str(here),
            remedy="capture the screens again on this machine",
        )


def _unit(screen: Screen, plan: dict[str, Any]) -> Unit:
    key = digest([screen, plan["benchmark"], plan["options"], plan["identity"], plan["renderer"]])
    return Unit(key, {"screen": msgspec.to_builtins(screen)})


def _address(screen: Screen) -> Address:
    return next(each for each in list_addresses(screen.source) if each.spec == screen.source)


def _copy_images(screens: Iterable[Screen], source: ObjectStore, target: ObjectStore) -> None:
    for screen in screens:
        target.put(source.get(screen.image))


def _workers(name: str, out: Path, options: BuildOptions, count: int) -> Workers:
    return Workers(
        factory="surefoot.run.page_workers:builder",
        arguments={
            "benchmark": name,
            "folder": str(out.absolute()),
            "options": msgspec.to_builtins(options),
        },
        count=count,
        unit_s=2 * options.settings.limits.unit_s * len(options.variants),
    )
