"""
The reanalysis of GUI-Perturbed's published replies, written as one Markdown page.

Every number in the page is computed from the raw replies and the published tables; the
words around them say what to look at and are chosen by the numbers where they could differ.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from surefoot.core.files import write_atomic
from surefoot.datasets.dataset import BadRecord
from surefoot.models.spaces import IMAGE_PIXELS
from surefoot.run.imports.published import read_published
from surefoot.score.metric import Ruler as ScoreRuler
from surefoot.score.outcomes import Outcomes, by_model
from surefoot.score.scoring import tabulate_for
from surefoot.score.scorings.hits import HITS
from surefoot.score.summary import Summary, summarise
from surefoot_studies.reanalysis.agreement import (
    PublishedAgreement,
    PublishedRuler,
    compare_published,
    try_ruler,
)
from surefoot_studies.reanalysis.counts import read_rates, read_tests
from surefoot_studies.reanalysis.sections import (
    agreement_section,
    clustering_section,
    direction_section,
    effects_section,
    head_section,
    ruler_section,
    size_section,
    tolerance_section,
    unread_section,
)

DATASET = "gui-perturbed"
RATES = "published_confidence_intervals.csv"
TESTS = "published_mcnemar.csv"
PUBLISHED_TOLERANCE = 20.0
TRIED = (0.0, 4.0, PUBLISHED_TOLERANCE)


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold everything that the page reports.

    ``exact`` and ``grown`` are the summaries at tolerance 0 and at the published one;
    ``unconverted`` is at 0 with the coordinates as the models said them.
    """

    exact: Summary
    grown: Summary
    unconverted: Summary
    bad: tuple[BadRecord, ...]
    agreement: tuple[PublishedAgreement, ...]
    rulers: tuple[PublishedRuler, ...]


def find(predictions: Path) -> Findings:
    """
    Compute the reanalysis; the published tables are looked for beside the replies.

    Raises InvalidInputError for files that cannot be read.
    """
    bad: list[BadRecord] = []
    outcomes = tabulate_for(
        HITS, by_model(read_published(DATASET, predictions, report=bad.append))
    )
    said = tabulate_for(HITS, by_model(read_published(DATASET, predictions, space=IMAGE_PIXELS)))
    rates, tests = read_rates(predictions.parent / RATES), read_tests(predictions.parent / TESTS)

    def ruler(converted: dict[str, bool], tolerance: float) -> PublishedRuler:
        return try_ruler(outcomes, said, rates, tests, converted=converted, tolerance=tolerance)

    models = sorted(outcomes.model.names)
    single = [
        ruler({model: converted}, tolerance)
        for model in models
        for converted in (True, False)
        for tolerance in TRIED
    ]
    best = _best(single, models)
    together = [
        ruler(dict.fromkeys(models, True), PUBLISHED_TOLERANCE),
        ruler(dict.fromkeys(models, True), 0.0),
        ruler(best, 0.0),
    ]
    return Findings(
        exact=_summary(outcomes, 0.0),
        grown=_summary(outcomes, PUBLISHED_TOLERANCE),
        unconverted=_summary(said, 0.0),
        bad=tuple(bad),
        agreement=compare_published(rates, tests),
        rulers=(*single, *together),
    )


def write_reanalysis(predictions: Path, out: Path) -> None:
    """Write the page; the same replies and tables give the same bytes."""
    found = find(predictions)
    sections = (
        head_section(found.exact, found.bad),
        effects_section(found.exact),
        agreement_section(found.agreement),
        ruler_section(found.rulers, found.exact, found.unconverted),
        tolerance_section(found.exact, found.grown),
        clustering_section(found.exact),
        size_section(found.exact),
        direction_section(found.exact),
        unread_section(found.exact),
    )
    write_atomic(out, ("\n\n".join(sections) + "\n").encode())


def _summary(outcomes: Outcomes, tolerance: float) -> Summary:
    return summarise(outcomes, HITS, ScoreRuler(tolerance))


def _best(single: list[PublishedRuler], models: list[str]) -> dict[str, bool]:
    exact = {(item.models[0], item.converted[0]): item for item in single if not item.tolerance}
    return {model: exact[model, True].miscount <= exact[model, False].miscount for model in models}
