"""
The work behind ``surefoot forms run``: agents fill forms in, and a folder keeps what came of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Final

import msgspec

from surefoot.capture.desktop.session import check_programs
from surefoot.capture.web.browser import Browser
from surefoot.core.canonical import canonical_json, decode
from surefoot.core.errors import InvalidInputError
from surefoot.core.files import write_atomic
from surefoot.core.ledger import Failure, Ledger
from surefoot.forms.driver.changed import read_change
from surefoot.forms.driver.ruler import check_ruler
from surefoot.forms.rendering import RENDERERS
from surefoot.forms.scoring.published import count_published, published_sentence
from surefoot.models import BACKENDS, check_one_server
from surefoot.run.asking.run import check_first, check_note
from surefoot.run.engine.outcome import Outcome, results_of
from surefoot.run.engine.pool import Unit, run_units
from surefoot.run.engine.processes import Workers
from surefoot.run.engine.progress import Progress
from surefoot.run.engine.shards import Shard, end_part, part_of, plan_of_part
from surefoot.run.folders.folder import export, read_manifest, read_table
from surefoot.run.folders.objects import pictures_held
from surefoot.run.forms.speakers import is_asked
from surefoot.run.forms.units import FormChoices, FormResult, units_of

if TYPE_CHECKING:
    from rich.console import Console


# Raised whenever the same forms, agents and renderings would give other results.
FORMS_VERSION: Final = 11
RESULTS: Final = "episodes.jsonl"
FAILURES: Final = "failures.jsonl"
# What varies between two runs of a plan, so that the manifest does not name it.
SECONDS: Final = "seconds.jsonl"


class _Seconds(msgspec.Struct, frozen=True):
    """Hold how long each action of an episode took, by turn."""

    id: str
    actions: tuple[tuple[float | None, ...], ...]


def fill_in_forms(
    choices: FormChoices,
    out: Path,
    *,
    workers: int = 2,
    check: bool = True,
    shard: Shard | None = None,
    retry_failed: bool = False,
    console: Console | None = None,
) -> Outcome:
    """
    Let agents fill in every chosen form, or go on with it.

    ``check`` asks models about drawn screens first, before a browser starts. Of a ``shard`` its
    episodes are played, and no table is written. Raises
    MissingComponentError for a renderer that is not installed, UnknownNameError for an
    agent, PlanMismatchError for a folder that was begun otherwise, ModelError for a server
    that does not answer the check, and InvalidInputError for a model that points in another
    space, for anything chosen twice, and for a ruler whose numbers would touch; an episode
    that the machinery or a model fails is a recorded failure.
    """
    check_one_server(choices.agents, choices.options)
    _check_installed(choices)
    units = _units(choices)
    notes = _check_models(choices, out) if check else []
    plan = _plan(choices)
    pool = _pool(choices, out, workers)
    with (
        Ledger.open(out, plan_of_part(plan, shard), retry_failed=retry_failed) as ledger,
        Progress("filling in", console) as progress,
    ):
        part = part_of(units, shard)
        tally = run_units(part, ledger, pool, progress=progress, whole=pictures_held(out))
        if shard:
            return end_part(out, ledger, tally, shard)
        results, failures = results_of(units, ledger, FormResult)
        lasting = [msgspec.structs.replace(failure, seconds=0.0) for failure in failures]
        write_atomic(out / SECONDS, b"".join(map(_timed, results)))
        export(out, "forms", {RESULTS: map(untimed, results), FAILURES: lasting})
    return Outcome(out, tally, failures, (*notes, *_lines(results)))


def read_results(folder: Path) -> list[FormResult]:
    """
    Read the results of a finished run over forms; raises InvalidInputError.

    How long actions took is told where the folder still has the table.
    """
    results = read_table(folder, RESULTS, FormResult, kind="forms")
    path = folder / SECONDS
    lines = path.read_bytes().splitlines() if path.is_file() else []
    seconds = [decode(line, _Seconds, what=f"a line of {path}") for line in lines]
    known = {second.id: second.actions for second in seconds}
    return [_with_seconds(result, known.get(result.id, ())) for result in results]


def read_failures(folder: Path) -> list[Failure]:
    """Read what failed in a finished run for technical reasons; raises InvalidInputError."""
    if FAILURES not in read_manifest(folder, "forms").files:
        return []
    return list(read_table(folder, FAILURES, Failure, kind="forms"))


def usage_lines(results: Sequence[FormResult]) -> Iterator[str]:
    """Say what a form took of each agent that reports it: tokens, and US dollars if any."""
    for agent in sorted({result.score.agent for result in results}):
        own = [result for result in results if result.score.agent == agent]
        used = [turn.usage for item in own for turn in item.turns]
        prompt = sum(usage.prompt_tokens for usage in used) / len(own)
        completion = sum(usage.completion_tokens for usage in used) / len(own)
        cost = sum(usage.cost for usage in used) / len(own)
        dollars = f", ${cost:.4f}" if cost else ""
        if prompt + completion:
            tokens = f"{prompt:,.0f} tokens read and {completion:,.0f} written"
            yield f"{agent}: {tokens} a form{dollars}"


class FormEffort(msgspec.Struct, frozen=True):
    """
    Hold what the median form took of an agent: replies, actions carried out, seconds of these.

    An action's seconds last until the page rests, without the agent's own thinking; None
    stands where they were not noted.
    """

    forms: int
    replies: float
    actions: float
    seconds: float | None


def form_efforts(results: Iterable[FormResult]) -> dict[str, FormEffort]:
    """Return what a form took of each agent, by the agent's name."""
    found: dict[str, list[tuple[int, list[float | None]]]] = {}
    for result in results:
        took = [effect.seconds for turn in result.turns for effect in turn.effects]
        if result.turns:  # a desk sees no actions
            found.setdefault(result.score.agent, []).append((len(result.turns), took))
    return {agent: _effort(own) for agent, own in sorted(found.items())}


def _effort(forms: Sequence[tuple[int, list[float | None]]]) -> FormEffort:
    known = [[item for item in took if item is not None] for _, took in forms]
    noted = all(len(some) == len(took) for some, (_, took) in zip(known, forms, strict=True))
    return FormEffort(
        len(forms),
        median(replies for replies, _ in forms),
        median(len(took) for _, took in forms),
        median(map(sum, known)) if noted else None,
    )


def _timed(result: FormResult) -> bytes:
    """Return how long the actions of an episode took, as a line; milliseconds are enough."""
    actions = tuple(
        tuple(
            None if effect.seconds is None else round(effect.seconds, 3) for effect in turn.effects
        )
        for turn in result.turns
    )
    return canonical_json(_Seconds(result.id, actions)) + b"\n"


def untimed(result: FormResult) -> FormResult:
    """Return a result without how long its actions took, as two runs of a plan share it."""
    return _with_seconds(result, tuple((None,) * len(turn.effects) for turn in result.turns))


def _with_seconds(result: FormResult, seconds: Sequence[Sequence[float | None]]) -> FormResult:
    """Return a result whose actions took so long; as it is where the counts do not agree."""
    if [len(second) for second in seconds] != [len(turn.effects) for turn in result.turns]:
        return result
    turns = tuple(
        msgspec.structs.replace(
            turn,
            effects=tuple(
                msgspec.structs.replace(effect, seconds=took)
                for effect, took in zip(turn.effects, took_each, strict=True)
            ),
        )
        for turn, took_each in zip(result.turns, seconds, strict=True)
    )
    return msgspec.structs.replace(result, turns=turns)


def _lines(results: Sequence[FormResult]) -> Iterator[str]:
    right = sum(result.score.right for result in results)
    yield f"{len(results)} forms filled in, {right} of them wholly right"
    seen = {(item.score.form, item.score.instance): item.score for item in results if item.source}
    if seen:
        yield published_sentence(count_published(seen.values()))
    unread = sum(len(turn.unread) for result in results for turn in result.turns)
    if unread:
        yield f"{unread} parts of replies were no action"
    yield from usage_lines(results)


def _units(choices: FormChoices) -> list[Unit]:
    """Return what is to be done; one thing twice would be two attempts that no score takes."""
    for view in choices.views:
        if view.ruler:
            check_ruler(view.ruler)
    for change in filter(None, choices.changes):
        read_change(change)
        if choices.hands == "x11":
            raise InvalidInputError(
                "a form as it is under --x11, where the screen shows it",
                found=f"--change {change}",
                remedy="leave --x11 out",
            )
    units = list(units_of(choices))
    if len({unit.key for unit in units}) < len(units):
        raise InvalidInputError(
            "each form, agent and look once",
            found="one of them twice",
            remedy="name it once; the code of a form and its id are one form",
        )
    return units


def _pool(choices: FormChoices, out: Path, workers: int) -> Workers:
    options = choices.options
    if any(map(is_asked, choices.agents)):
        # A worker starts browsers, so it is told the key, and has it in no environment.
        makers = {entry.key_variable for entry in BACKENDS.entries.values()} - {""}
        names = [options.key_variable] if options.key_variable else sorted(makers)
        options = msgspec.structs.replace(
            options, keys={name: options.key(name) for name in names}
        )
    return Workers(
        factory="surefoot.run.forms.workers:filler",
        arguments={
            "folder": str(out.absolute()),
            "options": msgspec.to_builtins(options),
            "hands": choices.hands,
        },
        count=workers,
        unit_s=choices.limits.seconds + choices.limits.step_s,
    )


def _check_models(choices: FormChoices, out: Path) -> list[str]:
    """Ask each model about drawn screens: it is there, and points where its format says."""
    form, options = choices.asked.format, choices.options
    asked = [agent for agent in choices.agents if is_asked(agent)]
    sizes = [
        (round(view.width * view.scale), round(view.height * view.scale)) for view in choices.views
    ]
    notes = [check_note(check_first(out, item, form, options, sizes=sizes)) for item in asked]
    return [note for note in notes if note]


def _plan(choices: FormChoices) -> dict[str, object]:
    with Browser() as browser:
        renderer = browser.identity
    return {
        "kind": "forms",
        "forms": FORMS_VERSION,
        "choices": choices.identity(),
        "renderer": renderer,
    }


def _check_installed(choices: FormChoices) -> None:
    if choices.hands == "x11":
        check_programs()
    for name in sorted({rendering.renderer for rendering in choices.renderings}):
        RENDERERS.get(name).require()
