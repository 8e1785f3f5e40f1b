"""
The work behind ``surefoot forms run``: agents fill forms in, and a folder keeps what came of it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from surefoot.capture.browser import Browser
from surefoot.core.errors import MissingComponentError
from surefoot.core.ledger import Failure, Ledger
from surefoot.forms.rendering import RENDERERS
from surefoot.run.folder import export, read_manifest, read_table
from surefoot.run.form_units import FormChoices, FormResult, units_of
from surefoot.run.outcome import Outcome, results_of
from surefoot.run.pool import Workers, run_units
from surefoot.run.progress import Progress

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["FORMS_VERSION", "fill_in_forms", "read_failures", "read_results"]

# Raised whenever the same forms, agents and renderings would give other results.
FORMS_VERSION: Final = 2
RESULTS: Final = "episodes.jsonl"
FAILURES: Final = "failures.jsonl"


def fill_in_forms(
    choices: FormChoices,
    out: Path,
    *,
    workers: int = 2,
    retry_failed: bool = False,
    console: Console | None = None,
) -> Outcome:
    """
    Let agents fill in every chosen form, or go on with it.

    Raises MissingComponentError for a renderer that is not installed, UnknownNameError for
    an agent, and PlanMismatchError for a folder that was begun otherwise; an episode that
    the machinery fails is a recorded failure.
    """
    _check_installed(choices)
    plan = _plan(choices)
    units = list(units_of(choices))
    pool = Workers(
        factory="surefoot.run.form_workers:filler",
        arguments={"folder": str(out.absolute())},
        count=workers,
        unit_s=choices.limits.seconds + choices.limits.step_s,
    )
    with (
        Ledger.open(out, plan, retry_failed=retry_failed) as ledger,
        Progress("filling in", console) as progress,
    ):
        tally = run_units(units, ledger, pool, progress=progress)
        results = results_of(units, ledger, FormResult)
        failures = tuple(ledger.failures())
        lasting = [msgspec.structs.replace(each, seconds=0.0) for each in failures]
        export(out, "forms", {RESULTS: results, FAILURES: lasting})
    right = sum(each.score.right for each in results)
    line = f"{len(results)} forms filled in, {right} of them wholly right"
    return Outcome(out, tally, failures, (line,))


def read_results(folder: Path) -> list[FormResult]:
    """Read the results of a finished run over forms; raises InvalidInputError."""
    return list(read_table(folder, RESULTS, FormResult, kind="forms"))


def read_failures(folder: Path) -> list[Failure]:
    """Read what the machinery failed in a finished run; raises InvalidInputError."""
    if FAILURES not in read_manifest(folder, "forms").files:
        return []
    return list(read_table(folder, FAILURES, Failure, kind="forms"))


def _plan(choices: FormChoices) -> dict[str, object]:
    with Browser() as browser:
        renderer = browser.identity
    return {
        "kind": "forms",
        "forms": FORMS_VERSION,
        "choices": choices.identity(),
        "renderer": renderer,
    }


def _check_installed(choices: FormChoices) -> None:
    for name in sorted({each.renderer for each in choices.renderings}):
        remedy = RENDERERS.get(name).missing()
        if remedy:
            raise MissingComponentError(
                f"what the renderer '{name}' needs", found="nothing", remedy=remedy
            )
