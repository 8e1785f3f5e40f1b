"""
``surefoot forms``: live forms, agents that fill them in, and scores of what arrived.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, TypeAlias

import typer

from surefoot.cli.forms_build import make_forms
from surefoot.cli.forms_import import import_records
from surefoot.cli.forms_run import run_forms
from surefoot.cli.forms_serve import serve_forms

__all__ = ["forms", "list_forms", "report_forms", "score_forms"]

EXAMPLES: Final = (
    "surefoot forms list",
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
    "surefoot forms import formfactory/data/data1 --out out/published",
    "surefoot forms run --agent oracle --form A15 --x11 --theme native --out out/forms-x11",
    "surefoot forms score out/forms-oracle out/forms-null --json out/forms.json",
    "surefoot forms report out/forms-oracle out/forms-null --out out/forms.html",
)

forms = typer.Typer(
    help="Fill in live forms and score what arrived in which field.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
forms.command("build")(make_forms)
forms.command("import")(import_records)
forms.command("serve")(serve_forms)
forms.command("run")(run_forms)

RunsArgument: TypeAlias = Annotated[
    list[Path], typer.Argument(metavar="RUN...", help="Folders of runs over forms.")
]


@forms.command("list")
def list_forms() -> None:
    """List the forms, renderers, agents and languages of actions that can be named."""
    from surefoot.forms.catalogue.reading import catalogue
    from surefoot.forms.driver.agent import AGENTS
    from surefoot.forms.driver.language import ACTION_LANGUAGES
    from surefoot.forms.rendering import RENDERERS

    for form in catalogue().values():
        pages = f"{len(form.pages)} page" + ("s" if len(form.pages) > 1 else "")
        print(f"{form.code}  {form.id:34} {len(form.fields):2} fields  {pages:8} {form.domain}")
    print()
    for renderer in RENDERERS.entries.values():
        missing = renderer.missing()
        note = f"  (missing: {missing})" if missing else ""
        further = tuple(f"{theme} (X11 only)" for theme in renderer.screen_themes)
        themes = ", ".join(renderer.themes + further)
        print(f"renderer {renderer.name:10} themes {themes}{note}")
    print()
    for agent in AGENTS.entries.values():
        print(f"agent {agent.name:10} {agent.summary}")
    print()
    for language in ACTION_LANGUAGES.entries.values():
        print(f"actions {language.name:12} {language.summary}")


@forms.command("score")
def score_forms(
    runs: RunsArgument,
    *,
    json: Annotated[Path | None, typer.Option(help="Write every number to this file.")] = None,
) -> None:
    """
    Score runs: how far values came, whole forms, and what each condition changed.

    Conditions (renderer, language, theme, layout, ruler, ...) are compared on the same fields
    of the same instances; give several runs to see them together.
    """
    from surefoot.cli.output import say, say_written
    from surefoot.core.canonical import readable_json
    from surefoot.core.files import write_atomic
    from surefoot.report.forms import page as forms_page
    from surefoot.report.forms.sections import forms_lines

    summary = forms_page.score_forms(forms_page.open_forms(runs))
    for line in forms_lines(summary):
        say(line)
    if json is not None:
        json.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(json, readable_json(summary))
        say_written(json)


@forms.command("report")
def report_forms(
    runs: RunsArgument,
    *,
    out: Annotated[Path, typer.Option(help="The HTML file to write.")],
    title: Annotated[str, typer.Option(help="The page's title.")] = "",
    cards: Annotated[int, typer.Option(min=0, help="How many of the worst forms to show.")] = 6,
) -> None:
    """Write a self-contained report: scores, figures with tables, and filled-in forms."""
    from surefoot.cli.output import say, say_written
    from surefoot.report.forms.page import write_forms

    for sentence in write_forms(runs, out, title=title, cards=cards):
        say(sentence)
    say_written(out)
