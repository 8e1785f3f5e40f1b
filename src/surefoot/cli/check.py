"""
``surefoot check``: tells whether a perturbation keeps its promises.
"""

from __future__ import annotations

from typing import Annotated, Final

import typer

from surefoot.cli.options import UnconfinedOption, allow_unconfined

__all__ = ["check"]

EXAMPLES: Final = (
    "surefoot check zoom:1.5",
    "surefoot check style-cyberpunk npm:startbootstrap-sb-admin-2@4.1.4/buttons.html",
)
_PAGES: Final = (
    "npm:startbootstrap-sb-admin-2@4.1.4/buttons.html",
    "npm:startbootstrap-sb-admin-2@4.1.4/login.html",
)


def check(
    perturbation: Annotated[str, typer.Argument(help="A perturbation, or a sum of them.")],
    pages: Annotated[
        list[str] | None, typer.Argument(metavar="[SOURCE...]", help="Pages to try it on.")
    ] = None,
    *,
    seed: Annotated[int, typer.Option(help="The seed to draw with.")] = 0,
    json: Annotated[bool, typer.Option(help="Print the results as JSON.")] = False,
    unconfined: UnconfinedOption = False,
) -> None:
    """
    Check a perturbation on real pages: same seed, same bytes; targets still there; boxes hit.

    Perturbations of other installed packages are checked in the same way. Exits with 1 if
    a promise is broken.
    """
    from surefoot.benchmarks.conformance import check_perturbation
    from surefoot.capture.settings import Settings
    from surefoot.capture.sources import list_addresses
    from surefoot.cli.output import say
    from surefoot.core.canonical import readable_json
    from surefoot.core.errors import ExitCode

    allow_unconfined(unconfined)
    addresses = [address for spec in pages or _PAGES for address in list_addresses(spec)]
    results = check_perturbation(perturbation, addresses, Settings(), seed=seed)
    if json:
        say(readable_json(results).decode().rstrip())
    for result in () if json else results:
        kept = ""
        if result.survival is not None:
            kept = f" ({result.survival.hit} of {result.survival.targets} targets hit)"
        say(f"{'; '.join(result.complaints) or 'fine'}: {result.page}{kept}")
    if any(result.complaints for result in results):
        raise typer.Exit(ExitCode.SOME_UNITS_FAILED)
