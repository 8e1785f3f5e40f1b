"""
``surefoot forms build``: instances of forms, papers and files in a folder.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from surefoot.cli.options import (
    FormNamesOption,
    FormsCountOption,
    KeyVariableOption,
    LettersOption,
    RetryOption,
)

if TYPE_CHECKING:
    from surefoot.run.asking.writer import Writer

__all__ = ["make_forms"]


def make_forms(  # noqa: PLR0913 - one argument an option
    *,
    out: Annotated[Path, typer.Option(help="The folder to write.")],
    form: FormNamesOption = None,
    count: FormsCountOption = 25,
    instances: Annotated[int, typer.Option(min=1, help="Instances of each form.")] = 50,
    seed: Annotated[int, typer.Option(help="The seed that everything random derives from.")] = 0,
    writer: LettersOption = "",
    key_variable: KeyVariableOption = "OPENAI_API_KEY",
    retry_failed: RetryOption = False,
) -> None:
    """
    Write instances of forms: right values, papers that say them, files to upload.

    The same seed writes the same bytes. Every paper is proved to say each value once, a
    writer's too.
    """
    from surefoot.cli.output import conclude, console
    from surefoot.forms.catalogue.reading import catalogue, find_form
    from surefoot.run.forms.building import build_forms

    named = tuple(map(find_form, form or ()))
    chosen = named or tuple(catalogue().values())[:count]
    how: dict[str, Any] = {"instances": instances, "seed": seed, "retry_failed": retry_failed}
    if writer:
        how["writer"] = _writer(writer, seed, key_variable)
    conclude(build_forms(chosen, out, **how, console=console()))


def _writer(spec: str, seed: int, key_variable: str) -> Writer:
    from surefoot.models import Options, open_chat
    from surefoot.run.forms.letters import letter_writer

    return letter_writer(open_chat(spec, options=Options(seed=seed, key_variable=key_variable)))
