"""
``surefoot import``: public datasets and published runs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

__all__ = ["import_"]

EXAMPLES: Final = ("surefoot import gui-perturbed predictions.jsonl.gz --out out/published",)


def import_(
    name: Annotated[str, typer.Argument(help="The dataset's name, such as gui-perturbed.")],
    path: Annotated[Path, typer.Argument(help="The file to read.")],
    *,
    out: Annotated[Path, typer.Option(help="The folder to write bench/ and runs/ into.")],
    strict: Annotated[bool, typer.Option(help="Stop at the first bad record.")] = False,
) -> None:
    """
    Read a published run into folders that score and report can use.
    """
    from surefoot.cli.output import conclude
    from surefoot.run.importing import import_published

    conclude(import_published(name, path, out, strict=strict))
