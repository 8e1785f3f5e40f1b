"""
The verbs of ``surefoot-studies tiny``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["bench", "tiny"]

tiny = typer.Typer(
    help="Train a small vision-language model on drawn screens, and measure it.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@tiny.command()
def bench(
    out: Annotated[Path, typer.Option(help="The folder to write the benchmarks below.")],
    *,
    seed: Annotated[int, typer.Option(help="The seed of the screens.")] = 0,
    memory: Annotated[int, typer.Option(min=1, help="Screens of the split 'memory'.")] = 160,
    validation: Annotated[int, typer.Option(min=1, help="Screens of 'validation'.")] = 80,
    test: Annotated[int, typer.Option(min=1, help="Screens of 'test'.")] = 160,
    click: Annotated[int, typer.Option(min=1, help="Screens to click on, thrice each.")] = 160,
) -> None:
    """
    Write benchmarks of drawn screens: clicks, and the same choices in three languages.

    No screen is in two of them, nor among those that the model is trained on.
    """
    from surefoot.cli.output import say_written
    from surefoot_studies.tiny.bench import write_benches

    counts = {"memory": memory, "validation": validation, "test": test}
    for folder in write_benches(out, seed=seed, screens=counts, clicked=click):
        say_written(folder)
