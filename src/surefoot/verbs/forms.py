"""
``surefoot forms``: live forms, the agents, and their scores; `run_forms` has a file of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from surefoot.api.options import (
    AnyPath,
    FormNamesOption,
    JsonFileOption,
    KeyVariableOption,
    RetryOption,
    SeedOption,
    TablesOption,
    console_for,
    path_or_none,
    paths,
)
from surefoot.api.parameters import CliArgument, CliOption
from surefoot.api.threads import in_thread
from surefoot.cli.verb import CliVerb
from surefoot.verbs.forms_run import FORMS, RUN, chosen_forms  # noqa: F401 - RUN is found here

if TYPE_CHECKING:
    from rich.console import Console

    from surefoot.api.scores import Report, Scores
    from surefoot.api.serving import ServedPages
    from surefoot.run.engine.outcome import Outcome
    from surefoot.run.forms.importing import FormImport
    from surefoot.run.forms.listing import FormLists

RunsArgument: TypeAlias = Annotated[
    AnyPath | Iterable[AnyPath],
    CliArgument("Folders of runs over forms.", shell=list[Path], metavar="RUN..."),
]


@in_thread
def build_forms(  # noqa: PLR0913 - one argument an option
    *,
    out: Annotated[AnyPath, CliOption("The folder to write.", shell=Path, only="folder")],
    form: FormNamesOption = (),
    forms: Annotated[
        int, CliOption("How many forms of the catalogue, from its first on.", minimum=1)
    ] = FORMS,
    instances: Annotated[int, CliOption("Instances of each form.", minimum=1)] = 50,
    seed: SeedOption = 0,
    language: Annotated[str, CliOption("The language of the papers.")] = "en",
    writer: Annotated[
        str,
        CliOption(
            "A language model that writes the documents; the grammar replaces any that cannot be "
            "verified.",
            metavar="openai:NAME@BASE_URL",
        ),
    ] = "",
    key_variable: KeyVariableOption = "",
    retry_failed: RetryOption = False,
    progress: bool | Console = False,
) -> Outcome:
    """
    Write instances of forms: right values, papers that say them, files to upload.

    The same seed writes the same bytes. Every paper is proved to say each value once, a
    writer's too.

    Raises as ``surefoot.run.forms.building.build_forms`` does.
    """
    from surefoot.run.forms import building

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
    chosen = chosen_forms(form, forms)
    return building.build_forms(chosen.forms, Path(out), **how, console=console_for(progress))


def print_built(work: Callable[[], Outcome], *, out: Path) -> None:
    """Write the instances, and name how an agent fills the forms in."""
    from surefoot.cli.output import conclude

    conclude(work(), "forms", "run", "--agent", "ocr", "--bench", out, "--out", f"{out}-ocr")


@in_thread
def import_forms(
    folder: Annotated[
        AnyPath,
        CliArgument(
            "The folder 'data' of FormFactory's repository, or 'data1' in it.", shell=Path
        ),
    ],
    *,
    out: Annotated[AnyPath, CliOption("The folder to write.", shell=Path, only="folder")],
) -> FormImport:
    """
    Read FormFactory's published records onto our forms, and list what no form can take.

    Prints how many values cannot be taken, by reason, and the fields with the most of them.

    In Python, ``run_forms`` takes ``out`` as its ``bench``, with the outcome's ``level`` where not
    every record has a letter.

    Raises InvalidInputError where ``folder`` is not that folder of the release.
    """
    from surefoot.run.forms import importing

    return importing.import_forms(Path(folder), Path(out))


def print_imported(work: Callable[[], FormImport], *, out: Path) -> None:
    """Import, and name how an agent fills the forms in."""
    from surefoot.cli.output import conclude

    imported = work()
    level = () if imported.level == "published" else ("--level", imported.level)
    conclude(
        imported,
        *("forms", "run", "--agent", "words", "--bench", out, *level, "--out", f"{out}-words"),
    )


def serve_forms(  # noqa: PLR0913 - one argument an option
    *,
    out: Annotated[
        AnyPath,
        CliOption("The folder that keeps the record of all runs.", shell=Path, only="folder"),
    ],
    form: FormNamesOption = (),
    renderer: Annotated[str, CliOption("The renderer to start with.")] = "plain",
    theme: Annotated[str, CliOption("The renderer's theme; its first by default.")] = "",
    layout: Annotated[str, CliOption("The renderer's layout; its first by default.")] = "",
    language: Annotated[str, CliOption("The language to start with.")] = "en",
    seed: Annotated[int, CliOption("The seed of values and looks.")] = 0,
    port: Annotated[
        int,
        CliOption(
            "The port to listen on; the forms use the next. 0 for any free one.",
            minimum=0,
            maximum=65534,
        ),
    ] = 0,
) -> ServedPages:
    """
    Serve the forms on this machine for a person to try, until Ctrl-C.

    Each form comes with a paper to fill it in from, the files to upload, and a page that
    shows, while you type, which values are in the right fields.

    In Python, they are served until they are closed.

    Raises UnknownNameError for what cannot be named, MissingComponentError without the extra
    "forms", and SurefootError where a port is taken.
    """
    from surefoot.api.serving import ServedPages, forms_served
    from surefoot.loopback.serving import needing

    with needing("forms"):
        from surefoot.forms.catalogue.reading import catalogue, find_form
        from surefoot.forms.desk.cases import Offer
        from surefoot.forms.rendering import Rendering

    named = tuple(map(find_form, form))
    look = Rendering(renderer, theme, layout, language, seed=seed)
    offer = Offer(named or tuple(catalogue().values()), look, seed)
    return ServedPages(forms_served(Path(out), offer, port))


def print_served(work: Callable[[], ServedPages], *, out: Path) -> None:
    """Serve until a person stops it."""
    from surefoot.cli.output import serve_until_told

    serve_until_told(work, f"stopped; the record of all runs lies in {out}")


def list_forms() -> FormLists:
    """
    List the forms and their languages, renderers, agents and languages of actions.

    >>> [language.name for language in list_forms().actions if language.name == "browsergym"]
    ['browsergym']
    """
    from surefoot.run.forms import listing

    return listing.list_forms()


def print_lists(
    work: Callable[[], FormLists],
    *,
    json: Annotated[bool, CliOption("Print JSON, for programs.", flag="--json")] = False,
) -> None:
    """
    Print a line a form, a language, a renderer, an agent and a language of actions.

    The forms stand as in FormFactory's table 1: fields, pairs of fifty instances, pages, and
    how many fields of each of its types.
    """
    from surefoot.cli.output import print_json, say
    from surefoot.phrasing.tables import table_lines

    found = work()
    if json:
        print_json(found)
        return
    types = list(found.forms[0].types)
    names = [(form.code, form.id, form.domain) for form in found.forms]
    counts = [(item.fields, item.pairs, item.pages, *item.types.values()) for item in found.forms]
    names.append(("", "all", ""))
    counts.append(tuple(map(sum, zip(*counts, strict=True))))
    head = ("", "form", "domain", "fields", "pairs", "pages", "types", *types)
    lines = (
        (
            *name,
            *map(str, told[:3]),
            str(sum(map(bool, told[3:]))),
            *(str(n or "") for n in told[3:]),
        )
        for name, told in zip(names, counts, strict=True)
    )
    for line in table_lines(head, tuple(lines)):
        say(line)
    say("")
    for spoken in found.languages:
        made = f"  machine-made in {spoken.machine_made} forms, unchecked by native readers"
        say(f"language {spoken.name}{made if spoken.machine_made else ''}")
    say("")
    for renderer in found.renderers:
        note = f"  (missing: {renderer.missing})" if renderer.missing else ""
        further = tuple(f"{theme} (X11 only)" for theme in renderer.screen_themes)
        say(f"renderer {renderer.name:10} themes {', '.join(renderer.themes + further)}{note}")
    say("")
    for agent in found.agents:
        say(f"agent {agent.name:10} {agent.summary}")
    say("")
    for language in found.actions:
        say(f"actions {language.name:12} {language.summary}")


@in_thread
def score_forms(runs: RunsArgument) -> Scores:
    """
    Score runs: how far values came, whole forms, and what each condition changed.

    Conditions (renderer, language, theme, layout, ruler, ...) are compared on the same fields
    of the same instances; give several runs to see them together.

    Raises InvalidInputError for what are no finished runs over forms.
    """
    from surefoot.api.scores import Scores
    from surefoot.report.forms import page
    from surefoot.report.forms.sections import forms_lines

    summary = page.score_forms(page.open_forms(paths(runs)))
    return Scores(summary, list(forms_lines(summary)))


def print_scores(
    work: Callable[[], Scores], *, runs: list[Path], json: JsonFileOption = None
) -> None:
    """Print the sentences and tables, and write every number where that is wanted."""
    from surefoot.cli.output import say, suggest, write_json

    found = work()
    for line in found.sentences:
        say(line)
    write_json(json, found.summary)
    suggest("forms", "report", *runs, "--out", f"{runs[0]}.html")


@in_thread
def report_forms(
    runs: RunsArgument,
    *,
    out: Annotated[AnyPath, CliOption("The HTML file to write.", shell=Path, only="file")],
    title: Annotated[str, CliOption("The page's title.")] = "",
    cards: Annotated[int, CliOption("How many of the worst forms to show.", minimum=0)] = 6,
    tables: TablesOption = None,
) -> Report:
    """
    Write a self-contained report: scores, figures with tables, and filled-in forms.

    Raises as ``score_forms`` does.
    """
    from surefoot.api.scores import Report
    from surefoot.report.forms.page import write_forms

    written = write_forms(
        paths(runs), Path(out), title=title, cards=cards, tables=path_or_none(tables)
    )
    return Report(Path(out), tuple(written))


def print_page(work: Callable[[], Report], *, tables: Path | None) -> None:
    """Write the page, and print what it says first."""
    from surefoot.cli.output import print_report

    print_report(work(), tables)


GROUP = CliVerb(
    "forms",
    "Ask",
    "Fill in live forms and score what arrived in which field.",
    examples=(
        "surefoot forms list",
        "surefoot forms list --json",
        "surefoot forms serve --out out/tried",
        "surefoot forms serve --form A15 --language fr --port 8421 --out out/tried",
        "surefoot forms build --forms 25 --instances 50 --seed 7 --out out/forms-built",
        (
            "surefoot forms build --form A11 --instances 5 --out out/forms-said "
            "--writer openai:qwen3@http://127.0.0.1:8000/v1"
        ),
        "surefoot forms run --agent oracle --form bug_report --out out/forms-oracle",
        "surefoot forms run --agent null --forms 25 --instances 1 --out out/forms-null",
        "surefoot forms run --agent ocr --bench out/forms-built --out out/forms-ocr",
        "surefoot forms run --agent openai:gta1@http://127.0.0.1:8000/v1 --out out/forms-gta1",
        "surefoot forms run --agent replay:out/forms-gta1 --out out/forms-again",
        "surefoot forms import formfactory/data --out out/published",
        "surefoot forms run --agent words --bench out/published --instances 4 --out out/records",
        "surefoot forms run --agent oracle --form A15 --x11 --theme native --out out/forms-x11",
        "surefoot forms score out/forms-oracle out/forms-null --json out/forms.json",
        "surefoot forms report out/forms-oracle out/forms-null --out out/forms.html",
    ),
)
BUILD = CliVerb("forms/build", "", "", build_forms, print_built)
IMPORT = CliVerb("forms/import", "", "", import_forms, print_imported)
SERVE = CliVerb("forms/serve", "", "", serve_forms, print_served)
LIST = CliVerb("forms/list", "", "", list_forms, print_lists)
SCORE = CliVerb("forms/score", "", "", score_forms, print_scores)
REPORT = CliVerb("forms/report", "", "", report_forms, print_page)
