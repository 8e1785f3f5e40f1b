"""
The work behind ``surefoot run``: a model is asked a folder BENCH, into a folder RUN.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import TYPE_CHECKING, Final

from surefoot.core.canonical import readable_json
from surefoot.core.errors import InvalidInputError
from surefoot.core.files import write_atomic
from surefoot.core.ledger import Ledger
from surefoot.core.question import Answer, Question, Unparsed
from surefoot.core.store import ObjectStore
from surefoot.models import (
    Model,
    ModelSpec,
    Options,
    SelfCheck,
    bare_spec,
    open_model,
    self_check,
)
from surefoot.models.function import FunctionResponder
from surefoot.models.replies.answering import CUT
from surefoot.run.asking.answers import answer_all, answer_key, export_answers
from surefoot.run.asking.broken import BrokenRunError, Watch, broken_check
from surefoot.run.asking.runs import (
    BY_SITE,
    KeptCheck,
    Reasoning,
    asked_questions,
    remember_bench,
    remember_check,
)
from surefoot.run.asking.spent import ahead_words
from surefoot.run.engine.outcome import Outcome
from surefoot.run.engine.progress import Progress, Tally
from surefoot.run.engine.shards import Shard, end_part, plan_of_part
from surefoot.run.engine.stopping import run_interruptible
from surefoot.run.folders.folder import read_answers, require_questions, run_plan

if TYPE_CHECKING:
    from rich.console import Console

SPEED: Final = "speed.json"
_SAME: Final = (
    "At temperature 0 a server mostly gives one reply each time; --temperature draws samples."
)
_ALIKE: Final = (
    "All samples of each question are one and the same reply: one would have told as much."
)


def ask_model(  # noqa: PLR0913 - what a run is made of, all by name
    bench: Path,
    spec: ModelSpec,
    out: Path,
    *,
    format_name: str = "",
    options: Options,
    reasoning: Reasoning = "off",
    limit: int = 0,
    samples: int = 1,
    check: bool = True,
    retry_failed: bool = False,
    keep_going: bool = False,
    shard: Shard | None = None,
    console: Console | None = None,
) -> Outcome:
    """
    Ask a model every question of a benchmark ``samples`` times, or go on asking.

    Raises InvalidInputError where the self-check finds that the model's coordinates arrive
    in another space than its format claims, and where a model that looks at pictures is
    asked about one that the benchmark does not have, or about several and looks at one
    alone; a question without a reply is a recorded failure. Raises BrokenRunError, unless it
    is to ``keep_going``, where the self-check hits nothing, and where more than a fifth of the
    first fifty replies are unparsed or failed; at the end the outcome says it. Raises
    NothingKeptError for a benchmark without questions. A ``shard`` is a run of its questions
    alone.
    """
    if samples < 1:
        raise InvalidInputError("1 sample of each question, or more", found=str(samples))
    require_questions(bench)
    questions = _part_of(asked_questions(bench, reasoning, limit, samples), shard)
    model = open_model(spec, format_name=format_name, options=options)
    _require_pictures(questions, model, bench)
    limited = {"limit_by": BY_SITE} if limit else {}
    sampled = {"samples": samples} if samples > 1 else {}
    choices = {"reasoning": reasoning, "limit": limit, **limited, **sampled}
    plan = plan_of_part(run_plan(bench, model.identity(), choices), shard)
    places = any(question.asks == "place" for question in questions)
    checked = check and model.checkable and places
    anyway = "" if keep_going else "--keep-going asks all the same"
    _tell_of_equal_samples(samples, model, options, console)
    wanted = {answer_key(question, model.identity()): question for question in questions}
    try:
        sizes = picture_sizes(questions)
        seen = (
            check_first(out, spec, format_name, options, sizes=sizes, anyway=anyway)
            if checked
            else None
        )
    except BrokenRunError as error:
        error.tally = Tally(total=len(wanted))
        raise
    left = wanted if retry_failed else {key: wanted[key] for key in wanted.keys() - _finished(out)}
    if left:
        if not model.blind and not retry_failed:
            _tell_ahead([*left.values()], model, console)
        model.prepare()
    with Ledger.open(out, plan, retry_failed=retry_failed) as ledger:
        watch = None if keep_going else Watch(model, ledger, wanted)
        remember_bench(out, bench)
        if seen is not None:
            remember_check(out, KeptCheck(seen.asked, seen.hits, seen.seen))
        try:
            if watch is not None:
                watch.check_kept()
            with Progress(f"asking {model.name}", console, watch=watch) as progress:
                work = _ask(model, questions, bench, ledger, progress, width=options.concurrency)
                run_interruptible(work)
        except BrokenRunError as error:
            raise error if watch is None else watch.settled(error) from None
        failures = export_answers(out, questions, model.identity(), ledger)
        if (speed := model.speed()) is not None:
            # Differs from machine to machine: no part of what the manifest names.
            write_atomic(out / SPEED, readable_json(speed))
        broken = None if watch is None else watch.broken()
        if shard:
            end_part(out, ledger, progress.tally, shard)
    lines = tuple(_lines(model, read_answers(out), check_note(seen), questions))
    return Outcome(out, progress.tally, failures, lines, broken, str(shard or ""))


def _part_of(questions: Sequence[Question], shard: Shard | None) -> Sequence[Question]:
    if shard is None:
        return questions
    return tuple(shard.part(questions, lambda question: (question.cluster, question.id)))


def _tell_of_equal_samples(
    samples: int, model: Model, options: Options, console: Console | None
) -> None:
    if samples > 1 and model.checkable and options.temperature == 0 and console is not None:
        console.print(_SAME)


def _tell_ahead(questions: Sequence[Question], model: Model, console: Console | None) -> None:
    if console is not None:
        ahead = ahead_words(questions, model.name, model.identity())
        console.print(ahead, highlight=False, soft_wrap=True)


def verify_space(
    found: SelfCheck, model: Model, anyway: str = "--no-self-check skips this check"
) -> None:
    """
    Raise InvalidInputError where the self-check saw another coordinate space.

    Raises BrokenRunError where it hit nothing, unless nothing is said of how to go on
    ``anyway``.
    """
    if found.verdict == "wrong-space":
        advice = f"give --format {found.suggestion}, or " if found.suggestion else ""
        if found.limits:
            advice = f"give --image-pixels {':'.join(map(str, found.limits))} to read them so, or "
        remedy = f"{advice}check the server's image limits (docs/models.md)"
        if isinstance(model.responder, FunctionResponder):
            remedy = "return x and y in pixels of the picture"
        raise InvalidInputError(
            f"coordinates of {model.name} in the space of the format '{model.format.name}'",
            found=found.seen,
            remedy=f"{remedy}; --no-self-check skips this check",
        )
    broken = broken_check(found, model, anyway) if anyway else None
    if broken is not None:
        raise broken


def check_first(
    out: Path,
    spec: ModelSpec,
    format_name: str,
    options: Options,
    *,
    sizes: Iterable[tuple[int, int]] = (),
    anyway: str = "--no-self-check skips this check",
) -> SelfCheck | None:
    """
    Check a model's coordinate space before a folder is begun, and return what was seen.

    It is asked about drawn screens, some of them in the ``sizes`` of the pictures that follow.
    That comes before the folder, since a folder of the wrong format could not take the right
    one; where the folder has begun, nothing is checked and None returned. Of a wrapped model the
    model itself is checked. Raises as ``verify_space`` does.
    """
    if _has_begun(out):
        return None
    model = open_model(bare_spec(spec), format_name=format_name, options=options)
    model.prepare()
    return run_interruptible(_check(model, sizes, anyway))


def picture_sizes(questions: Iterable[Question]) -> tuple[tuple[int, int], ...]:
    """Return the sizes in pixels of the pictures in which questions ask for a place, each once."""
    sizes = ((item.width, item.height) for item in questions if item.asks == "place")
    return tuple(dict.fromkeys(sizes))


def check_note(found: SelfCheck | None) -> str:
    """Say what a self-check saw, "" where there was none."""
    return f"self-check: {found.seen}" if found is not None else ""


def _require_pictures(questions: Sequence[Question], model: Model, bench: Path) -> None:
    bare = sum(not all(question.images) for question in questions)
    if bare and not model.blind:
        raise InvalidInputError(
            f"a picture for each of the {len(questions):,} questions in {bench}",
            found=f"none for {bare:,} of them, and {model.name} has to look",
            remedy="import the set again with --images FOLDER, where its pictures are",
        )
    unseen = sum(not model.sees(question) for question in questions)
    if unseen:
        raise InvalidInputError(
            f"questions about one picture each in {bench}, since {model.name} looks at one",
            found=f"{unseen:,} of {len(questions):,} about several",
            remedy="ask a model that looks at several pictures, such as openai:NAME@BASE_URL",
        )


def _has_begun(out: Path) -> bool:
    """Tell whether a run has asked anything yet: it is checked once, at its start."""
    return bool(_finished(out))


def _finished(out: Path) -> AbstractSet[str]:
    """Return the keys of the questions that a run has asked, none where nothing can be read."""
    # A ledger that was cut off as it was made is begun anew by whoever opens it to write.
    with contextlib.suppress(InvalidInputError), Ledger.read(out) as ledger:
        return ledger.finished()
    return set()


async def _check(model: Model, sizes: Iterable[tuple[int, int]], anyway: str) -> SelfCheck:
    try:
        found = await self_check(model, sizes=sizes)
    finally:
        await model.close()
    verify_space(found, model, anyway)
    return found


async def _ask(
    model: Model,
    questions: Iterable[Question],
    bench: Path,
    ledger: Ledger,
    progress: Progress,
    *,
    width: int,
) -> None:
    try:
        await answer_all(
            questions, ObjectStore(bench).get, model, ledger, concurrency=width, progress=progress
        )
    finally:
        await model.close()


def _lines(
    model: Model, answers: Iterable[Answer], note: str, questions: Iterable[Question]
) -> list[str]:
    found = list(answers)
    unparsed = sum(isinstance(answer.parsed, Unparsed) for answer in found)
    cut = sum(answer.parsed == CUT for answer in found)
    lines = [note] if note else []
    return [
        *lines,
        *model.notes(),
        f"{len(found)} answers of {model.name}, {unparsed} of them unparsed",
        *([f"{cut} replies were {CUT.why}"] if cut else []),
        *([_ALIKE] if _all_alike(found, questions) else []),
    ]


def _all_alike(answers: Iterable[Answer], questions: Iterable[Question]) -> bool:
    """Tell whether questions were asked several times, and each gave one reply alone."""
    of = {question.id: question.first_sample for question in questions}
    first: dict[str, str] = {}
    return any(name != of[name] for name in of) and all(
        first.setdefault(of[answer.question], answer.raw) == answer.raw for answer in answers
    )
