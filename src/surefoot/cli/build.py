"""
``surefoot build``: screens become a benchmark.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Final

import typer

from surefoot.benchmarks.sensitivity_parameters import SensitivityParameters
from surefoot.cli.options import BrowsersOption, RetryOption
from surefoot.core.errors import InvalidInputError

__all__ = ["build", "read_parameters"]

EXAMPLES: Final = (
    "surefoot build perturbed --screens out/screens --out out/bench",
    "surefoot build perturbed --screens out/screens --out out/zoom --variants original,zoom:1.5",
    "surefoot build sensitivity --screens out/screens --out out/words",
    "surefoot build sensitivity --screens out/screens --out out/hard --set top=100",
)
PARAMETERS: Final = ", ".join(SensitivityParameters.__struct_fields__)


def build(  # noqa: PLR0913 - one argument an option
    benchmark: Annotated[str, typer.Argument(help="The benchmark's name, such as perturbed.")],
    *,
    screens: Annotated[Path, typer.Option(help="The folder SCREENS to build from.")],
    out: Annotated[Path, typer.Option(help="The folder BENCH to write or resume.")],
    variants: Annotated[
        str,
        typer.Option(
            help="Variants, or the views of sensitivity, separated by commas; the original "
            "comes first. If not given: original,style,precision,text_shrink; for sensitivity "
            "original,crop,background."
        ),
    ] = "",
    kinds: Annotated[
        str,
        typer.Option(help="Kinds of instruction, separated by commas; all if not given."),
    ] = "",
    targets: Annotated[
        int | None,
        typer.Option(min=1, show_default="16", help="At most so many targets a page."),
    ] = None,
    seed: Annotated[int, typer.Option(help="The seed that everything random derives from.")] = 0,
    hidden_names: Annotated[
        bool, typer.Option(help="Keep instructions whose name cannot be read in the picture.")
    ] = False,
    parameters: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help=f"A parameter of the benchmark, once for each. Of sensitivity: {PARAMETERS}.",
        ),
    ] = None,
    workers: BrowsersOption = 2,
    retry_failed: RetryOption = False,
) -> None:
    """
    Build a benchmark: variants of every screen, and instructions with proof.

    Prints the funnel: how many candidates there were, and how many fell at each check.
    """
    import msgspec

    from surefoot.benchmarks.benchmark import BENCHMARKS
    from surefoot.cli.output import conclude, console
    from surefoot.run.building import build_benchmark

    defaults = BENCHMARKS.get(benchmark).defaults
    options = msgspec.structs.replace(
        defaults,
        variants=_listed(variants) or defaults.variants,
        kinds=_listed(kinds) or defaults.kinds,
        targets=targets or defaults.targets,
        seed=seed,
        hidden_names=hidden_names,
        parameters=read_parameters(parameters or ()),
    )
    outcome = build_benchmark(
        benchmark,
        screens,
        out,
        options,
        workers=workers,
        retry_failed=retry_failed,
        console=console(),
    )
    conclude(outcome)


def read_parameters(given: Iterable[str]) -> dict[str, float | int | str | bool]:
    """
    Read parameters written NAME=VALUE: whole numbers, numbers, true and false, or text.

    Raises InvalidInputError for one without a name or given twice.

    >>> read_parameters(["top=100", "crop_distance=60.5", "desktop=meadow"])
    {'top': 100, 'crop_distance': 60.5, 'desktop': 'meadow'}
    """
    found: dict[str, float | int | str | bool] = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not sign or not name.strip() or name.strip() in found:
            raise InvalidInputError(
                "each parameter once, written NAME=VALUE",
                found=f"'{text}'",
                remedy="write --set top=100",
            )
        found[name.strip()] = _value(value.strip())
    return found


def _value(text: str) -> float | int | str | bool:
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",")) if text else ()
