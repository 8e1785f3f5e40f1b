"""
The work behind ``surefoot check BENCHMARK BENCH --replay``: what answers rest on is done again.

Every state that an answer rests on is reached once more, from the page that its address begins
with and in its language, and the answers are proven from what is there now.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from surefoot.benchmarks.benchmark import BENCHMARKS, BuildOptions
from surefoot.benchmarks.conformance import PageCheck
from surefoot.capture.actions import parse_actions
from surefoot.capture.sources import address_of, contents_of
from surefoot.core.canonical import digest
from surefoot.core.errors import InvalidInputError
from surefoot.core.ledger import Failure, Ledger, read_plan
from surefoot.core.question import Question
from surefoot.core.scratch import scratch_folder
from surefoot.core.screen import Screen
from surefoot.exploration.effects import effect_of, state_digest
from surefoot.exploration.records import ActionEffect
from surefoot.run.building.capturing import (
    CAPTURE_VERSION,
    bring,
    capture_unit,
    capture_workers,
)
from surefoot.run.building.entering import entered
from surefoot.run.engine.outcome import record_of
from surefoot.run.engine.pool import Unit, run_units
from surefoot.run.engine.progress import Progress
from surefoot.run.folders.folder import read_questions, read_screens
from surefoot.run.turns import in_turns

if TYPE_CHECKING:
    from rich.console import Console


Executed: TypeAlias = Callable[[Question], Sequence[tuple[str, str]]]
Unmatched: TypeAlias = Callable[[Sequence[Question], Mapping[str, Screen]], Iterable[str]]


def replay_again(
    name: str,
    folders: Iterable[Path],
    *,
    count: int = 0,
    seed: int = 0,
    workers: int = 2,
    console: Console | None = None,
) -> list[PageCheck]:
    """
    Reach the states that answers rest on again; return a check for each of them and each folder.

    ``count`` items are drawn by the seed, in all their languages, applications and dimensions
    in turn; 0 for all. A complaint is a state that is not reached at a second try either, or is
    another one by its ``state_digest``, an action with another effect, and an answer that the
    states as they are now do not prove. Nothing is written into the folders. Raises
    InvalidInputError for a benchmark whose answers rest on no actions, and what its sources
    raise.
    """
    benchmark = BENCHMARKS.get(name)
    if benchmark.executed is None or benchmark.unmatched is None:
        raise InvalidInputError(
            "a benchmark whose answers rest on actions",
            found=f"'{name}'",
            remedy="leave --replay out",
        )
    how = {"count": count, "seed": seed, "workers": workers}
    return [
        check
        for folder in folders
        for check in _folder_checks(
            folder, benchmark.executed, benchmark.unmatched, **how, console=console
        )
    ]


def _folder_checks(
    folder: Path,
    executed: Executed,
    unmatched: Unmatched,
    *,
    count: int,
    seed: int,
    workers: int,
    console: Console | None,
) -> Iterator[PageCheck]:
    """Yield a check for each state that was replayed of a folder, and one for its answers."""
    questions = _drawn(read_questions(folder), executed, count, seed)
    recorded = {screen.id: screen for screen in read_screens(folder)}
    steps = sorted({step for item in questions for step in executed(item)})
    used = dict.fromkeys(name for step in steps for name in step)
    wanted = [recorded[name] for name in used if name in recorded]
    found = _replayed(folder, wanted, workers, console) if wanted else {}
    now = {name: screen for name, screen in found.items() if isinstance(screen, Screen)}
    by_source: defaultdict[str, list[str]] = defaultdict(list)
    for screen in wanted:
        by_source[screen.source] += _state_doubts(screen, found[screen.id])
    for before, after in steps:
        if {before, after} <= now.keys():
            by_source[recorded[after].source] += _effect_doubts(
                (recorded[before], recorded[after]), (now[before], now[after])
            )
    for source, complaints in sorted(by_source.items()):
        yield PageCheck(f"{source}, replayed", None, tuple(complaints))
    lost = {
        item.pair
        for item in questions
        if not {name for step in executed(item) for name in step} <= now.keys()
    }
    doubts = [f"item {pair}: not all of its states were reached" for pair in sorted(lost)]
    doubts += unmatched([item for item in questions if item.pair not in lost], now)
    items = len({question.pair for question in questions})
    proven = f"{folder}: {len(wanted)} states of {items} items replayed"
    yield PageCheck(proven, None, tuple(doubts if items else ["no answer rests on actions"]))


def _drawn(
    questions: Iterable[Question], executed: Executed, count: int, seed: int
) -> list[Question]:
    """Return the questions of so many items that rest on actions, all of them for 0."""
    items: defaultdict[str, list[Question]] = defaultdict(list)
    for question in questions:
        if executed(question):
            items[question.pair].append(question)
    order = sorted(items, key=lambda name: digest([seed, name]))
    group = {name: f"{own[0].cluster} {own[0].cell.instruction}" for name, own in items.items()}
    chosen = in_turns(order, lambda name: group[name])
    return [question for name in chosen[: count or None] for question in items[name]]


def _replayed(
    folder: Path, screens: Sequence[Screen], workers: int, console: Console | None
) -> Mapping[str, Screen | Failure]:
    """Return by id what is reached by the addresses of screens, each in its language."""
    settings = msgspec.convert(read_plan(folder)["options"], BuildOptions).settings
    addresses = {screen.id: address_of(screen.source) for screen in screens}
    wanted = list(dict.fromkeys(addresses.values()))
    bring(wanted, console)
    plan: dict[str, Any] = {
        "kind": "screens",
        "capture": CAPTURE_VERSION,
        "settings": msgspec.to_builtins(settings),
        "renderer": {},
        "contents": contents_of(wanted),
    }
    contents = digest(plan["contents"])
    secrets = entered(settings, [screen.source for screen in screens], console)
    units = {
        screen.id: capture_unit(addresses[screen.id], plan, contents, locale=screen.locale)
        for screen in screens
    }
    with scratch_folder() as scratch:
        place = Path(scratch, "replayed")
        with Ledger.open(place, plan) as ledger:
            failures: dict[str, Failure] = {}
            # A busy machine fails what is there: that is tried once more, one at a time.
            for title, count in (("replaying", workers), ("replaying once more", 1)):
                for name, unit in units.items():
                    if unit.key in failures:
                        units[name] = Unit(digest([unit.key, title]), unit.body)
                working = capture_workers(
                    place, settings, count, plan["contents"], secrets=secrets
                )
                with Progress(title, console) as progress:
                    run_units(units.values(), ledger, working, progress=progress)
                failures = {failure.key: failure for failure in ledger.failures()}
            return {
                name: failures[unit.key]
                if unit.key in failures
                else _named(record_of(unit.key, ledger.payload(unit.key), Screen), name)
                for name, unit in units.items()
            }


def _named(found: Screen | Failure, name: str) -> Screen | Failure:
    """Return a screen under the id of the one that it shows again."""
    return msgspec.structs.replace(found, id=name) if isinstance(found, Screen) else found


def _state_doubts(was: Screen, now: Screen | Failure) -> Iterator[str]:
    """Say why a state is not what it was."""
    if isinstance(now, Failure):
        yield f"{was.locale}: not reached again: {now.reason}"
    elif state_digest(was) != state_digest(now):
        yield f"{was.locale}: another state than when it was captured"


def _effect_doubts(was: tuple[Screen, Screen], now: tuple[Screen, Screen]) -> Iterator[str]:
    """Say that what led from one screen to another did something else."""
    then, again = _effect(*was), _effect(*now)
    if then != again:
        yield f"{was[1].locale}: another effect: {_said(again)} instead of {_said(then)}"


def _effect(before: Screen, after: Screen) -> ActionEffect:
    _, actions = parse_actions(after.source)
    return effect_of(before, after, actions[-1].element)


def _said(effect: ActionEffect) -> str:
    return " ".join((effect.kind, *([f"'{effect.title}'"] if effect.title else [])))
