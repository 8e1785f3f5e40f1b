"""
The verbs of ``surefoot forms``, all but the one that runs agents.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Annotated, Final, TypeAlias

import typer

from surefoot.cli.forms.run import run_forms
from surefoot.cli.options import (
    FormNamesOption,
    FormsCountOption,
    KeyVariableOption,
    LettersOption,
    RetryOption,
    TablesOption,
)

EXAMPLES: Final = (
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
)

forms = typer.Typer(
    help="Fill in live forms and score what arrived in which field.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
forms.command("run")(run_forms)

RunsArgument: TypeAlias = Annotated[
    list[Path], typer.Argument(metavar="RUN...", help="Folders of runs over forms.")
]


@forms.command("build")
def make_forms(  # noqa: PLR0913 - one argument an option
    *,
    out: Annotated[Path, typer.Option(file_okay=False, help="The folder to write.")],
    form: FormNamesOption = None,
    count: FormsCountOption = 25,
    instances: Annotated[int, typer.Option(min=1, help="Instances of each form.")] = 50,
    seed: Annotated[int, typer.Option(help="The seed that everything random derives from.")] = 0,
    language: Annotated[str, typer.Option(help="The language of the papers.")] = "en",
    writer: LettersOption = "",
    key_variable: KeyVariableOption = "",
    retry_failed: RetryOption = False,
) -> None:
    """
    Write instances of forms: right values, papers that say them, files to upload.

    The same seed writes the same bytes. Every paper is proved to say each value once, a
    writer's too.
    """
    from surefoot.api.forms import build_forms
    from surefoot.cli.output import conclude, console

    built = build_forms(
        out=out,
        form=form or (),
        forms=count,
        instances=instances,
        seed=seed,
        language=language,
        writer=writer,
        key_variable=key_variable,
        retry_failed=retry_failed,
        progress=console(),
    )
    conclude(built, "forms", "run", "--agent", "ocr", "--bench", out, "--out", f"{out}-ocr")


@forms.command("import")
def import_records(
    folder: Annotated[
        Path,
        typer.Argument(help="The folder 'data' of FormFactory's repository, or 'data1' in it."),
    ],
    *,
    out: Annotated[Path, typer.Option(file_okay=False, help="The folder to write.")],
) -> None:
    """
    Read FormFactory's published records onto our forms, and list what no form can take.

    Prints how many values cannot be taken, by reason, and the fields with the most of them.
    """
    from surefoot.api.forms import import_forms
    from surefoot.cli.output import conclude

    imported = import_forms(folder, out=out)
    level = () if imported.level == "published" else ("--level", imported.level)
    conclude(
        imported,
        *("forms", "run", "--agent", "words", "--bench", out, *level, "--out", f"{out}-words"),
    )


@forms.command("serve")
def serve_forms(  # noqa: PLR0913 - one argument an option
    *,
    out: Annotated[
        Path, typer.Option(file_okay=False, help="The folder that keeps the record of all runs.")
    ],
    form: FormNamesOption = None,
    renderer: Annotated[str, typer.Option(help="The renderer to start with.")] = "plain",
    theme: Annotated[str, typer.Option(help="The renderer's theme; its first by default.")] = "",
    layout: Annotated[str, typer.Option(help="The renderer's layout; its first by default.")] = "",
    language: Annotated[str, typer.Option(help="The language to start with.")] = "en",
    seed: Annotated[int, typer.Option(help="The seed of values and looks.")] = 0,
    port: Annotated[
        int,
        typer.Option(
            min=0,
            max=65534,
            help="The port to listen on; the forms use the next. 0 for any free one.",
        ),
    ] = 0,
) -> None:
    """
    Serve the forms on this machine for a person to try, until Ctrl-C.

    Each form comes with a paper to fill it in from, the files to upload, and a page that
    shows, while you type, which values are in the right fields.
    """
    from surefoot.api.serving import serve_forms as serve
    from surefoot.cli.output import serve_until_told

    begin = functools.partial(
        serve,
        out=out,
        form=form or (),
        renderer=renderer,
        theme=theme,
        layout=layout,
        language=language,
        seed=seed,
        port=port,
    )
    serve_until_told(begin, f"stopped; the record of all runs lies in {out}")


@forms.command("list")
def list_forms(
    *, json: Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")] = False
) -> None:
    """List the forms and their languages, renderers, agents and languages of actions."""
    from surefoot.api.forms import list_forms as listed
    from surefoot.cli.output import print_json, say

    found = listed()
    if json:
        print_json(found)
        return
    for form in found.forms:
        pages = f"{form.pages} page" + ("s" if form.pages > 1 else "")
        say(f"{form.code}  {form.id:34} {form.fields:2} fields  {pages:8} {form.domain}")
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


@forms.command("score")
def score_forms(
    runs: RunsArgument,
    *,
    json: Annotated[
        Path | None, typer.Option(dir_okay=False, help="Write every number to this file.")
    ] = None,
) -> None:
    """
    Score runs: how far values came, whole forms, and what each condition changed.

    Conditions (renderer, language, theme, layout, ruler, ...) are compared on the same fields
    of the same instances; give several runs to see them together.
    """
    from surefoot.api.forms import score_forms as score_runs
    from surefoot.cli.output import say, suggest, write_json

    found = score_runs(runs)
    for line in found.sentences:
        say(line)
    write_json(json, found.summary)
    suggest("forms", "report", *runs, "--out", f"{runs[0]}.html")


@forms.command("report")
def report_forms(
    runs: RunsArgument,
    *,
    out: Annotated[Path, typer.Option(dir_okay=False, help="The HTML file to write.")],
    title: Annotated[str, typer.Option(help="The page's title.")] = "",
    cards: Annotated[int, typer.Option(min=0, help="How many of the worst forms to show.")] = 6,
    tables: TablesOption = None,
) -> None:
    """Write a self-contained report: scores, figures with tables, and filled-in forms."""
    from surefoot.api.forms import report_forms as write_report
    from surefoot.cli.output import say, say_written

    written = write_report(runs, out=out, title=title, cards=cards, tables=tables)
    for sentence in written.sentences:
        say(sentence)
    say_written(written.path)
    if tables is not None:
        say_written(tables)
