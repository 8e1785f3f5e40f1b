"""
The verbs of ``surefoot forms`` as functions: live forms, the agents, and their scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, Unpack, cast

import msgspec

from surefoot.api.filled_forms import FilledForms
from surefoot.api.options import (
    AnyPath,
    AskingOptions,
    SamplingOptions,
    asking_options,
    console_for,
    paths,
)
from surefoot.api.scores import Report, Scores
from surefoot.api.threads import in_thread

if TYPE_CHECKING:
    from rich.console import Console

    from surefoot.forms.driver.limits import EpisodeLimits
    from surefoot.run.engine.outcome import Outcome
    from surefoot.run.forms.building import FormBench
    from surefoot.run.forms.importing import FormImport
    from surefoot.run.forms.listing import FormLists
    from surefoot.run.forms.recorded import RecordedChoices
    from surefoot.run.forms.units import Handover


FORMS: Final = 25  # of the catalogue, where nothing else is asked for


@in_thread
def build_forms(  # noqa: PLR0913 - one argument an option
    *,
    out: AnyPath,
    form: Iterable[str] = (),
    forms: int = FORMS,
    instances: int = 50,
    seed: int = 0,
    language: str = "en",
    writer: str = "",
    key_variable: str = "",
    retry_failed: bool = False,
    progress: bool | Console = False,
) -> Outcome:
    """
    Write instances of forms: right values, papers that say them, files to upload.

    ``form`` names forms by id, code or .toml file, else the first ``forms`` of the catalogue
    are taken. ``language`` is that of the papers; a ``writer`` writes in English. Raises as
    ``surefoot.run.forms.building.build_forms`` does.
    """
    from surefoot.run.forms import building

    chosen = _chosen(form, forms)
    how: dict[str, Any] = {
        "instances": instances,
        "seed": seed,
        "language": language,
        "retry_failed": retry_failed,
    }
    if writer:
        from surefoot.models import Options, open_chat
        from surefoot.run.forms.letters import letter_writer

        options = Options(seed=seed, key_variable=key_variable)
        how["writer"] = letter_writer(open_chat(writer, options=options))
    return building.build_forms(chosen.forms, Path(out), **how, console=console_for(progress))


@in_thread
def run_forms(  # noqa: PLR0913 - one argument an option
    *,
    out: AnyPath,
    agent: str | Iterable[str],
    policy: Literal["page", "step"] = "page",
    actions: str = "browsergym",
    self_check: bool = True,
    form: Iterable[str] = (),
    forms: int | None = None,
    instances: int | None = None,
    renderer: Iterable[str] = (),
    language: Iterable[str] = (),
    theme: Iterable[str] = (),
    layout: Iterable[str] = (),
    direction: Iterable[Literal["ltr", "rtl"]] = (),
    ruler: Iterable[int] = (),
    level: Iterable[Handover] = (),
    seed: int | None = None,
    bench: AnyPath | None = None,
    x11: bool = False,
    limit: Mapping[str, float | str] | None = None,
    workers: int = 2,
    retry_failed: bool = False,
    progress: bool | Console = False,
    format: str = "",  # noqa: A002 - the option's word
    key_variable: str = "",
    **sampling: Unpack[SamplingOptions],
) -> FilledForms:
    """
    Let agents fill live forms in.

    Forms are named by ``form`` (id, code or .toml file), or are the first ``forms`` of the
    catalogue, 25 if not given; with ``bench``, which ``build_forms`` or ``import_forms`` wrote,
    they and their values come from there, all forms if not given. Of an import, ``instances``
    counts the records of each form, and their letters are handed over ("published"). Every
    combination of renderer ("plain"), language ("en"), theme, layout, direction, ruler (0) and
    level ("paraphrased", a letter as in the paper; "lines" is an ablation) is filled in.
    ``limit`` bounds an attempt, by the names of ``EpisodeLimits``. Where the agent is
    "replay:RUN", whatever is not given is as it was in that run. Raises UnknownNameError for
    what cannot be named, MissingComponentError for a renderer that is not installed, and
    InvalidInputError as ``run`` does.
    """
    from surefoot.core.errors import InvalidInputError
    from surefoot.forms.driver.observation import FormView
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
        chosen = msgspec.structs.replace(_chosen(form, forms), instances=count, seed=seed or 0)
    hands: HandsName = "x11" if x11 or (last and last.hands == "x11") else "browser"
    named = [tuple(one) for one in (renderer, language, theme, layout, direction)]
    looks = (
        last.renderings
        if last and not any(named)
        else renderings_of(
            named[0] or ("plain",),
            named[1] or ("en",),
            themes=named[2],
            layouts=named[3],
            # All our languages run from left to right, which is then nothing to change.
            directions=tuple("rtl" if one == "rtl" else "" for one in named[4]) or ("",),
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
        options=asking_options(cast("AskingOptions", asked)),
        hands=hands,
        letters=chosen.letters,
        records=chosen.records,
    )
    outcome = fill_in_forms(
        choices,
        Path(out),
        workers=workers,
        check=self_check,
        retry_failed=retry_failed,
        console=console_for(progress),
    )
    return FilledForms(outcome.folder, outcome)


@in_thread
def score_forms(runs: AnyPath | FilledForms | Iterable[AnyPath | FilledForms]) -> Scores:
    """
    Score runs over forms: how far values came, whole forms, and what each condition changed.

    Raises InvalidInputError for what are no finished runs over forms.
    """
    from surefoot.report.forms import page
    from surefoot.report.forms.sections import forms_lines

    summary = page.score_forms(page.open_forms(paths(runs)))
    return Scores(summary, list(forms_lines(summary)))


@in_thread
def report_forms(
    runs: AnyPath | FilledForms | Iterable[AnyPath | FilledForms],
    *,
    out: AnyPath,
    title: str = "",
    cards: int = 6,
    tables: AnyPath | None = None,
) -> Report:
    """
    Write a self-contained HTML report: scores, figures with tables, and filled-in forms.

    ``cards`` counts the worst forms that are shown. Into the folder ``tables`` every table of
    the report is written as CSV and parquet. Raises as ``score_forms`` does.
    """
    from surefoot.report.forms.page import write_forms

    into = None if tables is None else Path(tables)
    said = write_forms(paths(runs), Path(out), title=title, cards=cards, tables=into)
    return Report(Path(out), tuple(said))


@in_thread
def import_forms(folder: AnyPath, *, out: AnyPath) -> FormImport:
    """
    Read FormFactory's published records onto our forms, and list what no form can take.

    The outcome's ``lines`` count what cannot be taken, by reason; ``run_forms`` takes ``out`` as
    its ``bench``, with the outcome's ``level`` where not every record has a letter. Raises
    InvalidInputError where ``folder`` is not the release's folder 'data', or 'data1' in it.
    """
    from surefoot.run.forms import importing

    return importing.import_forms(Path(folder), Path(out))


def list_forms() -> FormLists:
    """
    Return the forms and their languages, renderers, agents and languages of actions.

    >>> [language.name for language in list_forms().actions if language.name == "browsergym"]
    ['browsergym']
    """
    from surefoot.run.forms import listing

    return listing.list_forms()


def _recorded(agents: Iterable[str]) -> RecordedChoices | None:
    """
    Return what the runs that are replayed were made with; None where none is.

    Raises InvalidInputError for two that were made with different things.
    """
    from surefoot.core.errors import InvalidInputError
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


def _chosen(names: Iterable[str], count: int | None) -> FormBench:
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
    from surefoot.core.errors import InvalidInputError
    from surefoot.forms.catalogue.reading import find_form
    from surefoot.run.forms.building import read_forms
    from surefoot.run.forms.published import read_published

    only = [find_form(name).id for name in names]
    said = [one for one in levels if one != "lines"]
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
    from surefoot.core.errors import InvalidInputError, plain_words
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
