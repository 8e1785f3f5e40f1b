"""
A baseline: what a model hit of one product, in a small file for the product's own repository.

One JSON object a line, so that a change of it reads well: what was asked whom, then the controls
of each page as people name them, then the questions about them with their hits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from surefoot.capture.parallel.versions import Control, control_of
from surefoot.core.canonical import canonical_json, decode, digest
from surefoot.core.errors import InvalidInputError
from surefoot.core.files import write_atomic
from surefoot.core.perturbation import ORIGINAL
from surefoot.core.screen import INTERACTIVE_ROLES, Screen
from surefoot.run.asking.runs import FinishedRun
from surefoot.run.folders.folder import manifest_digest, read_screens
from surefoot.score.hits import is_hit

FORMAT: Final = "surefoot-baseline@1"


class GatedPage(msgspec.Struct, frozen=True, tag="page"):
    """Hold the controls of a page in the order in which the page has them."""

    page: str
    controls: tuple[Control, ...]


class GatedQuestion(msgspec.Struct, frozen=True, tag="question"):
    """
    Hold one question of a run: its page, the place of its control there, and its hits.

    ``id`` is that of the run's question, "" in a file: the next release has others.
    """

    page: str
    control: int
    variant: str
    instruction: str
    words: str
    asked: int
    hits: int
    id: str = ""

    @property
    def condition(self) -> tuple[str, str]:
        """Return the screen's variant and the kind of words."""
        return self.variant, self.instruction


class BaselineHead(msgspec.Struct, frozen=True, tag="baseline"):
    """Say who was asked which benchmark; ``model`` is a digest of all that sets its replies."""

    format: str
    name: str
    model: str
    bench: str


class GateBaseline(msgspec.Struct, frozen=True):
    """Hold a baseline: its head, its pages by name, and its questions in the file's order."""

    head: BaselineHead
    pages: dict[str, GatedPage]
    questions: tuple[GatedQuestion, ...]

    def control(self, page: str, at: int) -> str:
        """Return how people name a control, with its page."""
        found = self.pages[page].controls[at]
        name = f" '{found.name}'" if found.name else ""
        return f"{found.role}{name} on {page}"


def read_run(run: FinishedRun) -> GateBaseline:
    """
    Count the hits of a finished run, question by question.

    Raises InvalidInputError where it asks about no control of a captured page.
    """
    answers = {answer.question: answer for answer in run.answers}
    asked: Counter[str] = Counter()
    hits: Counter[str] = Counter()
    for question in run.questions:
        asked[question.first_sample] += 1
        hits[question.first_sample] += is_hit(question, answers.get(question.id))
    first = [
        item
        for item in run.questions
        if item.sample == 1 and item.asks == "place" and item.answerable
    ]
    wanted: dict[str, set[str]] = {}
    for question in first:
        wanted.setdefault(question.page_name, set()).add(question.instruction.target)
    places: dict[tuple[str, str], int] = {}
    pages: dict[str, GatedPage] = {}
    for page, screen in _shown(read_screens(run.bench), wanted).items():
        above = {element.id: element for element in screen.elements}
        controls = [
            element
            for element in screen.elements
            if element.id in wanted[page] or element.role in INTERACTIVE_ROLES
        ]
        places |= {(page, control.id): at for at, control in enumerate(controls)}
        pages[page] = GatedPage(page, tuple(control_of(control, above) for control in controls))
    found = [
        GatedQuestion(
            page=item.page_name,
            control=places[item.page_name, item.instruction.target],
            variant=item.cell.variant,
            instruction=item.cell.instruction,
            words=item.instruction.text,
            asked=asked[item.id],
            hits=hits[item.id],
            id=item.id,
        )
        for item in first
        if (item.page_name, item.instruction.target) in places
    ]
    if not found:
        raise InvalidInputError(
            f"questions about controls of captured pages in {run.bench}",
            found="none",
            remedy="build a benchmark of captured screens with surefoot build",
        )
    # A server's address is no part of what its model replies.
    model = {key: value for key, value in run.identity.items() if key != "base_url"}
    bench = manifest_digest(run.bench, "bench")
    head = BaselineHead(FORMAT, run.name, digest(model)[:16], bench[:16])
    found.sort(key=lambda one: (one.page, one.control, one.condition, one.id))
    return GateBaseline(head, pages, tuple(found))


def write_baseline(file: Path, baseline: GateBaseline) -> None:
    """Write a baseline, without the ids of questions, which the next release does not have."""
    pages = [baseline.pages[page] for page in sorted(baseline.pages)]
    kept = (msgspec.structs.replace(question, id="") for question in baseline.questions)
    lines = (canonical_json(item) for item in (baseline.head, *pages, *kept))
    file.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(file, b"".join(line + b"\n" for line in lines))


def read_baseline(file: Path) -> GateBaseline:
    """Read a baseline; raises InvalidInputError for a file that is none."""
    try:
        lines = file.read_bytes().splitlines()
    except OSError as error:
        raise InvalidInputError(
            f"a baseline in {file}",
            found=error,
            remedy="write one with surefoot gate RUN --update",
        ) from error
    head = decode(lines[0] if lines else b"", BaselineHead, what=f"line 1 of {file.name}")
    if head.format != FORMAT:
        raise InvalidInputError(
            f"a baseline in the format {FORMAT}",
            found=head.format,
            remedy="write it anew with surefoot gate RUN --update",
        )
    pages: dict[str, GatedPage] = {}
    questions: list[GatedQuestion] = []
    for at, line in enumerate(lines[1:], start=2):
        where = f"line {at} of {file.name}"
        if b'"type":"page"' in line:  # in words its quotes are escaped
            page = decode(line, GatedPage, what=where)
            pages[page.page] = page
            continue
        found = decode(line, GatedQuestion, what=where)
        there = pages.get(found.page)
        if there is None or not 0 <= found.control < len(there.controls):
            raise InvalidInputError(
                f"a control of a page above {where}",
                found=f"control {found.control} of '{found.page}'",
            )
        if not 0 <= found.hits <= found.asked or not found.asked:
            raise InvalidInputError(
                f"hits of one answer or more in {where}", found=f"{found.hits} of {found.asked}"
            )
        questions.append(found)
    return GateBaseline(head, pages, tuple(questions))


def _shown(screens: Iterable[Screen], wanted: dict[str, set[str]]) -> dict[str, Screen]:
    """Return of each asked page the screen with the most of its targets, unchanged if it can."""
    found: dict[str, tuple[int, bool, Screen]] = {}
    for screen in screens:
        there = wanted.get(screen.page, set())
        count = sum(element.id in there for element in screen.elements)
        rank = count, screen.variant == ORIGINAL
        if count and (screen.page not in found or rank > found[screen.page][:2]):
            found[screen.page] = (*rank, screen)
    return {page: screen for page, (_, _, screen) in found.items()}
