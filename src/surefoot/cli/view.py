"""
``surefoot view``: look at questions, answers and screens in the browser.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from surefoot.cli.options import BenchOption, LabelOption, ToleranceOption, UnitOption

if TYPE_CHECKING:
    from surefoot.api.serving import ServedPages


EXAMPLES: Final = (
    "surefoot view out/demo",
    "surefoot view out/run-ocr out/run-center --port 8422",
    "surefoot view out/bench --judge Ada --judgements out/ada.jsonl --limit 60",
    "surefoot view out/bench --click Ada --out out/run-ada --limit 30",
)


def view(  # noqa: PLR0913 - one argument an option
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="PATH...",
            help="Runs, benchmarks, screens, diagnoses, runs over forms, or folders of them.",
        ),
    ],
    *,
    bench: BenchOption = None,
    tolerance: ToleranceOption = 0.0,
    unit: UnitOption = "site",
    label: LabelOption = None,
    judge: Annotated[
        str, typer.Option(metavar="NAME", help="Let this person judge samples by keyboard.")
    ] = "",
    judgements: Annotated[
        Path,
        typer.Option(
            help="The file (JSON Lines) that keeps what is judged, by one person or by several."
        ),
    ] = Path("judgements.jsonl"),
    criterion: Annotated[
        list[str] | None,
        typer.Option(
            help="With --judge, ask only this of each sample, a column of the sheets of `surefoot "
            "audit`; may be repeated.",
        ),
    ] = None,
    click: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="Let this person answer a benchmark's questions, as a model does."
        ),
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option(file_okay=False, help="The folder of the run that --click writes."),
    ] = None,
    limit: Annotated[
        int,
        typer.Option(
            min=0,
            help="With --click, at most this many targets, taken from all sites in turn; with "
            "--judge, this many samples, as `surefoot audit --count` draws them; 0 for all.",
        ),
    ] = 0,
    seed: Annotated[
        int,
        typer.Option(
            help="With --click, the seed of the order of questions; with --judge, of the samples."
        ),
    ] = 0,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port to listen on; 0 for any free one.")
    ] = 0,
) -> None:
    """
    Look at questions, answers and screens in the browser, until Ctrl-C.

    Only this machine is served, and only who has the address with its token. With --click a
    person answers one question after the other, and becomes a model of the run in --out; what
    was stopped goes on when the same command is given again.
    """
    from surefoot.api.serving import view as serve_view
    from surefoot.cli.given import note_command
    from surefoot.cli.output import say, serve_until_told, suggest

    begin = functools.partial(
        serve_view,
        paths,
        bench=bench,
        tolerance=tolerance,
        unit=unit,
        label=label or (),
        judge=judge,
        judgements=judgements,
        criterion=criterion or (),
        click=click,
        out=out,
        limit=limit,
        seed=seed,
        port=port,
    )
    if not click:
        kept = f"stopped; the judgements lie in {judgements}"
        serve_until_told(begin, kept if judge else "stopped")
        return
    kept = f"stopped; what was answered is kept in {out}, and the same command goes on"

    def begin_noted() -> ServedPages:
        served = begin()
        if out is not None:
            note_command(out)
        return served

    if serve_until_told(begin_noted, kept):
        say(f"all questions are answered: wrote {out}")
        suggest("score", out)
