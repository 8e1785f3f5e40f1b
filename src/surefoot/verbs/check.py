"""
``surefoot check``: whether a perturbation keeps its promises, and a benchmark its answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from surefoot.api.options import (
    AnyPath,
    BrowsersOption,
    UnconfinedOption,
    console_for,
    source_names,
    unconfined_pages,
)
from surefoot.api.parameters import CliArgument, CliOption
from surefoot.api.threads import in_thread
from surefoot.cli.verb import CliVerb
from surefoot.core.errors import InvalidInputError

if TYPE_CHECKING:
    from rich.console import Console

    from surefoot.api.tables import FlatTable
    from surefoot.benchmarks.conformance import PageCheck


CHECKED_PAGES: Final = (
    "npm:startbootstrap-sb-admin-2@4.1.4/buttons.html",
    "npm:startbootstrap-sb-admin-2@4.1.4/login.html",
)


@in_thread
def check(  # noqa: PLR0913 - one argument an option
    perturbation: Annotated[str, CliArgument("A perturbation, a sum, or a benchmark.")],
    pages: Annotated[
        AnyPath | Iterable[AnyPath],
        CliArgument(
            "Pages to try, or folders BENCH.", shell=list[str] | None, metavar="[SOURCE...]"
        ),
    ] = (),
    *,
    seed: Annotated[int, CliOption("The seed to draw with.")] = 0,
    replay: Annotated[
        bool, CliOption("Do again, live, what the answers of a BENCH rest on.", flag="--replay")
    ] = False,
    count: Annotated[int, CliOption("How many items are replayed; 0 for all.", minimum=0)] = 0,
    workers: BrowsersOption = 2,
    unconfined: UnconfinedOption = False,
    progress: bool | Console = False,
) -> FlatTable[PageCheck]:
    """
    Check a perturbation on real pages: same seed, same bytes; targets still there; boxes hit.

    Perturbations of other installed packages are checked in the same way. With a benchmark
    every answer is proven once more from its screens, and with --replay from states that are
    reached again by their actions, in each language. Exits with 1 if a promise is broken.

    In Python, a record without ``complaints`` keeps its promises.

    Raises UnknownNameError for a perturbation that there is none of, and InvalidInputError for
    folders that are not of the benchmark.
    """
    from surefoot.api.tables import FlatTable
    from surefoot.benchmarks.benchmark import BENCHMARKS
    from surefoot.benchmarks.conformance import PageCheck, check_perturbation
    from surefoot.capture.settings import Settings
    from surefoot.capture.sources import list_addresses

    named = source_names(pages)
    if perturbation in BENCHMARKS.entries:
        from surefoot.run.proving import prove_again

        folders = [Path(folder) for folder in named]
        checks = prove_again(perturbation, folders)
        if replay:
            from surefoot.run.replaying import replay_again

            how = {"count": count, "seed": seed, "workers": workers}
            with unconfined_pages(allowed=unconfined):
                checks += replay_again(perturbation, folders, **how, console=console_for(progress))
        return FlatTable(checks, PageCheck)
    if replay:
        raise InvalidInputError(
            "a benchmark to replay", found=f"'{perturbation}'", remedy="leave --replay out"
        )
    with unconfined_pages(allowed=unconfined):
        addresses = [found for spec in named or CHECKED_PAGES for found in list_addresses(spec)]
        return FlatTable(
            check_perturbation(perturbation, addresses, Settings(), seed=seed), PageCheck
        )


def command(
    work: Callable[[], FlatTable[PageCheck]],
    *,
    json: Annotated[bool, CliOption("Print the results as JSON.")] = False,
) -> None:
    """Print each page's complaints; exits with 1 where there is any."""
    import typer

    from surefoot.cli.output import print_json, say
    from surefoot.core.errors import ExitCode

    results = work()
    if json:
        print_json(results.records)
    for result in () if json else results:
        kept = ""
        if result.survival is not None:
            kept = f" ({result.survival.hit} of {result.survival.targets} targets hit)"
        say(f"{'; '.join(result.complaints) or 'fine'}: {result.page}{kept}")
    if any(result.complaints for result in results):
        raise typer.Exit(ExitCode.SOME_UNITS_FAILED)


VERB = CliVerb(
    "check",
    "Build",
    "Check that a perturbation keeps its promises.",
    check,
    command,
    (
        "surefoot check zoom:1.5",
        "surefoot check style-cyberpunk npm:startbootstrap-sb-admin-2@4.1.4/buttons.html",
        "surefoot check multilingual out/bench",
        "surefoot check multilingual out/bench --replay --count 40",
    ),
)
