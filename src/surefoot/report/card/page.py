"""
The card as a page: where a model stands over all pillars, what hurts it, and each element.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from surefoot.benchmarks.benchmark import Funnel
from surefoot.core.perturbation import ORIGINAL, REWORDED
from surefoot.diagnose.summary import overview_sentences
from surefoot.forms.scoring.summary import FORMS, measure_forms
from surefoot.phrasing.card import (
    between_models,
    card_headline,
    losses,
    models_of,
    nothing_follows,
    pillar_sentences,
    population_sentences,
    rate_of,
    speaks,
)
from surefoot.phrasing.factors import phrases_of
from surefoot.phrasing.headlines import effect_name
from surefoot.phrasing.tables import Rows, effect_table
from surefoot.phrasing.values import amount, count, ends, number
from surefoot.phrasing.words import (
    METHOD,
    cluster_words,
    confidence_words,
    over_words,
    p_words,
    too_few,
)
from surefoot.report.answers.looks import look_of
from surefoot.report.answers.sections import summary_rulers
from surefoot.report.card.grid import matrix_sections
from surefoot.report.card.matrix import Matrix, patterns_of, read_matrix
from surefoot.report.card.opening import CardSources, measure
from surefoot.report.card.record import CardCost, CardRecord
from surefoot.report.diagnosis.causes import cause_figures
from surefoot.report.forms.page import FormsRun, cases_of, score_forms
from surefoot.report.html.document import Document, Gallery, identity_rulers, write_document
from surefoot.report.html.figures import Axis, IntervalRow, forest_plot, level_plot
from surefoot.report.html.gallery import Card
from surefoot.report.html.section import Figure, Section, Table
from surefoot.run.asking.runs import open_run
from surefoot.run.folders.folder import read_document
from surefoot.score.conditions.scores import Score
from surefoot.score.metric import Ruler
from surefoot.score.pillars import GUESSING, MeasuredPillar, Pillar, judge_together
from surefoot.score.stats.units import Unit

MARKS: Final = ("chance", "ceiling (oracle)")  # before the names of other references
_CEILING: Final = "oracle"
_PILLARS: Final = ("perturbed", "sensitivity", "hidden", "multilingual", FORMS)


class CardChoices(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold what a user may choose about a card.

    ``cards`` is the largest number of elements shown of each pattern; at ``port`` is the
    ``surefoot view`` that cells lead to.
    """

    title: str = ""
    ruler: Ruler = Ruler()
    unit: Unit = "site"
    cards: int = 4
    port: int = 8422


class ScoredCard(msgspec.Struct, frozen=True):
    """Hold a card's record, with what its page shows beside it."""

    record: CardRecord
    matrix: Matrix
    sources: CardSources


def score_card(sources: CardSources, choices: CardChoices) -> ScoredCard:
    """
    Score all pillars together.

    Raises InvalidInputError as ``summarise`` does for the answers of a pillar.
    """
    measured = [measure(pillar, choices.ruler, choices.unit) for pillar in sources.pillars]
    measured += _forms(sources.forms)
    pillars = judge_together(measured)
    models = tuple(name for name in models_of(pillars) if name not in sources.references)
    matrix = read_matrix(
        sources.pillars,
        cases_of(sources.forms),
        sources.references,
        tolerance=choices.ruler.tolerance,
    )
    silent = {
        model: frozenset(pillar.name for pillar in pillars if not pillar.stands_above(model))
        for model in models
    }
    return ScoredCard(
        CardRecord(
            models=models,
            headlines=tuple(card_headline(name, pillars) for name in models),
            between=tuple(between_models(pillars, models)),
            nothing=tuple(_nothing(pillars, models)),
            pillars=pillars,
            columns=matrix.columns,
            elements=matrix.elements,
            patterns=tuple(patterns_of(matrix, silent)),
            costs=(*matrix.costs, *_form_costs(sources.forms)),
            causes=tuple(
                sentence for found in sources.diagnoses for sentence in overview_sentences(found)
            ),
            warnings=tuple(
                f"{pillar.name}: {warning}"
                for pillar in pillars
                for warning in pillar.summary.warnings
            ),
            tolerance=choices.ruler.tolerance,
        ),
        matrix,
        sources,
    )


def write_card(card: ScoredCard, out: Path, choices: CardChoices) -> None:
    """Write the page: one file that needs no network and runs no script."""
    record = card.record
    names = ", ".join(record.models)
    figure = standing_figure(record, card.sources.references)
    document = Document(
        title=choices.title or f"Where {names} stand{'s' * (len(record.models) == 1)}",
        kicker="Surefoot card",
        facts=_facts(record),
        headlines=record.headlines,
        figure=figure,
        questions={"fell": "What hurts it?", "where": "Which elements?", "sure": "What is open?"},
        warnings=record.warnings,
        sections=(
            *_standing(figure),
            *_effects(record),
            *_each_pillar(record),
            *matrix_sections(
                card.matrix, record, card.sources, cards=choices.cards, port=choices.port
            ),
            *_causes(card.sources),
            *_open(record),
            *_left_out(card),
            *_spent(record.costs),
        ),
        gallery=_gallery(card, choices),
        rulers=tuple(_rulers(card)),
    )
    write_document(document, out)


def _gallery(card: ScoredCard, choices: CardChoices) -> Gallery:
    """Show failures of each model in the pillar in which it loses most."""
    cards: list[Card] = []
    look = look_of("hits")
    for model in card.record.models:
        pillars = [loss.pillar.name for loss in losses(card.record.pillars, model)]
        own = {
            pillar.name: (pillar.scoring.name, run)
            for pillar in card.sources.pillars
            for run in pillar.runs
            if run.name == model
        }
        name = next((name for name in (*pillars, *own) if name in own), "")
        if name and choices.cards:
            scoring, run = own[name]
            look = look_of(scoring)
            found = msgspec.structs.replace(open_run(run.folder, run.bench), name=model)
            tolerance = choices.ruler.tolerance
            cards += look.cards(found, tolerance=tolerance, limit=choices.cards, seed=0)
    lead = f"Of the pillar in which a model loses most. {look.lead}"
    return Gallery(look.gallery, lead, look.keys, tuple(cards), look.empty)


def _forms(runs: Sequence[FormsRun]) -> Iterator[MeasuredPillar]:
    """Yield the pillar of forms, none where no field had a value to hand in."""
    if runs:
        found = measure_forms(cases_of(runs), score_forms(runs))
        if found.pillar.summary.metrics:
            yield found


def _form_costs(runs: Iterable[FormsRun]) -> Iterator[CardCost]:
    results = [result for run in runs for result in run.results]
    for agent in dict.fromkeys(result.score.agent for result in results):
        own = [turn for item in results if item.score.agent == agent for turn in item.turns]
        yield CardCost(
            pillar=FORMS,
            model=agent,
            replies=len(own),
            seconds=None,
            read=sum(turn.usage.prompt_tokens for turn in own),
            written=sum(turn.usage.completion_tokens for turn in own),
            dollars=sum(turn.usage.cost for turn in own),
        )


def _nothing(pillars: Sequence[Pillar], models: Sequence[str]) -> Iterator[str]:
    for model in models:
        asked = [
            pillar
            for pillar in pillars
            if any(score.model == model for score in pillar.summary.scores)
        ]
        yield from nothing_follows(model, asked)
        if missing := [pillar.name for pillar in pillars if pillar not in asked]:
            yield f"{model} was not asked {' and '.join(missing)}."
    names = " ".join(pillar.name for pillar in pillars)
    if untold := [name for name in _PILLARS if name not in names]:
        yield f"Of {', '.join(untold)} there is no run: the card says nothing of it."
    yield from population_sentences(pillars)


def _facts(record: CardRecord) -> str:
    elements = len(record.elements)
    joined = sum(
        len({record.columns[cell.column].pillar for cell in element.cells}) > 1
        for element in record.elements
    )
    answers = sum(pillar.summary.answers for pillar in record.pillars)
    return (
        f"{answers:,} answers in {cluster_words(len(record.pillars), 'pillars')}, references "
        f"among them; {cluster_words(elements, 'elements')}, {joined:,} asked in more than one; "
        f"tolerance {record.tolerance:g} px"
    )


def standing_figure(record: CardRecord, references: Iterable[str]) -> Figure | None:
    """Draw every pillar on one axis, with its own chance, ceiling and other references."""
    beside = set(references)
    rows, table = [], []
    names = [*MARKS]
    for pillar in record.pillars:
        metric = rate_of(pillar)
        for score in pillar.standings:
            if score.model not in record.models or score.amount is None:
                continue
            label = _standing_name(pillar, score, alone=len(record.models) == 1)
            levels = _levels(pillar, score, beside, names)
            faint = not pillar.stands_above(score.model)
            interval = score.interval
            rows.append(
                IntervalRow(
                    label,
                    100 * score.amount,
                    (100 * interval.low, 100 * interval.high) if interval else None,
                    over_words(interval),
                    faint=faint,
                    marks=tuple((at, 100 * level) for at, _, level in levels),
                )
            )
            named = "; ".join(f"{name} {100 * level:.1f}" for _, name, level in levels)
            table.append(
                (
                    label,
                    amount(score.amount, metric.unit, bare=True),
                    ends(interval, metric.unit),
                    count(score.n),
                    named,
                    "no" if faint else "yes",
                )
            )
    if not rows:
        return None
    head = ("pillar", "rate, %", "95 % interval", "questions", "beside it, %", "above chance")
    title = "Every pillar on one axis"
    svg = level_plot(
        rows, title=title, axis=Axis("right answers, %"), top=100.0, digits=1, names=names
    )
    note = (
        "Rows hold other questions, so two of them are not a change. An open grey mark is a "
        "pillar in which the model does no better than chance on unchanged screens."
    )
    return Figure(title, Table(head, tuple(table)), svg, note)


def _standing(figure: Figure | None) -> Iterator[Section]:
    """Lay out the numbers of the first screen's figure as a table."""
    if figure is not None:
        table_alone = msgspec.structs.replace(figure, svg="", title="Every pillar in numbers")
        lead = "Rates of questions that belong together, and what others have on the same ones."
        yield Section("standing", "Where it stands", lead, (table_alone,), chapter="fell")


def _standing_name(pillar: Pillar, score: Score, *, alone: bool) -> str:
    phrases = phrases_of(pillar.summary.scoring, "variant")
    if pillar.summary.scoring == FORMS:
        where = "fields"
    elif score.variant:
        where = phrases.value(score.variant, score.variant)
        where += f", {score.instruction}" * bool(score.instruction)
    else:
        asked = {item.variant for item in pillar.summary.scores}
        shown = {name.removesuffix(REWORDED) for name in asked} - {"", ORIGINAL}
        several = len(shown) > 1
        where = phrases.effect("" if several else "".join(shown), ORIGINAL, len(shown))
        if any(name.endswith(REWORDED) for name in asked):
            where = f"{where}, and in other words" if shown else "in other words"
    return f"{'' if alone else f'{score.model}, '}{pillar.name}: {where}"


def _levels(
    pillar: Pillar, score: Score, references: set[str], names: list[str]
) -> list[tuple[int, str, float]]:
    """Return what stands beside a rate: (place among names, name, rate), chance first."""
    found = [
        (_mark_of(standing.model, names), standing.model, standing.amount)
        for standing in pillar.standings
        if (standing.variant, standing.instruction) == (score.variant, score.instruction)
        and (standing.model in references or standing.model in ("null", "oracle"))
        and standing.amount is not None
    ]
    even = [
        (0, GUESSING, item.amount)
        for item in pillar.above
        if item.model == score.model and item.reference == GUESSING and score.variant
    ]
    blind = [level for level in (*found, *even) if level[0] == 0]
    chance = [max(blind, key=lambda level: level[2])] if blind else []
    return [*chance, *sorted(level for level in found if level[0])]


def _mark_of(model: str, names: list[str]) -> int:
    """Return a reference's place among the names of marks, which it is added to."""
    if model in ("center", "random", "null"):
        return 0
    if model == _CEILING:
        return 1
    if model not in names:
        names.append(model)
    return names.index(model)


def _effects(record: CardRecord) -> Iterator[Section]:
    """Draw all effects of all pillars on one axis, with the intervals of their own tests."""
    figures = []
    for model in record.models:
        rows, hidden = [], []
        for pillar in record.pillars:
            own = [
                effect for effect in pillar.effects_on(model) if effect.found or not effect.beside
            ]
            if not speaks(pillar, model):
                hidden += [pillar.name] * bool(own)
                continue
            rows += [
                IntervalRow(
                    f"{pillar.name}: {effect_name(effect, pillar.summary.scoring)}",
                    100 * effect.change,
                    (100 * effect.interval.low, 100 * effect.interval.high),
                    over_words(effect.interval),
                    f"{p_words(effect.p)} ({confidence_words(1 - effect.level)} interval)",
                    effect.found,
                )
                for effect in own
                if effect.change is not None
                and effect.interval
                and not too_few(effect, pillar.summary.unit)
            ]
        title = f"What each change does to {model}, over all pillars"
        note = f"Left out, since nothing follows there: {', '.join(hidden)}." if hidden else ""
        svg = forest_plot(rows, title=title, axis=_CHANGE) if rows else ""
        figures.append(Figure(title, _effect_rows(record, model), svg, note))
    lead = (
        "Each change is measured on the elements that both sides share, averaged over all other "
        "conditions. All intervals of a model hold together: the 5 % are shared out over the "
        "changes of all pillars. A filled mark is an effect that its test finds."
    )
    yield Section("effects", "What each change does", lead, tuple(figures), chapter="fell")
    if record.between:
        table = Table(("how the two differ",), tuple((line,) for line in record.between))
        yield Section(
            "between", "The models side by side", "On what both were asked.",
            (Figure("Pillar by pillar", table),), chapter="fell",
        )  # fmt: skip


_CHANGE: Final = Axis(
    "change of the rate, percentage points; intervals at the levels of the tests"
)


def _effect_rows(record: CardRecord, model: str) -> Table:
    head: tuple[str, ...] = ("pillar",)
    rows = []
    for pillar in record.pillars:
        own = msgspec.structs.replace(pillar.summary, effects=pillar.effects_on(model))
        titles, lines = effect_table(own, rate_of(pillar))
        head = ("pillar", *titles)
        rows += [(pillar.name, *line) for line in lines]
    return Table(head, tuple(rows))


def _each_pillar(record: CardRecord) -> Iterator[Section]:
    figures = []
    for pillar in record.pillars:
        rows = tuple(
            (model, sentence)
            for model in record.models
            if any(score.model == model for score in pillar.summary.scores)
            for sentence in pillar_sentences(pillar, model)
        )
        figures.append(Figure(pillar.name, Table(("model", "what may be said"), rows)))
    lead = "All that each pillar says by itself, at the levels that all pillars share."
    yield Section("pillars", "Pillar by pillar", lead, tuple(figures), chapter="fell")


def _causes(sources: CardSources) -> Iterator[Section]:
    figures = []
    for found in sources.diagnoses:
        figures += list(cause_figures(found))
        rows = tuple((sentence,) for sentence in overview_sentences(found))
        figures.append(
            Figure(f"What the diagnosis of {found.model} says", Table(("sentence",), rows))
        )
    if figures:
        lead = "Causes as surefoot diagnose found them; each says whether fresh questions hold it."
        yield Section("causes", "Causes", lead, tuple(figures))


def _open(record: CardRecord) -> Iterator[Section]:
    rows = tuple((sentence,) for sentence in record.nothing)
    lead = "What was not measured, what cannot be told, and for whom the numbers hold."
    figure = Figure("What nothing follows for", Table(("sentence",), rows))
    yield Section("nothing", "What nothing follows for", lead, (figure,), chapter="sure")


def _left_out(card: ScoredCard) -> Iterator[Section]:
    """Count what was lost among the answers, and before there were questions."""
    lost: Rows = tuple(
        (pillar.name, model, *map(count, _lost_of(pillar, model)))
        for pillar in card.record.pillars
        for model in card.record.models
        if any(score.model == model for score in pillar.summary.scores)
    )
    figures = [
        Figure(
            "Replies", Table(("pillar", "model", "asked", "unparsed", "declined", "failed"), lost)
        )
    ]
    falls = tuple(
        (opened.name, fall.stage, fall.reason, count(fall.count))
        for opened in card.sources.pillars
        for bench in opened.benches[:1]
        for fall in read_document(bench, "funnel.json", Funnel, kind="bench").falls
    )
    if falls:
        figures.append(
            Figure("Before it was asked", Table(("pillar", "stage", "reason", "count"), falls))
        )
    lead = (
        "Nothing is dropped in silence: what was lost among replies, and what fell while building."
    )
    yield Section("left-out", "What was left out", lead, tuple(figures), chapter="sure")


def _lost_of(pillar: Pillar, model: str) -> tuple[int, ...]:
    """Count a model's questions, and its replies that were unparsed, declined and failed."""
    own = [score for score in pillar.summary.scores if score.model == model]
    parts = ([item.rows, item.unparsed, item.refused, item.failed] for item in own)
    return tuple(map(sum, zip(*parts, strict=True)))


def _spent(costs: Sequence[CardCost]) -> Iterator[Section]:
    rows = tuple(
        (
            cost.pillar,
            cost.model,
            count(cost.replies),
            number(cost.seconds, ",.1f"),
            count(cost.read),
            count(cost.written),
            number(cost.dollars, ",.2f"),
        )
        for cost in costs
    )
    head = ("pillar", "model", "replies", "seconds", "tokens read", "tokens written", "US dollars")
    lead = "What the replies took: of seconds and tokens what the run has noted."
    figure = Figure("What it cost", Table(head, rows))
    yield Section("cost", "What it cost", lead, (figure,), chapter="measured")


def _rulers(card: ScoredCard) -> Iterator[tuple[str, str]]:
    pillars = card.record.pillars
    for pillar in pillars:
        metric = rate_of(pillar)
        yield f"{pillar.name}: {metric.title}", metric.summary
        yield f"{pillar.name}: clusters", f"{pillar.summary.clusters:,} {pillar.summary.unit}"
    rulers = dict(summary_rulers(pillars[0].summary))
    yield "Intervals", METHOD.format(one="cluster")
    yield (
        "Correction",
        "5 % for a model, shared out among the changes of all its pillars; then "
        + rulers["Correction"].partition("; ")[2].partition(". ")[0],
    )
    above = (
        "better, on the questions that changes start from, than an even guess and than each "
        "reference that does not look; a paired test at 5 % each"
    )
    yield "Above chance", above
    for opened in card.sources.pillars:
        for run in opened.runs:
            yield from identity_rulers(f"{run.name}, {opened.name}", run.identity)
