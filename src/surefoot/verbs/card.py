"""
``surefoot card``: where a model stands over all pillars, on one page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from surefoot.api.options import (
    AnyPath,
    JsonFileOption,
    ToleranceOption,
    UnitOption,
    paths,
)
from surefoot.api.parameters import CliArgument, CliOption
from surefoot.api.threads import in_thread
from surefoot.cli.verb import CliVerb

if TYPE_CHECKING:
    from surefoot.api.scores import ModelCard


@in_thread
def card(  # noqa: PLR0913 - one argument an option
    runs: Annotated[
        AnyPath | Iterable[AnyPath],
        CliArgument(
            "Runs over any benchmarks and imported sets, runs over forms, and diagnoses.",
            shell=list[Path],
            metavar="RUN...",
        ),
    ],
    *,
    out: Annotated[AnyPath, CliOption("The HTML file to write.", shell=Path, only="file")],
    scale: Annotated[
        Iterable[AnyPath],
        CliOption(
            "A run that says where a rate can lie: of a reader of text alone, or of a person; "
            "may be repeated. Runs of oracle, center and random among RUN count as such.",
            shell=list[Path] | None,
            metavar="RUN",
        ),
    ] = (),
    title: Annotated[str, CliOption("The page's title.")] = "",
    tolerance: ToleranceOption = 0.0,
    unit: UnitOption = "site",
    cards: Annotated[int, CliOption("How many elements to show of each pattern.", minimum=0)] = 4,
    port: Annotated[
        int,
        CliOption("The port of the `surefoot view` that cells lead to.", minimum=1, maximum=65535),
    ] = 8422,
) -> ModelCard:
    """
    Write one page of a model over all pillars, or of several models side by side.

    Runs are sorted by the benchmark that they were asked. All changes of all benchmarks are one
    family of tests, and nothing is said of a change where the model does no better than chance
    before it.

    Raises InvalidInputError for folders that are none of these, for references alone, and for
    a reference to a benchmark that no model was asked.
    """
    from surefoot.api.scores import ModelCard
    from surefoot.report.card.opening import open_sources
    from surefoot.report.card.page import CardChoices, score_card, write_card
    from surefoot.score.metric import Ruler

    choices = CardChoices(
        title=title, ruler=Ruler(tolerance=tolerance), unit=unit, cards=cards, port=port
    )
    scored = score_card(open_sources(paths(runs), paths(scale)), choices)
    write_card(scored, Path(out), choices)
    return ModelCard(Path(out), scored.record.sentences, scored.record)


def command(
    work: Callable[[], ModelCard],
    *,
    runs: list[Path],
    json: JsonFileOption = None,
    markdown: Annotated[
        Path | None,
        CliOption("Write a model card for Hugging Face, with model-index metadata.", only="file"),
    ] = None,
    eval_results: Annotated[
        Path | None, CliOption("Write entries for .eval_results of --dataset.", only="file")
    ] = None,
    dataset: Annotated[
        str, CliOption("The data set's id on Hugging Face.", metavar="OWNER/NAME")
    ] = "",
    latex: Annotated[Path | None, CliOption("Write a table for LaTeX.", only="file")] = None,
) -> None:
    """Print what is said first, and write the card in every form that is wanted."""
    from surefoot.cli.output import print_report, say_written, suggest, write_json
    from surefoot.core.files import write_atomic

    found = work()
    print_report(found, None)
    write_json(json, found.record)
    forms: tuple[tuple[Path | None, Callable[[], str]], ...] = (
        (markdown, found.markdown),
        (eval_results, lambda: found.eval_results(dataset)),
        (latex, found.latex),
    )
    for path, text in forms:
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(path, text().encode())
            say_written(path)
    suggest("view", *runs)


VERB = CliVerb(
    "card",
    "Judge",
    "Write one page of a model over all pillars.",
    card,
    command,
    (
        "surefoot card out/run-ocr out/words-ocr out/hidden-ocr --out out/card.html",
        "surefoot card out/run-* --scale out/run-ada --out out/card.html --json out/card.json",
        "surefoot card out/run-ocr --out out/card.html --markdown out/README.md --latex out/t.tex",
    ),
)
