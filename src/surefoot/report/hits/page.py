"""
The report: one HTML file without network and without script.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from surefoot.benchmarks.benchmark import Funnel
from surefoot.core.files import write_atomic
from surefoot.core.question import Answer, Question
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.report.hits.sections import rates_figure, sections
from surefoot.report.html.document import Document, Gallery, identity_rulers, render
from surefoot.report.html.gallery import (
    Card,
    Pane,
    choose_failures,
    draw_pane,
    embed_image,
)
from surefoot.report.html.section import Figure, Section, Table
from surefoot.run.asking.runs import FinishedRun, open_run, tabulate_runs
from surefoot.run.folders.folder import read_document, read_screens
from surefoot.score.compare import Comparison
from surefoot.score.hits import judge
from surefoot.score.summary import Summary, summarise
from surefoot.score.words import METHOD, counted, sentence

__all__ = ["ReportOptions", "gallery", "headline", "render_report", "write_report"]

_LOOK: Final = (
    "Each card is one target that the model hit on the original screen and missed on at "
    "least one variant; where nobody asked about a variant, one that it missed."
)
_NONE: Final = "None with a picture."
_HIT: Final = (
    "the click lies in the target: its box, any of several boxes, or its polygon; tolerance "
    "{tolerance:g} px; where the screen does not show what is asked for, a refusal"
)
_WORDS: Final = (
    "exact match with any accepted answer, the hit rate, and token F1 (the words in common, "
    "the best over the accepted answers), both in lower case and without punctuation, "
    "articles and superfluous spaces"
)
_OPTIONS: Final = "the label of the right option; chance is one over the number of options"
_KEYS: Final = (
    ("target", "target"),
    ("landmark", "landmark"),
    ("prediction", "where the model clicked"),
)


class ReportOptions(msgspec.Struct, frozen=True):
    """
    Hold what a user may choose about a report.

    ``tolerance`` is in pixels, the total growth of each side of a box; ``cards`` is the
    largest number of failures shown for each model.
    """

    title: str = ""
    tolerance: float = 0.0
    seed: int = 0
    cards: int = 12


def render_report(
    runs: Sequence[FinishedRun],
    summary: Summary,
    *,
    title: str,
    cards: int = 12,
    references: Summary | None = None,
) -> str:
    """
    Render the report of one or several runs over one benchmark.

    ``cards`` is the largest number of failures shown for each model. ``references`` is
    the summary of reference models, shown as a check on the benchmark itself.
    """
    cards_of = (card for run in runs for card in gallery(run, summary, limit=cards))
    return render(
        Document(
            title=title,
            kicker="Surefoot robustness report",
            facts=_facts(summary),
            sentences=tuple(sentence(each) for each in headline(summary)),
            warnings=summary.warnings,
            sections=(*sections(summary), *_sanity(references), *_funnel_section(runs[0])),
            gallery=Gallery("Failures to look at", _LOOK, _KEYS, tuple(cards_of), _NONE),
            rulers=tuple(_rulers(runs, summary)),
        )
    )


def write_report(
    runs: Sequence[Path],
    out: Path,
    *,
    sanity: Sequence[Path] = (),
    bench: Path | None = None,
    options: ReportOptions,
) -> list[str]:
    """
    Score runs, write their report, and return its headline sentences.

    ``sanity`` are runs of reference models (oracle, center, ...) over the same benchmark.
    """
    finished = [open_run(run, bench) for run in runs]
    summary = summarise(tabulate_runs(finished), tolerance=options.tolerance, seed=options.seed)
    references = None
    if sanity:
        table = tabulate_runs(open_run(run, bench) for run in sanity)
        references = summarise(table, tolerance=options.tolerance, seed=options.seed)
    names = ", ".join(run.name for run in finished)
    page = render_report(
        finished,
        summary,
        title=options.title or f"How {names} held up",
        cards=options.cards,
        references=references,
    )
    out.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(out, page.encode())
    return [sentence(each) for each in headline(summary)]


def headline(summary: Summary) -> list[Comparison]:
    """Choose the comparisons that are said in words: variants, and kinds on the original."""
    return [
        each
        for each in summary.comparisons
        if each.contrast == "variant" or each.variant == "original"
    ]


def gallery(run: FinishedRun, summary: Summary, *, limit: int) -> list[Card]:
    """Draw the failures of one run with pictures, chosen by the summary's seed."""
    answers = {answer.question: answer for answer in run.answers}
    hits = judge(run.questions, run.answers, tolerance=summary.tolerance)
    screens = {screen.id: screen for screen in read_screens(run.bench)}
    drawn = [each for each in run.questions if each.image and each.screen in screens]
    store = ObjectStore(run.bench)
    return [
        _card(run, group, answers, hits, screens, store)
        for group in choose_failures(drawn, hits, limit=limit, seed=summary.seed)
    ]


def _card(
    run: FinishedRun,
    group: Iterable[Question],
    answers: Mapping[str, Answer],
    hits: Mapping[str, bool],
    screens: Mapping[str, Screen],
    store: ObjectStore,
) -> Card:
    ordered = sorted(group, key=lambda each: (each.cell.variant != "original", each.cell.variant))
    panes: list[Pane] = []
    for question in ordered:
        picture = embed_image(store.get(question.image))
        answer = answers.get(question.id)
        screen = screens[question.screen]
        panes.append(draw_pane(question, answer, screen, picture, hit=hits[question.id]))
    first = ordered[0]
    return Card(first.instruction.text, first.page_name, run.name, first.role, tuple(panes))


def _facts(summary: Summary) -> str:
    return (
        f"{summary.answers:,} answers about {_targets(summary)}; "
        f"tolerance {summary.tolerance:g} px; {summary.failed:,} questions failed"
    )


def _targets(summary: Summary) -> str:
    """Count targets, and their sites where these are taken as independent."""
    sites = f" on {counted(summary.clusters, 'sites')}" if summary.units == "sites" else ""
    return f"{summary.pairs:,} targets{sites}"


def _sanity(references: Summary | None) -> list[Section]:
    if references is None:
        return []
    lead = (
        "Reference models say whether the benchmark itself is sound: the oracle, which is told "
        "the target, should hit always, and a model that clicks the middle almost never."
    )
    return [Section("sanity", "Checks on the benchmark", lead, (rates_figure(references),))]


def _funnel_section(run: FinishedRun) -> list[Section]:
    funnel = read_document(run.bench, "funnel.json", Funnel, kind="bench")
    if not funnel.falls and not funnel.directions:
        return []  # an imported benchmark: nobody told how it came about
    falls = Table(
        ("stage", "reason", "count"),
        tuple((fall.stage, fall.reason, f"{fall.count:,}") for fall in funnel.falls),
    )
    lead = (
        "How the benchmark came about: how many candidates fell at each check, and which "
        "directions the pages offered. An instruction is kept only where it names exactly one "
        "visible element, read strictly and read leniently, in every variant."
    )
    figures = (Figure("Candidates that fell", falls), Figure("Directions", _ways(funnel)))
    return [Section("funnel", "From the page to the question", lead, figures)]


def _ways(funnel: Funnel) -> Table:
    kept, offered = funnel.directions.get("kept", {}), funnel.directions.get("available", {})
    total = sum(kept.values()) or 1
    rows = tuple(
        (name, str(offered.get(name, 0)), str(count), f"{100 * count / total:.1f} %")
        for name in sorted(kept.keys() | offered.keys())
        for count in (kept.get(name, 0),)
    )
    return Table(("direction", "targets that offered it", "kept", "share of kept"), rows)


def _word_rulers(summary: Summary) -> list[tuple[str, str]]:
    said = [("Words", _WORDS)] if any(each.f1 is not None for each in summary.cells) else []
    given = any(each.chance is not None for each in summary.cells)
    return [*said, ("Options", _OPTIONS)] if given else said


def _rulers(runs: Sequence[FinishedRun], summary: Summary) -> list[tuple[str, str]]:
    tests = sorted({each.test_cluster for each in summary.comparisons if each.test_cluster})
    rulers = [
        ("Hit", _HIT.format(tolerance=summary.tolerance)),
        *_word_rulers(summary),
        ("Targets", _targets(summary)),
        (
            "Intervals",
            METHOD.format(one=summary.units[:-1]),
        ),
        (
            "Tests",
            (
                f"{'; '.join(tests)} over {summary.units}, as the intervals; beside it "
                "McNemar's, which takes pairs as independent"
            ),
        ),
        ("Correction", "Holm within each family of comparisons"),
        ("Detectable", "smallest true change found with power 0.8, allowing for clustering"),
    ]
    for run in runs:
        rulers += identity_rulers(run.name, run.identity)
    return rulers
