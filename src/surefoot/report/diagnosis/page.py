"""
The report on diagnoses: what fails a model, why, and the failing instructions in pictures.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from surefoot.benchmarks.proofs import RECORDED, count_proofs, proof_words
from surefoot.core.errors import InvalidInputError
from surefoot.core.question import Answer, Question
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.diagnose.findings import (
    Diagnosis,
    ElementFinding,
    FailingInstruction,
    ShrunkInstruction,
    Transfer,
)
from surefoot.diagnose.folder import FAILING, read_diagnosis
from surefoot.diagnose.summary import diagnosis_headline
from surefoot.phrasing.words import METHOD, over_words
from surefoot.report.diagnosis.sections import diagnosis_sections
from surefoot.report.html.document import Document, Gallery, write_document
from surefoot.report.html.gallery import (
    Card,
    InstructionLine,
    Pane,
    draw_pane,
    embed_image,
)
from surefoot.report.html.section import Figure, Section
from surefoot.run.folders.folder import read_document, read_manifest, read_questions, read_screens

_LOOK: Final = (
    "Each card is one element: the failing instruction that stands for it, the smallest one that "
    "still fails, and why the element confuses the model, as far as its replies show."
)
_KEYS: Final = (
    ("target", "target"),
    ("landmark", "landmark"),
    ("rival", "other elements that fit all but a part of the instruction"),
    ("prediction", "where the model clicked"),
)
Key: TypeAlias = tuple[str, str, str]


class ReportedDiagnosis(msgspec.Struct, frozen=True):
    """Hold a diagnosis with its folder."""

    folder: Path
    found: Diagnosis


def write_diagnoses(
    folders: Sequence[Path],
    out: Path,
    *,
    title: str = "",
    cards: int = 12,
    tables: Path | None = None,
) -> list[str]:
    """
    Write the report of diagnoses and transfer matrices, and return its sentences.

    Into the folder ``tables`` the report's tables are written. Raises InvalidInputError for a
    folder that is neither, and for two of one model.
    """
    diagnosed, transfers = [], []
    for folder in folders:
        files = read_manifest(folder, "diagnosis").files
        if "transfer.json" in files:
            transfers.append(read_document(folder, "transfer.json", Transfer, kind="diagnosis"))
        else:
            diagnosed.append(ReportedDiagnosis(folder, read_diagnosis(folder)))
    names = [diagnosis.found.model for diagnosis in diagnosed]
    if len(set(names)) < len(names):
        raise InvalidInputError(
            "diagnoses of different models", found=", ".join(names), remedy="leave one out"
        )
    title = title or f"What fails {', '.join(names) or 'other models'}"
    document = diagnoses_document(diagnosed, transfers, title=title, cards=cards)
    write_document(document, out, tables)
    return [diagnosis_headline(diagnosis.found).sentence for diagnosis in diagnosed]


def diagnoses_document(
    diagnosed: Sequence[ReportedDiagnosis],
    transfers: Sequence[Transfer],
    *,
    title: str,
    cards: int = 12,
) -> Document:
    """Lay out the report; ``cards`` is the largest number of elements shown of each model."""
    found = [diagnosis.found for diagnosis in diagnosed]
    shown = (card for diagnosis in diagnosed for card in failure_cards(diagnosis, limit=cards))
    failed = sum(diagnosis.failures for diagnosis in found)
    sections = diagnosis_sections(found, transfers)
    guessed = tuple(_less_proven(diagnosed))
    return Document(
        title=title,
        kicker="Surefoot diagnosis report",
        facts=f"{failed:,} failing instructions; {_judged(found, failed)}"
        + "; but see the warning on what proves them" * bool(guessed),
        headlines=tuple(map(diagnosis_headline, found)),
        figure=_first_figure(sections),
        questions={"fell": "Does it fail?", "where": "With what?"},
        warnings=(*guessed, *_warnings(found)),
        sections=sections,
        gallery=Gallery(
            "Failing instructions", _LOOK, _KEYS, tuple(shown), "None: nothing failed."
        ),
        rulers=tuple(_rulers(found)),
    )


def _judged(found: Sequence[Diagnosis], failed: int) -> str:
    """Say how many failing instructions both resolvers find valid."""
    elements = (element for diagnosis in found for element in diagnosis.elements)
    unread = sum(failure.judged == "not judged" for item in elements for failure in item.failures)
    if not unread:
        return "every one is valid by two resolvers"
    return (
        f"{failed - unread:,} are valid by two resolvers, {unread:,} by the word of their source, "
        "which no resolver can read"
    )


def _less_proven(diagnosed: Sequence[ReportedDiagnosis]) -> Iterable[str]:
    """Say of each diagnosis how many failing instructions rest on less than recorded ones."""
    for diagnosis in diagnosed:
        counts = count_proofs(read_questions(diagnosis.folder / FAILING))
        if any(name != RECORDED for name in counts):
            words = proof_words(counts, "failing instructions")
            yield f"{diagnosis.found.model}: {words}; only recorded elements prove in full."


def _warnings(found: Sequence[Diagnosis]) -> Iterable[str]:
    return (
        f"{diagnosis.model}: {warning}" for diagnosis in found for warning in diagnosis.warnings
    )


def _first_figure(sections: Sequence[Section]) -> Figure | None:
    """Return the first drawing of what makes a model fail, or else the first at all."""
    drawn = {
        section.id: next((fig for fig in section.figures if fig.svg), None) for section in sections
    }
    return drawn.get("profile") or next(filter(None, drawn.values()), None)


def failure_cards(diagnosed: ReportedDiagnosis, *, limit: int) -> Iterable[Card]:
    """
    Draw the best failure of elements, and what it was shrunk to.

    Failures with the fewest loose matches come first, each page once before any twice.
    """
    folder = diagnosed.folder / FAILING
    screens = {screen.id: screen for screen in read_screens(folder)}
    asked = {
        (item.pair, item.cell.variant, item.instruction.text): item
        for item in read_questions(folder)
    }
    store = ObjectStore(folder)
    for element in _chosen(diagnosed.found, limit):
        best = next(failure for failure in element.failures if failure.question == element.best)
        shrunk = [instruction for instruction in element.shrunk if instruction.of == best.question]
        shown = [("as found", best), *(_smallest(instruction) for instruction in shrunk)]
        panes = tuple(
            _pane(name, failing, question, screens[question.screen], store)
            for name, failing in shown
            if (question := asked.get((element.pair, failing.view, failing.instruction.text)))
        )
        if panes:
            first = msgspec.structs.replace(
                panes[0], words=tuple(_asked(element)), noun="questions of the search"
            )
            yield Card(
                best.instruction.text,
                element.page_name,
                diagnosed.found.model,
                element.role,
                (first, *panes[1:]),
                note=element.confuses,
            )


def _asked(element: ElementFinding) -> Iterator[InstructionLine]:
    """Yield the questions about an element, each with its round, why, and what came of it."""
    for turn in element.trail:
        for asked in turn.asked:
            when = f"round {turn.round}, " if turn.round >= 0 else ""
            note = f"{asked.outcome}; {when}{turn.why}"
            yield InstructionLine(asked.shown, note, hit=asked.outcome == "hit")


def _chosen(diagnosis: Diagnosis, limit: int) -> list[ElementFinding]:
    failed = [element for element in diagnosis.elements if element.failures]
    failed.sort(
        key=lambda finding: (
            min(len(failure.matches) for failure in finding.failures),
            finding.pair,
        )
    )
    turns: dict[str, int] = {}
    ranked = []
    for order, finding in enumerate(failed):
        turns[finding.page_name] = turns.get(finding.page_name, 0) + 1
        ranked.append((turns[finding.page_name], order, finding))
    return [finding for _, _, finding in sorted(ranked, key=lambda item: item[:2])[:limit]]


def _smallest(shrunk: ShrunkInstruction) -> tuple[str, FailingInstruction]:
    steps = "; ".join(shrunk.steps) or "nothing could be left out"
    how = "the smallest that fails" if shrunk.minimal else "the smallest within the budget"
    return f"{how}: {shrunk.failing.instruction.text} ({steps})", shrunk.failing


def _pane(
    name: str, failing: FailingInstruction, question: Question, screen: Screen, store: ObjectStore
) -> Pane:
    picture = embed_image(store.get(question.image))
    answer = Answer(question.id, failing.raw, failing.parsed)
    near = [screen.element(match.element) for match in failing.matches]
    rivals = [rival for rival in near if rival is not None]
    drawn = draw_pane(question, answer, screen, picture, hit=False, rivals=rivals)
    landed = screen.element(failing.landed)
    name_there = f" '{landed.name}'" if landed and landed.name else ""
    there = f" on {landed.role}{name_there}" if landed else ""
    why = f": {failing.why}" if failing.why else ""
    verdict = f"{drawn.verdict}{there}; {failing.taxonomy}{why}"
    return msgspec.structs.replace(drawn, variant=f"{name}, {drawn.variant}", verdict=verdict)


def _rulers(found: Sequence[Diagnosis]) -> Iterable[tuple[str, str]]:
    yield "Failure", "the click lies outside the target's box, or the reply names no place"
    yield (
        "Valid",
        (
            "the instruction names its target alone, proved by a resolver and by a second one "
            "that shares no code with it"
        ),
    )
    units = " or ".join(dict.fromkeys(diagnosis.unit[:-1] for diagnosis in found))
    yield "Intervals", METHOD.format(one=units)
    for diagnosis in found:
        interval = diagnosis.success.interval
        over = f", {over_words(interval)}" if interval else ""
        yield f"{diagnosis.model}: elements", f"{len(diagnosis.elements):,}{over}"
        yield f"{diagnosis.model}: failures per 100 questions", "of the search alone"
        yield f"{diagnosis.model}: plan", diagnosis.plan
