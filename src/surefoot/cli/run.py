"""
``surefoot run``: a model is asked every question of a benchmark.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, Literal

import typer

from surefoot.cli.options import (
    FormatOption,
    JsonOption,
    KeyVariableOption,
    PromptFileOption,
    RetryOption,
    Sampling,
    SelfCheckOption,
    asks_models,
)

EXAMPLES: Final = (
    "surefoot run out/bench --model ocr --out out/run-ocr",
    "surefoot run out/bench --model openai:gta1@http://127.0.0.1:8000/v1 --out out/run-gta1",
    (
        "surefoot run out/bench --model openai:gta1@http://127.0.0.1:8000/v1 --limit 50 "
        "--temperature 0.7 --max-tokens 512 --timeout 300 --out out/run-warm"
    ),
    (
        "surefoot run out/bench --model openai:gta1@http://127.0.0.1:8000/v1 --limit 50 "
        "--samples 5 --temperature 1 --out out/run-samples"
    ),
    (
        "surefoot run out/bench --model openai:gta1@http://127.0.0.1:8000/v1 "
        "--header 'X-Tenant: $TENANT_KEY' --extra-body '{\"top_k\": 1}' --out out/run-tenant"
    ),
)


@asks_models
def run(  # noqa: PLR0913 - one argument an option
    bench: Annotated[Path, typer.Argument(help="The folder BENCH.")],
    *,
    model: Annotated[str, typer.Option(help="The model; see surefoot models.")],
    out: Annotated[Path, typer.Option(file_okay=False, help="The folder RUN to write or resume.")],
    format_: FormatOption = "",
    prompt_file: PromptFileOption = None,
    key_variable: KeyVariableOption = "",
    seed: Annotated[int, typer.Option(help="Seed of sampling and of the random model.")] = 0,
    reasoning: Annotated[
        Literal["off", "on", "both"],
        typer.Option(help="Whether the model is asked to reason first."),
    ] = "off",
    workers: Annotated[int, typer.Option(min=1, help="How many requests are in flight.")] = 8,
    limit: Annotated[
        int,
        typer.Option(
            min=0, help="At most this many targets, taken from all sites in turn; 0 for all."
        ),
    ] = 0,
    samples: Annotated[
        int, typer.Option(min=1, help="How often each question is asked, each time a sample.")
    ] = 1,
    self_check: SelfCheckOption = True,
    retry_failed: RetryOption = False,
    keep_going: Annotated[
        bool,
        typer.Option(
            "--keep-going",
            help="Ask on where most replies fail or cannot be read, and exit with 0.",
        ),
    ] = False,
    json: JsonOption = False,
    sampling: Sampling,
) -> None:
    """
    Ask a model every question of a benchmark.

    A server's key is read from the environment; see --key-variable. A run that was stopped
    resumes when the same command is given again. It stops by itself, with what it saw, where
    more than a fifth of the first 50 replies fail or cannot be read.
    """
    from surefoot.api.verbs import run as ask_model
    from surefoot.cli.output import conclude, console
    from surefoot.run.asking.broken import BrokenRunError
    from surefoot.run.engine.outcome import Outcome

    try:
        asked = ask_model(
            bench,
            model=model,
            out=out,
            format=format_,
            prompt_file=prompt_file,
            key_variable=key_variable,
            seed=seed,
            reasoning=reasoning,
            workers=workers,
            limit=limit,
            samples=samples,
            self_check=self_check,
            retry_failed=retry_failed,
            keep_going=keep_going,
            progress=console(),
            **sampling,
        )
    except BrokenRunError as error:
        if not json:
            raise
        conclude(Outcome(out, error.tally, error.failures, broken=error), json=True)
    else:
        conclude(asked.outcome, "report", out, "--out", f"{out}.html", json=json)
