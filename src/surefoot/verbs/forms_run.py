"""
``surefoot forms run``: agents fill live forms in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal, Unpack

import msgspec

from surefoot.api.asking import SamplingOptions, asking_options
from surefoot.api.options import (
    AnyPath,
    BrowsersOption,
    FormatOption,
    FormNamesOption,
    KeyVariableOption,
    RetryOption,
    SelfCheckOption,
    ShardOption,
    console_for,
)
from surefoot.api.parameters import CliOption
from surefoot.api.threads import in_thread
from surefoot.cli.verb import CliVerb
from surefoot.core.errors import InvalidInputError, plain_words
from surefoot.core.perturbation import ORIGINAL

if TYPE_CHECKING:
    from rich.console import Console

    from surefoot.api.filled_forms import FilledForms
    from surefoot.forms.driver.limits import EpisodeLimits
    from surefoot.run.forms.building import FormBench
    from surefoot.run.forms.recorded import RecordedChoices
    from surefoot.run.forms.units import Handover


FORMS: Final = 25  # of the catalogue, where nothing else is asked for


def read_limits(given: Iterable[str]) -> dict[str, str]:
    """
    Read limits written NAME=NUMBER.

    >>> read_limits(["actions=40", "seconds=60"])
    {'actions': '40', 'seconds': '60'}
    """
    return dict(item.partition("=")[::2] for item in given)


@in_thread
def run_forms(  # noqa: PLR0913 - one argument an option
    *,
    out: Annotated[
        AnyPath, CliOption("The folder to write or resume.", shell=Path, only="folder")
    ],
    agent: Annotated[
        str | Iterable[str],
        CliOption(
            "An agent (see surefoot forms list), openai:NAME@BASE_URL for a model that looks "
            "at pictures, or replay:RUN, by default on what RUN was made with; may be repeated.",
            shell=list[str],
        ),
    ],
    policy: Annotated[
        Literal["page", "step"],
        CliOption("Whether a model replies once per page, or step by step."),
    ] = "page",
    actions: Annotated[
        str, CliOption("The language in which a model writes actions; see surefoot forms list.")
    ] = "browsergym",
    format: FormatOption = "",  # noqa: A002 - the option's word
    key_variable: KeyVariableOption = "",
    self_check: SelfCheckOption = True,
    form: FormNamesOption = (),
    forms: Annotated[
        int | None,
        CliOption(
            "How many forms of the catalogue, or of --bench (all), from the first on.",
            minimum=1,
            shown="25",
        ),
    ] = None,
    instances: Annotated[
        int | None, CliOption("Instances of each form.", minimum=1, shown="1")
    ] = None,
    renderer: Annotated[
        Iterable[str],
        CliOption(
            "A renderer (see surefoot forms list); may be repeated.", shell=list[str] | None
        ),
    ] = (),
    language: Annotated[
        Iterable[str],
        CliOption(
            "The forms' language (see surefoot forms list); may be repeated.",
            shell=list[str] | None,
        ),
    ] = (),
    theme: Annotated[
        Iterable[str], CliOption("A renderer's theme; may be repeated.", shell=list[str] | None)
    ] = (),
    layout: Annotated[
        Iterable[str], CliOption("A renderer's layout; may be repeated.", shell=list[str] | None)
    ] = (),
    direction: Annotated[
        Iterable[Literal["ltr", "rtl"]],
        CliOption(
            "The direction of the form's text; may be repeated.",
            shell=list[Literal["ltr", "rtl"]] | None,
        ),
    ] = (),
    ruler: Annotated[
        Iterable[int],
        CliOption(
            "Pixels between the ruler's ticks; 0 for no ruler.",
            shell=list[int] | None,
            minimum=0,
        ),
    ] = (),
    change: Annotated[
        Iterable[str],
        CliOption(
            "A variant that every page, or its picture, is shown in: original, theme, zoom:1.5, "
            "text-size:1.25, jpeg:30; may be repeated.",
            shell=list[str] | None,
        ),
    ] = (),
    level: Annotated[
        Iterable[Handover],
        CliOption(
            "What the agent is given: a letter or other paper of a level; (lines) an ablation, a "
            "line a field; or (published) the letters of an import.",
            shell=list[Literal["lines", "labelled", "paraphrased", "derived", "published"]] | None,
            shown="paraphrased",
        ),
    ] = (),
    seed: Annotated[int | None, CliOption("The seed of values and looks.", shown="0")] = None,
    bench: Annotated[
        AnyPath | None,
        CliOption(
            "Take forms, values and documents from what `surefoot forms build` wrote, or records "
            "and their letters from `surefoot forms import`.",
            shell=Path | None,
        ),
    ] = None,
    x11: Annotated[
        bool,
        CliOption("Act by X events on a virtual screen, native lists included.", flag="--x11"),
    ] = False,
    limit: Annotated[
        Mapping[str, float | str] | None,
        CliOption(
            "A limit of each attempt: actions, replies, seconds, typed (characters) or "
            "upload_bytes (of one file); may be repeated.",
            shell=list[str] | None,
            read=read_limits,
            metavar="NAME=NUMBER",
        ),
    ] = None,
    workers: BrowsersOption = 2,
    retry_failed: RetryOption = False,
    shard: ShardOption = "",
    progress: bool | Console = False,
    **sampling: Unpack[SamplingOptions],
) -> FilledForms:
    """
    Let agents fill in live forms; the same command resumes a run that was stopped.

    In Python, ``limit`` maps the names of ``EpisodeLimits`` to numbers. Every combination of
    renderer ("plain"), language ("en"), theme, layout, direction, ruler (0), change ("original")
    and level ("paraphrased", a letter as in the paper; "lines" is an ablation) is filled in.
    Of an import, ``instances`` counts the records of each form, and their letters are handed
    over ("published"). Where the agent is "replay:RUN", whatever is not given is as it was in
    that run.

    Raises UnknownNameError for what cannot be named, MissingComponentError for a renderer that
    is not installed, and InvalidInputError as ``run`` does.
    """
    from surefoot.api.filled_forms import FilledForms
    from surefoot.forms.driver.observation import FormView
    from surefoot.run.engine.shards import read_shard
    from surefoot.run.forms.building import FormBench
    from surefoot.run.forms.models import AskOptions
    from surefoot.run.forms.running import fill_in_forms
    from surefoot.run.forms.units import FormChoices, HandsName, renderings_of

    agents = (agent,) if isinstance(agent, str) else tuple(agent)
    last = _recorded(agents)
    levels = tuple(level) or (last.levels if last else _usual_levels(bench))
    if last:
        instances = last.instances if instances is None else instances
        seed = last.seed if seed is None else seed
    form, count = tuple(form), 1 if instances is None else instances
    if "published" in levels and not _is_imported(bench):
        raise InvalidInputError(
            "published records to hand the letters of over",
            found=f"none in {bench}" if bench else "no --bench",
            remedy="name by --bench what `surefoot forms import` wrote",
        )
    if bench:
        only = tuple(last.digests) if last and not form and forms is None else form
        chosen = _built(bench, only, forms, count, seed, levels)
    elif last and not form and forms is None:
        chosen = FormBench(last.forms(), count, seed or 0)
    else:
        chosen = msgspec.structs.replace(
            chosen_forms(form, forms), instances=count, seed=seed or 0
        )
    hands: HandsName = "x11" if x11 or (last and last.hands == "x11") else "browser"
    named = [tuple(item) for item in (renderer, language, theme, layout, direction)]
    looks = (
        last.renderings
        if last and not any(named)
        else renderings_of(
            named[0] or ("plain",),
            named[1] or ("en",),
            themes=named[2],
            layouts=named[3],
            # All our languages run from left to right, which is then nothing to change.
            directions=tuple("rtl" if item == "rtl" else "" for item in named[4]) or ("",),
            seed=chosen.seed,
            hands=hands,
        )
    )
    views = tuple(FormView(ruler=pixels) for pixels in ruler)
    asked = {**sampling, "key_variable": key_variable, "seed": chosen.seed}
    choices = FormChoices(
        chosen.forms,
        agents,
        looks,
        chosen.instances,
        chosen.seed,
        views or (last.views if last else (FormView(),)),
        levels,
        _limits(limit or {}, last.limits if last else None),
        asked=AskOptions(policy, actions, format),
        options=asking_options(asked),
        hands=hands,
        letters=chosen.letters,
        records=chosen.records,
        changes=tuple("" if item == ORIGINAL else item for item in change)
        or (last.changes if last else ("",)),
    )
    outcome = fill_in_forms(
        choices,
        Path(out),
        workers=workers,
        check=self_check,
        retry_failed=retry_failed,
        shard=read_shard(shard),
        console=console_for(progress),
    )
    return FilledForms(outcome.folder, outcome)


def _recorded(agents: Iterable[str]) -> RecordedChoices | None:
    """
    Return what the runs that are replayed were made with; None where none is.

    Raises InvalidInputError for two that were made with different things.
    """
    from surefoot.run.forms.recorded import read_choices
    from surefoot.run.forms.speakers import replayed_run

    folders = [folder for agent in agents if (folder := replayed_run(agent)) is not None]
    found = [read_choices(folder) for folder in folders]
    for folder, other in zip(folders[1:], found[1:], strict=True):
        if other != found[0]:
            raise InvalidInputError(
                "replays of runs that were made with the same forms and looks",
                found=f"others in {folder} than in {folders[0]}",
                remedy="give each a run of its own",
            )
    return found[0] if found else None


def chosen_forms(names: Iterable[str], count: int | None) -> FormBench:
    """Return the forms of these names, or the first so many of the catalogue."""
    from surefoot.forms.catalogue.reading import catalogue, find_form
    from surefoot.run.forms.building import FormBench

    named = tuple(map(find_form, names))
    every = tuple(catalogue().values())
    return FormBench(named or every[: FORMS if count is None else count], 1, 0)


def _built(
    bench: AnyPath,
    names: Iterable[str],
    count: int | None,
    instances: int,
    seed: int | None,
    levels: Sequence[Handover],
) -> FormBench:
    """Read a folder's forms: those that are named, else the first so many, else all."""
    from surefoot.forms.catalogue.reading import find_form
    from surefoot.run.forms.building import read_forms
    from surefoot.run.forms.published import read_published

    only = [find_form(name).id for name in names]
    said = [level for level in levels if level != "lines"]
    if _is_imported(bench):
        if set(said) - {"published"}:
            raise InvalidInputError(
                "published records with their letters, or as lines",
                found=f"--level {' '.join(said)}",
                remedy="leave --level out",
            )
        return read_published(
            Path(bench), only=only, first=count, instances=instances, letters=bool(said)
        )
    return read_forms(
        Path(bench), only=only, first=count, instances=instances, seed=seed, levels=said
    )


def _is_imported(bench: AnyPath | None) -> bool:
    """Say whether a folder is what ``import_forms`` wrote."""
    from surefoot.run.folders.folder import is_kind
    from surefoot.run.forms.published import IMPORTED

    return bench is not None and is_kind(Path(bench), IMPORTED)


def _usual_levels(bench: AnyPath | None) -> tuple[Handover, ...]:
    """Return what is handed over where nothing else is asked for."""
    from surefoot.forms.letters.writing import USUAL

    return ("published",) if _is_imported(bench) else (USUAL,)


def _limits(
    named: Mapping[str, float | str], others: EpisodeLimits | None = None
) -> EpisodeLimits:
    """Return the limits that are named, the others as given, or else the usual ones."""
    from surefoot.forms.driver.limits import EpisodeLimits

    try:
        given = {**(msgspec.to_builtins(others) if others else {}), **named}
        return msgspec.convert(given, EpisodeLimits, strict=False)
    except msgspec.ValidationError as error:
        usual = msgspec.to_builtins(EpisodeLimits())
        wrong = ", ".join(f"{name}={value}" for name, value in named.items())
        raise InvalidInputError(
            "limits as NAME=NUMBER, above 0",
            found=f"{wrong}: {plain_words(error)}",
            remedy="choose among " + ", ".join(f"{name}={usual[name]}" for name in usual),
        ) from error


def command(work: Callable[[], FilledForms], *, out: Path) -> None:
    """Fill the forms in, and name the report."""
    from surefoot.cli.output import conclude

    conclude(work().outcome, "forms", "report", out, "--out", f"{out}.html")


RUN = CliVerb("forms/run", "", "", run_forms, command)
