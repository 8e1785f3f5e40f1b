"""
The report on runs over forms: how far values came, and the filled-in forms themselves.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from surefoot.core.errors import InvalidInputError
from surefoot.core.ledger import Failure, read_plan
from surefoot.core.perturbation import variant_title
from surefoot.core.store import ObjectStore
from surefoot.forms.scoring.cases import Case
from surefoot.forms.scoring.summary import summarise_forms
from surefoot.report.answers.sections import summary_rulers
from surefoot.report.forms.alarms import form_alarms, lost_agents
from surefoot.report.forms.pictures import KEYS, draw_form, state_of
from surefoot.report.forms.sections import forms_headlines, forms_sections
from surefoot.report.html.document import Document, Gallery, write_document
from surefoot.report.html.gallery import Card
from surefoot.report.html.section import Figure, Section
from surefoot.run.forms.desk import is_desk, write_episodes
from surefoot.run.forms.running import form_efforts, read_failures, read_results
from surefoot.run.forms.units import FormResult
from surefoot.score.summary import Summary

_LOOK: Final = (
    "Each page of a form as it was left, before it was turned or handed in; marks say what "
    "became of each field in the end. First one form for each renderer and each language, "
    "then those that went worst."
)
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_NONE: Final = "No pictures at hand."
_RULERS: Final = (
    ("Asked", "optional fields without a value and boxes to stay unticked count nowhere"),
    ("Conditions", "paired by form, instance, seed, agent and all other conditions"),
)


class FormsRun(msgspec.Struct, frozen=True):
    """Hold a finished run over forms: its folder, its results, what determined them."""

    folder: Path
    results: tuple[FormResult, ...]
    identity: Mapping[str, object]
    failures: tuple[Failure, ...] = ()


def open_forms(folders: Sequence[Path]) -> list[FormsRun]:
    """
    Read runs over forms; what two of them share is taken from the first.

    A desk's folder is judged as it stands, also while it is served. Raises InvalidInputError
    for a folder that is none, or is not finished.
    """
    seen: set[str] = set()
    runs = []
    for folder in folders:
        if is_desk(folder):
            write_episodes(folder)
        fresh = tuple(result for result in read_results(folder) if result.id not in seen)
        seen |= {item.id for item in fresh}
        failures = tuple(read_failures(folder))
        runs.append(FormsRun(folder, fresh, _identity(folder), failures))
    return runs


def cases_of(runs: Iterable[FormsRun]) -> list[Case]:
    """Return every scored attempt of some runs with its conditions."""
    return [
        Case(
            result.score,
            result.ruler,
            result.level,
            result.seed,
            result.hands,
            result.source,
            result.change,
        )
        for run in runs
        for result in run.results
    ]


def score_forms(runs: Iterable[FormsRun]) -> Summary:
    """Score runs over forms together; raises as ``summarise_forms`` does."""
    opened = list(runs)
    results = [result for run in opened for result in run.results]
    failed = Counter(failure.reason for run in opened for failure in run.failures)
    reasons = ", ".join(f"{reason} {count}" for reason, count in sorted(failed.items()))
    if failed and not results:
        raise InvalidInputError(
            "at least one form that was filled in",
            found=f"{failed.total()} attempts that failed: {reasons}",
            remedy="run the same command again with --retry-failed",
        )
    summary = summarise_forms(cases_of(opened))
    found_details = {"effort": form_efforts(results), "lost": lost_agents(results)}
    more = {name: found for name, found in found_details.items() if found}
    summary = msgspec.structs.replace(summary, details={**summary.details, **more})
    if not failed:
        return summary
    failure_words = f"{failed.total()} attempts failed and are in no number: {reasons}."
    warnings = (*summary.warnings, failure_words)
    return msgspec.structs.replace(summary, failed=failed.total(), warnings=warnings)


def write_forms(
    folders: Sequence[Path],
    out: Path,
    *,
    title: str = "",
    cards: int = 6,
    tables: Path | None = None,
) -> list[str]:
    """
    Score runs, write their report, and return its sentences.

    ``cards`` is the largest number of forms shown among the worst; one for each renderer and
    language are shown besides. Into the folder ``tables`` the report's tables are written.
    """
    runs = open_forms(folders)
    summary = score_forms(runs)
    headlines_found, sections = forms_headlines(summary), forms_sections(summary)
    raised = form_alarms(result for run in runs for result in run.results)
    names = ", ".join(sorted({result.score.agent for run in runs for result in run.results}))
    document = Document(
        title=title or f"How {names} filled forms in",
        kicker="Surefoot report on forms",
        facts=_facts(summary),
        headlines=tuple(line for line in headlines_found if line.numbers),
        alarms=raised,
        figure=None if raised else _first_figure(sections),
        questions={"fell": "Did the values arrive?"},
        warnings=summary.warnings,
        sections=sections,
        gallery=Gallery("Filled-in forms", _LOOK, KEYS, form_cards(runs, cards), _NONE, True),  # noqa: FBT003
        rulers=tuple(_rulers(runs, summary)),
    )
    write_document(document, out, tables)
    return [sentence for line in headlines_found for sentence in line.sentences]


def _first_figure(sections: Sequence[Section]) -> Figure | None:
    return next((figure for part in sections for figure in part.figures if figure.svg), None)


def form_cards(runs: Sequence[FormsRun], limit: int) -> tuple[Card, ...]:
    """Draw one form for each renderer and each language, then at most so many of the worst."""
    stores = {result.id: ObjectStore(run.folder) for run in runs for result in run.results}
    results = [result for run in runs for result in run.results if result.filled]
    return tuple(_card(item, why, stores[item.id]) for item, why in _chosen(results, limit))


def _chosen(results: Sequence[FormResult], limit: int) -> Iterator[tuple[FormResult, str]]:
    seen: set[str] = set()
    groups: list[tuple[str, list[FormResult]]] = []
    for what in ("renderer", "language"):
        names = sorted({getattr(result.score.rendering, what) for result in results})
        groups += [
            (name, [result for result in results if getattr(result.score.rendering, what) == name])
            for name in names
        ]
    for name, group in groups:
        if any(item.id in seen and name in _shown_by(item) for item in group):
            continue
        best = max(group, key=_telling)
        seen.add(best.id)
        yield best, name
    worst = sorted(
        (result for result in results if result.score.agent != "null" and not result.score.right),
        key=lambda item: (_rate(item), -_wrong(item), item.id),
    )
    left = [item for item in worst if item.id not in seen][:limit]
    yield from ((item, "among the worst") for item in left)


def _shown_by(result: FormResult) -> tuple[str, str]:
    return result.score.rendering.renderer, result.score.rendering.language


def _telling(result: FormResult) -> tuple[float, int, str]:
    """Prefer forms with right and wrong fields, then short ones."""
    rate = _rate(result)
    return (min(rate, 1 - rate), -len(result.filled), result.id)


def _rate(result: FormResult) -> float:
    asked = [field.submitted or field.in_field for field in result.score.fields if field.asked]
    return sum(asked) / len(asked) if asked else 1.0


def _wrong(result: FormResult) -> int:
    """Count fields that hold something else: a form that was left empty shows little."""
    found = {word.field: word.found for word in result.words}
    states = [state_of(field, found.get(field.field, "")) for field in result.score.fields]
    return states.count("wrong") + states.count("extra")


def _card(result: FormResult, why: str, store: ObjectStore) -> Card:
    score = result.score
    drawn = score.rendering
    right = sum(field.submitted for field in score.fields if field.asked)
    asked = sum(field.asked for field in score.fields)
    looks = [drawn.renderer, drawn.theme, drawn.layout, drawn.language, drawn.direction]
    ruler = f"ruler every {result.ruler} px" if result.ruler else ""
    where = ", ".join(look for look in (*looks, ruler, variant_title(result.change)) if look)
    fate = "accepted" if score.accepted else f"not accepted, ended: {score.ended or 'open'}"
    return Card(
        f"{result.title or score.form} ({why})",
        f"{where} ({fate})",
        score.agent,
        f"{right} of {asked} values submitted",
        draw_form(result, store),
        "filled in by",
    )


def _facts(summary: Summary) -> str:
    asked = sum(score.n for score in summary.scores if score.metric == "submitted")
    return (
        f"{summary.answers:,} attempts at {summary.clusters:,} forms, {asked:,} fields with "
        "something to fill in"
    )


def _rulers(runs: Sequence[FormsRun], summary: Summary) -> Iterator[tuple[str, str]]:
    yield from summary_rulers(summary)
    yield from _RULERS
    for found in [*summary.details["descriptions"].values()][:1]:
        yield "BLEU", f"sacrebleu, corpus, {found.bleu_signature}"
        yield "chrF", f"sacrebleu, corpus, {found.chrf_signature}"
    for run in runs:
        for key, value in run.identity.items():
            yield f"{run.folder.name}: {key}", _said(value)


def _identity(folder: Path) -> Mapping[str, object]:
    plan = read_plan(folder)
    choices = plan.get("choices", {})
    if not isinstance(choices, dict):
        raise InvalidInputError("the plan of a run over forms", found=str(folder))
    return {**choices, "renderer": plan.get("renderer", "")}


def _said(value: object) -> str:
    """Spell a part of a plan for a person; of a digest its beginning will do."""
    if not value and isinstance(value, dict):
        return "all as by default"
    if isinstance(value, dict):
        return ", ".join(f"{name} {_said(item)}" for name, item in value.items() if item != "")
    if isinstance(value, list | tuple):
        return "; ".join(filter(None, map(_said, value)))
    return value[:12] if isinstance(value, str) and _DIGEST.fullmatch(value) else str(value)
