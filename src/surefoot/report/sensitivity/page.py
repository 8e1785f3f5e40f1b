"""
The report on a sensitivity benchmark: three metrics, what moves them, and the clicks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from surefoot.core.files import write_atomic
from surefoot.report.html.document import Document, Gallery, identity_rulers, render
from surefoot.report.sensitivity.clicks import click_cards
from surefoot.report.sensitivity.sections import reference_sections, sensitivity_sections
from surefoot.run.asking.runs import FinishedRun, open_run, tabulate_runs
from surefoot.run.folders.folder import read_screens
from surefoot.score.outcomes import match
from surefoot.score.sensitivity.rows import Ruler
from surefoot.score.sensitivity.summary import SensitivitySummary, sensitivity
from surefoot.score.sensitivity.table import read_sensitivity
from surefoot.score.sensitivity.words import headline
from surefoot.score.words import METHOD, counted

__all__ = ["render_sensitivity", "score_sensitivity", "write_sensitivity"]

_LOOK: Final = (
    "Each card is one element, each circle the click for one instruction, numbered like the "
    "words below the picture; 3\N{MULTIPLICATION SIGN} stands for three clicks at one place. "
    "Those that some instructions hit and others missed come first."
)
_KEYS: Final = (("target", "target"), ("in", "hit"), ("out", "miss (dashed)"))
_SPREADS: Final = {
    "centroid": "the distance to the mean of the element's clicks",
    "pairwise": "the mean distance to the element's other clicks",
}


def score_sensitivity(
    runs: Sequence[FinishedRun], ruler: Ruler, *, standard: Sequence[FinishedRun] = ()
) -> SensitivitySummary:
    """
    Score runs of sensitivity benchmarks, ordered against the runs of a standard set if given.

    Raises InvalidInputError for two runs of one model, and for what ``sensitivity`` refuses.
    """
    tabulate_runs(runs)
    screens = {screen.id: screen for run in runs for screen in read_screens(run.bench)}
    records = (record for run in runs for record in match(run.name, run.questions, run.answers))
    others = tabulate_runs(standard) if standard else None
    return sensitivity(read_sensitivity(records, screens), ruler, standard=others)


def render_sensitivity(
    runs: Sequence[FinishedRun],
    summary: SensitivitySummary,
    *,
    title: str,
    cards: int = 12,
    references: SensitivitySummary | None = None,
) -> str:
    """
    Render the report; ``cards`` is the largest number of elements shown of each model.

    ``references`` is the summary of reference models, a check on the benchmark itself.
    """
    shown = (
        card for run in runs for card in click_cards(run, tolerance=summary.tolerance, limit=cards)
    )
    none = "None: every instruction about every element was hit."
    return render(
        Document(
            title=title,
            kicker="Surefoot sensitivity report",
            facts=_facts(summary),
            sentences=tuple(headline(summary)),
            warnings=summary.warnings,
            sections=(*sensitivity_sections(summary), *reference_sections(references)),
            gallery=Gallery("Elements that it wavers at", _LOOK, _KEYS, tuple(shown), none),
            rulers=tuple(_rulers(runs, summary)),
        )
    )


def write_sensitivity(
    runs: Sequence[Path],
    out: Path,
    ruler: Ruler,
    *,
    title: str = "",
    cards: int = 12,
    bench: Path | None = None,
    others: tuple[Sequence[Path], Sequence[Path]] = ((), ()),
) -> list[str]:
    """
    Score runs, write their report, and return its sentences.

    ``others`` are the runs that order the models (none for the direct instructions of
    ``runs``), and runs of reference models over the same benchmark.
    """
    finished = [open_run(run, bench) for run in runs]
    standard = [open_run(run) for run in others[0]]
    summary = score_sensitivity(finished, ruler, standard=standard)
    sanity = [open_run(run, bench) for run in others[1]]
    references = score_sensitivity(sanity, ruler) if sanity else None
    names = ", ".join(run.name for run in finished)
    title = title or f"How much the words matter to {names}"
    page = render_sensitivity(finished, summary, title=title, cards=cards, references=references)
    out.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(out, page.encode())
    return headline(summary)


def _facts(summary: SensitivitySummary) -> str:
    return (
        f"{summary.answers:,} answers about {summary.elements:,} elements on "
        f"{counted(summary.clusters, 'sites')}; tolerance {summary.tolerance:g} px; "
        f"{summary.failed:,} questions failed"
    )


def _rulers(runs: Sequence[FinishedRun], summary: SensitivitySummary) -> Iterable[tuple[str, str]]:
    tests = sorted({each.test for each in summary.differences})
    yield "Deviation", f"{_SPREADS[summary.spread]}, over the diagonal of the target's box"
    yield (
        "s_mean, s_worst",
        "means over elements of the mean and the largest deviation; an element needs two clicks",
    )
    yield (
        "s_oob",
        (
            "share of instructions without a click in the target's box; unparsed, declined and "
            f"failed count as outside; tolerance {summary.tolerance:g} px"
        ),
    )
    yield "Elements", f"{summary.elements:,} on {counted(summary.clusters, 'sites')}"
    yield (
        "Intervals",
        (
            f"{METHOD.format(one='site')}; a deviation has no upper bound, and then none; of an "
            f"order of models, a percentile bootstrap over sites, seed {summary.seed}"
        ),
    )
    yield "Tests", "; ".join(tests) or "none"
    yield "Correction", "Holm within each contrast and metric"
    for run in runs:
        yield from identity_rulers(run.name, run.identity)
