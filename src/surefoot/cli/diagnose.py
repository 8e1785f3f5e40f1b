"""
``surefoot diagnose``: the valid instructions that a model fails, and why.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, TypeAlias

import typer

from surefoot.cli.options import (
    FormatOption,
    KeyVariableOption,
    RetryOption,
    Sampling,
    SelfCheckOption,
    UnitOption,
    asks_models,
)
from surefoot.core.errors import UserError
from surefoot.diagnose.search.options import USUAL, PlannerName
from surefoot.diagnose.selection import Selection

EXAMPLES: Final = (
    "surefoot diagnose out/bench --model ocr --out out/diagnosis-ocr --limit 20",
    "surefoot diagnose out/bench --model openai:qwen3@http://127.0.0.1:8000/v1 --out out/again",
    "surefoot diagnose --transfer out/diagnosis-ocr --transfer out/again --out out/both",
)

BenchArgument: TypeAlias = Annotated[Path | None, typer.Argument(help="The folder BENCH.")]
OutOption: TypeAlias = Annotated[
    Path, typer.Option(file_okay=False, help="The folder DIR to write or resume.")
]
ModelOption: TypeAlias = Annotated[str, typer.Option(help="The model; see surefoot models.")]
PlannerOption: TypeAlias = Annotated[
    PlannerName, typer.Option(help="What decides which instruction is asked next.")
]
HelperOption: TypeAlias = Annotated[
    str, typer.Option(help="The model of the planner 'llm': openai:NAME@BASE_URL.")
]
RoundsOption: TypeAlias = Annotated[
    int, typer.Option(min=1, help="Rounds of questions per element.")
]
WidthOption: TypeAlias = Annotated[int, typer.Option(min=1, help="Questions per round.")]
FailuresOption: TypeAlias = Annotated[
    int, typer.Option(min=1, help="At most this many failures per element.")
]
LimitOption: TypeAlias = Annotated[
    int, typer.Option(min=0, help="At most this many elements; 0 for all.")
]
BudgetOption: TypeAlias = Annotated[
    int, typer.Option(min=0, help="At most this many questions in the search; 0 for no limit.")
]
ShrinkOption: TypeAlias = Annotated[
    int,
    typer.Option(
        min=0,
        help="At most this many questions to shrink a failure; 0 to leave failures as found.",
    ),
]
BaselineOption: TypeAlias = Annotated[
    bool, typer.Option("--baseline", help="Also ask random valid instructions, for comparison.")
]
TwiceOption: TypeAlias = Annotated[
    bool,
    typer.Option("--twice/--once", help="Ask each miss again: only what is missed twice fails."),
]
ExploreOption: TypeAlias = Annotated[
    int, typer.Option(min=0, help="Questions drawn at random before the search is steered.")
]
ThoroughOption: TypeAlias = Annotated[
    bool, typer.Option("--thorough", help="Go through all rounds of elements that promise little.")
]
FreelyOption: TypeAlias = Annotated[
    bool, typer.Option("--freely", help="Ask about all controls of the benchmark's screens.")
]
ConfirmOption: TypeAlias = Annotated[
    int,
    typer.Option(
        min=0,
        help="Fresh questions within, and as many without, each named cause, and as many "
        "once more where they cannot tell; 0 for none.",
    ),
]
SelectOption: TypeAlias = Annotated[
    Selection,
    typer.Option(
        help="Which failure stands for an element: of 'fewest' loose matches, or the 'first'."
    ),
]
TransferOption: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="DIR",
        help="A diagnosis whose model is asked what failed the others; may be repeated.",
    ),
]
JsonOption: TypeAlias = Annotated[
    Path | None, typer.Option("--json", dir_okay=False, help="Write the findings to this file.")
]


@asks_models
def diagnose(  # noqa: PLR0913 - one argument an option
    bench: BenchArgument = None,
    *,
    out: OutOption,
    model: ModelOption = "",
    planner: PlannerOption = USUAL.planner,
    planner_model: HelperOption = "",
    rounds: RoundsOption = USUAL.rounds,
    width: WidthOption = USUAL.width,
    failures: FailuresOption = USUAL.failures,
    limit: LimitOption = USUAL.limit,
    budget: BudgetOption = USUAL.budget,
    shrink: ShrinkOption = USUAL.shrink,
    baseline: BaselineOption = USUAL.baseline,
    twice: TwiceOption = USUAL.twice,
    explore: ExploreOption = USUAL.explore,
    thorough: ThoroughOption = USUAL.thorough,
    freely: FreelyOption = USUAL.freely,
    confirm: ConfirmOption = USUAL.confirm,
    select: SelectOption = USUAL.select,
    unit: UnitOption = USUAL.unit,
    transfer: TransferOption = None,
    seed: Annotated[int, typer.Option(help="The seed of the search.")] = USUAL.seed,
    json_file: JsonOption = None,
    format_: FormatOption = "",
    key_variable: KeyVariableOption = "",
    workers: Annotated[int, typer.Option(min=1, help="How many requests are in flight.")] = 8,
    self_check: SelfCheckOption = True,
    retry_failed: RetryOption = False,
    sampling: Sampling,
) -> None:
    """
    Find, for one element after another, a valid instruction that the model fails.

    A diagnosis that was stopped resumes when the same command is given again, and asks
    nothing twice. OUT/failing is a benchmark of the failing instructions.
    """
    from surefoot.api.verbs import diagnose as diagnose_model
    from surefoot.api.verbs import transfer as transfer_failures
    from surefoot.cli.output import conclude, console, say, say_written, write_json
    from surefoot.diagnose.transfer import transfer_lines

    if transfer:
        matrix = transfer_failures(
            transfer,
            out=out,
            key_variable=key_variable,
            seed=seed,
            workers=workers,
            progress=console(),
            **sampling,
        )
        for line in transfer_lines(matrix):
            say(line)
        write_json(json_file, matrix)
        say_written(out)
        return
    if bench is None or not model:
        raise UserError(
            "a benchmark and a model",
            found="no model" if bench else "no benchmark",
            remedy="write surefoot diagnose BENCH --model MODEL --out DIR",
        )
    diagnosed = diagnose_model(
        bench,
        model=model,
        out=out,
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
        confirm=confirm,
        select=select,
        unit=unit,
        seed=seed,
        format=format_,
        key_variable=key_variable,
        workers=workers,
        self_check=self_check,
        retry_failed=retry_failed,
        progress=console(),
        **sampling,
    )
    write_json(json_file, diagnosed.findings)
    conclude(diagnosed.outcome, "report", out, "--out", f"{out}.html")
