"""
From the page to the question: what fell at each check, and what was left.
"""

from __future__ import annotations

from surefoot.benchmarks.benchmark import Funnel
from surefoot.core.perturbation import variant_title
from surefoot.phrasing.values import amount, count
from surefoot.report.html.section import Figure, Section, Table
from surefoot.run.asking.runs import FinishedRun
from surefoot.run.folders.folder import read_document


def funnel_section(run: FinishedRun) -> list[Section]:
    """Count what fell and what was left, nothing of a benchmark that was imported."""
    funnel = read_document(run.bench, "funnel.json", Funnel, kind="bench")
    if not funnel.falls and not funnel.directions:
        return []
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
