"""
Runs side by side: what each is called, and which questions all of them were asked.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeVar

import msgspec

from surefoot.core.canonical import digest
from surefoot.core.errors import InvalidInputError
from surefoot.run.asking.runs import Asked, RunFolder, group_runs, stream_questions
from surefoot.run.folders.folder import read_manifest

ENOUGH: Final = 0.5  # of the larger set of targets, that two runs share
SHOWN: Final = 24  # characters of a value that tells two runs of one model apart

R = TypeVar("R", bound=RunFolder)


def label_runs(runs: Sequence[R], labels: Sequence[str] = ()) -> list[R]:
    """
    Name runs by labels; without these two runs of one model by what differs in their plans.

    Raises InvalidInputError for more or fewer labels than runs, two alike, and two runs that
    nothing tells apart.
    """
    if labels and len(labels) != len(runs):
        raise InvalidInputError(
            f"a label for each of {len(runs)} runs",
            found=f"{len(labels)}",
            remedy="give --label once for every run, in their order",
        )
    if labels:
        pairs = zip(runs, labels, strict=True)
        named = [msgspec.structs.replace(run, name=label) for run, label in pairs]
    else:
        named = [_told_apart(run, runs) for run in runs]
    # Shards of one run bear one name.
    wholes = dict.fromkeys((run.name, run.shard_of or str(at)) for at, run in enumerate(named))
    names = [name for name, _ in wholes]
    for name in names:
        if names.count(name) > 1:
            folders = " and ".join(str(run.folder) for run in named if run.name == name)
            raise InvalidInputError(
                "runs of different names",
                found=f"two of '{name}', {folders}",
                remedy="leave one out, or give every run a --label of its own",
            )
    return named


def share_questions(
    runs: Sequence[R], *, shared_only: bool = False
) -> tuple[list[R], tuple[str, ...]]:
    """
    Return the runs, left with what all were asked where that is wanted, and what to say of it.

    Raises InvalidInputError where two runs share no target, and, unless only what is shared
    is wanted, where they share less than half of the larger one's.
    """
    groups = group_runs(runs)
    parts: dict[str, set[Asked]] = {}  # shards of one run were asked different things
    for key, group in groups.items():
        for run in group:
            parts.setdefault(run.name, set()).add(key)
    if all(own == set(groups) for own in parts.values()):  # nothing to share, or all is shared
        return list(runs), ()
    asked = {
        key: {question.id: question.pair for question in stream_questions(key._replace(samples=1))}
        for key in groups
    }
    targets = {key: set(found.values()) for key, found in asked.items()}
    for item, other in itertools.combinations(groups, 2):
        shared = len(targets[item] & targets[other])
        larger, smaller = sorted((item, other), key=lambda key: -len(targets[key]))
        if shared < ENOUGH * len(targets[larger]) and not (shared_only and shared):
            remedy = "add --shared-only to compare them on what both were asked"
            raise InvalidInputError(
                "runs that were asked about the same targets",
                found=f"{len(targets[larger]):,} targets of '{groups[larger][0].name}' and "
                f"{len(targets[smaller]):,} of '{groups[smaller][0].name}', {shared:,} of them "
                "shared",
                remedy=remedy if shared else "score each of them by itself",
            )
    if shared_only:
        ids = frozenset.intersection(*(frozenset(found) for found in asked.values()))
        pairs = next(iter(asked.values()))
        kept = len({pairs[name] for name in ids})
        targets_words = f"{kept:,} target{'s' * (kept != 1)} that all runs share"
        return (
            [msgspec.structs.replace(run, only=ids) for run in runs],
            (f"Only the {targets_words} {'are' if kept != 1 else 'is'} scored.",),
        )
    common = set.intersection(*targets.values())
    if all(found == common for found in targets.values()):
        return list(runs), ()
    counts = ", ".join(
        f"{run.name} {len(targets[key]):,}" for key, group in groups.items() for run in group
    )
    sentence = (
        f"Compared on the {len(common):,} targets that the runs share; asked about: {counts}."
    )
    return list(runs), (sentence,)


def draw_elements(runs: Sequence[R], answers: int, seed: int) -> tuple[list[R], tuple[str, ...]]:
    """
    Return runs left with about so many answers, and what to say of it; all where there are fewer.

    Elements are drawn, each with all its conditions and in all runs alike.
    """
    count = sum(read_manifest(run.tables).files["answers.jsonl"].count for run in runs)
    if count <= answers:
        return list(runs), ()
    most = int(answers / count * 2**64)
    pairs: dict[str, bool] = {}
    found: dict[Asked, frozenset[str]] = {}
    for key in group_runs(runs):
        ids: set[str] = set()
        for question in stream_questions(key._replace(samples=1)):
            kept = pairs.get(question.pair)
            if kept is None:
                drawn = int(digest([seed, question.pair])[:16], 16)
                kept = pairs[question.pair] = drawn < most
            if kept:
                ids.add(question.id)
        found[key] = frozenset(ids)
    kept_of = {id(run): found[key] for key, group in group_runs(runs).items() for run in group}
    sentence = f"{sum(pairs.values()):,} of {len(pairs):,} targets were drawn, and are scored."
    return [msgspec.structs.replace(run, only=kept_of[id(run)]) for run in runs], (sentence,)


def _told_apart(run: R, runs: Sequence[RunFolder]) -> R:
    alike = (other for other in runs if other.name == run.name)
    rivals = [
        folder
        for folder in alike
        if folder is run or not run.shard_of or folder.shard_of != run.shard_of
    ]
    if len(rivals) == 1:
        return run
    facts = [dict(_facts(_plan(other))) for other in rivals]
    names = sorted({name for found in facts for name in found})
    telling = [name for name in names if len({found.get(name) for found in facts}) > 1]
    own = dict(_facts(_plan(run)))
    words = ", ".join(f"{name} {own.get(name, 'none')[:SHOWN]}" for name in telling)
    return msgspec.structs.replace(run, name=f"{run.name} ({words})") if words else run


def _plan(run: RunFolder) -> dict[str, object]:
    return {
        **run.identity,
        "reasoning": run.reasoning,
        "targets": run.limit or "all",
        "samples": run.samples,
        "benchmark": run.bench.name,
    }


def _facts(plan: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, str]]:
    for name, value in plan.items():
        if isinstance(value, Mapping):
            yield from _facts(value, f"{prefix}{name} ")
        else:
            yield f"{prefix}{name}", str(value)
