"""
``surefoot run``: a model is asked every question of a benchmark.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, Unpack

from surefoot.api.asking import AskingOptions, asking_options, model_spec
from surefoot.api.options import (
    BenchArgument,
    JsonOption,
    RetryOption,
    RunOption,
    SelfCheckOption,
    ShardOption,
    console_for,
)
from surefoot.api.parameters import CliOption
from surefoot.api.spelling import respell
from surefoot.api.threads import in_thread
from surefoot.cli.verb import CliVerb

if TYPE_CHECKING:
    from rich.console import Console

    from surefoot.api.runs import ModelRun
    from surefoot.models.function import PointingFunction


@in_thread
def run(  # noqa: PLR0913 - one argument an option
    bench: BenchArgument,
    *,
    model: Annotated[
        str | PointingFunction, CliOption("The model; see surefoot models.", shell=str)
    ],
    out: RunOption,
    name: str = "",
    version: str = "",
    reasoning: Annotated[
        Literal["off", "on", "both"], CliOption("Whether the model is asked to reason first.")
    ] = "off",
    limit: Annotated[
        int,
        CliOption(
            "At most this many targets, taken from all sites in turn; 0 for all.", minimum=0
        ),
    ] = 0,
    samples: Annotated[
        int, CliOption("How often each question is asked, each time a sample.", minimum=1)
    ] = 1,
    self_check: SelfCheckOption = True,
    retry_failed: RetryOption = False,
    shard: ShardOption = "",
    keep_going: Annotated[
        bool,
        CliOption(
            "Ask on where most replies fail or cannot be read, and exit with 0.",
            flag="--keep-going",
        ),
    ] = False,
    progress: bool | Console = False,
    **asking: Unpack[AskingOptions],
) -> ModelRun:
    """
    Ask a model every question of a benchmark.

    A server's key is read from the environment; see --key-variable. A run that was stopped
    resumes when the same command is given again. It stops by itself, with what it saw, where
    more than a fifth of the first 50 replies fail or cannot be read.

    In Python, ``model`` may be a function of your own, given a picture (PIL, RGB) and the
    instruction's words, that returns x and y in pixels of the picture, or None to refuse. It is
    called in this process, in one thread and one call at a time; an exception that it raises
    costs the question. Its ``name`` and ``version`` are part of the plan: a run goes on with the
    same ones, and another version is another run.

    Raises InvalidInputError where twelve drawn screens show that the coordinates arrive in
    another space (unless ``self_check`` is false), BrokenRunError where most of the first
    replies are lost (unless it is to ``keep_going``; ``outcome.broken`` says it of a short run),
    PlanMismatchError for a folder of another plan, and MissingComponentError for what is not
    installed.
    """
    from surefoot.api.runs import ModelRun
    from surefoot.run.asking.run import ask_model
    from surefoot.run.engine.shards import read_shard

    outcome = ask_model(
        Path(bench),
        model_spec(model, name, version),
        Path(out),
        format_name=asking.get("format", ""),
        options=asking_options(asking),
        reasoning=reasoning,
        limit=limit,
        samples=samples,
        check=self_check,
        retry_failed=retry_failed,
        shard=read_shard(shard),
        keep_going=keep_going,
        console=console_for(progress),
    )
    if outcome.broken is not None:
        respell(outcome.broken, run)
    return ModelRun(outcome.folder, outcome)


def command(work: Callable[[], ModelRun], *, out: Path, json: JsonOption = False) -> None:
    """Ask, and name the report; as JSON, a run that broke off is an outcome like others."""
    from surefoot.cli.output import conclude
    from surefoot.run.asking.broken import BrokenRunError
    from surefoot.run.engine.outcome import Outcome

    try:
        outcome = work().outcome
    except BrokenRunError as error:
        if not json:
            raise
        outcome = Outcome(out, error.tally, error.failures, broken=error)
    conclude(outcome, "report", out, "--out", f"{out}.html", json=json)


VERB = CliVerb(
    "run",
    "Ask",
    "Ask a model every question of a benchmark.",
    run,
    command,
    (
        "surefoot run out/bench --model ocr --out out/run-ocr",
        "surefoot run out/bench --model openai:gta1@http://127.0.0.1:8000/v1 --out out/run-gta1",
        (
            "surefoot run out/bench --model zoom:2@openai:gta1@http://127.0.0.1:8000/v1 "
            "--out out/run-zoomed"
        ),
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
    ),
)
