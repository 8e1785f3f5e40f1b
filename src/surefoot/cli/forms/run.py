"""
``surefoot forms run``: agents fill live forms in.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import typer

from surefoot.cli.options import (
    BrowsersOption,
    FormatOption,
    FormNamesOption,
    KeyVariableOption,
    RetryOption,
    Sampling,
    SelfCheckOption,
    asks_models,
)

AgentsOption: TypeAlias = Annotated[
    list[str],
    typer.Option(
        "--agent",
        help="An agent (see surefoot forms list), openai:NAME@BASE_URL for a model that looks "
        "at pictures, or replay:RUN, by default on what RUN was made with; may be repeated.",
    ),
]
PolicyOption: TypeAlias = Annotated[
    Literal["page", "step"],
    typer.Option("--policy", help="Whether a model replies once per page, or step by step."),
]
ActionsOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--actions", help="The language in which a model writes actions; see surefoot forms list."
    ),
]


class LevelChoice(StrEnum):
    """Say what a person hands over: plain lines, a document of a level, a published letter."""

    LINES = "lines"
    LABELLED = "labelled"
    PARAPHRASED = "paraphrased"
    DERIVED = "derived"
    PUBLISHED = "published"


CountOption: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--forms",
        min=1,
        show_default="25",
        help="How many forms of the catalogue, or of --bench (all), from the first on.",
    ),
]
InstancesOption: TypeAlias = Annotated[
    int | None, typer.Option(min=1, show_default="1", help="Instances of each form.")
]
RenderersOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--renderer", help="A renderer (see surefoot forms list); may be repeated."),
]
LanguagesOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--language",
        help="The forms' language (see surefoot forms list); may be repeated.",
    ),
]
ThemesOption: TypeAlias = Annotated[
    list[str] | None, typer.Option("--theme", help="A renderer's theme; may be repeated.")
]
LayoutsOption: TypeAlias = Annotated[
    list[str] | None, typer.Option("--layout", help="A renderer's layout; may be repeated.")
]


class DirectionChoice(StrEnum):
    """Say which way a form runs: as its language does, or turned round."""

    LTR = "ltr"
    RTL = "rtl"


DirectionsOption: TypeAlias = Annotated[
    list[DirectionChoice] | None,
    typer.Option("--direction", help="The direction of the form's text; may be repeated."),
]
RulersOption: TypeAlias = Annotated[
    list[int] | None,
    typer.Option("--ruler", min=0, help="Pixels between the ruler's ticks; 0 for no ruler."),
]
LevelsOption: TypeAlias = Annotated[
    list[LevelChoice] | None,
    typer.Option(
        "--level",
        show_default="paraphrased",
        help="What the agent is given: a letter or other paper of a level; (lines) an ablation, a "
        "line a field; or (published) the letters of an import.",
    ),
]
SeedOption: TypeAlias = Annotated[
    int | None, typer.Option(show_default="0", help="The seed of values and looks.")
]
BuiltOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--bench",
        help="Take forms, values and documents from what `surefoot forms build` wrote, or records "
        "and their letters from `surefoot forms import`.",
    ),
]

LimitsOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--limit",
        metavar="NAME=NUMBER",
        help="A limit of each attempt: actions, replies, seconds, typed (characters) or "
        "upload_bytes (of one file); may be repeated.",
    ),
]
ScreenOption: TypeAlias = Annotated[
    bool,
    typer.Option("--x11", help="Act by X events on a virtual screen, native lists included."),
]


@asks_models
def run_forms(  # noqa: PLR0913 - one argument an option
    *,
    out: Annotated[Path, typer.Option(file_okay=False, help="The folder to write or resume.")],
    agent: AgentsOption,
    policy: PolicyOption = "page",
    actions: ActionsOption = "browsergym",
    format_: FormatOption = "",
    key_variable: KeyVariableOption = "",
    self_check: SelfCheckOption = True,
    form: FormNamesOption = None,
    count: CountOption = None,
    instances: InstancesOption = None,
    renderer: RenderersOption = None,
    language: LanguagesOption = None,
    theme: ThemesOption = None,
    layout: LayoutsOption = None,
    direction: DirectionsOption = None,
    ruler: RulersOption = None,
    level: LevelsOption = None,
    seed: SeedOption = None,
    bench: BuiltOption = None,
    x11: ScreenOption = False,
    limit: LimitsOption = None,
    workers: BrowsersOption = 2,
    retry_failed: RetryOption = False,
    sampling: Sampling,
) -> None:
    """Let agents fill in live forms; the same command resumes a run that was stopped."""
    from surefoot.api.forms import run_forms as fill_in_forms
    from surefoot.cli.output import conclude, console

    looks: dict[str, Any] = {"renderer": renderer, "language": language, "ruler": ruler}
    looks["level"] = [one.value for one in level or ()]
    filled = fill_in_forms(
        out=out,
        agent=agent,
        policy=policy,
        actions=actions,
        format=format_,
        key_variable=key_variable,
        self_check=self_check,
        form=form or (),
        forms=count,
        instances=instances,
        theme=theme or (),
        layout=layout or (),
        direction=[one.value for one in direction or ()],
        seed=seed,
        bench=bench,
        x11=x11,
        limit=dict(item.partition("=")[::2] for item in limit or ()),
        workers=workers,
        retry_failed=retry_failed,
        progress=console(),
        **{name: chosen for name, chosen in looks.items() if chosen},
        **sampling,
    )
    conclude(filled.outcome, "forms", "report", out, "--out", f"{out}.html")
