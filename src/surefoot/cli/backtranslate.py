"""
``surefoot backtranslate``: questions in other languages come back into English.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from surefoot.cli.options import (
    JsonOption,
    KeyVariableOption,
    RetryOption,
    Sampling,
    asks_models,
)

EXAMPLES: Final = (
    "surefoot backtranslate out/bench --model openai:m@http://127.0.0.1:8000/v1 --out out/back",
    (
        "surefoot backtranslate out/bench --model openai:m@http://127.0.0.1:8000/v1 "
        "--count 60 --worst 20 --out out/back-60"
    ),
)


@asks_models
def backtranslate(  # noqa: PLR0913 - one argument an option
    bench: Annotated[Path, typer.Argument(help="The folder BENCH of multilingual.")],
    *,
    model: Annotated[
        str, typer.Option(metavar="openai:NAME@BASE_URL", help="The model that translates.")
    ],
    out: Annotated[Path, typer.Option(file_okay=False, help="The folder to write or resume.")],
    count: Annotated[
        int, typer.Option(min=0, help="How many items, drawn by the seed; 0 for all.")
    ] = 0,
    seed: Annotated[int, typer.Option(help="The seed of sampling, and to draw items with.")] = 0,
    worst: Annotated[
        int, typer.Option(min=0, help="How many of the worst sentences are printed.")
    ] = 10,
    key_variable: KeyVariableOption = "",
    workers: Annotated[int, typer.Option(min=1, help="How many requests are in flight.")] = 8,
    retry_failed: RetryOption = False,
    json: JsonOption = False,
    sampling: Sampling,
) -> None:
    """
    Translate the questions of a multilingual benchmark back into English, and compare.

    Each sentence that comes back is compared with the English one by chrF; told are the mean by
    language and dimension, the options that came back nearer to another one, and the worst
    sentences. It judges nothing; it says where a reader of the language should look.
    """
    from surefoot.api.back_translation import backtranslate as translate_back
    from surefoot.cli.output import conclude, console

    found = translate_back(
        bench,
        model=model,
        out=out,
        count=count,
        seed=seed,
        worst=worst,
        key_variable=key_variable,
        workers=workers,
        retry_failed=retry_failed,
        progress=console(),
        **sampling,
    )
    conclude(found.outcome, json=json)
