"""
Shards of a run: folders whose plans differ in the shard alone, scored as the run that they make.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from surefoot.core.canonical import digest
from surefoot.core.ledger import read_plan
from surefoot.run.asking.answers import UnansweredQuestion
from surefoot.run.asking.runs import RunFolder
from surefoot.run.engine.shards import SHARD, planned_shard
from surefoot.run.folders.folder import read_table
from surefoot.run.folders.tables import NamedAnswer, stream_table


def whole_of(plan: Mapping[str, object], bench: Mapping[str, object]) -> str:
    """
    Return a digest of the run that a shard is a part of, "" of a plan that is no shard's.

    Shards of one run have one digest. ``bench`` is the plan of the benchmark, which may be a
    shard itself.

    >>> one, two = ({"model": "ocr", "shard": [at, 2]} for at in (1, 2))
    >>> whole_of(one, {}) == whole_of(two, {}) != whole_of({"model": "ocr"}, {}) == ""
    True
    """
    if SHARD not in plan and SHARD not in bench:
        return ""
    asked = {"bench": plan.get("bench")} if SHARD not in bench else {}
    parts = (
        {key: item[key] for key in item if key not in (SHARD, "bench")} for item in (plan, bench)
    )
    return digest([*parts, asked])


def join_shards(runs: Sequence[RunFolder]) -> list[RunFolder]:
    """
    Return runs that know which of them are shards of one.

    Of shards that are not all there what they were asked counts, and no other question.
    """
    plans = [(read_plan(run.folder), read_plan(run.bench)) for run in runs]
    wholes = [whole_of(*plan) for plan in plans]
    there: dict[str, set[str]] = {}
    for whole, (plan, bench) in zip(wholes, plans, strict=True):
        there.setdefault(whole, set()).add(str([plan.get(SHARD), bench.get(SHARD)]))
    found = []
    for run, whole, (plan, _) in zip(runs, wholes, plans, strict=True):
        joined = msgspec.structs.replace(run, shard_of=whole)
        shard = planned_shard(plan)
        if shard is not None and len(there[whole]) < shard.count and run.only is None:
            joined = msgspec.structs.replace(joined, only=_asked(run))
        found.append(joined)
    return found


def _asked(run: RunFolder) -> frozenset[str]:
    """Return the ids of the first samples of what a run has an answer to, or failed at."""
    answers = stream_table(run.tables, "answers.jsonl", NamedAnswer, kind="run")
    failures = read_table(run.tables, "failures.jsonl", UnansweredQuestion, kind="run")
    names = (answer.question for several in (answers, failures) for answer in several)
    return frozenset(
        name.rpartition("~")[0] or name if run.samples > 1 else name for name in names
    )
