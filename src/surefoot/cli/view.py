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
    "surefoot view out/bench --judge Ada --judgements out/judgements.sqlite",
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
    judge: Annotated[
        str, typer.Option(metavar="NAME", help="Let this person judge samples by keyboard.")
    ] = "",
    judgements: Annotated[
        Path, typer.Option(help="The file that keeps what everybody judges.")
    ] = Path("judgements.sqlite"),
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port to listen on; 0 for any free one.")
    ] = 0,
) -> None:
    """
    Look at questions, answers and screens in the browser, until Ctrl-C.

    Only this machine is served, and only who has the address with its token.
    """
    import contextlib
    import threading

    from surefoot.cli.output import say
    from surefoot.cli.waiting import until_told
    from surefoot.loopback.serving import needing
    from surefoot.view.opening import open_folders

    with needing("view"):
        from surefoot.view.application import serve_view
    from surefoot.view.judging import Judgements
    from surefoot.view.looking import LookedAt
    from surefoot.view.modes import tell_modes_beside

    looked_at = LookedAt(open_folders(paths, bench), tolerance=tolerance)
    with contextlib.ExitStack() as stack:
        kept = stack.enter_context(Judgements(judgements, judge)) if judge else None
        stack.enter_context(until_told())
        address = stack.enter_context(serve_view(looked_at, port=port, judgements=kept))
        say(f"open {address} in a browser; Ctrl-C ends it")
        if looked_at.table.models:
            tell_modes_beside(looked_at.table, tolerance=tolerance)
        threading.Event().wait()
    say(f"stopped; the judgements lie in {judgements}" if judge else "stopped")
