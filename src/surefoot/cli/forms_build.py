"""
``surefoot forms build``: instances of forms, papers and files in a folder.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from surefoot.cli.options import FormNamesOption, FormsCountOption

__all__ = ["make_forms"]


def make_forms(
    *,
    out: Annotated[Path, typer.Option(help="The folder to write.")],
    form: FormNamesOption = None,
    count: FormsCountOption = 25,
    instances: Annotated[int, typer.Option(min=1, help="Instances of each form.")] = 50,
    seed: Annotated[int, typer.Option(help="The seed that everything random derives from.")] = 0,
) -> None:
    """
    Write instances of forms: right values, papers that say them, files to upload.

    The same seed writes the same bytes. Every paper is proved to say each value once.
    """
    from surefoot.cli.output import conclude, console
    from surefoot.forms.catalogue.reading import catalogue, find_form
    from surefoot.run.form_building import build_forms

    named = tuple(map(find_form, form or ()))
    chosen = named or tuple(catalogue().values())[:count]
    conclude(build_forms(chosen, out, instances=instances, seed=seed, console=console()))
