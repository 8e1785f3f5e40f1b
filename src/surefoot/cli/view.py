"""
``surefoot view``: look at questions, answers and screens in the browser.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from surefoot.cli.options import BenchOption, ToleranceOption

__all__ = ["view"]

EXAMPLES: Final = (
    "surefoot view out/demo",
    "surefoot view out/run-ocr out/run-center --port 8422",
)


def view(
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
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port to listen on; 0 for any free one.")
    ] = 0,
) -> None:
    """
    Look at questions, answers and screens in the browser, until Ctrl-C.

    Only this machine is served, and only who has the address with its token.
    """
    import threading

    from surefoot.cli.output import say
    from surefoot.cli.waiting import until_told
    from surefoot.loopback.serving import needing
    from surefoot.view.opening import open_folders

    with needing("view"):
        from surefoot.view.application import serve_view
    from surefoot.view.looking import LookedAt
    from surefoot.view.modes import tell_modes_beside

    looked_at = LookedAt(open_folders(paths, bench), tolerance=tolerance)
    with until_told(), serve_view(looked_at, port=port) as address:
        say(f"open {address} in a browser; Ctrl-C ends it")
        if looked_at.table.models:
            tell_modes_beside(looked_at.table, tolerance=tolerance)
        threading.Event().wait()
    say("stopped")
