"""
``surefoot view``: look at questions, answers and screens in the browser.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from surefoot.api.options import (
    AnyPath,
    LabelOption,
    MovedBenchOption,
    ToleranceOption,
    UnitOption,
    path_or_none,
)
from surefoot.api.options import paths as path_list
from surefoot.api.parameters import CliArgument, CliOption
from surefoot.cli.verb import CliVerb

if TYPE_CHECKING:
    from surefoot.api.serving import ServedPages


def view(  # noqa: PLR0913 - one argument an option
    paths: Annotated[
        AnyPath | Iterable[AnyPath],
        CliArgument(
            "Runs, benchmarks, screens, diagnoses, runs over forms, or folders of them.",
            shell=list[Path],
            metavar="PATH...",
        ),
    ],
    *,
    bench: MovedBenchOption = None,
    tolerance: ToleranceOption = 0.0,
    unit: UnitOption = "site",
    label: LabelOption = (),
    judge: Annotated[
        str, CliOption("Let this person judge samples by keyboard.", metavar="NAME")
    ] = "",
    judgements: Annotated[
        AnyPath,
        CliOption(
            "The file (JSON Lines) that keeps what is judged, by one person or by several.",
            shell=Path,
        ),
    ] = "judgements.jsonl",
    criterion: Annotated[
        Iterable[str],
        CliOption(
            "With --judge, ask only this of each sample, a column of the sheets of `surefoot "
            "audit`; may be repeated.",
            shell=list[str] | None,
        ),
    ] = (),
    click: Annotated[
        str,
        CliOption(
            "Let this person answer a benchmark's questions, as a model does.", metavar="NAME"
        ),
    ] = "",
    out: Annotated[
        AnyPath | None,
        CliOption("The folder of the run that --click writes.", shell=Path | None, only="folder"),
    ] = None,
    limit: Annotated[
        int,
        CliOption(
            "With --click, at most this many targets, taken from all sites in turn; with "
            "--judge, this many samples, as `surefoot audit --count` draws them; 0 for all.",
            minimum=0,
        ),
    ] = 0,
    seed: Annotated[
        int,
        CliOption(
            "With --click, the seed of the order of questions; with --judge, of the samples."
        ),
    ] = 0,
    port: Annotated[
        int, CliOption("The port to listen on; 0 for any free one.", minimum=0, maximum=65535)
    ] = 0,
) -> ServedPages:
    """
    Look at questions, answers and screens in the browser, until Ctrl-C.

    Only this machine is served, and only who has the address with its token. With --click a
    person answers one question after the other, and becomes a model of the run in --out; what
    was stopped goes on when the same command is given again.

    In Python, pages are served until they are closed, and ``finished`` when a person who clicks
    has answered all.

    Raises InvalidInputError for a folder with nothing to look at, for runs of one name and for
    options that do not go together, MissingComponentError without the extra "view", and
    SurefootError where the port is taken.
    """
    from surefoot.api.serving import ServedPages, click_served, one_bench, view_served
    from surefoot.core.errors import InvalidInputError

    folders, moved = path_list(paths), path_or_none(bench)
    if click or out is not None or ((limit or seed) and not judge):
        bench_folder, run = one_bench(folders, click, out, judge)
        from surefoot.view.clicking import HumanAnswers

        asked = HumanAnswers(bench_folder, click, run, limit=limit, seed=seed)
        return ServedPages(click_served(asked, port), asked.all_answered)
    from surefoot.view.opening import open_folders

    given, ruler = open_folders(folders, moved, tuple(label)), (tolerance, unit)
    if not judge:
        return ServedPages(view_served(given, ruler, port))
    from surefoot.view.judging import COLUMNS, Judgements, SampleChoice

    if limit and len(given.benches) != 1:
        raise InvalidInputError(
            "one benchmark to draw samples of", found=f"{len(given.benches)} of them"
        )
    choice = SampleChoice(tuple(criterion) or tuple(COLUMNS), limit, seed)
    kept = Judgements(Path(judgements), judge)
    return ServedPages(view_served(given, ruler, port, kept, choice), said=kept.said)


def command(
    work: Callable[[], ServedPages], *, judge: str, judgements: Path, click: str, out: Path | None
) -> None:
    """Serve until a person stops it, or has answered all."""
    from surefoot.cli.given import note_command
    from surefoot.cli.output import say, serve_until_told, suggest

    if not click:
        kept = f"stopped; the judgements lie in {judgements}"
        serve_until_told(work, kept if judge else "stopped")
        return
    kept = f"stopped; what was answered is kept in {out}, and the same command goes on"

    def begin_noted() -> ServedPages:
        served = work()
        if out is not None:
            note_command(out)
        return served

    if serve_until_told(begin_noted, kept):
        say(f"all questions are answered: wrote {out}")
        suggest("score", out)


VERB = CliVerb(
    "view",
    "Judge",
    "Look at questions, answers and screens in the browser.",
    view,
    command,
    (
        "surefoot view out/demo",
        "surefoot view out/run-ocr out/run-center --port 8422",
        "surefoot view out/bench --judge Ada --judgements out/ada.jsonl --limit 60",
        "surefoot view out/bench --click Ada --out out/run-ada --limit 30",
    ),
)
