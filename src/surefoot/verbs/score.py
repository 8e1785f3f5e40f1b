"""
``surefoot score``: metrics and paired tests of one or several runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from msgspec.structs import asdict

from surefoot.api.options import (
    AnyPath,
    JsonFileOption,
    LabelOption,
    MetricsOption,
    MovedBenchOption,
    SharedOption,
    SpreadOption,
    StandardOption,
    ToJudgeOption,
    ToleranceOption,
    UnitOption,
    VerdictsOption,
    console_for,
    path_or_none,
    paths,
)
from surefoot.api.parameters import CliArgument, CliOption
from surefoot.api.threads import in_thread
from surefoot.cli.verb import CliVerb

if TYPE_CHECKING:
    from rich.console import Console

    from surefoot.api.scores import Scores


@in_thread
def score(  # noqa: PLR0913 - one argument an option
    runs: Annotated[
        AnyPath | Iterable[AnyPath],
        CliArgument("Folders of runs.", shell=list[Path], metavar="RUN..."),
    ],
    *,
    tolerance: ToleranceOption = 0.0,
    bench: MovedBenchOption = None,
    metric: MetricsOption = (),
    seed: Annotated[int, CliOption("Seed of a sample and of an order of models.")] = 0,
    unit: UnitOption = "site",
    standard: StandardOption = (),
    spread: SpreadOption = "centroid",
    label: LabelOption = (),
    shared_only: SharedOption = False,
    verdicts: VerdictsOption = (),
    to_judge: ToJudgeOption = None,
    calibrate: Annotated[
        bool,
        CliOption(
            "Also say of each run whether its places were read in the wrong space, and what "
            "the right one gives back.",
            flag="--calibrate",
        ),
    ] = False,
    sample: Annotated[
        int,
        CliOption(
            "Score about this many answers, of targets that are drawn by --seed; 0: all.",
            minimum=0,
        ),
    ] = 0,
    progress: bool | Console = False,
) -> Scores:
    """
    Score runs: a sentence a model, then every score and comparison in a table.

    Variants, kinds of instruction and reasoning are compared within each model, and the
    models with each other on the same questions. The benchmark decides what is measured: hits,
    how far clicks scatter over wordings, or how well boxes overlap.

    A calibration fits a shift or a scale on half of the sites, takes it only if it gains in
    cross-validation there, and says what it does to the other half.

    Shards of one run are scored as that run. More than three million answers are scored in
    blocks, which leaves out modes of failure and repeated samples; the other numbers are the same
    to the last bit. A sample has all of them.

    Raises InvalidInputError for what are no finished runs, for diagnoses, for runs that are
    scored differently, and for options that the benchmark has no use for.
    """
    from surefoot.api.scores import Scores
    from surefoot.failures.shares import Failures
    from surefoot.failures.words import failure_sentences
    from surefoot.phrasing.calibration import calibration_sentence
    from surefoot.phrasing.headlines import headline_sentences
    from surefoot.phrasing.tables import summary_lines
    from surefoot.report.answers.scored import Choices
    from surefoot.report.choices import score_folders
    from surefoot.score.metric import Ruler

    choices = Choices(
        ruler=Ruler(tolerance=tolerance, spread=spread),
        seed=seed,
        bench=path_or_none(bench),
        metrics=tuple(metric),
        unit=unit,
        standard=tuple(paths(standard)),
        labels=tuple(label),
        shared_only=shared_only,
        verdicts=tuple(paths(verdicts)),
        to_judge=path_or_none(to_judge),
        calibrate=calibrate,
        sample=sample,
    )
    summary = score_folders(paths(runs), choices, console=console_for(progress))
    failures = summary.details.get("failures")
    failed = failure_sentences(failures) if isinstance(failures, Failures) else []
    spaces = [calibration_sentence(detail) for detail in summary.details.get("calibrations", ())]
    sentences = [*headline_sentences(summary), *spaces]
    further = (line for part in (failed, spaces) if part for line in ("", *part))
    return Scores(summary, sentences, [*summary_lines(summary), *further])


def command(work: Callable[[], Scores], *, runs: list[Path], json: JsonFileOption = None) -> None:
    """Print the sentences and tables, and write every number where that is wanted."""
    from surefoot.cli.output import say, suggest, write_json

    found = work()
    for line in (*found.lines, *(f"warning: {warning}" for warning in found.warnings)):
        say(line)
    write_json(json, {"sentences": found.sentences, **asdict(found.summary)})
    suggest("report", *runs, "--out", f"{runs[0]}.html")


VERB = CliVerb(
    "score",
    "Judge",
    "Compute metrics and paired tests of runs.",
    score,
    command,
    (
        "surefoot score out/run-ocr",
        "surefoot score out/run-ocr out/run-oracle --tolerance 20 --json out/scores.json",
        "surefoot score out/run-7b out/run-7b-warm --label 'T = 0' --label 'T = 0.7'",
        "surefoot score out/run-ocr --calibrate",
        "surefoot score out/say-a out/say-b out/say-c --standard out/run-a --standard out/run-b",
    ),
)
