"""
``surefoot run``: a model is asked every question of a benchmark.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from surefoot.cli.options import (
    FormatOption,
    KeyVariableOption,
    PromptFileOption,
    RetryOption,
    SelfCheckOption,
)

if TYPE_CHECKING:
    from surefoot.models import Options

__all__ = ["ReasoningMode", "run"]

EXAMPLES: Final = (
    "surefoot run out/bench --model ocr --out out/run-ocr",
    "surefoot run out/bench --model openai:gta1@http://127.0.0.1:8000/v1 --out out/run-gta1",
)


class ReasoningMode(StrEnum):
    """Say whether the model is asked to reason before it answers."""

    OFF = "off"
    ON = "on"
    BOTH = "both"


def run(  # noqa: PLR0913 - one argument an option
    bench: Annotated[Path, typer.Argument(help="The folder BENCH.")],
    *,
    model: Annotated[str, typer.Option(help="The model; see surefoot models.")],
    out: Annotated[Path, typer.Option(help="The folder RUN to write or resume.")],
    format_: FormatOption = "",
    prompt_file: PromptFileOption = None,
    key_variable: KeyVariableOption = "",
    seed: Annotated[int, typer.Option(help="Seed of sampling and of the random model.")] = 0,
    reasoning: Annotated[
        ReasoningMode, typer.Option(help="Whether the model is asked to reason first.")
    ] = ReasoningMode.OFF,
    workers: Annotated[int, typer.Option(min=1, help="How many requests are in flight.")] = 8,
    limit: Annotated[int, typer.Option(min=0, help="At most this many targets; 0 for all.")] = 0,
    self_check: SelfCheckOption = True,
    retry_failed: RetryOption = False,
    keep_going: Annotated[
        bool,
        typer.Option(
            "--keep-going",
            help="Ask on where most replies fail or cannot be read, and exit with 0.",
        ),
    ] = False,
) -> None:
    """
    Ask a model every question of a benchmark.

    A server's key is read from the environment; see --key-variable. A run that was stopped
    resumes when the same command is given again. It stops by itself, with what it saw, where
    more than a fifth of the first 50 replies fail or cannot be read.
    """
    from surefoot.cli.output import conclude, console
    from surefoot.run.asking.run import ask_model

    outcome = ask_model(
        bench,
        model,
        out,
        format_name=format_,
        options=_options(prompt_file, key_variable, seed, workers),
        reasoning=reasoning.value,
        limit=limit,
        check=self_check,
        retry_failed=retry_failed,
        keep_going=keep_going,
        console=console(),
    )
    conclude(outcome)


def _options(prompt_file: Path | None, key_variable: str, seed: int, workers: int) -> Options:
    from surefoot.models import Options

    return Options(
        prompt_file=str(prompt_file or ""),
        key_variable=key_variable,
        seed=seed,
        concurrency=workers,
    )
