"""
``surefoot audit``: contact sheets for a person to judge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from surefoot.api.options import AnyPath, paths
from surefoot.api.parameters import CliArgument, CliOption
from surefoot.api.threads import in_thread
from surefoot.cli.verb import CliVerb
from surefoot.core.errors import InvalidInputError

if TYPE_CHECKING:
    from surefoot.api.tables import FlatTable
    from surefoot.run.ratings import RatingLines
    from surefoot.run.verdicts import PeopleVerdict


@in_thread
def audit(
    bench: Annotated[
        AnyPath, CliArgument("The folder BENCH, or SCREENS in several languages.", shell=Path)
    ],
    *,
    out: Annotated[
        AnyPath, CliOption("The folder to write the sheets into.", shell=Path, only="folder")
    ],
    count: Annotated[int, CliOption("How many samples.", minimum=1)] = 60,
    per_sheet: Annotated[int, CliOption("Samples on one sheet.", minimum=1)] = 6,
    seed: Annotated[int, CliOption("The seed to draw samples with.")] = 0,
) -> tuple[Path, ...]:
    """
    Draw contact sheets: the target in green, the landmark in blue, the instruction above.

    Beside them lies ratings.csv, in which each person says in the column "rating" what becomes of
    a sample (yes, no or unclear), and so by five criteria; `--answers` prints the rates with their
    intervals, `surefoot select` drops what fails, `surefoot agreement` compares people. `surefoot
    view --judge` asks for the same in the browser. Screens in several languages give a
    page a sheet, the same element with the same number.

    In Python, returns the files; ``audit_answers`` reads what people filled in.

    Raises InvalidInputError for what is neither, and for a benchmark without pictures.
    """
    from surefoot.report.audit import draw_audit
    from surefoot.report.parallel import draw_parallel
    from surefoot.run.folders.folder import is_kind

    if is_kind(Path(bench), "screens"):
        return tuple(draw_parallel(Path(bench), Path(out), count=count, seed=seed))
    return tuple(draw_audit(Path(bench), Path(out), count=count, seed=seed, per_sheet=per_sheet))


@in_thread
def audit_answers(
    bench: AnyPath, files: AnyPath | Iterable[AnyPath] | RatingLines
) -> FlatTable[PeopleVerdict]:
    """
    Return what people said on copies of the sheets of ``audit`` or pages of ``view``, as rates.

    Where ``bench`` is the folder ``failing`` of a diagnosis, "success" is the share of its
    elements with a failing instruction that people pass. Raises InvalidInputError for a file
    that cannot be read, a cell that is no verdict, and where nobody said anything.
    """
    from surefoot.api.tables import FlatTable
    from surefoot.report.people import people_answers
    from surefoot.run.ratings import RatingLines, read_lines
    from surefoot.run.verdicts import PeopleVerdict

    read = files if isinstance(files, RatingLines) else read_lines(paths(files))
    return FlatTable(people_answers(read, Path(bench)), PeopleVerdict)


def command(
    work: Callable[[], tuple[Path, ...]],
    *,
    bench: Path,
    out: Annotated[
        Path | None, CliOption("The folder to write the sheets into.", only="folder")
    ] = None,
    answers: Annotated[
        list[Path] | None,
        CliOption(
            "A copy of ratings.csv, filled in, or what `surefoot view --judge` wrote: say "
            "what came of it."
        ),
    ] = None,
) -> None:
    """Draw the sheets, or print what people answered on them."""
    from surefoot.cli.output import say, say_written

    if answers:
        from surefoot.report.people import people_lines
        from surefoot.run.ratings import read_lines

        read = read_lines(answers)
        for line in (*read.cut, *people_lines(list(audit_answers(bench, read)))):
            say(line)
        return
    if out is None:
        raise InvalidInputError(
            "where to write the sheets",
            found="nowhere",
            remedy="give --out DIR, or --answers FILE",
        )
    for path in work():
        say_written(path)


VERB = CliVerb(
    "audit",
    "Judge",
    "Draw sheets of random samples for a person to judge.",
    audit,
    command,
    (
        "surefoot audit out/bench --out out/audit --count 60",
        "surefoot audit out/diagnosis/failing --answers ann.csv --answers bob.jsonl",
        "surefoot audit out/parallel --out out/sheets --count 4",
    ),
)
