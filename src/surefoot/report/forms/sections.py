"""
From scores of forms to the sections of their report: each figure beside its numbers.

What follows from the metrics is drawn as for any other benchmark; here is what only forms have.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Final

import msgspec

from surefoot.forms.scoring.metrics import LEVELS
from surefoot.forms.scoring.published import REASONS, PublishedValues, published_sentence
from surefoot.forms.scoring.summary import KIND
from surefoot.phrasing.headlines import Headline, KeyNumber, factor_sentences, lost_sentence
from surefoot.phrasing.tables import Rows, comparison_table, ruler_sentences, table_lines
from surefoot.phrasing.values import Shown, count, number
from surefoot.phrasing.words import amount_words, ends_words
from surefoot.report.answers.sections import changes, effects, slices, wide_table
from surefoot.report.forms.paper import bleu_lines, paper_section
from surefoot.report.html.figures import HeatCell, heat_map
from surefoot.report.html.section import Figure, Section, Table
from surefoot.score.summary import Summary

_NESTED: Final = ("mentioned", "typed", "in_field", "submitted")
_LEVELS: Final = ("mentioned", "by_meaning", *_NESTED[1:], "exact", "clicked")
_TESTED: Final = ("submitted", "right")
_SHOWN: Final = 40
_SHORT: Final = 5
_EFFORT: Final = (
    "An action's seconds last until the page rests; what the agent itself takes to reply is not "
    "in them. They hang on the machine."
)


def forms_sections(summary: Summary) -> tuple[Section, ...]:
    """Lay out all sections of a summary, in the order in which they are read."""
    made = (
        _levels(summary),
        _whole(summary),
        _strayed(summary),
        _parts(summary),
        paper_section(summary),
        effects(summary.without_lost().only(_TESTED)),
        changes(summary.without_lost().only(_TESTED)),
        _details(summary),
        _left_out(summary),
    )
    return tuple(section for section in made if section.figures)


def forms_headlines(summary: Summary) -> tuple[Headline, ...]:
    """Say of each agent how many values it hands in, and what is lost on the way."""
    lost = {replies.model: replies for replies in summary.lost}
    further = (
        _headline(summary, agent, known)
        for agent, known in _amounts(summary).items()
        if "submitted" in known and agent not in lost
    )
    return (*(Headline(name, lost_sentence(replies)) for name, replies in lost.items()), *further)


def _headline(summary: Summary, agent: str, known: Mapping[str, float]) -> Headline:
    score = next(
        item for item in summary.scores if (item.metric, item.model) == ("submitted", agent)
    )
    submitted, whole = (amount_words(known.get(name), "share") for name in ("submitted", "right"))
    lost = _gap(known, "mentioned", "submitted")
    gap = f", though it mentions {100 * known['mentioned']:.0f} %" if lost else ""
    begun = "mentioned" if lost is not None else "in their fields"
    if lost is None:
        lost = _gap(known, "in_field", "submitted")
    ends = ends_words(score.interval)
    return Headline(
        agent,
        f"{agent} hands in {100 * known['submitted']:.0f} % of the values where they belong{gap}.",
        (
            KeyNumber(submitted, "of the values handed in", ends),
            KeyNumber(whole or "none", "of the forms wholly right"),
            KeyNumber(f"{lost:.1f} points", f"of the values {begun} and not handed in"),
        ),
        tuple(factor_sentences(summary, summary.metric("submitted"), agent)),
    )


def forms_lines(summary: Summary) -> list[str]:
    """Lay the scores out for a terminal: a sentence an agent, tables, rulers, warnings."""
    metrics = summary.only((*_LEVELS, "right")).metrics
    counts = {score.model: score.n for score in summary.scores if score.metric == "submitted"}
    head = ("agent", "fields", *(facts.title.removeprefix("values ") for facts in metrics))
    rows: list[tuple[Shown, ...]] = []
    for agent, known in _amounts(summary).items():
        cells = (amount_words(known.get(metric.name), "share") for metric in metrics)
        rows.append((agent, f"{counts.get(agent, 0):,}", *cells))
    lines = [sentence for line in forms_headlines(summary) for sentence in line.sentences]
    lines += ["", *table_lines(head, tuple(rows))]
    for metric in summary.only(_TESTED).metrics:
        head, compared = comparison_table(summary, metric)
        if compared:
            lines += ["", f"The {metric.title}, compared", *table_lines(head, compared)]
    head, efforts = effort_table(summary)
    lines += ["", "What the median form took", *table_lines(head, efforts)] if efforts else []
    lines += bleu_lines(summary)
    lines += [published_sentence(values) for values in _published(summary)]
    lines += ["", *ruler_sentences(summary)]
    lines += [
        f"{agent}: the value of {item.value_of} was found in {item.found_in} of {item.form}, "
        f"{item.count} time{'s' * (item.count != 1)}"
        for agent, found in summary.details["misplaced"].items()
        for item in found[:_SHORT]
    ]
    return [*lines, *(f"warning: {warning}" for warning in summary.warnings)]


def _published(summary: Summary) -> list[PublishedValues]:
    """Return what was asked of published values, once where all agents were asked the same."""
    found: list[PublishedValues] = []
    for detail in summary.details.get("published", {}).values():
        if detail not in found:
            found.append(detail)
    return found


def _left_out(summary: Summary) -> Section:
    lead = (
        "The right values of these attempts were published with their letters. A value that no "
        "field of our form can take is asked of nobody and is in no denominator, and what stands "
        "in such a field counts nowhere."
    )
    reasons = sorted({why for values in _published(summary) for why in values.left_out})
    rows = tuple(
        (
            agent,
            count(detail.asked),
            count(detail.unticked),
            *(count(detail.left_out.get(why, 0)) for why in reasons),
            count(detail.unknown),
        )
        for agent, detail in summary.details.get("published", {}).items()
    )
    head = ("agent", "values asked for", "boxes to leave unticked")
    columns = (
        *head,
        *(f"left out: {REASONS.get(why, why)}" for why in reasons),
        "fields without any",
    )
    figures = (Figure("What is asked of published records", Table(columns, rows)),) if rows else ()
    return Section("published", "Published records", lead, figures)


def _amounts(summary: Summary) -> dict[str, dict[str, float]]:
    """Return what is known of each agent, by metric."""
    found: dict[str, dict[str, float]] = {}
    for score in summary.scores:
        known = found.setdefault(score.model, {})
        if score.amount is not None:
            known[score.metric] = score.amount
    return found


def _levels(summary: Summary) -> Section:
    lead = (
        "Four questions about each value, each stricter than the one before: does it appear in "
        "the reply or the form at all (mentioned; literally is the published measure, by meaning "
        "takes any spelling and nothing that is part of something else), did some field ever "
        "hold it (typed), does its own field hold it at the end (in its field), and did the "
        "server accept it there (submitted)? A gap between two neighbours says where values "
        "are lost: in the wrong field, overwritten, or never handed in."
    )
    metrics = summary.only(_LEVELS).metrics
    agents = {agent: known for agent, known in _amounts(summary).items() if "submitted" in known}
    title = "How far values came"
    if not agents:
        return Section("levels", title, lead, ())
    cells = {
        (agent, LEVELS[name]): HeatCell(known[name], f"{100 * known[name]:.0f} %")
        for agent, known in agents.items()
        for name in _LEVELS
        if name in known
    }
    names = [LEVELS[name] for name in _LEVELS if any(name in known for known in agents.values())]
    svg = heat_map(list(agents), names, cells, title=title)
    note = (
        "'exact' compares the raw text with the value as the form takes it, where 'submitted' "
        "compares what both mean; 'clicked' says that a click hit the field or an option of it."
    )
    pairs = list(itertools.pairwise(_NESTED))
    gaps: Rows = tuple(
        (agent, *(number(_gap(known, *pair), ".1f", "points") for pair in pairs))
        for agent, known in agents.items()
    )
    head = [f"{LEVELS[loose]} but not {LEVELS[strict]}" for loose, strict in pairs]
    figures = (
        Figure(title, wide_table(summary.scores, metrics), svg, note),
        Figure("Where values were lost", Table(("agent", *head), gaps)),
    )
    return Section("levels", title, lead, figures, chapter="fell")


def _whole(summary: Summary) -> Section:
    lead = (
        "A form is right when the server accepted it, every value arrived in its field and "
        "nothing else was touched; a page likewise. The paper's episodic measures beside it, as "
        "we rebuilt them, ask only that every value is mentioned, and every field clicked."
    )
    tables = {
        "Forms that were wholly right": (
            *("right", "accepted", "all_mentioned", "all_by_meaning", "all_clicked"),
        ),
        "Pages that were wholly right": ("page_right",),
        "What went wrong": ("collateral", "strayed", "refusals", "corrections"),
    }
    ended = tuple(
        (agent, ", ".join(f"{end or 'open'} {times}" for end, times in counts.items()))
        for agent, counts in summary.details["ended"].items()
    )
    figures = (
        *(
            Figure(title, wide_table(summary.scores, summary.only(names).metrics))
            for title, names in tables.items()
        ),
        Figure("How attempts ended", Table(("agent", "ended"), ended)),
        *(
            Figure("What the median form took", Table(head, rows), note=_EFFORT)
            for head, rows in [effort_table(summary)]
            if rows
        ),
    )
    return Section("episodes", "Whole forms", lead, figures, chapter="fell")


def effort_table(summary: Summary) -> tuple[tuple[str, ...], Rows]:
    """Return the head and the rows of what the median form took of each agent."""
    rows = tuple(
        (
            agent,
            count(detail.forms),
            number(detail.replies, ".1f"),
            number(detail.actions, ".1f"),
            number(detail.seconds, ".1f", "s"),
        )
        for agent, detail in summary.details.get("effort", {}).items()
    )
    return ("agent", "forms", "replies a form", "actions a form", "seconds of its actions"), rows


def _strayed(summary: Summary) -> Section:
    lead = (
        "Values that ended in another field than their own, as a matrix: the row is the kind of "
        "field a value belongs to, the column the kind it was found in, the share is of all "
        "values of the row's kind. Ticks and choices cannot stray."
    )
    figures = []
    for agent, found in summary.details["strayed"].items():
        cells = {
            (f"value of: {item.value_of}", item.found_in): HeatCell(
                min(1.0, item.count / item.asked), f"{item.count} of {item.asked}"
            )
            for item in found
        }
        rows, columns = (sorted(set(side)) for side in zip(*cells, strict=True))
        title = f"{agent}: values found in a wrong field"
        table = Table(
            ("form", "value of", "found in", "times"),
            tuple(
                (detail.form, detail.value_of, detail.found_in, count(detail.count))
                for detail in summary.details["misplaced"][agent][:_SHOWN]
            ),
        )
        svg = heat_map(rows, columns, cells, title=title)
        note = f"The table lists single fields, at most {_SHOWN}, the commonest first."
        figures.append(Figure(title, table, svg, note))
    return Section("strayed", "Right value, wrong field", lead, tuple(figures))


def _parts(summary: Summary) -> Section:
    lead = (
        "By kind of field, by size of the form and by how it was shown. Other forms are other "
        "forms, so read these as descriptions; the drawings show values submitted, the tables "
        "all measures. 'Clicked' and 'mentioned literally' are the paper's 'Click' and 'Value', "
        "as we rebuilt them, of single fields (atomic), and of all fields of a form or of one "
        "kind in it (episodic)."
    )
    parts = [
        score for score in summary.slices if score.metric[:5] != "kind_" or score.trait == KIND
    ]
    found = slices(msgspec.structs.replace(summary, slices=tuple(parts)))
    return Section("kinds", "By kind of field, size and looks", lead, found.figures)


def _details(summary: Summary) -> Section:
    lead = (
        "Free text is compared with the right text by words and letters in common, from 0 to "
        "100, besides the rates above, which want it whole; a description that was never handed "
        "in counts as empty. Clicks are measured from the nearest one on a field's page to the "
        "box of its control, in pixels of the picture that the agent was shown."
    )
    figures = []
    if texts := summary.details["descriptions"]:
        head = ("agent", "texts", "BLEU", "mean sentence BLEU", "chrF")
        rows = tuple(
            (
                agent,
                count(text.n),
                *(number(found, ".1f") for found in (text.bleu, text.sentence_bleu, text.chrf)),
            )
            for agent, text in texts.items()
        )
        figures.append(Figure("Descriptions", Table(head, rows)))
    if clicks := summary.details["distances"]:
        head = ("agent", "fields with a click on their page", "inside", "median", "90 % within")
        rows = tuple(
            (
                agent,
                count(click.n),
                count(click.inside),
                *(number(found, ".0f", "px") for found in (click.median, click.upper)),
            )
            for agent, click in clicks.items()
        )
        figures.append(Figure("How near clicks came", Table(head, rows)))
    return Section("details", "Descriptions and clicks", lead, tuple(figures))


def _gap(known: Mapping[str, float], loose: str, strict: str) -> float | None:
    """Return the points lost between two levels; None where nobody watched for the first."""
    return 100 * (known[loose] - known[strict]) if loose in known else None
