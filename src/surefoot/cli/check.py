"""
``surefoot check``: tells whether a perturbation keeps its promises.
"""

from __future__ import annotations

from typing import Annotated, Final

import typer

from surefoot.cli.options import BrowsersOption, UnconfinedOption

EXAMPLES: Final = (
    "surefoot check zoom:1.5",
    "surefoot check style-cyberpunk npm:startbootstrap-sb-admin-2@4.1.4/buttons.html",
    "surefoot check multilingual out/bench",
    "surefoot check multilingual out/bench --replay --count 40",
)


def check(  # noqa: PLR0913 - one argument an option
    perturbation: Annotated[str, typer.Argument(help="A perturbation, a sum, or a benchmark.")],
    pages: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SOURCE...]", help="Pages to try, or folders BENCH."),
    ] = None,
    *,
    seed: Annotated[int, typer.Option(help="The seed to draw with.")] = 0,
    replay: Annotated[
        bool, typer.Option("--replay", help="Do again, live, what the answers of a BENCH rest on.")
    ] = False,
    count: Annotated[int, typer.Option(min=0, help="How many items are replayed; 0 for all.")] = 0,
    workers: BrowsersOption = 2,
    json: Annotated[bool, typer.Option(help="Print the results as JSON.")] = False,
    unconfined: UnconfinedOption = False,
) -> None:
    """
    Check a perturbation on real pages: same seed, same bytes; targets still there; boxes hit.

    Perturbations of other installed packages are checked in the same way. With a benchmark
    every answer is proven once more from its screens, and with --replay from states that are
    reached again by their actions, in each language. Exits with 1 if a promise is broken.
    """
    from surefoot.api.inspecting import check as check_perturbation
    from surefoot.cli.output import console, print_json, say
    from surefoot.core.errors import ExitCode

    results = check_perturbation(
        perturbation,
        pages or (),
        seed=seed,
        replay=replay,
        count=count,
        workers=workers,
        unconfined=unconfined,
        progress=console(),
    )
    if json:
        print_json(results.records)
    for result in () if json else results:
        kept = ""
        if result.survival is not None:
            kept = f" ({result.survival.hit} of {result.survival.targets} targets hit)"
        say(f"{'; '.join(result.complaints) or 'fine'}: {result.page}{kept}")
    if any(result.complaints for result in results):
        raise typer.Exit(ExitCode.SOME_UNITS_FAILED)
