"""
``surefoot forms``: live forms, agents that fill them in, and scores of what arrived.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import typer

from surefoot.cli.forms_build import make_forms
from surefoot.cli.forms_miniwob import play_miniwob
from surefoot.cli.forms_serve import serve_forms
from surefoot.cli.options import (
    BrowsersOption,
    FormNamesOption,
    FormsCountOption,
    RetryOption,
)

if TYPE_CHECKING:
    from surefoot.run.form_building import FormBench

__all__ = ["forms", "list_forms", "report_forms", "run_forms", "score_forms"]

EXAMPLES: Final = (
    "surefoot forms list",
    "surefoot forms serve --out out/tried",
    "surefoot forms serve --form A15 --language fr --port 8421 --out out/tried",
    "surefoot forms build --forms 25 --instances 50 --seed 7 --out out/forms-built",
    "surefoot forms run --agent oracle --form bug_report --out out/forms-oracle",
    "surefoot forms run --agent null --forms 25 --instances 1 --out out/forms-null",
    "surefoot forms run --agent ocr --bench out/forms-built --out out/forms-ocr",
    "surefoot forms miniwob --task login-user --seeds 3",
    "surefoot forms score out/forms-oracle out/forms-null --json out/forms.json",
    "surefoot forms report out/forms-oracle out/forms-null --out out/forms.html",
)

forms = typer.Typer(
    help="Fill in live forms and score what arrived in which field.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
forms.command("build")(make_forms)
forms.command("serve")(serve_forms)
forms.command("miniwob")(play_miniwob)

AgentsOption: TypeAlias = Annotated[
    list[str], typer.Option("--agent", help="Who fills them in; may be repeated.")
]


class LevelChoice(StrEnum):
    """Say what a person hands over: plain lines, or a document of a level."""

    LINES = "lines"
    LABELLED = "labelled"
    PARAPHRASED = "paraphrased"
    DERIVED = "derived"


RenderersOption: TypeAlias = Annotated[
    list[str] | None, typer.Option("--renderer", help="How they are drawn; may be repeated.")
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
RulersOption: TypeAlias = Annotated[
    list[int] | None,
    typer.Option("--ruler", min=0, help="Pixels between a ruler's ticks, 0 for no ruler."),
]
LevelsOption: TypeAlias = Annotated[
    list[LevelChoice] | None,
    typer.Option("--level", help="What is handed over: plain lines, or a document's level."),
]
SeedOption: TypeAlias = Annotated[
    int | None, typer.Option(show_default="0", help="The seed of values and looks.")
]
BuiltOption: TypeAlias = Annotated[
    Path | None,
    typer.Option("--bench", help="Take forms and values from what `forms build` wrote."),
]
RunsArgument: TypeAlias = Annotated[
    list[Path], typer.Argument(metavar="RUN...", help="Folders of runs over forms.")
]


@forms.command("list")
def list_forms() -> None:
    """List the forms, the renderers and the agents that can be named."""
    from surefoot.forms.catalogue.reading import catalogue
    from surefoot.forms.driver.agent import AGENTS
    from surefoot.forms.rendering import RENDERERS

    for form in catalogue().values():
        pages = f"{len(form.pages)} page" + ("s" if len(form.pages) > 1 else "")
        print(f"{form.code}  {form.id:34} {len(form.fields):2} fields  {pages:8} {form.domain}")
    print()
    for renderer in RENDERERS.entries.values():
        missing = renderer.missing()
        note = f"  (missing: {missing})" if missing else ""
        print(f"renderer {renderer.name:10} themes {', '.join(renderer.themes)}{note}")
    print()
    for agent in AGENTS.entries.values():
        print(f"agent {agent.name:10} {agent.summary}")


@forms.command("run")
def run_forms(  # noqa: PLR0913 - one argument an option
    *,
    out: Annotated[Path, typer.Option(help="The folder to write or resume.")],
    agent: AgentsOption,
    form: FormNamesOption = None,
    count: FormsCountOption = 25,
    instances: Annotated[int, typer.Option(min=1, help="Instances of each form.")] = 1,
    renderer: RenderersOption = None,
    language: LanguagesOption = None,
    theme: ThemesOption = None,
    layout: LayoutsOption = None,
    ruler: RulersOption = None,
    level: LevelsOption = None,
    seed: SeedOption = None,
    bench: BuiltOption = None,
    workers: BrowsersOption = 2,
    retry_failed: RetryOption = False,
) -> None:
    """Let agents fill in live forms; the same command goes on with a stopped run."""
    from surefoot.cli.output import conclude, console
    from surefoot.forms.driver.observation import View
    from surefoot.run.form_units import FormChoices, renderings_of
    from surefoot.run.forming import fill_in_forms

    looks = {"themes": theme or (), "layouts": layout or ()}
    chosen = _chosen(form or (), count, instances, seed, bench)
    choices = FormChoices(
        chosen.forms,
        tuple(agent),
        renderings_of(renderer or ["plain"], language or ["en"], **looks, seed=chosen.seed),
        chosen.instances,
        chosen.seed,
        tuple(View(ruler=each) for each in ruler or [0]),
        tuple(each.value for each in level or [LevelChoice.LINES]),
    )
    conclude(
        fill_in_forms(choices, out, workers=workers, retry_failed=retry_failed, console=console())
    )


@forms.command("score")
def score_forms(
    runs: RunsArgument,
    *,
    json: Annotated[Path | None, typer.Option(help="Write every number to this file.")] = None,
    seed: Annotated[int, typer.Option(help="The bootstrap's seed.")] = 0,
) -> None:
    """
    Score runs: how far values came, whole forms, and what each condition changed.

    Conditions (renderer, language, theme, layout, ruler, ...) are compared on the same fields
    of the same instances; give several runs to see them together.
    """
    from surefoot.cli.output import say, say_written
    from surefoot.core.canonical import readable_json
    from surefoot.core.files import write_atomic
    from surefoot.report import forms_page
    from surefoot.report.forms_words import forms_lines

    summary = forms_page.score_forms(forms_page.open_forms(runs), seed=seed)
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
    cards: Annotated[int, typer.Option(min=0, help="Forms that went worst to show.")] = 6,
    seed: Annotated[int, typer.Option(help="The bootstrap's seed.")] = 0,
) -> None:
    """Write a self-contained report: scores, figures with tables, and filled-in forms."""
    from surefoot.cli.output import say, say_written
    from surefoot.report.forms_page import write_forms

    for sentence in write_forms(runs, out, title=title, cards=cards, seed=seed):
        say(sentence)
    say_written(out)


def _chosen(
    names: Sequence[str], count: int, instances: int, seed: int | None, bench: Path | None
) -> FormBench:
    """Return the forms, how many instances of each, and the seed: as named, or as built."""
    from surefoot.forms.catalogue.reading import catalogue, find_form
    from surefoot.run.form_building import FormBench, read_forms

    named = tuple(map(find_form, names))
    if bench is not None:
        only = [each.id for each in named]
        return read_forms(bench, only=only, instances=instances, seed=seed)
    return FormBench(named or tuple(catalogue().values())[:count], instances, seed or 0)
