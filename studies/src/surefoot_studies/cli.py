"""
The command ``surefoot-studies``: a verb for each study.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from surefoot.cli.given import without_secrets
from surefoot.core.endings import end_plainly
from surefoot.core.terminal import plain_output
from surefoot_studies.tiny.cli import tiny

studies = typer.Typer(
    help="Check Surefoot against published replies, Chromium's own tree and others' tasks.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
studies.add_typer(tiny, name="tiny")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command line and exit with the code of its error, 0 without one."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    with plain_output(), end_plainly("surefoot-studies", without_secrets):
        studies(given, prog_name="surefoot-studies")


@studies.command()
def reanalyse(
    predictions: Annotated[Path, typer.Argument(help="The published replies.")],
    *,
    out: Annotated[Path, typer.Option(help="The Markdown page to write.")],
) -> None:
    """
    Score the published replies of GUI-Perturbed anew, and write a page of what they show.

    The published tables are read from the folder of the replies. The same files give the
    same bytes.
    """
    from surefoot.cli.output import say_written
    from surefoot_studies.reanalysis.page import write_reanalysis

    out.parent.mkdir(parents=True, exist_ok=True)
    write_reanalysis(predictions, out)
    say_written(out)


@studies.command()
def steer(  # noqa: PLR0913 - one argument an option
    model: Annotated[str, typer.Argument(metavar="hf:PATH", help="The folder of the model.")],
    *,
    out: Annotated[Path, typer.Option(file_okay=False, help="The folder to write or resume.")],
    seed: Annotated[int, typer.Option(help="The seed of the screens.")] = 0,
    memory: Annotated[int, typer.Option(min=2, help="Screens that are remembered.")] = 240,
    validation: Annotated[int, typer.Option(min=2, help="Screens that are chosen on.")] = 120,
    test: Annotated[int, typer.Option(min=2, help="Screens that are tested on.")] = 240,
    device: Annotated[str, typer.Option(help="Where to compute: auto, cpu or cuda.")] = "auto",
    write: Annotated[Path | None, typer.Option(help="A page to write the tables into.")] = None,
) -> None:
    """
    Run GUI-XLI on drawn screens, held out and by the paper's protocol, with both controls.

    The test is looked at once for each; what is finished is not asked again.
    """
    from surefoot.cli.output import console, say, say_written
    from surefoot.intervene.speaking import open_steerable
    from surefoot.intervene.tables import result_lines
    from surefoot_studies import steered
    from surefoot_studies.tiny.recipe import recipe_named

    screens = {"memory": memory, "validation": validation, "test": test}
    steerable = open_steerable(model, device=device)
    recipe = recipe_named(str(Path(model.removeprefix("hf:")) / "recipe.json"))
    found = steered.steer(
        steerable, out, seed=seed, screens=screens, recipe=recipe, console=console()
    )
    for results in found:
        for line in result_lines(results):
            say(line)
    if write is not None:
        steered.write_steered(write, out, found, screens)
        say_written(write)


@studies.command()
def training(
    *,
    out: Annotated[Path, typer.Option(file_okay=False, help="The folder to write or resume.")],
    write: Annotated[Path | None, typer.Option(help="The page to write.")] = None,
    seed: Annotated[int, typer.Option(help="The seed of screens and trainings.")] = 0,
    screens: Annotated[int, typer.Option(min=3, help="Screens that are measured on.")] = 200,
    steps: Annotated[int, typer.Option(min=1, help="Steps of a training on boxes.")] = 200,
    share: Annotated[
        float, typer.Option(help="The share of the paper's mixtures that is learned.")
    ] = 1 / 16,
) -> None:
    """
    Take the gains of two papers' trainings apart, on the toy model, and write a page of it.

    Hidden Forms' by space, boxes and masks; GUI-Perturbed's by adapter, mixture and axis. What
    is finished is not trained or asked again.
    """
    from surefoot.cli.output import say, say_written
    from surefoot_studies.tiny.training import set_up
    from surefoot_studies.tuned.masked import study_masks
    from surefoot_studies.tuned.page import write_study
    from surefoot_studies.tuned.perturbed import study_adapters

    set_up(1)
    masks = study_masks(out / "masks", seed=seed, screens=screens, steps=steps)
    say(f"masks: {sum(masks.seconds.values()):.0f} CPU seconds")
    tuned = study_adapters(out / "adapters", seed=seed, screens=screens, share=share)
    page = write or out / "training-study.md"
    command = (
        f"surefoot-studies training --out OUT --seed {seed} --screens {screens} "
        f"--steps {steps} --share {share:g}"
    )
    write_study(page, masks, tuned, command)
    say_written(page)


@studies.command()
def planted(
    bench: Annotated[Path, typer.Argument(metavar="BENCH", help="The folder BENCH.")],
    *,
    out: Annotated[Path, typer.Option(file_okay=False, help="The folder to write or resume.")],
    fault: Annotated[
        list[str] | None, typer.Option("--fault", help="A planted fault; all if not given.")
    ] = None,
    faults: Annotated[
        Path | None, typer.Option(dir_okay=False, help="A Python file with more, in FAULTS.")
    ] = None,
    write: Annotated[Path | None, typer.Option(help="A page to write the table into.")] = None,
) -> None:
    """
    Diagnose models whose fault is known, and controls, and say what is named of them.

    A folder each; what is finished is not asked again. With --faults those of the file are
    diagnosed, unless some are named. The table has all that are finished; it is written between
    the page's marks, which name the file.
    """
    from surefoot.cli.output import console, say, say_written
    from surefoot_studies.planted_table import (
        diagnose_planted,
        known_faults,
        planted_lines,
        planted_rows,
        write_planted,
    )

    diagnose_planted(bench, out, fault or (), more=faults, console=console())
    rows = list(planted_rows(out, known_faults(faults)))
    for line in planted_lines(rows):
        say(line)
    if write is not None:
        write_planted(write, rows, faults)
        say_written(write)


@studies.command()
def freely(
    bench: Annotated[Path, typer.Argument(metavar="BENCH", help="The folder BENCH.")],
    *,
    out: Annotated[Path, typer.Option(file_okay=False, help="The folder to write or resume.")],
    model: Annotated[
        list[str] | None,
        typer.Option("--model", help="A planted fault, or a model; four faults if not given."),
    ] = None,
    write: Annotated[Path | None, typer.Option(help="A page to write the table into.")] = None,
) -> None:
    """
    Search what fails models about the elements of a benchmark, and about all controls.

    A folder for each search; what is finished is not asked again.
    """
    from surefoot.cli.output import console, say, say_written
    from surefoot_studies.freely import freely_lines, search_freely, write_freely

    rows = search_freely(bench, out, model or (), console=console())
    for line in freely_lines(rows):
        say(line)
    if write is not None:
        write_freely(write, rows)
        say_written(write)


@studies.command()
def agreement(
    sources: Annotated[
        list[str],
        typer.Argument(metavar="SOURCE...", help="Pages, as `surefoot capture` takes them."),
    ],
) -> None:
    """
    Compare the roles and names of interactive elements with Chromium's, page by page.

    Prints a Markdown table, and each disagreement below it. Exits with 1 if a page could
    not be loaded.
    """
    from surefoot.capture.settings import Settings
    from surefoot.capture.sources import list_addresses
    from surefoot.cli.output import say
    from surefoot.core.errors import ExitCode
    from surefoot_studies.accessibility import agreement_of_pages, agreement_table

    addresses = [address for spec in sources for address in list_addresses(spec)]
    found, failed = agreement_of_pages(addresses, Settings())
    say(agreement_table(found))
    for page in found:
        for disagreement in page.disagreements:
            say(
                f"- {page.page}: {disagreement.what} of {disagreement.element}: "
                f"ours '{disagreement.ours}', Chromium's '{disagreement.theirs}'"
            )
    for error in failed:
        say(f"- failed: {error}")
    if failed:
        raise typer.Exit(ExitCode.SOME_UNITS_FAILED)


@studies.command()
def miniwob(
    task: Annotated[
        list[str] | None, typer.Option("--task", help="A task's name; all scripted if not given.")
    ] = None,
    *,
    seeds: Annotated[int, typer.Option(min=1, help="Seeds to play each task with.")] = 1,
    seed: Annotated[int, typer.Option(help="The first seed.")] = 0,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the outcomes to this file.")
    ] = None,
) -> None:
    """
    Play MiniWoB++'s form tasks by scripts that only click and type.

    A task's own page gives the reward, 1 for solved. Exit code 1 says that one was not.
    """
    from surefoot.capture.web.browser import Browser
    from surefoot.cli.output import say, write_json
    from surefoot.core.errors import ExitCode
    from surefoot_studies.miniwob import play, tasks

    outcomes = []
    with Browser() as browser:
        for name in task or tasks():
            for number in range(seed, seed + seeds):
                outcomes.append(play(browser, name, number))
                say(f"{outcomes[-1].reward:5.2f}  {name} (seed {number})")
    solved = sum(outcome.reward == 1 for outcome in outcomes)
    say(f"{solved} of {len(outcomes)} with reward 1")
    write_json(json_file, outcomes)
    if solved < len(outcomes):
        raise typer.Exit(ExitCode.SOME_UNITS_FAILED)


@studies.command()
def perfect(
    form: Annotated[
        list[str] | None, typer.Option("--form", help="A form's id or code; all if not given.")
    ] = None,
    language: Annotated[
        list[str] | None, typer.Option("--language", help="A language; all if not given.")
    ] = None,
    *,
    out: Annotated[Path, typer.Option(file_okay=False, help="The folder to write or resume.")],
    workers: Annotated[int, typer.Option(min=1, help="Browsers at once.")] = 2,
) -> None:
    """
    Fill in every form perfectly in every look, by the oracle and by a model over HTTP.

    The model is told boxes and values, and answers page by page and step by step. Prints how
    many forms were wholly right, and each value that was not; exit code 1 says that there
    was one. The table is kept in OUT/table.md.
    """
    from surefoot.cli.output import console, say, say_written
    from surefoot.core.errors import ExitCode
    from surefoot.core.files import write_atomic
    from surefoot.forms.catalogue.reading import catalogue, find_form
    from surefoot.forms.specification import LANGUAGES
    from surefoot_studies.perfect import fill_in_perfectly, looks, perfect_lines

    forms = [find_form(name) for name in form] if form else list(catalogue().values())
    looked = looks(language or list(LANGUAGES))
    plays, outcome = fill_in_perfectly(forms, looked, out, workers=workers, console=console())
    lines = list(perfect_lines(plays))
    write_atomic(out / "table.md", "\n".join([*lines, ""]).encode())
    for line in lines:
        say(line)
    for failure in outcome.failures:
        say(f"failed: {failure.reason}: {failure.message}")
    say_written(out / "table.md")
    if outcome.failures or any(any(play.wrong.values()) for play in plays):
        raise typer.Exit(ExitCode.SOME_UNITS_FAILED)
