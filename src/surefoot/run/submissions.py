"""
Runs that are handed in over a release: read from their raw replies, or refused with a reason.

Nothing that a run claims is taken on trust but its raw replies: each is read again by the parser
of its format, and judged against the release's own questions.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from surefoot.benchmarks.benchmark import BENCHMARKS
from surefoot.benchmarks.matching import with_reasoning
from surefoot.core.canonical import digest
from surefoot.core.errors import InvalidInputError, SurefootError
from surefoot.core.ledger import read_plan
from surefoot.core.question import Answer, Question, Refusal
from surefoot.models import FORMATS, open_model
from surefoot.models.format import Format
from surefoot.models.model import parsed_reply
from surefoot.models.replies.answering import CUT
from surefoot.models.spaces import limited
from surefoot.run.asking.answers import UnansweredQuestion
from surefoot.run.folders.folder import (
    manifest_digest,
    read_answers,
    read_manifest,
    read_questions,
    read_table,
)
from surefoot.run.imports.parquet import import_parquet
from surefoot.run.releases import RESULTS, Release, check_files
from surefoot.score.conditions.rows import Condition
from surefoot.score.hits import judge
from surefoot.score.pillars import LEVELS

REASONING: Final = ", reasoning first"


class ReleasedPillar(msgspec.Struct, frozen=True):
    """Hold the questions of one pillar of a release."""

    name: str
    questions: tuple[Question, ...]


class HandedInRun(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold what a run over one pillar came to when its replies were read again.

    ``values`` are the share of conditions under which each element (by its pair) was hit, a
    question without a reply being a miss; ``right`` and ``wrong`` the shares that were declined
    of what is not there, and of what is. ``identity`` is the digest of all that determines the
    model's replies.
    """

    run: str
    model: str
    pillar: str
    identity: str
    replies: int
    unanswered: int
    values: dict[str, float]
    right: dict[str, float]
    wrong: dict[str, float]


class RefusedRun(msgspec.Struct, frozen=True):
    """Name a run that is on no board, and say why."""

    run: str
    why: str


class _Format(msgspec.Struct, frozen=True):
    name: str
    image_pixels: str = ""


class _Model(msgspec.Struct, frozen=True):
    name: str
    format: _Format


class _Plan(msgspec.Struct, frozen=True):
    bench: str
    model: _Model
    reasoning: str = "off"
    samples: int = 1


def read_pillars(folder: Path, release: Release) -> dict[str, ReleasedPillar]:
    """
    Read the questions of a release's folder, by the digests that runs over them name.

    Those are of the benchmark as it is built, and as it is imported from the released data.
    Raises InvalidInputError where a file is not the release's.
    """
    for item in check_files(folder, release):
        raise InvalidInputError(
            f"{folder / item.what} as release.json has it, {item.expected}",
            found=item.found,
            remedy="fetch the whole release again: a board needs its questions",
        )
    pillars: dict[str, ReleasedPillar] = {}
    with tempfile.TemporaryDirectory() as scratch:
        for name, built in release.benches.items():
            imported = Path(scratch, name)
            import_parquet(folder / name, imported)
            pillar = ReleasedPillar(name, read_questions(imported))
            pillars |= dict.fromkeys((built, manifest_digest(imported, "bench")), pillar)
    return pillars


def read_submissions(
    pillars: Mapping[str, ReleasedPillar], runs: Iterable[Path]
) -> tuple[list[HandedInRun], list[RefusedRun]]:
    """Read runs over pillars (by their digests) from their replies; say why others are refused."""
    kept: dict[tuple[str, str], HandedInRun] = {}
    refused = []
    for run in runs:
        # A board is published: where the folders lie on this machine is nobody's business.
        name = "/".join(run.resolve().parts[-2:])
        try:
            found = _read(run, name, pillars)
            _check_beside(found, kept.values())
        except SurefootError as error:
            refused.append(RefusedRun(name, str(error).replace(str(run), name)))
        else:
            kept[found.model, found.pillar] = found
    return [*kept.values()], refused


def released_runs(folder: Path) -> list[Path]:
    """Return the runs whose replies lie in a release."""
    return sorted(path.parent for path in (folder / RESULTS).glob("*/*/plan.json"))


def reference_values(pillar: ReleasedPillar) -> list[HandedInRun]:
    """Ask the models that do not look, and the oracle: chance, and what can be had at most."""
    return [
        _judged(
            name, name, pillar, pillar.questions, asyncio.run(_answers(name, pillar)), digest(name)
        )
        for name in LEVELS
    ]


async def _answers(name: str, pillar: ReleasedPillar) -> list[Answer]:
    model = open_model(name)
    return [await model.answer(question, b"") for question in pillar.questions]


def _read(run: Path, called: str, pillars: Mapping[str, ReleasedPillar]) -> HandedInRun:
    """Verify one run; raises InvalidInputError for whatever it claims and does not show."""
    read_manifest(run, "run")
    plan = read_plan(run)
    try:
        stated = msgspec.convert(plan, _Plan)
    except msgspec.ValidationError as error:
        raise InvalidInputError(f"a run's plan in {run}", found=error) from error
    pillar = pillars.get(stated.bench)
    if pillar is None:
        names = ", ".join(dict.fromkeys(item.name for item in pillars.values()))
        raise InvalidInputError(
            f"a run over a pillar of the release ({names})",
            found="one over another benchmark",
            remedy="`surefoot import surefoot-hf RELEASE/PILLAR` reads its questions; run those",
        )
    if stated.samples != 1 or stated.reasoning not in ("off", "on"):
        raise InvalidInputError(
            "each question asked once, in one way",
            found=f"{stated.samples} samples, reasoning {stated.reasoning}",
            remedy="hand in one run for each way of asking",
        )
    reasons = stated.reasoning == "on"
    asked = with_reasoning(pillar.questions) if reasons else pillar.questions
    answers = read_answers(run)
    failed = read_table(run, "failures.jsonl", UnansweredQuestion, kind="run")
    _check_whole(asked, answers, failed)
    _replay(asked, answers, _form(stated.model.format))
    name = stated.model.name + REASONING * reasons
    return _judged(called, name, pillar, asked, answers, digest(plan["model"]))


def _form(stated: _Format) -> Format:
    form = FORMATS.get(stated.name)
    if stated.image_pixels:
        form = msgspec.structs.replace(form, space=limited(form.space, stated.image_pixels))
    return form


def _check_whole(
    asked: Sequence[Question], answers: Sequence[Answer], failed: Sequence[UnansweredQuestion]
) -> None:
    """Raise InvalidInputError unless each question was asked, and no other."""
    handed_in = [
        *(answer.question for answer in answers),
        *(question.question for question in failed),
    ]
    wanted = {question.id for question in asked}
    missing, strange = sorted(wanted.difference(handed_in)), sorted({*handed_in} - wanted)
    if missing or strange or len(handed_in) > len(wanted):
        odd = f"{len(missing):,} missing" if missing else f"{len(strange):,} of no such question"
        first = (missing or strange or ["none"])[0]
        raise InvalidInputError(
            f"a reply, or a recorded failure, for each of {len(wanted):,} questions",
            found=f"{odd}, first '{first}'" if missing or strange else "a question told twice",
            remedy="ask all questions, without --limit",
        )


def _replay(asked: Sequence[Question], answers: Sequence[Answer], form: Format) -> None:
    """Raise InvalidInputError where a raw reply reads otherwise than the run says."""
    questions = {question.id: question for question in asked}
    for answer in answers:
        cut = answer.parsed == CUT
        read = parsed_reply(answer.raw, questions[answer.question], form, cut=cut)
        if read != answer.parsed:
            raise InvalidInputError(
                f"the raw reply to question '{answer.question}' to read as {answer.parsed}",
                found=f"{read}, by {form.name}@{form.version}",
                remedy="hand in replies as they came, or run it again with this version",
            )


def _check_beside(found: HandedInRun, kept: Iterable[HandedInRun]) -> None:
    """Raise InvalidInputError for a second run, and for one that was asked in another way."""
    for other in kept:
        if other.model == found.model and other.pillar == found.pillar:
            raise InvalidInputError(
                f"one run of {found.model} over {found.pillar}", found=f"another one, {other.run}"
            )
        if other.model == found.model and other.identity != found.identity:
            raise InvalidInputError(
                f"{found.model} as it was asked about {other.pillar}",
                found=f"other options about {found.pillar}",
                remedy="ask about all pillars in one way",
            )


def _judged(
    run: str,
    model: str,
    pillar: ReleasedPillar,
    asked: Sequence[Question],
    answers: Sequence[Answer],
    identity: str,
) -> HandedInRun:
    """Judge answers: hits of what the scoring pools, and refusals of everything."""
    scoring = BENCHMARKS.get(pillar.name).scoring
    hits = judge(asked, answers)
    declined = {answer.question for answer in answers if isinstance(answer.parsed, Refusal)}
    values: defaultdict[str, list[bool]] = defaultdict(list)
    for question in scoring.arrange(asked):
        cell = question.cell
        if not scoring.apart(Condition("", cell.reasoning, cell.instruction, cell.variant)):
            values[question.pair].append(hits[question.id])
    refusals: dict[bool, defaultdict[str, list[bool]]] = {
        True: defaultdict(list),
        False: defaultdict(list),
    }
    for question in asked:
        refusals[question.answerable][question.pair].append(question.id in declined)
    return HandedInRun(
        run=run,
        model=model,
        pillar=pillar.name,
        identity=identity,
        replies=len(answers),
        unanswered=len(asked) - len(answers),
        values=_means(values),
        right=_means(refusals[False]),
        wrong=_means(refusals[True]) if refusals[False] else {},
    )


def _means(found: Mapping[str, Sequence[bool]]) -> dict[str, float]:
    return {pair: sum(own) / len(own) for pair, own in found.items()}
