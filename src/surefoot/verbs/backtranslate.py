"""
``surefoot backtranslate``: questions in other languages come back into English.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Unpack

from surefoot.api.asking import SamplingOptions, asking_options
from surefoot.api.options import (
    AnyPath,
    JsonOption,
    KeyVariableOption,
    RetryOption,
    console_for,
)
from surefoot.api.parameters import CliArgument, CliOption
from surefoot.api.threads import in_thread
from surefoot.cli.verb import CliVerb

if TYPE_CHECKING:
    from rich.console import Console

    from surefoot.api.back_translation import BackTranslation


@in_thread
def backtranslate(  # noqa: PLR0913 - one argument an option
    bench: Annotated[AnyPath, CliArgument("The folder BENCH of multilingual.", shell=Path)],
    *,
    model: Annotated[str, CliOption("The model that translates.", metavar="openai:NAME@BASE_URL")],
    out: Annotated[
        AnyPath, CliOption("The folder to write or resume.", shell=Path, only="folder")
    ],
    count: Annotated[
        int, CliOption("How many items, drawn by the seed; 0 for all.", minimum=0)
    ] = 0,
    seed: Annotated[int, CliOption("The seed of sampling, and to draw items with.")] = 0,
    worst: Annotated[
        int, CliOption("How many of the worst sentences are printed.", minimum=0)
    ] = 10,
    key_variable: KeyVariableOption = "",
    workers: Annotated[int, CliOption("How many requests are in flight.", minimum=1)] = 8,
    retry_failed: RetryOption = False,
    progress: bool | Console = False,
    **sampling: Unpack[SamplingOptions],
) -> BackTranslation:
    """
    Translate the questions of a multilingual benchmark back into English, and compare.

    Each sentence that comes back is compared with the English one by chrF; printed are the mean
    by language and dimension, the options that came back nearer to another one, and the worst
    sentences. It judges nothing; it says where a reader of the language should look.

    Raises InvalidInputError for a benchmark without items in English and another language,
    PlanMismatchError for a folder of another plan, and MissingComponentError without sacrebleu.
    """
    from surefoot.api.back_translation import BackTranslation
    from surefoot.models import open_chat
    from surefoot.run.back_translation import back_translate

    asked = {**sampling, "seed": seed, "key_variable": key_variable, "workers": workers}
    outcome, summary, questions = back_translate(
        Path(bench),
        open_chat(model, options=asking_options(asked)),
        Path(out),
        count=count,
        seed=seed,
        worst=worst,
        workers=workers,
        retry_failed=retry_failed,
        console=console_for(progress),
    )
    return BackTranslation(outcome, summary, questions)


def command(work: Callable[[], BackTranslation], *, json: JsonOption = False) -> None:
    """Translate, and print what came back."""
    from surefoot.cli.output import conclude

    conclude(work().outcome, json=json)


VERB = CliVerb(
    "backtranslate",
    "Build",
    "Translate questions back into English, and compare.",
    backtranslate,
    command,
    (
        (
            "surefoot backtranslate out/bench --model openai:m@http://127.0.0.1:8000/v1 "
            "--out out/back"
        ),
        (
            "surefoot backtranslate out/bench --model openai:m@http://127.0.0.1:8000/v1 "
            "--count 60 --worst 20 --out out/back-60"
        ),
    ),
)
