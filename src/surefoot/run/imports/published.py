"""
The work behind ``surefoot import``: a published run becomes one BENCH and its RUNs.

Its raw replies are read again by the formats of today. A labelled set becomes one BENCH, see
``imports.labelled``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from surefoot.benchmarks.benchmark import Funnel
from surefoot.core.canonical import record_json, sha256
from surefoot.core.errors import InvalidInputError, NothingKeptError, UnknownNameError
from surefoot.core.ledger import Done, Ledger
from surefoot.core.question import Answer, Question
from surefoot.core.registry import suggest
from surefoot.datasets.dataset import DATASETS, BadRecord, RecordedReply, Reports, ignore
from surefoot.datasets.labelled import LABELLED
from surefoot.datasets.results.result import RESULTS
from surefoot.models.format import Format
from surefoot.models.opening import FORMATS, format_of
from surefoot.models.spaces import Space
from surefoot.run.asking.answers import answer_key, export_answers
from surefoot.run.asking.runs import remember_bench
from surefoot.run.engine.outcome import Outcome
from surefoot.run.engine.progress import Tally
from surefoot.run.folders.folder import export, run_plan
from surefoot.run.imports.fetching import fetch, fetchable
from surefoot.run.imports.labelled import ImportResult, import_labelled
from surefoot.run.imports.results import import_results
from surefoot.run.imports.sources import PUBLISHED_FORM
from surefoot.score.outcomes import Record

MOST_LETTERS = 80  # of a folder's name


def read_recorded(
    name: str,
    path: Path,
    *,
    format_name: str = "",
    strict: bool = False,
    report: Reports = ignore,
) -> Iterator[tuple[RecordedReply, Format]]:
    """
    Yield each record of a published run with the format that its reply is written in.

    That is the one named, else the one that the file tells, else the one that the catalogue
    gives the model's name. Bad records go to ``report``. Raises UnknownNameError for an
    unknown dataset or format, or a model that the catalogue does not know, and
    InvalidInputError as the dataset's reader does.
    """
    formats: dict[str, Format] = {}
    for recorded in DATASETS.get(name).read(path, strict=strict, report=report):
        if recorded.model not in formats:
            named = format_name or recorded.format or format_of(recorded.model)
            formats[recorded.model] = FORMATS.get(named)
        yield recorded, formats[recorded.model]


def answer_to(recorded: RecordedReply, form: Format) -> Answer:
    """Parse a recorded reply anew."""
    question = recorded.question
    parsed = form.parse(
        recorded.raw, question.width, question.height, reasoning=question.cell.reasoning
    )
    return Answer(question.id, recorded.raw, parsed)


def read_published(
    name: str, path: Path, *, space: Space | None = None, report: Reports = ignore
) -> Iterator[Record]:
    """
    Yield (model, question, answer) for each record of a published run.

    Every answer is parsed anew from the raw words, with its coordinates in ``space`` or, by
    default, in that of its format; bad records go to ``report``. Raises as
    ``read_recorded`` does.
    """
    for recorded, form in read_recorded(name, path, report=report):
        read = msgspec.structs.replace(form, space=space) if space else form
        yield recorded.model, recorded.question, answer_to(recorded, read)


def import_any(  # noqa: PLR0913 - one argument an option
    name: str,
    path: Path | None,
    out: Path,
    *,
    images: Path | None = None,
    format_name: str = "",
    strict: bool = False,
    limit: int = 0,
    revision: str = "",
    bench: Path | None = None,
    model: str = "",
) -> ImportResult:
    """
    Import a published run, a labelled set, another tool's results or our own published form.

    Without a path a labelled set is fetched, at a ``revision`` of its repository. Results are
    of a ``model``, and answer a ``bench``. Raises
    UnknownNameError where none bears the name, InvalidInputError for an option that its
    kind does not take (pictures and a limit for replies, a format for all else, a benchmark
    and a model for all but results, pictures for the published form), and NothingKeptError
    where no record is good.
    """
    bare = name.partition("@")[0]
    if bare in RESULTS.entries:
        if path is None or bench is None or images is not None or limit or revision:
            raise _misused(bare)
        return import_results(
            name, path, bench, out, model=model, format_name=format_name, strict=strict
        )
    if bench is not None or model:
        raise _misused(bare)
    return _import_set(
        name,
        path,
        out,
        images=images,
        format_name=format_name,
        strict=strict,
        limit=limit,
        revision=revision,
    )


def _import_set(  # noqa: PLR0913 - as above
    name: str,
    path: Path | None,
    out: Path,
    *,
    images: Path | None,
    format_name: str,
    strict: bool,
    limit: int,
    revision: str,
) -> ImportResult:
    bare = name.partition("@")[0]
    if path is None and bare in LABELLED.entries:
        fetched = fetch(name, out, revision=revision)
        path, origin = fetched.folder, fetched.plan()
    elif revision:
        raise InvalidInputError("no --revision where a path is given", found="both")
    else:
        origin = {}
    if format_name and bare not in DATASETS.entries:
        raise InvalidInputError(f"no --format with '{bare}', which has no replies", found="one")
    if bare not in {*DATASETS.entries, *LABELLED.entries, PUBLISHED_FORM}:
        known = sorted({*DATASETS.entries, *LABELLED.entries, *RESULTS.entries, PUBLISHED_FORM})
        raise UnknownNameError("a known dataset", found=f"'{bare}'", remedy=suggest(bare, known))
    if path is None:
        raise InvalidInputError(
            f"the path of '{bare}'", found="none", remedy=f"by name come {', '.join(fetchable())}"
        )
    if bare == PUBLISHED_FORM:
        return _published_form(path, out, images, limit)
    if bare in DATASETS.entries:
        return _published(name, path, out, images, limit, format_name=format_name, strict=strict)
    return import_labelled(
        name, path, out, images=images, strict=strict, limit=limit, fetched=origin
    )


def _misused(name: str) -> InvalidInputError:
    """Return the error of results without a benchmark, or of a benchmark without results."""
    if name in RESULTS.entries:
        return InvalidInputError(
            f"the path of '{name}', --bench and no option of data sets",
            found="otherwise",
            remedy=f"write surefoot import {name} FILE --bench BENCH --out RUN",
        )
    return InvalidInputError(
        "--bench and --model with another tool's results alone",
        found=f"one of them with '{name}'",
        remedy=f"leave it out, or name one of {', '.join(RESULTS.entries)}",
    )


def _published(
    name: str,
    path: Path,
    out: Path,
    images: Path | None,
    limit: int,
    *,
    format_name: str,
    strict: bool,
) -> ImportResult:
    if images is not None or limit:
        raise InvalidInputError(
            f"neither --images nor --limit with '{name}', a published run", found="one of them"
        )
    outcome = import_published(name, path, out, format_name=format_name, strict=strict)
    tally = outcome.tally
    return ImportResult(outcome, {"replies": tally.done, "left_out": tally.total - tally.done})


def _published_form(path: Path, out: Path, images: Path | None, limit: int) -> ImportResult:
    if images is not None:
        raise InvalidInputError(f"no --images with '{PUBLISHED_FORM}'", found="a folder")
    from surefoot.run.imports.parquet import import_parquet  # other sets do without pyarrow

    return import_parquet(path, out, limit=limit)


def import_published(
    name: str, path: Path, out: Path, *, format_name: str = "", strict: bool = False
) -> Outcome:
    """
    Read a published run into ``out/bench/MODEL`` and ``out/runs/MODEL``, ready to be scored.

    Each model keeps a benchmark of its own, since published models were not always asked
    in the same words; the last line says how often. Every reply is parsed anew, in the
    format named or in that of its model; bad records are counted and left out, or raise
    InvalidInputError where ``strict``. The pictures are no part of such a file. Raises
    UnknownNameError for a model of an unknown format, and NothingKeptError, with nothing
    written, where no record is good.
    """
    dataset = DATASETS.get(name)
    bad: list[BadRecord] = []
    asked: dict[str, dict[str, Question]] = {}
    answers: dict[str, list[Answer]] = {}
    formats: dict[str, Format] = {}
    for recorded, form in read_recorded(
        name, path, format_name=format_name, strict=strict, report=bad.append
    ):
        formats[recorded.model] = form
        asked.setdefault(recorded.model, {})[recorded.question.id] = recorded.question
        answers.setdefault(recorded.model, []).append(answer_to(recorded, form))
    if not answers:
        raise NothingKeptError(
            f"records of {dataset.name} in {path}",
            found=f"none that is good of {len(bad):,}",
            remedy=f"line {bad[0].line}: {bad[0].why}" if bad else "",
        )
    origin = {"dataset": f"{dataset.name}@{dataset.version}", "file": sha256(path.read_bytes())}
    for model, questions in sorted(asked.items()):
        bench = out / "bench" / folder_name(model)
        _write_bench(bench, questions, {"kind": "bench", "asked": model, **origin})
        form = formats[model]
        identity = {"name": model, "format": f"{form.name}@{form.version}", **origin}
        run = out / "runs" / folder_name(model)
        _write_run(run, bench, questions, answers[model], identity)
    total = sum(map(len, answers.values()))
    lines = [f"left out line {record.line}: {record.why}" for record in bad]
    lines.append(f"{total:,} replies of {len(answers)} models")
    lines.append(f"{_differing(asked):,} questions were put to the models in different words")
    return Outcome(out, Tally(total=total + len(bad), done=total), (), tuple(lines))


def folder_name(model: str) -> str:
    """
    Return the name of a model's folder: its own where a folder can bear it.

    >>> folder_name("uitars15"), folder_name("../Org/Model 7B")
    ('uitars15', 'Org-Model-7B-052a38bb')
    """
    plain = re.sub(r"[^\w.+@-]+", "-", model).strip(".-")
    if plain == model and len(model) <= MOST_LETTERS:
        return model
    return f"{plain[:MOST_LETTERS]}-{sha256(model.encode('utf-8', 'surrogatepass'))[:8]}"


def _differing(asked: Mapping[str, Mapping[str, Question]]) -> int:
    words: dict[str, set[str]] = {}
    for questions in asked.values():
        for question in questions.values():
            words.setdefault(question.id, set()).add(question.instruction.text)
    return sum(len(word) > 1 for word in words.values())


def _write_bench(
    folder: Path, questions: Mapping[str, Question], plan: Mapping[str, object]
) -> None:
    with Ledger.open(folder, plan):
        export(
            folder,
            "bench",
            {"screens.jsonl": (), "questions.jsonl": questions.values()},
            {"funnel.json": Funnel((), {})},
        )


def _write_run(
    folder: Path,
    bench: Path,
    questions: Mapping[str, Question],
    answers: list[Answer],
    identity: dict[str, Any],
) -> None:
    with Ledger.open(folder, run_plan(bench, identity)) as ledger:
        remember_bench(folder, bench)
        ledger.record_many(
            Done(
                answer_key(questions[answer.question], identity),
                record_json(answer, Answer, what="an answer"),
            )
            for answer in answers
        )
        asked = [questions[answer.question] for answer in answers]
        export_answers(folder, asked, identity, ledger)
