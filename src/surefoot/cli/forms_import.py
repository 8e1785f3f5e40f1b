"""
``surefoot forms import``: FormFactory's published records on our forms.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["import_records"]


def import_records(
    folder: Annotated[
        Path, typer.Argument(help="The folder 'data1' of FormFactory's repository.")
    ],
    *,
    out: Annotated[Path, typer.Option(help="The folder to write.")],
) -> None:
    """
    Read FormFactory's published records onto our forms, and list what no form can take.

    Prints how many values cannot be taken, by reason, and the fields with the most of them.
    """
    from surefoot.cli.output import conclude
    from surefoot.run.forms.importing import import_forms

    conclude(import_forms(folder, out))
