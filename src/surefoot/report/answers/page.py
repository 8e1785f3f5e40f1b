"""
The report on answers: one HTML file without network and without script, for any benchmark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from surefoot.benchmarks.benchmark import BENCHMARKS, Funnel
from surefoot.core.errors import InvalidInputError
from surefoot.core.files import write_atomic
from surefoot.failures.shares import Failures, draw_failures, failure_shares
from surefoot.report.answers.clicks import click_cards
from surefoot.report.answers.details import detail_sections
from surefoot.report.answers.failures import failure_cards
from surefoot.report.answers.masks import mask_cards
from surefoot.report.answers.modes import failure_section, mode_cards
from surefoot.report.answers.sections import metric_figure, sections, summary_rulers
from surefoot.report.html.document import Document, Gallery, identity_rulers, render
from surefoot.report.html.gallery import Card
from surefoot.report.html.section import Figure, Section, Table
from surefoot.run.asking.failures import FailureExample, judge_failures
from surefoot.run.asking.runs import (
    FinishedRun,
    RunFolder,
    benchmark_name,
    find_run,
    open_run,
    tabulate_folders,
)
from surefoot.run.asking.side_by_side import label_runs, share_questions
from surefoot.run.folders.folder import read_document
from surefoot.score.comparisons import Comparison
from surefoot.score.metric import Ruler
from surefoot.score.orders import compare_orders
from surefoot.score.scoring import Scoring
from surefoot.score.scorings.hits import HITS
from surefoot.score.summary import MetricFacts, Summary, summarise
from surefoot.score.words import (
    comparison_sentence,
    facts,
    is_clear,
    score_sentence,
)

__all__ = ["Choices", "clear_changes", "headline", "score_runs", "scoring_of", "write_report"]

MOST_SCORES: Final = 3
_UNBUILT: Final = {"": HITS, "failing": HITS}  # sets that no benchmark builds
_NONE: Final = "None with a picture."
_REFERENCES: Final = {
    "overlap": {
        "flat-mask": "nearest mask (flat-mask)",
        "ocr": "words nearby (ocr)",
    }
}


class Choices(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold what a user may choose about scores and reports.

    ``cards`` is the largest number of pictures of each model, and ``seed`` chooses them.
    Without ``by_site`` intervals take elements as independent. ``metrics`` are computed
    beside those of the benchmark. ``sanity`` are runs of
    reference models, ``standard`` runs that order the models. ``labels`` name the runs, and
    with ``shared_only`` what any of them was not asked is left out.
    """

    title: str = ""
    ruler: Ruler = Ruler()
    seed: int = 0
    cards: int = 12
    bench: Path | None = None
    by_site: bool = True
    metrics: tuple[str, ...] = ()
    sanity: tuple[Path, ...] = ()
    standard: tuple[Path, ...] = ()
    labels: tuple[str, ...] = ()
    shared_only: bool = False


class _Look(msgspec.Struct, frozen=True):
    """Say how the report on one scoring looks: its words, and the pictures in it."""

    kicker: str
    title: str
    gallery: str
    lead: str
    keys: tuple[tuple[str, str], ...]
    cards: Callable[..., Iterable[Card]]
    empty: str = _NONE


_HITS: Final = _Look(
    "Surefoot robustness report",
    "How {names} held up",
    "Failures to look at",
    "Each card is one target that the model hit on the original screen and missed on at least "
    "one variant; where nobody asked about a variant, one that it missed.",
    (
        ("target", "target"),
        ("landmark", "landmark"),
        ("prediction", "where the model clicked"),
    ),
    failure_cards,
)
_LOOKS: Final = {
    "hits": _HITS,
    "scatter": _Look(
        "Surefoot sensitivity report",
        "How much the words matter to {names}",
        "Elements that it wavers at",
        "Each card is one element, each circle the click for one instruction, numbered like "
        "the words below the picture; 3\N{MULTIPLICATION SIGN} stands for three clicks at one "
        "place. Those that some instructions hit and others missed come first.",
        (("target", "target"), ("in", "hit"), ("out", "miss (dashed)")),
        click_cards,
        "None: every instruction about every element was hit.",
    ),
    "overlap": _Look(
        "Surefoot report on hidden elements",
        "How {names} found what is hidden",
        "The masks",
        "Each card is one target under every mask: the part of the screen around it and "
        "around the box that was answered.",
        (("target", "target"), ("prediction", "predicted box, or point")),
        mask_cards,
        "No pictures at hand.",
    ),
}


def scoring_of(runs: Sequence[Path], bench: Path | None = None) -> Scoring:
    """
    Return how runs are scored: as the benchmark that they were asked says.

    Imported sets, and what ``surefoot diagnose`` found, are scored by hits. Raises
    InvalidInputError for runs that are scored differently, and UnknownNameError for a
    benchmark that is not installed.
    """
    names = dict.fromkeys(benchmark_name(run, bench) for run in runs)
    found = {name: _UNBUILT.get(name) or BENCHMARKS.get(name).scoring for name in names}
    chosen = list(found.values())
    if any(one != chosen[0] for one in chosen):
        raise InvalidInputError(
            "runs of benchmarks that are scored alike",
            found=" and ".join(f"'{name}'" for name in sorted(found)),
            remedy="score each kind of benchmark by itself",
        )
    return chosen[0]


def score_runs(
    runs: Sequence[RunFolder],
    scoring: Scoring,
    choices: Choices,
    *,
    standard: Sequence[RunFolder] = (),
) -> Summary:
    """
    Score finished runs.

    ``standard`` are runs whose hit rate orders the models, for scorings by scatter. Raises
    InvalidInputError as ``label_runs``, ``share_questions`` and ``summarise`` do.
    """
    named = label_runs(runs, choices.labels)
    asked, told = share_questions(named, shared_only=choices.shared_only)
    summary, _ = _score(asked, scoring, choices, standard=standard)
    return msgspec.structs.replace(summary, warnings=(*told, *summary.warnings))


def _score(
    runs: Sequence[RunFolder],
    scoring: Scoring,
    choices: Choices,
    *,
    standard: Sequence[RunFolder] = (),
) -> tuple[Summary, tuple[FailureExample, ...]]:
    """Score finished runs, and give examples of how they failed where that is told."""
    scoring = scoring.with_metrics(choices.metrics)
    table = tabulate_folders(runs, scoring)
    summary = summarise(table, scoring, choices.ruler, by_cluster=choices.by_site)
    details = dict(summary.details)
    examples: tuple[FailureExample, ...] = ()
    if scoring.modes:
        drawn = draw_failures(table, choices.ruler, seed=choices.seed)
        judged, examples = judge_failures(runs, table, drawn, seed=choices.seed)
        details["failures"] = failure_shares(table, judged, by_cluster=choices.by_site)
    if scoring.name == "scatter":
        others = tabulate_folders(standard, HITS) if standard else None
        details["orders"] = compare_orders(
            table, scoring.metrics, choices.ruler, standard=others, seed=choices.seed
        )
    return msgspec.structs.replace(summary, details=details), examples


def write_report(runs: Sequence[Path], out: Path, choices: Choices) -> list[str]:
    """Score runs, write their report, and return its headline sentences."""
    scoring = scoring_of(runs, choices.bench)
    finished = label_runs([open_run(run, choices.bench) for run in runs], choices.labels)
    finished, told = share_questions(finished, shared_only=choices.shared_only)
    finished = list(map(_what_counts, finished))
    standard = [find_run(run) for run in choices.standard]
    summary, examples = _score(finished, scoring, choices, standard=standard)
    references = None
    if choices.sanity:
        sanity = [find_run(run, choices.bench) for run in choices.sanity]
        references, _ = _score(label_runs(sanity), scoring, choices)
    look = _LOOKS.get(scoring.name, _HITS)
    names = ", ".join(run.name for run in finished)
    cards = (
        card
        for run in finished
        for card in look.cards(
            run, tolerance=choices.ruler.tolerance, limit=choices.cards, seed=choices.seed
        )
    )
    said = headline(summary)
    page = render(
        Document(
            title=choices.title or look.title.format(names=names),
            kicker=look.kicker,
            facts=facts(summary),
            sentences=tuple(said),
            warnings=(*told, *summary.warnings),
            sections=(
                *sections(summary),
                *_modes(summary, examples, choices),
                *detail_sections(summary),
                *_sanity(summary, references),
                *_funnel(finished[0]),
            ),
            gallery=Gallery(look.gallery, look.lead, look.keys, tuple(cards), look.empty),
            rulers=tuple(_rulers(finished, summary)),
        )
    )
    out.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(out, page.encode())
    return said


def _what_counts(run: FinishedRun) -> FinishedRun:
    """Leave out of a run whatever does not count."""
    if run.only is None:
        return run
    return msgspec.structs.replace(
        run,
        questions=tuple(one for one in run.questions if one.id in run.only),
        answers=tuple(one for one in run.answers if one.question in run.only),
        failures=tuple(one for one in run.failures if one.question in run.only),
    )


def _modes(
    summary: Summary, examples: Sequence[FailureExample], choices: Choices
) -> Iterable[Section]:
    failures = summary.details.get("failures")
    if isinstance(failures, Failures) and any(one.failures for one in failures.conditions):
        cards = mode_cards(examples, failures) if choices.cards else ()
        yield failure_section(failures, cards)


def headline(summary: Summary) -> list[str]:
    """
    Say the changes of the first metric that are more than chance, and count all others.

    Where the conditions are few, or nothing can be compared, their scores are said first.
    """
    if not summary.metrics:
        return []
    first, *others = (metric for metric in summary.metrics if metric.compared)
    scores = [
        score_sentence(score, first, summary.unit)
        for score in summary.scores
        if score.metric == first.name
    ]
    if not summary.comparisons:
        return scores
    said = scores if len(scores) <= MOST_SCORES else []
    said += clear_changes(summary, first)
    return said + [_counted(metric, summary.comparisons) for metric in others]


def clear_changes(summary: Summary, metric: MetricFacts) -> list[str]:
    """Say the changes of a metric that are more than chance, and count its others."""
    own = [one for one in summary.comparisons if one.metric == metric.name]
    clear = [one for one in own if is_clear(one.interval, one.p_holm)]
    said = [comparison_sentence(one, metric, summary.unit) for one in clear]
    if rest := len(own) - len(clear):
        others = f"{rest} {'other ' * bool(clear)}comparison{'s' * (rest != 1)}"
        said.append(f"{others} of the {metric.title} may be chance, or cannot be told.")
    return said


def _counted(metric: MetricFacts, comparisons: Iterable[Comparison]) -> str:
    own = [one for one in comparisons if one.metric == metric.name]
    clear = sum(is_clear(one.interval, one.p_holm) for one in own)
    return f"Of {len(own)} comparisons of the {metric.title}, {clear} are more than chance."


def _sanity(summary: Summary, references: Summary | None) -> list[Section]:
    """Lay out what is to be had without understanding, and how to get what is missing."""
    wanted = _REFERENCES.get(summary.scoring, {})
    if references is None and not wanted:
        return []
    run = {score.model for one in (summary, references) if one for score in one.scores}
    missing = [name for name in wanted if name not in run]
    note = "; ".join(f"surefoot run BENCH --model {name}" for name in missing)
    note = f"Not run: {note}; then name the runs with --sanity." if missing else ""
    lead = (
        "Reference models say whether the benchmark itself is sound: the oracle, which is told "
        "the target, should be right always, a model that clicks the middle almost never, and "
        "what finds the mask itself says how much of a score is no understanding."
    )
    figures: list[Figure] = []
    if references is not None:
        figures = [
            metric_figure(references, metric) for metric in references.metrics if metric.compared
        ]
    if note and figures:
        figures[-1] = msgspec.structs.replace(figures[-1], note=note)
    elif note:
        figures = [Figure("Reference models", Table(("reference",), ()), note=note)]
    return [Section("sanity", "Checks on the benchmark", lead, tuple(figures))]


def _funnel(run: FinishedRun) -> list[Section]:
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
    figures = [Figure("Candidates that fell", falls)]
    if funnel.directions:
        figures.append(Figure("Directions", _ways(funnel)))
    if funnel.sites:
        figures.append(Figure("Targets by site", _by_site(funnel)))
    return [Section("funnel", "From the page to the question", lead, tuple(figures))]


def _ways(funnel: Funnel) -> Table:
    kept, offered = funnel.directions.get("kept", {}), funnel.directions.get("available", {})
    total = sum(kept.values()) or 1
    rows = tuple(
        (name, str(offered.get(name, 0)), str(count), f"{100 * count / total:.1f} %")
        for name in sorted(kept.keys() | offered.keys())
        for count in (kept.get(name, 0),)
    )
    return Table(("direction", "targets that offered it", "kept", "share of kept"), rows)


def _by_site(funnel: Funnel) -> Table:
    """Put sites with as many targets into one row."""
    counts = sorted(set(funnel.sites.values()), reverse=True)
    rows = []
    for count in counts:
        names = sorted(name for name, own in funnel.sites.items() if own == count)
        rows.append((f"{count:,}", f"{len(names):,}", ", ".join(names)))
    return Table(("targets", "sites", "which"), tuple(rows))


def _rulers(runs: Sequence[FinishedRun], summary: Summary) -> Iterable[tuple[str, str]]:
    yield from summary_rulers(summary)
    yield "Tolerance", f"{summary.tolerance:g} px, the total growth of each side of a target"
    if summary.scoring == "scatter":
        yield "Deviation from", summary.spread
    for run in runs:
        yield from identity_rulers(run.name, run.identity)
