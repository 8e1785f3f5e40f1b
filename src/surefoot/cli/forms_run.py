"""
``surefoot forms run``: agents fill live forms in.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from surefoot.cli.options import (
    BrowsersOption,
    FormatOption,
    FormNamesOption,
    FormsCountOption,
    KeyVariableOption,
    RetryOption,
    SelfCheckOption,
)

if TYPE_CHECKING:
    from surefoot.forms.driver.limits import EpisodeLimits
    from surefoot.forms.rendering import Rendering
    from surefoot.run.forms.building import FormBench
    from surefoot.run.forms.units import FormChoices, HandsName

__all__ = ["DirectionChoice", "LevelChoice", "PolicyChoice", "run_forms"]

AgentsOption: TypeAlias = Annotated[
    list[str],
    typer.Option(
        "--agent",
        help="An agent (see surefoot forms list), openai:NAME@BASE_URL for a model that looks "
        "at pictures, or replay:RUN; may be repeated.",
    ),
]


class PolicyChoice(StrEnum):
    """Say how a model is asked: for a whole page at once, or step by step."""

    PAGE = "page"
    STEP = "step"


PolicyOption: TypeAlias = Annotated[
    PolicyChoice,
    typer.Option("--policy", help="Whether a model replies once per page, or step by step."),
]
ActionsOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--actions", help="The language in which a model writes actions; see surefoot forms list."
    ),
]


class LevelChoice(StrEnum):
    """Say what a person hands over: plain lines, or a document of a level."""

    LINES = "lines"
    LABELLED = "labelled"
    PARAPHRASED = "paraphrased"
    DERIVED = "derived"


RenderersOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--renderer", help="A renderer (see surefoot forms list); may be repeated."),
]
LanguagesOption: TypeAlias = Annotated[
    list[str] | None, typer.Option("--language", help="The forms' language; may be repeated.")
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
        "--level", help="What the agent is given: plain lines, or a document of this level."
    ),
]
SeedOption: TypeAlias = Annotated[
    int | None, typer.Option(show_default="0", help="The seed of values and looks.")
]
BuiltOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--bench", help="Take forms, values and documents from what `surefoot forms build` wrote."
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


def run_forms(  # noqa: PLR0913 - one argument an option
    *,
    out: Annotated[Path, typer.Option(help="The folder to write or resume.")],
    agent: AgentsOption,
    policy: PolicyOption = PolicyChoice.PAGE,
    actions: ActionsOption = "browsergym",
    format_: FormatOption = "",
    key_variable: KeyVariableOption = "",
    self_check: SelfCheckOption = True,
    form: FormNamesOption = None,
    count: FormsCountOption = 25,
    instances: Annotated[int, typer.Option(min=1, help="Instances of each form.")] = 1,
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
) -> None:
    """Let agents fill in live forms; the same command resumes a run that was stopped."""
    from surefoot.cli.output import conclude, console
    from surefoot.run.forms.running import fill_in_forms

    levels = level or [LevelChoice.LINES]
    chosen = _chosen(form or (), count, instances, seed, bench, levels)
    hands: HandsName = "x11" if x11 else "browser"
    looks = _looks(chosen.seed, hands, renderer, language, theme, layout, direction or ())
    choices = _choices(chosen, agent, looks, ruler or [0], levels, _limits(limit or ()), hands)
    choices = _asked(choices, policy, actions, format_, key_variable)
    how: dict[str, Any] = {"workers": workers, "check": self_check, "retry_failed": retry_failed}
    conclude(fill_in_forms(choices, out, **how, console=console()))


def _looks(
    seed: int,
    hands: HandsName,
    renderers: Sequence[str] | None,
    languages: Sequence[str] | None,
    themes: Sequence[str] | None,
    layouts: Sequence[str] | None,
    directions: Sequence[DirectionChoice],
) -> tuple[Rendering, ...]:
    from surefoot.run.forms.units import renderings_of

    return renderings_of(
        renderers or ["plain"],
        languages or ["en"],
        themes=themes or (),
        layouts=layouts or (),
        # All our languages run from left to right, which is then nothing to change.
        directions=tuple("rtl" if direction == "rtl" else "" for direction in directions) or ("",),
        seed=seed,
        hands=hands,
    )


def _limits(named: Sequence[str]) -> EpisodeLimits:
    """Return the limits with those that are named in place of the usual ones."""
    import msgspec

    from surefoot.core.errors import InvalidInputError, plain_words
    from surefoot.forms.driver.limits import EpisodeLimits

    wanted = dict(item.partition("=")[::2] for item in named)
    try:
        return msgspec.convert(wanted, EpisodeLimits, strict=False)
    except msgspec.ValidationError as error:
        usual = msgspec.to_builtins(EpisodeLimits())
        raise InvalidInputError(
            "limits as NAME=NUMBER, above 0",
            found=f"{', '.join(named)}: {plain_words(error)}",
            remedy="choose among " + ", ".join(f"{name}={usual[name]}" for name in usual),
        ) from error


def _choices(
    chosen: FormBench,
    agents: Sequence[str],
    looks: tuple[Rendering, ...],
    rulers: Sequence[int],
    levels: Sequence[LevelChoice],
    limits: EpisodeLimits,
    hands: HandsName,
) -> FormChoices:
    from surefoot.forms.driver.observation import FormView
    from surefoot.run.forms.units import FormChoices

    return FormChoices(
        chosen.forms,
        tuple(agents),
        looks,
        chosen.instances,
        chosen.seed,
        tuple(FormView(ruler=ruler) for ruler in rulers),
        tuple(level.value for level in levels),
        limits,
        hands=hands,
        letters=chosen.letters,
    )


def _asked(
    choices: FormChoices, policy: PolicyChoice, actions: str, form: str, key_variable: str
) -> FormChoices:
    """Say how models among the agents are asked; the run's seed is that of their sampling too."""
    import msgspec

    from surefoot.models import Options
    from surefoot.run.forms.models import AskOptions

    return msgspec.structs.replace(
        choices,
        asked=AskOptions(policy.value, actions, form),
        options=Options(key_variable=key_variable, seed=choices.seed),
    )


def _chosen(
    names: Sequence[str],
    count: int,
    instances: int,
    seed: int | None,
    bench: Path | None,
    levels: Sequence[LevelChoice],
) -> FormBench:
    """Return the forms, how many instances of each, and the seed: as named, or as built."""
    from surefoot.forms.catalogue.reading import catalogue, find_form
    from surefoot.run.forms.building import FormBench, read_forms

    named = tuple(map(find_form, names))
    if bench is not None:
        only = [form.id for form in named]
        said = [level.value for level in levels if level is not LevelChoice.LINES]
        return read_forms(bench, only=only, instances=instances, seed=seed, levels=said)
    return FormBench(named or tuple(catalogue().values())[:count], instances, seed or 0)
