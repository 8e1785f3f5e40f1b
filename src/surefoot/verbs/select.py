"""
``surefoot select``: the targets that a teacher hits, and that people pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from surefoot.api.options import AnyPath, BenchArgument, paths
from surefoot.api.parameters import CliOption
from surefoot.api.threads import in_thread
from surefoot.cli.verb import CliVerb

if TYPE_CHECKING:
    from surefoot.api.benches import Bench


@in_thread
def select(
    bench: BenchArgument,
    *,
    out: Annotated[AnyPath, CliOption("The folder BENCH to write.", shell=Path, only="folder")],
    teacher: Annotated[
        AnyPath | Iterable[AnyPath],
        CliOption("A run over BENCH, of any model; may be repeated.", shell=list[Path] | None),
    ] = (),
    sheet: Annotated[
        AnyPath | Iterable[AnyPath],
        CliOption(
            "A sheet of `surefoot audit`, filled in, or what `surefoot view --judge` wrote; "
            "may be repeated.",
            shell=list[Path] | None,
        ),
    ] = (),
    whole: Annotated[
        bool,
        CliOption("Of sheets, keep only targets judged under every variant.", flag="--whole"),
    ] = False,
) -> Bench:
    """
    Keep the targets that every teacher hits on the original and that people pass.

    A target in one kind of words is kept or rejected under all variants at once; people reject
    it in all kinds. OUT has
    rejected.jsonl, with each reason. A set that a teacher selected says less: `surefoot score`
    and `report` warn of it.

    Raises InvalidInputError as ``audit_answers`` does, for a run over another benchmark, and
    where nothing is kept.
    """
    from surefoot.api.benches import Bench
    from surefoot.run.selecting import select_targets

    outcome = select_targets(
        Path(bench), Path(out), teachers=paths(teacher), answers=paths(sheet), whole=whole
    )
    return Bench(outcome.folder, outcome)


def command(work: Callable[[], Bench], *, out: Path) -> None:
    """Select, and name how a model is asked what is left."""
    from surefoot.cli.output import conclude

    conclude(work().outcome, "run", out, "--model", "ocr", "--out", f"{out}-ocr")


VERB = CliVerb(
    "select",
    "Explain",
    "Keep the targets that a teacher hits, and that people pass.",
    select,
    command,
    (
        "surefoot select out/bench --teacher out/run-72b --out out/hit-by-72b",
        "surefoot select out/bench --sheet ann.csv --sheet bob.csv --out out/passed",
    ),
)
