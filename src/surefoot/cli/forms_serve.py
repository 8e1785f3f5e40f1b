"""
``surefoot forms serve``: a person tries the forms, and sees the score while typing.
"""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from surefoot.cli.options import FormNamesOption

__all__ = ["serve_forms"]


def serve_forms(  # noqa: PLR0913 - one argument an option
    *,
    out: Annotated[Path, typer.Option(help="The folder that keeps the record of all runs.")],
    form: FormNamesOption = None,
    renderer: Annotated[str, typer.Option(help="The renderer to start with.")] = "plain",
    theme: Annotated[str, typer.Option(help="The renderer's theme; its first by default.")] = "",
    layout: Annotated[str, typer.Option(help="The renderer's layout; its first by default.")] = "",
    language: Annotated[str, typer.Option(help="The language to start with.")] = "en",
    seed: Annotated[int, typer.Option(help="The seed of values and looks.")] = 0,
    port: Annotated[
        int,
        typer.Option(
            min=0,
            max=65534,
            help="The port to listen on; the forms use the next. 0 for any free one.",
        ),
    ] = 0,
) -> None:
    """
    Serve the forms on this machine for a person to try, until Ctrl-C.

    Each form comes with a paper to fill it in from, the files to upload, and a page that
    shows, while you type, which values are in the right fields.
    """
    import threading

    from surefoot.cli.output import say
    from surefoot.forms.catalogue.reading import catalogue, find_form
    from surefoot.forms.desk.cases import Offer
    from surefoot.forms.desk.serving import serve_desk
    from surefoot.forms.rendering import Rendering

    named = tuple(map(find_form, form or ()))
    look = Rendering(renderer, theme, layout, language, seed=seed)
    offer = Offer(named or tuple(catalogue().values()), look, seed)
    with _until_told(), serve_desk(out, offer, port=port) as address:
        say(f"open {address} in a browser; Ctrl-C ends it")
        threading.Event().wait()
    say(f"stopped; the record of all runs lies in {out}")


@contextlib.contextmanager
def _until_told() -> Iterator[None]:
    """End a block quietly on Ctrl-C or the signal to terminate, in a background job too."""
    kinds = (signal.SIGINT, signal.SIGTERM)  # a shell's background job starts deaf to the first
    before = [signal.signal(kind, signal.default_int_handler) for kind in kinds]
    try:
        with contextlib.suppress(KeyboardInterrupt):
            yield
    finally:
        for kind, handler in zip(kinds, before, strict=True):
            signal.signal(kind, handler)
