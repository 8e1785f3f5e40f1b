"""
``surefoot audit``: contact sheets for a person to judge.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

EXAMPLES: Final = (
    "surefoot audit out/bench --out out/audit --count 60",
    "surefoot audit out/diagnosis/failing --answers ann.csv --answers bob.jsonl",
    "surefoot audit out/parallel --out out/sheets --count 4",
)


def audit(
    bench: Annotated[
        Path, typer.Argument(help="The folder BENCH, or SCREENS in several languages.")
    ],
    *,
    out: Annotated[
        Path | None, typer.Option(file_okay=False, help="The folder to write the sheets into.")
    ] = None,
    answers: Annotated[
        list[Path] | None,
        typer.Option(
            help="A copy of ratings.csv, filled in, or what `surefoot view --judge` wrote: say "
            "what came of it."
        ),
    ] = None,
    count: Annotated[int, typer.Option(min=1, help="How many samples.")] = 60,
    per_sheet: Annotated[int, typer.Option(min=1, help="Samples on one sheet.")] = 6,
    seed: Annotated[int, typer.Option(help="The seed to draw samples with.")] = 0,
) -> None:
    """
    Draw contact sheets: the target in green, the landmark in blue, the instruction above.

    Beside them lies ratings.csv, in which each person says in the column "rating" what becomes of
    a sample (yes, no or unclear), and so by five criteria; `--answers` tells the rates with their
    intervals, `surefoot select` drops what fails, `surefoot agreement` compares people. `surefoot
    view --judge` asks for the same in the browser. Screens in several languages give a
    page a sheet, the same element with the same number.
    """
    from surefoot.api.inspecting import audit as draw_sheets
    from surefoot.api.inspecting import audit_answers
    from surefoot.cli.output import say, say_written
    from surefoot.core.errors import InvalidInputError

    if answers:
        from surefoot.report.people import people_lines
        from surefoot.run.ratings import read_lines

        read = read_lines(answers)
        verdicts = list(audit_answers(bench, read))
        for line in (*read.cut, *people_lines(verdicts)):
            say(line)
        return
    if out is None:
        raise InvalidInputError(
            "where to write the sheets",
            found="nowhere",
            remedy="give --out DIR, or --answers FILE",
        )
    for path in draw_sheets(bench, out=out, count=count, per_sheet=per_sheet, seed=seed):
        say_written(path)
