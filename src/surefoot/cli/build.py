"""
``surefoot build``: screens become a benchmark.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from surefoot.cli.options import BrowsersOption, RetryOption

__all__ = ["build"]

EXAMPLES: Final = (
    "surefoot build perturbed --screens out/screens --out out/bench",
    "surefoot build perturbed --screens out/screens --out out/zoom --variants original,zoom:1.5",
)


def build(  # noqa: PLR0913 - one argument an option
    benchmark: Annotated[str, typer.Argument(help="The benchmark's name, such as perturbed.")],
    *,
    screens: Annotated[Path, typer.Option(help="The folder SCREENS to build from.")],
    out: Annotated[Path, typer.Option(help="The folder BENCH to write or resume.")],
    variants: Annotated[
        str, typer.Option(help="Variants, separated by commas; the original comes first.")
    ] = "original,style,precision,text_shrink",
    targets: Annotated[int, typer.Option(min=1, help="At most so many targets a page.")] = 16,
    seed: Annotated[int, typer.Option(help="The seed that everything random derives from.")] = 0,
    hidden_names: Annotated[
        bool, typer.Option(help="Keep instructions whose name cannot be read in the picture.")
    ] = False,
    workers: BrowsersOption = 2,
    retry_failed: RetryOption = False,
) -> None:
    """
    Build a benchmark: variants of every screen, and instructions with proof.

    Prints the funnel: how many candidates there were, and how many fell at each check.
    """
    from surefoot.benchmarks.benchmark import BuildOptions
    from surefoot.cli.output import conclude, console
    from surefoot.run.building import build_benchmark

    outcome = build_benchmark(
        benchmark,
        screens,
        out,
        BuildOptions(
            variants=tuple(part.strip() for part in variants.split(",")),
            targets=targets,
            seed=seed,
            hidden_names=hidden_names,
        ),
        workers=workers,
        retry_failed=retry_failed,
        console=console(),
    )
    conclude(outcome)
