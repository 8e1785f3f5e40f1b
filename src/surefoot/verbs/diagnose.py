"""
``surefoot diagnose``: the valid instructions that a model fails, and why.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Unpack

from surefoot.api.asking import AskingOptions, asking_options, model_spec
from surefoot.api.options import (
    AnyPath,
    ModelOption,
    RetryOption,
    SelfCheckOption,
    UnitOption,
    console_for,
    paths,
)
from surefoot.api.parameters import CliArgument, CliOption
from surefoot.api.threads import in_thread
from surefoot.cli.verb import CliVerb
from surefoot.core.errors import UserError
from surefoot.diagnose.search.options import USUAL, DiagnoseOptions, PlannerName
from surefoot.diagnose.selection import Selection

if TYPE_CHECKING:
    from rich.console import Console

    from surefoot.api.diagnoses import ModelDiagnosis
    from surefoot.diagnose.findings import Transfer
    from surefoot.models.function import PointingFunction


@in_thread
def diagnose(  # noqa: PLR0913 - one argument an option
    bench: Annotated[
        AnyPath | Iterable[AnyPath],
        CliArgument("Folders BENCH, and of finished runs over forms.", shell=list[Path]),
    ],
    *,
    out: Annotated[
        AnyPath, CliOption("The folder DIR to write or resume.", shell=Path, only="folder")
    ],
    model: Annotated[
        str | PointingFunction, CliOption("The model; see surefoot models.", shell=str)
    ] = "",
    name: str = "",
    version: str = "",
    planner: Annotated[
        PlannerName, CliOption("What decides which instruction is asked next.")
    ] = USUAL.planner,
    planner_model: Annotated[
        str, CliOption("The model of the planner 'llm': openai:NAME@BASE_URL.")
    ] = USUAL.planner_model,
    rounds: Annotated[
        int, CliOption("Rounds of questions per element.", minimum=1)
    ] = USUAL.rounds,
    width: Annotated[int, CliOption("Questions per round.", minimum=1)] = USUAL.width,
    failures: Annotated[
        int, CliOption("At most this many failures per element.", minimum=1)
    ] = USUAL.failures,
    limit: Annotated[
        int, CliOption("At most this many elements; 0 for all.", minimum=0)
    ] = USUAL.limit,
    budget: Annotated[
        int, CliOption("At most this many questions in the search; 0 for no limit.", minimum=0)
    ] = USUAL.budget,
    shrink: Annotated[
        int,
        CliOption(
            "At most this many questions to shrink a failure; 0 to leave failures as found.",
            minimum=0,
        ),
    ] = USUAL.shrink,
    baseline: Annotated[
        bool,
        CliOption("Also ask random valid instructions, for comparison.", flag="--baseline"),
    ] = USUAL.baseline,
    twice: Annotated[
        bool,
        CliOption("Ask each miss again: only what is missed twice fails.", flag="--twice/--once"),
    ] = USUAL.twice,
    explore: Annotated[
        int, CliOption("Questions drawn at random before the search is steered.", minimum=0)
    ] = USUAL.explore,
    thorough: Annotated[
        bool,
        CliOption("Go through all rounds of elements that promise little.", flag="--thorough"),
    ] = USUAL.thorough,
    freely: Annotated[
        bool, CliOption("Ask about all controls of the benchmark's screens.", flag="--freely")
    ] = USUAL.freely,
    confirm: Annotated[
        int,
        CliOption(
            "Fresh questions within, and as many without, each named cause, and as many "
            "once more where they cannot tell; 0 for none.",
            minimum=0,
        ),
    ] = USUAL.confirm,
    generated: Annotated[
        int,
        CliOption(
            "At most this many generated instructions an element, besides the benchmark's own.",
            minimum=0,
        ),
    ] = USUAL.most,
    select: Annotated[
        Selection,
        CliOption(
            "Which failure stands for an element: of 'fewest' loose matches, or the 'first'."
        ),
    ] = USUAL.select,
    unit: UnitOption = USUAL.unit,
    self_check: SelfCheckOption = True,
    retry_failed: RetryOption = False,
    progress: bool | Console = False,
    **asking: Unpack[AskingOptions],
) -> ModelDiagnosis:
    """
    Find, for one element after another, a valid instruction that the model fails.

    A diagnosis that was stopped resumes when the same command is given again, and asks
    nothing twice. OUT/failing is a benchmark of the failing instructions.

    Several benchmarks are diagnosed as one: causes are looked for in all of them, and answers
    compared within each. Runs over forms take no model: each field's click is an answer.

    In Python, ``model``, ``name`` and ``version`` are as of ``run``.

    Raises as ``run`` does, and ModelError where the planner's server gives no reply.
    """
    from surefoot.api.diagnoses import ModelDiagnosis
    from surefoot.diagnose.diagnosing import diagnose_model
    from surefoot.run.folders.folder import is_kind
    from surefoot.run.forms.clicks import read_clicks

    folders = paths(bench)
    filled = [folder for folder in folders if is_kind(folder, "forms")]
    outcome, _ = diagnose_model(
        [folder for folder in folders if folder not in filled],
        model_spec(model, name, version),
        Path(out),
        DiagnoseOptions(
            planner=planner,
            planner_model=planner_model,
            rounds=rounds,
            width=width,
            failures=failures,
            limit=limit,
            budget=budget,
            shrink=shrink,
            baseline=baseline,
            twice=twice,
            explore=explore,
            thorough=thorough,
            freely=freely,
            most=generated,
            confirm=confirm,
            select=select,
            unit=unit,
            seed=asking.get("seed", USUAL.seed),
        ),
        format_name=asking.get("format", ""),
        options=asking_options(asking),
        check=self_check,
        retry_failed=retry_failed,
        console=console_for(progress),
        forms={folder: read_clicks(folder) for folder in filled},
    )
    return ModelDiagnosis(outcome.folder, outcome)


@in_thread
def transfer(
    diagnoses: Iterable[AnyPath],
    *,
    out: AnyPath,
    progress: bool | Console = False,
    **asking: Unpack[AskingOptions],
) -> Transfer:
    """
    Ask every diagnosed model what failed every other one (``surefoot diagnose --transfer``).

    Raises InvalidInputError for one diagnosis alone, two of one model, and one of a function,
    which nobody can ask again.
    """
    from surefoot.diagnose.transfer import transfer_failures

    options = asking_options(asking)
    return transfer_failures(
        paths(diagnoses), Path(out), options=options, console=console_for(progress)
    )


def command(
    work: functools.partial[ModelDiagnosis],
    *,
    out: Path,
    bench: Annotated[
        Iterable[AnyPath],
        CliArgument(
            "Folders BENCH, and of finished runs over forms.",
            shell=list[Path] | None,
            metavar="BENCH...",
        ),
    ] = (),
    model: ModelOption = "",
    transfers: Annotated[
        Iterable[AnyPath],
        CliOption(
            "A diagnosis whose model is asked what failed the others; may be repeated.",
            shell=list[Path] | None,
            flag="--transfer",
            metavar="DIR",
        ),
    ] = (),
    json: Annotated[
        Path | None, CliOption("Write the findings to this file.", only="file")
    ] = None,
) -> None:
    """Diagnose, or ask what failed others, and write the findings where that is wanted."""
    from surefoot.cli.output import conclude, say, say_written, write_json
    from surefoot.diagnose.transfer import transfer_lines
    from surefoot.run.folders.folder import is_kind

    if transfers:
        asked = {*AskingOptions.__annotations__, "out", "progress"}
        given = {name: value for name, value in work.keywords.items() if name in asked}
        matrix = transfer(transfers, **given)
        for line in transfer_lines(matrix):
            say(line)
        write_json(json, matrix)
        say_written(out)
        return
    if not bench or not (model or all(is_kind(Path(item), "forms") for item in bench)):
        raise UserError(
            "a benchmark and a model",
            found="no model" if bench else "no benchmark",
            remedy="write surefoot diagnose BENCH --model MODEL --out DIR",
        )
    diagnosed = work()
    write_json(json, diagnosed.findings)
    conclude(diagnosed.outcome, "report", out, "--out", f"{out}.html")


VERB = CliVerb(
    "diagnose",
    "Explain",
    "Find the instructions that fail a model, and why.",
    diagnose,
    command,
    (
        "surefoot diagnose out/bench --model ocr --out out/diagnosis-ocr --limit 20",
        (
            "surefoot diagnose out/bench --model openai:qwen3@http://127.0.0.1:8000/v1 "
            "--out out/again"
        ),
        "surefoot diagnose out/hidden out/bench out/forms --model ocr --out out/all",
        "surefoot diagnose --transfer out/diagnosis-ocr --transfer out/again --out out/both",
    ),
)
