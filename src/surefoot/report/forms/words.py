"""
Scores of forms in plain words, without claiming more than the intervals hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from surefoot.forms.scoring.changes import Change
from surefoot.forms.scoring.episodes import FieldRate, Level
from surefoot.forms.scoring.shares import Share
from surefoot.forms.scoring.summary import EVERYBODY, AgentScore, FormsSummary
from surefoot.score.stats.intervals import CONFIDENCE, Interval
from surefoot.score.words import interval_words, p_words

__all__ = [
    "LEVEL_WORDS",
    "agent_sentences",
    "change_sentence",
    "forms_lines",
    "forms_sentences",
    "percent",
    "rate_of",
    "share_words",
    "span",
    "warnings_of",
]

LEVEL_WORDS: Final[dict[Level, str]] = {
    "mentioned": "mentioned",
    "typed": "typed",
    "in_field": "in its field",
    "submitted": "submitted",
    "exact": "exact",
    "clicked": "clicked",
}
_SHORT: Final = 5


def percent(rate: float) -> str:
    """
    Write a rate in per cent, with a tenth.

    >>> percent(0.125)
    '12.5 %'
    """
    return f"{100 * rate:.1f} %"


def span(interval: Interval, *, signed: bool = False) -> str:
    """Write the two ends of an interval in per cent, or in points with their signs."""
    return interval_words(interval, signed=signed)


def share_words(share: Share) -> str:
    """Write a share with its counts and its interval."""
    return f"{share.hits} of {share.n}, {percent(share.rate)} [{span(share.interval)}]"


def rate_of(agent: AgentScore, level: Level) -> FieldRate:
    """Return an agent's rate at one level; raises KeyError."""
    found = {each.level: each for each in agent.levels}
    return found[level]


def agent_sentences(agent: AgentScore) -> list[str]:
    """Say how far an agent's values came, and how many forms were right."""
    if not agent.levels:
        return [f"{agent.agent}: no field with anything to fill in."]
    mentioned, typed, held, sent = (
        percent(rate_of(agent, level).rate)
        for level in ("mentioned", "typed", "in_field", "submitted")
    )
    strict = rate_of(agent, "submitted")
    first = (
        f"{agent.agent}: of {strict.n:,} values in {agent.episodes:,} attempts at {agent.forms} "
        f"form{'s' * (agent.forms != 1)}, {mentioned} were mentioned, {typed} typed into some "
        f"field, {held} in the right field at the end, and {sent} submitted there "
        f"({100 * CONFIDENCE:.0f} % interval {span(strict.interval)})."
    )
    strayed = f"{agent.strayed:,} values ended in a wrong field" if agent.strayed else ""
    touched = f"{agent.collateral:,} fields were filled in needlessly" if agent.collateral else ""
    faults = "".join(f"; {each}" for each in (strayed, touched) if each)
    return [first, f"{agent.agent}: {share_words(agent.right)} of forms wholly right{faults}."]


def change_sentence(change: Change) -> str:
    """
    Say one paired comparison in one sentence.

    A loss or gain is claimed only where the interval leaves out zero and the clustered test,
    corrected by Holm within its aspect, stays under 0.05.
    """
    apart = change.interval.low > 0 or change.interval.high < 0
    points = f"{abs(100 * change.change):.1f} points"
    who = "" if change.aspect == "agent" else f"{change.agent}, "
    pair = f"{who}{change.value} against {change.baseline}"
    moved = f"{points} {'fewer' if change.change < 0 else 'more'}" if change.change else "as many"
    if not change.b + change.c:
        moved, doubt = "the same", ""
    elif apart and change.p_cluster_holm < 1 - CONFIDENCE:
        doubt = ""
    elif apart:
        doubt = f", which does not outlast correction for {change.family} tests"
    else:
        doubt = ", which chance can explain"
    return (
        f"{pair}: {moved} values {LEVEL_WORDS[change.level]}{doubt} ({change.n:,} fields of "
        f"{change.forms} form{'s' * (change.forms != 1)}; {100 * CONFIDENCE:.0f} % interval "
        f"{span(change.interval, signed=True)}; {p_words(change.p_cluster_holm)} by forms, Holm "
        f"over {change.family})."
    )


def forms_sentences(summary: FormsSummary) -> list[str]:
    """Say what the measures differ in, what each agent came to, and what conditions changed."""
    agents = [each for each in summary.agents if each.agent != EVERYBODY]
    said = _opening(agents)
    said += [line for agent in agents for line in agent_sentences(agent)]
    told = [change_sentence(each) for each in summary.changes if each.aspect != "agent"]
    return said + told


def _opening(agents: Sequence[AgentScore]) -> list[str]:
    """Say what the gap between the loosest and the strictest measure hides, where it does."""
    gaps = [
        (rate_of(each, "mentioned").rate - rate_of(each, "submitted").rate, each)
        for each in agents
        if each.levels
    ]
    if not gaps:
        return []
    gap, widest = max(gaps, key=lambda each: each[0])
    if gap == 0:
        return ["Every value that was mentioned was also submitted in its own field."]
    hidden = (
        "The published measure asks whether a value is mentioned; a form is only served by a "
        f"value that arrives in its own field. {widest.agent} mentions "
        f"{percent(rate_of(widest, 'mentioned').rate)} of the values and submits "
        f"{percent(rate_of(widest, 'submitted').rate)}."
    )
    return [hidden]


def forms_lines(summary: FormsSummary) -> list[str]:
    """Lay the scores out for a terminal: tables, then comparisons, then warnings."""
    head = (
        f"{summary.episodes} attempts at {summary.forms} forms; intervals "
        f"{100 * summary.confidence:.0f} %, jackknife t over forms"
    )
    lines = [
        head,
        "",
        *_columns([_HEAD, *(_row(agent) for agent in summary.agents)]),
        "",
    ]
    for agent in summary.agents:
        found = agent.descriptions
        if found is not None and agent.levels:
            lines.append(
                f"{agent.agent}: descriptions BLEU {found.bleu:.1f} ({found.bleu_signature}), "
                f"chrF {found.chrf:.1f} ({found.chrf_signature}), {found.n} texts"
            )
    lines += [
        f"{name}: the value of {each.value_of} was found in {each.found_in} of {each.form}, "
        f"{each.count} time{'s' * (each.count != 1)}"
        for name, found in summary.misplaced.items()
        for each in found[:_SHORT]
    ]
    lines += [change_sentence(each) for each in summary.changes]
    return [*lines, *(f"warning: {each}" for each in warnings_of(summary))]


def warnings_of(summary: FormsSummary) -> list[str]:
    """Return the summary's warnings, and what the reference agents reveal."""
    said = list(summary.warnings)
    for agent in summary.agents:
        if agent.agent == "oracle" and agent.right.hits < agent.right.n:
            failed = agent.right.n - agent.right.hits
            said.append(
                f"The oracle, which knows every value and place, failed {failed} of "
                f"{agent.right.n} forms: these cannot be answered as they were shown."
            )
        if agent.agent == "null" and agent.levels and rate_of(agent, "submitted").rate > 0:
            said.append("The null agent, which does nothing, has right values: scores leak.")
    return said


_HEAD: Final = (
    "agent",
    "fields",
    "mentioned",
    "typed",
    "in field",
    "submitted",
    "",
    "exact",
    "clicked",
    "forms right",
)


def _row(agent: AgentScore) -> tuple[str, ...]:
    if not agent.levels:
        return (agent.agent, "0", *[""] * 7, share_words(agent.right))
    rates = {level: rate_of(agent, level) for level in LEVEL_WORDS}
    shown = {level: percent(each.rate) for level, each in rates.items()}
    return (
        agent.agent,
        str(agent.asked),
        shown["mentioned"],
        shown["typed"],
        shown["in_field"],
        shown["submitted"],
        f"[{span(rates['submitted'].interval)}]",
        shown["exact"],
        shown["clicked"],
        share_words(agent.right),
    )


def _columns(rows: list[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(value.ljust(width) for value, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
