"""
The work behind ``surefoot build`` from an imported set: as large as it is, in constant memory.

Questions are grouped by their screens on disk, screens are worked on as they are read, and
what is made of them is sorted on disk. A unit of work is a screen with its questions; all
of one screen's are in memory at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from surefoot.benchmarks.benchmark import Benchmark, BuildOptions, Fall, Funnel, PageResult
from surefoot.core.canonical import decode, digest
from surefoot.core.errors import InvalidInputError
from surefoot.core.ledger import Ledger
from surefoot.core.question import Question
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.run.building.set_index import SetIndex, open_set_index
from surefoot.run.building.units import funnel_words, plan_of, unit_of, workers_of
from surefoot.run.engine.outcome import Outcome
from surefoot.run.engine.pool import Unit, run_stream
from surefoot.run.engine.progress import Progress
from surefoot.run.folders.folder import manifest_digest, seal
from surefoot.run.folders.table_reading import stream_table
from surefoot.run.folders.table_stream import open_table

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["build_from_set"]


class _Units:
    """Iterate, as often as is wanted, over the screens that have a picture and questions."""

    def __init__(self, bench: Path, index: SetIndex, plan: dict[str, Any]) -> None:
        self._bench, self._index, self._plan = bench, index, plan

    def __iter__(self) -> Iterator[Unit]:
        """Yield a unit for each screen."""
        for screen, questions in self.screens():
            unit = unit_of(screen, self._plan)
            asked = msgspec.to_builtins(questions)
            yield Unit(digest([unit.key, asked]), {**unit.body, "questions": asked})

    def screens(self) -> Iterator[tuple[Screen, tuple[Question, ...]]]:
        """Yield each screen with its questions."""
        for screen in stream_table(self._bench, "screens.jsonl", Screen, kind="bench"):
            if screen.image and (asked := self._index.asked(screen.id)):
                yield screen, asked


def build_from_set(
    benchmark: Benchmark,
    bench: Path,
    out: Path,
    options: BuildOptions,
    *,
    workers: int = 2,
    retry_failed: bool = False,
    console: Console | None = None,
) -> Outcome:
    """
    Build a benchmark from an imported set's own words, boxes and splits.

    Raises InvalidInputError where the benchmark is made of captured screens alone, or what
    was chosen needs a live interface.
    """
    if benchmark.labelled is None:
        raise InvalidInputError(
            f"captured screens for the benchmark '{benchmark.name}'",
            found=f"{bench}, a benchmark",
            remedy="name a folder that `surefoot capture` wrote",
        )
    if options.site_targets:
        raise InvalidInputError(
            "captured screens for --site-targets",
            found=f"{bench}, a benchmark",
            remedy="leave it out: a set's questions are all taken",
        )
    benchmark.check_labelled(options)
    plan = {
        "bench": manifest_digest(bench, "bench"),
        "renderer": None,
        **plan_of(benchmark, options),
    }
    with Ledger.open(out, plan, retry_failed=retry_failed) as ledger, open_set_index(out) as index:
        units = _Units(bench, index, plan)
        _take_in(bench, out, index, units)
        made = workers_of(benchmark.name, out, options, workers)
        with Progress("building", console) as progress:
            tally = run_stream(units, ledger, made, progress=progress)
        funnel = _gather(units, ledger, index)
        _write(out, index, funnel)
        failures = tuple(ledger.failures())
        questions, pairs, pages = index.counts()
    said = funnel_words(funnel, questions=questions, pairs=pairs, pages=pages)
    return Outcome(out, tally, failures, tuple(said))


def _take_in(bench: Path, out: Path, index: SetIndex, units: _Units) -> None:
    """Note the questions, and copy the pictures of those screens that are asked about."""
    for question in stream_table(bench, "questions.jsonl", Question, kind="bench"):
        index.ask(question)
    index.group()
    source, target = ObjectStore(bench), ObjectStore(out)
    for screen, _ in units.screens():
        target.put(source.get(screen.image))


def _gather(units: _Units, ledger: Ledger, index: SetIndex) -> Funnel:
    """Sort what the units came to into the index, and add up what fell."""
    total: Counter[tuple[str, str]] = Counter()
    for unit in units:
        if ledger.state(unit.key) != "done":
            continue
        payload = ledger.payload(unit.key)
        result = decode(payload, PageResult, what=f"the result {unit.key}")
        for fall in result.falls:
            total[fall.stage, fall.reason] += fall.count
        for question in result.questions:
            index.keep_question(question)
        used = {question.screen for question in result.questions}
        for screen in result.screens:
            if screen.id in used:
                index.keep_screen(screen)
    falls = (Fall(*key, count) for key, count in sorted(total.items()) if count)
    return Funnel(tuple(falls), {})


def _write(out: Path, index: SetIndex, funnel: Funnel) -> None:
    tables = {"questions.jsonl": index.questions(), "screens.jsonl": index.screens()}
    exported = {}
    for name, lines in tables.items():
        with open_table(out / name) as table:
            for line in lines:
                table.write_line(line)
            exported[name] = table.exported
    seal(out, "bench", exported, {"funnel.json": funnel})
