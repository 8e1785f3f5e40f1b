"""
The verbs of the command line as functions, with their names and options.

Each writes a folder, or goes on writing it when it is called again with the same arguments,
and returns it opened. A unit that fails is a recorded failure, in ``outcome``; what ends the
whole work is raised as a SurefootError. Nothing is printed unless ``progress`` is true.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Unpack

import msgspec

from surefoot.api.benches import Bench
from surefoot.api.diagnoses import ModelDiagnosis
from surefoot.api.options import (
    AnyPath,
    AskingOptions,
    asking_options,
    console_for,
    listed,
    model_spec,
    paths,
    unconfined_pages,
)
from surefoot.api.runs import ModelRun
from surefoot.api.scores import Report, Scores
from surefoot.api.screens import Screens
from surefoot.api.spelling import respell
from surefoot.api.threads import in_thread
from surefoot.diagnose.search.options import USUAL, DiagnoseOptions, PlannerName
from surefoot.diagnose.selection import Selection
from surefoot.models.function import PointingFunction

if TYPE_CHECKING:
    from rich.console import Console

    from surefoot.diagnose.findings import Transfer
    from surefoot.run.asking.runs import Reasoning
    from surefoot.score.stats.units import Unit


@in_thread
def capture(  # noqa: PLR0913 - one argument an option
    sources: str | Iterable[str],
    *,
    out: AnyPath,
    device: str = "desktop",
    width: int | None = None,
    height: int | None = None,
    scale: float | None = None,
    locale: str = "en-US",
    parallel: str | Iterable[str] = (),
    full_page: bool = False,
    detector: str = "",
    limit: int = 0,
    workers: int = 2,
    retry_failed: bool = False,
    unconfined: bool = False,
    progress: bool | Console = False,
) -> Screens:
    """
    Capture pages as screens: a picture, and every element on it.

    ``sources`` are named as after ``surefoot capture``. ``device`` is "desktop" (1280 x
    800 at scale 1), "phone" (390 x 844 at 3) or "tablet" (820 x 1180 at 2). ``width`` and
    ``height`` are the viewport in CSS pixels, ``scale`` image pixels per CSS pixel: the
    device's unless given. With the languages ``parallel``
    each page is captured in all of them instead of the ``locale``, and matched with the first
    (``Screens.parallel``). A ``detector`` finds the elements of bare pictures. At most
    ``limit`` pages are captured, from all sites in turn; 0 for all. Raises UserError for a
    source that names nothing, PlanMismatchError for a folder that was begun otherwise, and
    MissingComponentError without a browser.
    """
    from surefoot.capture.settings import device_settings
    from surefoot.capture.sources.pictures import with_detector
    from surefoot.run.building.capturing import capture_screens

    given = [sources] if isinstance(sources, str) else list(sources)
    named = [with_detector(source, detector) for source in given]
    with unconfined_pages(allowed=unconfined):
        outcome = capture_screens(
            named,
            Path(out),
            device_settings(
                device,
                width=width,
                height=height,
                scale=scale,
                locale=locale,
                full_page=full_page,
            ),
            languages=listed(parallel),
            limit=limit,
            workers=workers,
            retry_failed=retry_failed,
            console=console_for(progress),
        )
    return Screens(outcome.folder, outcome)


@in_thread
def build(  # noqa: PLR0913 - one argument an option
    benchmark: str,
    *,
    screens: AnyPath | Iterable[AnyPath],
    out: AnyPath,
    variants: str | Iterable[str] = (),
    kinds: str | Iterable[str] = (),
    targets: int | None = None,
    site_targets: int = 0,
    seed: int = 0,
    hidden_names: bool = False,
    language: str = "en",
    parameters: Mapping[str, float | int | str | bool] | None = None,
    detector: str = "",
    writer: str = "",
    writer_sees: Literal["words", "picture"] = "words",
    judge: str = "",
    prompt_file: AnyPath | None = None,
    key_variable: str = "",
    recapture: bool = False,
    workers: int = 2,
    retry_failed: bool = False,
    unconfined: bool = False,
    progress: bool | Console = False,
) -> Bench:
    """
    Build a benchmark: variants of every screen, and instructions with proof.

    ``screens`` is a folder SCREENS, several, or an imported set; ``targets`` counts them on a
    page at most, ``site_targets`` on a site; ``language`` is what instructions are in.
    ``parameters`` are the benchmark's own (``--set``), and so is the ``detector`` that finds
    elements in the pictures of an imported set. A ``writer`` that sees the picture describes the
    targets of sensitivity anew, a ``judge`` says what is meant where no resolver can, and
    ``prompt_file`` replaces what both are asked. With ``recapture`` screens of another browser or
    of other fonts are captured again first, into the folder ``screens`` of the benchmark.
    Raises UnknownNameError for a benchmark, variant or kind that there is none of, and
    InvalidInputError where the browser or fonts are not those that captured the screens, and
    NothingKeptError where no question is left.
    """
    from surefoot.benchmarks.benchmark import BENCHMARKS
    from surefoot.core.store import ObjectStore
    from surefoot.models import Options
    from surefoot.run.building.pages import build_benchmark
    from surefoot.run.building.writers import WriterOptions, open_writer

    chosen = {"variants": listed(variants), "kinds": listed(kinds), "targets": targets}
    options = msgspec.structs.replace(
        BENCHMARKS.get(benchmark).defaults,
        **{name: value for name, value in chosen.items() if value},
        site_targets=site_targets,
        seed=seed,
        hidden_names=hidden_names,
        language=language,
        parameters={**(parameters or {}), **({"detector": detector} if detector else {})},
    )
    with unconfined_pages(allowed=unconfined):
        outcome = build_benchmark(
            benchmark,
            paths(screens),
            Path(out),
            options,
            writer=open_writer(
                BENCHMARKS.get(benchmark),
                WriterOptions(
                    writer=writer,
                    sees=writer_sees,
                    judge=judge,
                    prompt_file=None if prompt_file is None else Path(prompt_file),
                    asking=Options(seed=seed, key_variable=key_variable),
                ),
                ObjectStore(Path(out)).get,
            ),
            recapture=recapture,
            workers=workers,
            retry_failed=retry_failed,
            console=console_for(progress),
        )
    return Bench(outcome.folder, outcome)


@in_thread
def run(  # noqa: PLR0913 - one argument an option
    bench: AnyPath | Bench,
    *,
    model: str | PointingFunction,
    out: AnyPath,
    name: str = "",
    version: str = "",
    reasoning: Reasoning = "off",
    limit: int = 0,
    samples: int = 1,
    self_check: bool = True,
    retry_failed: bool = False,
    keep_going: bool = False,
    progress: bool | Console = False,
    **asking: Unpack[AskingOptions],
) -> ModelRun:
    """
    Ask a model every question of a benchmark.

    ``model`` is named as after ``--model``, or is a function of one's own, given a picture
    (PIL, RGB) and the instruction's words, that returns x and y in pixels of the picture, or
    None to refuse. It is called in this process, in one thread and one call at a time; an
    exception that it raises costs the question. Its ``name`` and ``version`` are part of the
    plan: a run goes on with the same ones, and another version is another run. At most
    ``limit`` targets are asked about, 0 for all, and each question ``samples`` times.

    Raises InvalidInputError where twelve drawn screens show that the coordinates arrive in
    another space (unless ``self_check`` is false), BrokenRunError where most of the first
    replies are lost (unless it is to ``keep_going``; ``outcome.broken`` says it of a short run),
    PlanMismatchError for a folder of another plan, and MissingComponentError for what is not
    installed.
    """
    from surefoot.run.asking.run import ask_model

    outcome = ask_model(
        Path(bench),
        model_spec(model, name, version),
        Path(out),
        format_name=asking.get("format", ""),
        options=asking_options(asking),
        reasoning=reasoning,
        limit=limit,
        samples=samples,
        check=self_check,
        retry_failed=retry_failed,
        keep_going=keep_going,
        console=console_for(progress),
    )
    if outcome.broken is not None:
        respell(outcome.broken, run)
    return ModelRun(outcome.folder, outcome)


@in_thread
def diagnose(  # noqa: PLR0913 - one argument an option
    bench: AnyPath | Bench,
    *,
    model: str | PointingFunction,
    out: AnyPath,
    name: str = "",
    version: str = "",
    planner: PlannerName = USUAL.planner,
    planner_model: str = USUAL.planner_model,
    rounds: int = USUAL.rounds,
    width: int = USUAL.width,
    failures: int = USUAL.failures,
    limit: int = USUAL.limit,
    budget: int = USUAL.budget,
    shrink: int = USUAL.shrink,
    baseline: bool = USUAL.baseline,
    twice: bool = USUAL.twice,
    explore: int = USUAL.explore,
    thorough: bool = USUAL.thorough,
    freely: bool = USUAL.freely,
    confirm: int = USUAL.confirm,
    select: Selection = USUAL.select,
    unit: Unit = USUAL.unit,
    self_check: bool = True,
    retry_failed: bool = False,
    progress: bool | Console = False,
    **asking: Unpack[AskingOptions],
) -> ModelDiagnosis:
    """
    Find, for one element after another, a valid instruction that the model fails.

    An element is left after ``rounds`` of ``width`` questions each, or with ``failures``
    failing instructions; at most ``limit`` elements and ``budget`` questions, 0 for all.
    ``twice``, ``explore``, ``thorough``, ``freely``, ``confirm``, ``select`` and ``unit`` are as
    of ``surefoot.diagnose.search.options``.
    ``model``, ``name`` and ``version`` are as of ``run``, and so are the errors raised;
    ModelError where the planner's server gives no reply.
    """
    from surefoot.diagnose.diagnosing import diagnose_model

    outcome, _ = diagnose_model(
        Path(bench),
        model_spec(model, name, version),
        Path(out),
        DiagnoseOptions(
            planner=planner,
            planner_model=planner_model,
            rounds=rounds,
            width=width,
            failures=failures,
            limit=limit,
            budget=budget,
            shrink=shrink,
            baseline=baseline,
            twice=twice,
            explore=explore,
            thorough=thorough,
            freely=freely,
            confirm=confirm,
            select=select,
            unit=unit,
            seed=asking.get("seed", USUAL.seed),
        ),
        format_name=asking.get("format", ""),
        options=asking_options(asking),
        check=self_check,
        retry_failed=retry_failed,
        console=console_for(progress),
    )
    return ModelDiagnosis(outcome.folder, outcome)


@in_thread
def transfer(
    diagnoses: Iterable[AnyPath | ModelDiagnosis],
    *,
    out: AnyPath,
    progress: bool | Console = False,
    **asking: Unpack[AskingOptions],
) -> Transfer:
    """
    Ask every diagnosed model what failed every other one (``surefoot diagnose --transfer``).

    Raises InvalidInputError for one diagnosis alone, two of one model, and one of a function,
    which nobody can ask again.
    """
    from surefoot.diagnose.transfer import transfer_failures

    options = asking_options(asking)
    return transfer_failures(
        paths(diagnoses), Path(out), options=options, console=console_for(progress)
    )


@in_thread
def score(  # noqa: PLR0913 - one argument an option
    runs: AnyPath | ModelRun | Iterable[AnyPath | ModelRun],
    *,
    tolerance: float = 0.0,
    bench: AnyPath | Bench | None = None,
    metric: Iterable[str] = (),
    seed: int = 0,
    unit: Unit = "site",
    standard: Iterable[AnyPath | ModelRun] = (),
    spread: Literal["centroid", "pairwise"] = "centroid",
    label: Iterable[str] = (),
    shared_only: bool = False,
) -> Scores:
    """
    Score runs: metrics with intervals, and paired comparisons with corrected tests.

    ``tolerance`` is the total growth of each side of a target's box, in pixels. ``unit`` is what
    the questions are a sample of, and intervals are over. ``label`` names
    the runs in their order, and with ``shared_only`` only what all were asked is scored. Raises
    InvalidInputError for what are no finished runs, for diagnoses, for runs that are scored
    differently, and for options that the benchmark has no use for.
    """
    from surefoot.failures.shares import Failures
    from surefoot.failures.words import failure_sentences
    from surefoot.phrasing.headlines import headline_sentences
    from surefoot.phrasing.tables import summary_lines
    from surefoot.report.answers.scored import Choices
    from surefoot.report.choices import score_folders
    from surefoot.score.metric import Ruler

    choices = Choices(
        ruler=Ruler(tolerance=tolerance, spread=spread),
        seed=seed,
        bench=None if bench is None else Path(bench),
        metrics=tuple(metric),
        unit=unit,
        standard=tuple(paths(standard)),
        labels=tuple(label),
        shared_only=shared_only,
    )
    summary = score_folders(paths(runs), choices)
    failures = summary.details.get("failures")
    failed = failure_sentences(failures) if isinstance(failures, Failures) else []
    said = headline_sentences(summary)
    return Scores(summary, said, [*summary_lines(summary), *[""] * bool(failed), *failed])


@in_thread
def report(  # noqa: PLR0913 - one argument an option
    runs: AnyPath | ModelRun | ModelDiagnosis | Iterable[AnyPath | ModelRun | ModelDiagnosis],
    *,
    out: AnyPath,
    sanity: Iterable[AnyPath | ModelRun] = (),
    title: str = "",
    tolerance: float = 0.0,
    cards: int = 12,
    bench: AnyPath | Bench | None = None,
    metric: Iterable[str] = (),
    seed: int = 0,
    unit: Unit = "site",
    standard: Iterable[AnyPath | ModelRun] = (),
    spread: Literal["centroid", "pairwise"] = "centroid",
    label: Iterable[str] = (),
    shared_only: bool = False,
    tables: AnyPath | None = None,
) -> Report:
    """
    Write a self-contained HTML report on runs, on diagnoses, or on one exploration.

    ``sanity`` are runs of reference models, ``cards`` counts the failures shown for a model.
    Into the folder ``tables`` every table of the report is written as CSV and parquet.
    Raises InvalidInputError as ``score`` does.
    """
    from surefoot.report.answers.scored import Choices
    from surefoot.report.choices import write_report_on
    from surefoot.score.metric import Ruler

    choices = Choices(
        title=title,
        ruler=Ruler(tolerance=tolerance, spread=spread),
        seed=seed,
        cards=cards,
        bench=None if bench is None else Path(bench),
        metrics=tuple(metric),
        unit=unit,
        sanity=tuple(paths(sanity)),
        standard=tuple(paths(standard)),
        labels=tuple(label),
        shared_only=shared_only,
        tables=None if tables is None else Path(tables),
    )
    return Report(Path(out), tuple(write_report_on(paths(runs), Path(out), choices)))
