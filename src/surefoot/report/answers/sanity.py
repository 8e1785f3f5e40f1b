"""
What is to be had without understanding: reference models beside those that were asked.
"""

from __future__ import annotations

from typing import Final

import msgspec

from surefoot.report.answers.sections import metric_figure
from surefoot.report.html.section import Figure, Section, Table
from surefoot.score.summary import Summary

_REFERENCES: Final = {"overlap": ("flat-mask", "ocr")}


def sanity_section(summary: Summary, references: Summary | None) -> list[Section]:
    """Lay out what is to be had without understanding, and how to get what is missing."""
    wanted = _REFERENCES.get(summary.scoring, ())
    if references is None and not wanted:
        return []
    run = {score.model for item in (summary, references) if item for score in item.scores}
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
