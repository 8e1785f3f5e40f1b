"""
A lesson: fresh questions of the causes that a diagnosis confirmed, and as many of none of them.

They are drawn from another benchmark, by the same features by which the causes were named. The
questions of no cause are there so that training on the others does not cost what is hit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import msgspec

from surefoot.benchmarks.benchmark import Funnel
from surefoot.core.errors import NothingKeptError
from surefoot.core.ledger import Ledger
from surefoot.core.question import Question
from surefoot.core.store import ObjectStore
from surefoot.diagnose.causes.confirming import wanted_for
from surefoot.diagnose.findings import Diagnosis, Weakness
from surefoot.diagnose.folder import read_diagnosis
from surefoot.diagnose.search.fresh import Wanted, fresh_arms
from surefoot.diagnose.search.pool import BenchPool, open_pool
from surefoot.run.engine.outcome import Outcome
from surefoot.run.engine.progress import Tally
from surefoot.run.folders.folder import export, manifest_digest

LOOKED_AT: Final = 4  # elements for each question
INSIDE: Final = "inside"
OUTSIDE: Final = "outside"


def confirmed_slices(diagnosis: Diagnosis) -> tuple[Weakness, ...]:
    """Return the causes that can be taught: slices of the questions that were confirmed."""
    return tuple(
        msgspec.structs.replace(weakness, pillars=())  # another benchmark may teach it
        for weakness in diagnosis.profile
        if weakness.said and weakness.sliced and not weakness.unconfirmed
    )


def write_lesson(
    diagnosis: Path, fresh: Path, out: Path, *, count: int, seed: int = 0, generated: int = 0
) -> Outcome:
    """
    Write two BENCHes of questions of ``fresh``: OUT/inside of confirmed causes, OUT/outside not.

    Those outside are matched where they can be: the same words about the same element. Each has
    ``count`` questions, fewer where there are no more; causes get equal parts. ``generated`` is
    the largest number of generated instructions an element, besides the benchmark's own. Raises
    NothingKeptError where no cause was confirmed, or ``fresh`` has no question of one, and
    InvalidInputError as ``open_pool`` does.
    """
    found = read_diagnosis(diagnosis)
    causes = confirmed_slices(found)
    if not causes:
        raise NothingKeptError(
            f"a confirmed cause in {diagnosis}",
            found="none that training can be about",
            remedy="diagnose on more elements, or name benchmarks to learn from",
        )
    plan = {
        "kind": "bench",
        "benchmark": "lesson@1",
        "diagnosis": manifest_digest(diagnosis, "diagnosis"),
        "fresh": manifest_digest(fresh, "bench"),
        "count": count,
        "generated": generated,
        "seed": seed,
    }
    pool = open_pool(fresh, out / INSIDE, seed=seed, most=generated)
    part = -(-count // len(causes))
    inside: dict[str, Question] = {}
    outside: dict[str, Question] = {}
    others: dict[str, Question] = {}
    for cause in causes:
        want = wanted_for(cause, causes, pool.scenes)
        enough = LOOKED_AT * part
        for arm in fresh_arms(pool, [want], set(), count=part, seed=seed, looked_at=enough):
            side = inside if want.inside(arm) else others
            side.setdefault(arm.question.id, arm.question)
        outside |= _matched(pool, inside.values(), want)
    if not inside:
        raise NothingKeptError(
            f"a question in {fresh} of a confirmed cause",
            found="none",
            remedy="name a benchmark with such screens or instructions",
        )
    outside |= others
    for name, asked in ((INSIDE, inside), (OUTSIDE, outside)):
        _write(out / name, {**plan, "side": name}, list(asked.values())[:count], pool)
    lines = [
        f"{', and '.join(weakness.words for weakness in causes)}: {len(inside):,} fresh questions"
    ]
    lines += [f"of none of these: {len(outside):,}"]
    total = len(inside) + len(outside)
    return Outcome(out, Tally(total=total, done=total), (), tuple(lines))


def _matched(pool: BenchPool, asked: Iterable[Question], want: Wanted) -> dict[str, Question]:
    """Return the questions in the same words about the same elements that are of no cause."""
    subjects = {subject.pair: subject for subject in pool.subjects()}
    words = {(question.pair, question.instruction.text) for question in asked}
    return {
        arm.question.id: arm.question
        for pair in sorted({pair for pair, _ in words} & subjects.keys())
        for arm in pool.arms(subjects[pair])
        if (pair, arm.question.instruction.text) in words and want.outside(arm)
    }


def _write(
    out: Path, plan: Mapping[str, object], asked: Iterable[Question], pool: BenchPool
) -> None:
    with Ledger.open(out, plan):
        store = ObjectStore(out)
        questions = list(asked)
        screens = {question.screen: pool.scenes.screens[question.screen] for question in questions}
        for screen in screens.values():
            store.put(pool.pictures.get(screen.image))
        tables = {"screens.jsonl": screens.values(), "questions.jsonl": questions}
        export(out, "bench", tables, {"funnel.json": Funnel((), {})})
