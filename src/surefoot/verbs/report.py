"""
``surefoot report``: one HTML page that shows what broke the model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from surefoot.api.options import (
    AnyPath,
    LabelOption,
    MetricsOption,
    MovedBenchOption,
    SharedOption,
    SpreadOption,
    StandardOption,
    TablesOption,
    ToJudgeOption,
    ToleranceOption,
    UnitOption,
    VerdictsOption,
    path_or_none,
    paths,
)
from surefoot.api.parameters import CliArgument, CliOption
from surefoot.api.threads import in_thread
from surefoot.cli.verb import CliVerb

if TYPE_CHECKING:
    from surefoot.api.scores import Report


@in_thread
def report(  # noqa: PLR0913 - one argument an option
    runs: Annotated[
        AnyPath | Iterable[AnyPath],
        CliArgument("Folders of runs, or of one exploration.", shell=list[Path], metavar="RUN..."),
    ],
    *,
    out: Annotated[AnyPath, CliOption("The HTML file to write.", shell=Path, only="file")],
    sanity: Annotated[
        Iterable[AnyPath],
        CliOption("Runs of reference models (oracle, center).", shell=list[Path] | None),
    ] = (),
    title: Annotated[str, CliOption("The page's title.")] = "",
    tolerance: ToleranceOption = 0.0,
    cards: Annotated[int, CliOption("How many failures to show per model.", minimum=0)] = 12,
    bench: MovedBenchOption = None,
    metric: MetricsOption = (),
    seed: Annotated[int, CliOption("Seed of what is drawn: pictures to show.")] = 0,
    unit: UnitOption = "site",
    standard: StandardOption = (),
    spread: SpreadOption = "centroid",
    label: LabelOption = (),
    shared_only: SharedOption = False,
    verdicts: VerdictsOption = (),
    to_judge: ToJudgeOption = None,
    tables: TablesOption = None,
) -> Report:
    """
    Write a self-contained report: plain words, figures with tables, failures to look at.

    It reports runs, diagnoses, or one exploration: its states as a tree of pictures.

    Raises InvalidInputError as ``score`` does.
    """
    from surefoot.api.scores import Report
    from surefoot.report.answers.scored import Choices
    from surefoot.report.choices import write_report_on
    from surefoot.score.metric import Ruler

    choices = Choices(
        title=title,
        ruler=Ruler(tolerance=tolerance, spread=spread),
        seed=seed,
        cards=cards,
        bench=path_or_none(bench),
        metrics=tuple(metric),
        unit=unit,
        sanity=tuple(paths(sanity)),
        standard=tuple(paths(standard)),
        labels=tuple(label),
        shared_only=shared_only,
        verdicts=tuple(paths(verdicts)),
        to_judge=path_or_none(to_judge),
        tables=path_or_none(tables),
    )
    return Report(Path(out), tuple(write_report_on(paths(runs), Path(out), choices)))


def command(work: Callable[[], Report], *, runs: list[Path], tables: Path | None) -> None:
    """Write the page, and print what it says first."""
    from surefoot.cli.output import print_report, suggest

    print_report(work(), tables)
    suggest("view", *runs)


VERB = CliVerb(
    "report",
    "Judge",
    "Write a self-contained HTML report of runs.",
    report,
    command,
    (
        "surefoot report out/run-ocr --out out/report.html",
        "surefoot report out/run-ocr out/run-center --title 'Two models' --out out/two.html",
        "surefoot report out/explored --out out/explored.html",
    ),
)
