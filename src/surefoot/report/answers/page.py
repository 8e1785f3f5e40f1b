"""
The report on answers: one HTML file without network and without script, for any benchmark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from surefoot.benchmarks.benchmark import BENCHMARKS, Funnel
from surefoot.benchmarks.proofs import GIVEN, RECORDED, count_proofs, proof_words
from surefoot.core.errors import InvalidInputError
from surefoot.core.perturbation import variant_title
from surefoot.core.question import Question
from surefoot.datasets.labelled import LABELLED
from surefoot.failures.shares import Failures, draw_failures, failure_shares
from surefoot.report.answers.alarms import alarms
from surefoot.report.answers.clicks import click_cards
from surefoot.report.answers.details import detail_sections
from surefoot.report.answers.failures import failure_cards
from surefoot.report.answers.masks import mask_cards
from surefoot.report.answers.modes import failure_section, mode_cards
from surefoot.report.answers.sections import changes, metric_figure, sections, summary_rulers
from surefoot.report.answers.standing import beside_standard
from surefoot.report.answers.variants import variants_section
from surefoot.report.html.document import Document, Gallery, identity_rulers, write_document
from surefoot.report.html.gallery import Card
from surefoot.report.html.section import Figure, Section, Table
from surefoot.run.asking.failures import FailureExample, judge_failures
from surefoot.run.asking.runs import (
    FinishedRun,
    RunFolder,
    benchmark_name,
    counted,
    find_run,
    open_run,
    tabulate_folders,
)
from surefoot.run.asking.side_by_side import label_runs, share_questions
from surefoot.run.asking.spent import seconds_of, spent_words
from surefoot.run.folders.folder import read_document
from surefoot.run.selecting import selection_words
from surefoot.score.headlines import headline_metric, headlines
from surefoot.score.lost import LostReplies
from surefoot.score.metric import Ruler
from surefoot.score.orders import compare_orders
from surefoot.score.scoring import Scoring
from surefoot.score.scorings.hits import HITS
from surefoot.score.summary import Summary, summarise
from surefoot.score.tables import comparison_table, ruler_sentences
from surefoot.score.values import amount, count
from surefoot.score.words import facts, is_claimed

__all__ = ["Choices", "first_figure", "score_runs", "scoring_named", "scoring_of", "write_report"]

MOST_DRAWN: Final = 16  # rows of the first screen's figure
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
    reference models, ``standard`` runs on standard sets. ``labels`` name the runs, and
    with ``shared_only`` what any of them was not asked is left out. Into the folder ``tables``
    the report's tables are written.
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
    tables: Path | None = None


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
    "multilingual": _Look(
        "Surefoot report on languages",
        "How {names} understood screens in each language",
        "Items that languages tell apart",
        "Each card is one item that the model answered rightly in English and wrongly in at least "
        "one other language; where nobody asked in another, one that it missed.",
        (("target", "target"),),
        failure_cards,
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

    Imported sets are scored by hits unless they say otherwise, and so is what ``surefoot
    diagnose`` found. Raises
    InvalidInputError for runs that are scored differently, and UnknownNameError for a
    benchmark that is not installed.
    """
    names = dict.fromkeys(benchmark_name(run, bench) for run in runs)
    found = {name: scoring_named(name) for name in names}
    chosen = list(found.values())
    if any(one != chosen[0] for one in chosen):
        raise InvalidInputError(
            "runs of benchmarks that are scored alike",
            found=" and ".join(f"'{name}'" for name in sorted(found)),
            remedy="score each kind of benchmark by itself",
        )
    return chosen[0]


def scoring_named(benchmark: str) -> Scoring:
    """
    Return how a benchmark or an imported set is scored, by its name.

    Raises as ``scoring_of`` does.
    """
    if benchmark in LABELLED.entries:
        return LABELLED.get(benchmark).scoring
    return _UNBUILT.get(benchmark) or BENCHMARKS.get(benchmark).scoring


def score_runs(
    runs: Sequence[RunFolder],
    scoring: Scoring,
    choices: Choices,
    *,
    standard: Sequence[RunFolder] = (),
) -> Summary:
    """
    Score finished runs.

    ``standard`` are runs on standard sets: their hit rates stand beside those of a scoring by
    hits, and order the models of one by scatter. Raises InvalidInputError as ``label_runs``,
    ``share_questions`` and ``summarise`` do.
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
    if missed := _missed_checks(runs, summary):
        details["lost"] = (*summary.lost, *missed)
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
    if scoring.name == "hits" and standard:
        sets = _standard_sets(standard, choices)
        details["standard"] = beside_standard(summary, sets)
    said = dict.fromkeys(line for run in runs for line in selection_words(run.bench))
    warnings = (*said, *summary.warnings)
    return msgspec.structs.replace(summary, details=details, warnings=warnings), examples


def _standard_sets(standard: Sequence[RunFolder], choices: Choices) -> dict[str, Summary]:
    """Score the runs on each standard set by themselves."""
    sets: dict[str, list[RunFolder]] = {}
    for run in standard:
        sets.setdefault(benchmark_name(run.folder) or run.bench.name, []).append(run)
    return {
        name: summarise(tabulate_folders(runs, HITS), HITS, choices.ruler)
        for name, runs in sets.items()
    }


def _missed_checks(runs: Sequence[RunFolder], summary: Summary) -> tuple[LostReplies, ...]:
    """Return the models that hit no target of their self-check, and are not lost anyway."""
    lost = {one.model for one in summary.lost}
    return tuple(
        LostReplies(
            run.name,
            check.asked,
            0,
            0,
            f"the self-check before the run hit {check.hits} of {check.asked} plain buttons",
        )
        for run in runs
        if (check := run.check) is not None and not check.hits and run.name not in lost
    )


def write_report(runs: Sequence[Path], out: Path, choices: Choices) -> list[str]:
    """Score runs, write their report, and return its headline sentences."""
    scoring = scoring_of(runs, choices.bench)
    finished = label_runs([open_run(run, choices.bench) for run in runs], choices.labels)
    finished, shared = share_questions(finished, shared_only=choices.shared_only)
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
        for run in map(_first_samples, finished)
        for card in look.cards(
            run, tolerance=choices.ruler.tolerance, limit=choices.cards, seed=choices.seed
        )
    )
    lead = look.lead
    if any(run.samples > 1 for run in finished):
        lead += " Of a question that was asked several times the first reply is shown."
    told, guessed = headlines(summary), tuple(_less_proven(finished))
    raised = alarms(summary, finished)
    document = Document(
        title=choices.title or look.title.format(names=names),
        kicker=look.kicker,
        facts=facts(summary) + "; see the warning on what proves them" * bool(guessed),
        headlines=tuple(line for line in told if line.numbers or not raised),
        alarms=raised,
        figure=first_figure(summary),
        warnings=(*shared, *guessed, *summary.warnings),
        sections=(
            *sections(summary.without_lost()),
            *_verdicts(summary),
            *_modes(summary, examples, choices),
            *detail_sections(summary),
            *_sanity(summary, references),
            *_variants(finished[0], choices),
            *_funnel(finished[0]),
        ),
        gallery=Gallery(look.gallery, lead, look.keys, tuple(cards), look.empty),
        rulers=tuple(_rulers(finished, summary)),
    )
    write_document(document, out, choices.tables)
    return [line.sentence for line in told]


def _less_proven(runs: Sequence[FinishedRun]) -> Iterator[str]:
    """Say of each benchmark how many questions rest on less than recorded elements."""
    for bench, counts in _proofs(runs).items():
        if any(name not in {RECORDED, GIVEN} for name in counts):
            yield f"{bench}: {proof_words(counts)}; only recorded elements prove in full."


def _proofs(runs: Sequence[FinishedRun]) -> dict[str, dict[str, int]]:
    """Count the questions of each benchmark, once each, by what they rest on."""
    asked: dict[str, dict[str, Question]] = {}
    for run in runs:
        own = asked.setdefault(run.bench.name, {})
        own |= {question.first_sample: question for question in run.questions}
    return {bench: count_proofs(found.values()) for bench, found in asked.items()}


def _what_counts(run: FinishedRun) -> FinishedRun:
    """Leave out of a run whatever does not count."""
    known = counted(run)
    if known is None:
        return run
    return msgspec.structs.replace(
        run,
        questions=tuple(one for one in run.questions if one.id in known),
        answers=tuple(one for one in run.answers if one.question in known),
        failures=tuple(one for one in run.failures if one.question in known),
    )


def _first_samples(run: FinishedRun) -> FinishedRun:
    """Leave out what was asked again: a picture shows one reply to a question."""
    if run.samples == 1:
        return run
    questions = tuple(one for one in run.questions if one.sample == 1)
    known = {one.id for one in questions}
    answers = tuple(one for one in run.answers if one.question in known)
    return msgspec.structs.replace(run, questions=questions, answers=answers)


def _modes(
    summary: Summary, examples: Sequence[FailureExample], choices: Choices
) -> Iterable[Section]:
    failures = summary.details.get("failures")
    if isinstance(failures, Failures) and any(one.failures for one in failures.conditions):
        cards = mode_cards(examples, failures) if choices.cards else ()
        yield failure_section(failures, cards)


def _variants(run: FinishedRun, choices: Choices) -> Iterable[Section]:
    section = variants_section(_first_samples(run), seed=choices.seed)
    if choices.cards and section.cards:
        yield section


def first_figure(summary: Summary) -> Figure | None:
    """
    Choose the figure of the first screen: what changed, or else the scores of what can be read.

    None where nothing can be claimed of any model.
    """
    summary = summary.without_lost()
    metric = headline_metric(summary)
    if metric is None:
        return None
    own = summary.only([metric.name])
    clear = {one.contrast for one in own.comparisons if is_claimed(one, metric.unit)}
    told = [
        one for one in own.comparisons if one.contrast in (clear - {"model"} or {one.contrast})
    ]
    own = msgspec.structs.replace(own, comparisons=tuple(told), totals=())
    drawn = [one for one in changes(own).figures if one.svg and len(one.table.rows) <= MOST_DRAWN]
    if drawn:
        return drawn[0]
    lost = {one.model for one in summary.lost}
    scores = tuple(one for one in own.scores if one.model not in lost)
    if not scores:
        return None
    return metric_figure(msgspec.structs.replace(own, scores=scores), metric)


def _verdicts(summary: Summary) -> Iterable[Section]:
    """Lay every comparison out as words, with the rulers said once."""
    figures = []
    for metric in summary.metrics:
        head, rows = comparison_table(summary, metric)
        if metric.compared and rows:
            title = f"{metric.title[:1].upper()}{metric.title[1:]}, compared"
            figures.append(Figure(title, Table(head, rows)))
    if figures:
        lead = " ".join(ruler_sentences(summary))
        yield Section(
            "verdicts", "Every comparison in a word", lead, tuple(figures), chapter="sure"
        )


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
    return [Section("sanity", "Checks on the benchmark", lead, tuple(figures), chapter="sure")]


def _funnel(run: FinishedRun) -> list[Section]:
    funnel = read_document(run.bench, "funnel.json", Funnel, kind="bench")
    if not funnel.falls and not funnel.directions:
        return []  # an imported benchmark: nobody told how it came about
    falls = Table(
        ("stage", "reason", "count"),
        tuple(
            (_titled(fall.stage), _titled(fall.reason), count(fall.count)) for fall in funnel.falls
        ),
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
    title = "From the page to the question"
    return [Section("funnel", title, lead, tuple(figures), chapter="measured")]


def _titled(words: str) -> str:
    """Call the variant that ends a stage or reason of the funnel by its title."""
    for link in (" on ", " under "):
        start, _, variant = words.rpartition(link)
        if start:
            return f"{start}{link}{variant_title(variant)}"
    return words


def _ways(funnel: Funnel) -> Table:
    kept, offered = funnel.directions.get("kept", {}), funnel.directions.get("available", {})
    total = sum(kept.values()) or 1
    rows = tuple(
        (name, count(offered.get(name, 0)), count(own), amount(own / total, "share"))
        for name in sorted(kept.keys() | offered.keys())
        for own in (kept.get(name, 0),)
    )
    return Table(("direction", "targets that offered it", "kept", "share of kept"), rows)


def _by_site(funnel: Funnel) -> Table:
    """Put sites with as many targets into one row."""
    counts = sorted(set(funnel.sites.values()), reverse=True)
    rows = []
    for targets in counts:
        names = sorted(name for name, own in funnel.sites.items() if own == targets)
        rows.append((count(targets), count(len(names)), ", ".join(names)))
    return Table(("targets", "sites", "which"), tuple(rows))


def _rulers(runs: Sequence[FinishedRun], summary: Summary) -> Iterable[tuple[str, str]]:
    yield from summary_rulers(summary)
    for bench, counts in _proofs(runs).items():
        yield f"Proof, {bench}", proof_words(counts)
    yield "Tolerance", f"{summary.tolerance:g} px, the total growth of each side of a target"
    if summary.scoring == "scatter":
        yield "Deviation from", summary.spread
    for run in runs:
        yield from identity_rulers(run.name, run.identity)
        if run.check is not None:
            yield f"{run.name}: self-check", run.check.seen
        if spent := spent_words(run.answers, seconds_of(run.folder)):
            yield f"{run.name}: spent", spent
