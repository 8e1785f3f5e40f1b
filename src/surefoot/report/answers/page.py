"""
The report on answers: one HTML file without network and without script, for any benchmark.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from surefoot.benchmarks.proofs import GIVEN, RECORDED, count_proofs, proof_words
from surefoot.core.question import Question
from surefoot.failures.shares import Failures
from surefoot.phrasing.headlines import headline_metric, headlines, with_hits
from surefoot.phrasing.tables import comparison_table, ruler_sentences
from surefoot.phrasing.words import FEWEST_ELEMENTS, facts
from surefoot.report.answers.alarms import alarms
from surefoot.report.answers.details import detail_sections
from surefoot.report.answers.funnel import funnel_section
from surefoot.report.answers.looks import look_of
from surefoot.report.answers.modes import failure_section, mode_cards
from surefoot.report.answers.sanity import sanity_section
from surefoot.report.answers.scored import Choices, score_with_examples, scoring_of
from surefoot.report.answers.sections import (
    effect_figure,
    metric_figure,
    sections,
    summary_rulers,
)
from surefoot.report.answers.variants import variants_section
from surefoot.report.html.document import Document, Gallery, identity_rulers, write_document
from surefoot.report.html.section import Figure, Section, Table
from surefoot.run.asking.failures import FailureExample
from surefoot.run.asking.runs import FinishedRun, counted, find_run, open_run
from surefoot.run.asking.side_by_side import label_runs, share_questions
from surefoot.run.asking.spent import seconds_of, spent_words
from surefoot.score.summary import Summary

MOST_DRAWN: Final = 16  # rows of the first screen's figure


def write_report(runs: Sequence[Path], out: Path, choices: Choices) -> list[str]:
    """Score runs, write their report, and return its headline sentences."""
    scoring = scoring_of(runs, choices.bench)
    finished = label_runs([open_run(run, choices.bench) for run in runs], choices.labels)
    finished, shared = share_questions(finished, shared_only=choices.shared_only)
    finished = list(map(_what_counts, finished))
    standard = [find_run(run) for run in choices.standard]
    summary, examples = score_with_examples(finished, scoring, choices, standard=standard)
    references = None
    if choices.sanity:
        sanity = [find_run(run, choices.bench) for run in choices.sanity]
        references, _ = score_with_examples(label_runs(sanity), scoring, choices)
    look = look_of(scoring.name)
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
    headlines_found, guessed = headlines(summary), tuple(_less_proven(finished))
    raised = alarms(summary, finished)
    document = Document(
        title=choices.title or look.title.format(names=names),
        kicker=look.kicker,
        facts=facts(summary) + "; see the warning on what proves them" * bool(guessed),
        headlines=tuple(line for line in headlines_found if line.numbers or not raised),
        alarms=raised,
        figure=first_figure(summary),
        warnings=(*shared, *guessed, *summary.warnings),
        sections=(
            *sections(summary.without_lost()),
            *_verdicts(summary),
            *_modes(summary, examples, choices),
            *detail_sections(summary),
            *sanity_section(summary, references),
            *_variants(finished[0], choices),
            *funnel_section(finished[0]),
        ),
        gallery=Gallery(look.gallery, lead, look.keys, tuple(cards), look.empty),
        rulers=tuple(_rulers(finished, summary)),
    )
    write_document(document, out, choices.tables)
    return [sentence for line in headlines_found for sentence in line.sentences]


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
        questions=tuple(question for question in run.questions if question.id in known),
        answers=tuple(answer for answer in run.answers if answer.question in known),
        failures=tuple(failure for failure in run.failures if failure.question in known),
    )


def _first_samples(run: FinishedRun) -> FinishedRun:
    """Leave out what was asked again: a picture shows one reply to a question."""
    if run.samples == 1:
        return run
    questions = tuple(question for question in run.questions if question.sample == 1)
    known = {question.id for question in questions}
    answers = tuple(answer for answer in run.answers if answer.question in known)
    return msgspec.structs.replace(run, questions=questions, answers=answers)


def _modes(
    summary: Summary, examples: Sequence[FailureExample], choices: Choices
) -> Iterable[Section]:
    failures = summary.details.get("failures")
    if isinstance(failures, Failures) and any(
        condition.failures for condition in failures.conditions
    ):
        cards = mode_cards(examples, failures) if choices.cards else ()
        yield failure_section(failures, cards)


def _variants(run: FinishedRun, choices: Choices) -> Iterable[Section]:
    section = variants_section(_first_samples(run), seed=choices.seed)
    if choices.cards and section.cards:
        yield section


def first_figure(summary: Summary) -> Figure | None:
    """
    Choose the figure of the first screen: the effects, or else the scores of what can be read.

    None where nothing can be claimed of any model, or of so few elements.
    """
    summary = with_hits(summary.without_lost())
    metric = headline_metric(summary)
    if metric is None or summary.elements < FEWEST_ELEMENTS:
        return None
    own = summary.only([metric.name])
    figure = effect_figure(own, metric, own.effects, most=MOST_DRAWN)
    if figure.svg:
        return figure
    lost = {replies.model for replies in summary.lost}
    scores = tuple(score for score in own.scores if score.model not in lost)
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
