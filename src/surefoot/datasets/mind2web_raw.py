"""
Mind2Web's raw dump: the pages of its steps as MHTML, rendered anew, the target found again.

The dump's ``task/<annotation_id>/processed/snapshots/<action_uid>_before.mhtml`` is the page
before a step; what the step was stands in Multimodal-Mind2Web's parquet files, which must
lie in ``data/`` beside ``task/``. Each page is captured whole, as ``surefoot capture`` would,
without any network, in a window of 1280 x 720. Its target is then looked for among the
page's own nodes by the attributes, the words and the place that were recorded. What was found,
how well, and by which evidence is kept in the facts.

A step is left out, with its reason, where the page cannot be captured, where no node or
more than one is like the recorded one, and where the one that is has no area in the
picture or is covered there.

A page's node is weighed against the recorded one: every attribute that was recorded is
compared with the node's own; so are the words that the step was labelled with, and the place.
The score is the share of what was recorded that agrees, each by its weight; it is 1 only where
all agrees. The best node is the one meant if its score is high enough, and clearly above the
second's. Weights and bounds are ours.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address, list_addresses
from surefoot.capture.web.recorded import DomNode, nodes_by_tag
from surefoot.core.errors import CaptureError, RecordError
from surefoot.core.geometry import Box
from surefoot.datasets import mind2web
from surefoot.datasets.dataset import Reports, ignore
from surefoot.datasets.files.parquet_rows import Row, parquet_rows
from surefoot.datasets.files.pictures import Pictures, find_inside
from surefoot.datasets.labelled import LabelledSet, Record, label_files, sift
from surefoot.datasets.mind2web import Mind2WebCandidate, Mind2WebStep, read_step, record_of

if TYPE_CHECKING:
    from surefoot.capture.web.browser import Browser


LEAST_SCORE: Final = 0.5
LEAST_MARGIN: Final = 0.1
# How far an agreement goes to tell one node from all others.
WEIGHTS: Final = {
    "data-pw-testid-buckeye": 8.0,
    "id": 4.0,
    "name": 3.0,
    "aria-label": 3.0,
    "placeholder": 3.0,
    "title": 2.0,
    "alt": 2.0,
    "aria-description": 2.0,
    "class": 2.0,
    "value": 1.0,
    "label": 1.0,
    "role": 1.0,
    "type": 1.0,
}
WORDS, PLACE = 3.0, 2.0
# Where the words that a person sees or hears may stand, beside the text.
SPOKEN: Final = ("aria-label", "placeholder", "value", "title", "alt", "name")
SETTINGS: Final = Settings(width=1280, height=720, full_page=True)
SNAPSHOTS: Final = "task/*/processed/snapshots/*_before.mhtml"
COLUMNS: Final = (
    "action_uid", "annotation_id", "confirmed_task", "website", "domain", "subdomain",
    "operation", "pos_candidates", "target_action_reprs",
)  # fmt: skip


class RecordedElement(msgspec.Struct, frozen=True):
    """
    Hold what was recorded of an element: its tag, attributes, words, and box if drawn.

    Attributes may be spelt with underscores for hyphens. ``box`` is in pixels of the page.
    """

    tag: str
    attributes: dict[str, str]
    words: str = ""
    box: Box | None = None


class FoundNode(msgspec.Struct, frozen=True):
    """
    Hold the node that was found, its score, and the evidence, each from 0 to 1.

    ``margin`` is how far the second node is behind; ``evidence`` is what ``weigh`` gives.
    """

    node: DomNode
    score: float
    margin: float
    evidence: dict[str, float]


def find_again(recorded: RecordedElement, nodes: Iterable[DomNode]) -> FoundNode:
    """
    Return the one node of a page that a recorded element is.

    Raises RecordError "no-match" where none is like it, and "several-matches" where two
    are about as much like it.
    """
    weighed = [(node, weigh(recorded, node)) for node in nodes]
    scores = sorted((_score(evidence) for _, evidence in weighed), reverse=True)
    score, second = (*scores, 0.0, 0.0)[:2]
    if score < LEAST_SCORE:
        raise RecordError(
            "no-match",
            f"a {recorded.tag} that scores {LEAST_SCORE}",
            found=f"{score:.2f} at best among {len(weighed)}",
        )
    if score - second < LEAST_MARGIN:
        raise RecordError(
            "several-matches",
            f"one node at least {LEAST_MARGIN} above all others",
            found=f"{score:.2f} and {second:.2f}",
        )
    node, evidence = max(weighed, key=lambda item: _score(item[1]))
    return FoundNode(node, score, score - second, evidence)


def weigh(recorded: RecordedElement, node: DomNode) -> dict[str, float]:
    """
    Return how far a node agrees with each thing recorded, from 0 to 1.

    >>> node = DomNode("a-1", {"id": "go", "class": "big red"}, "Go", None)
    >>> weigh(RecordedElement("a", {"id": "go", "class": "red"}, "Go"), node)
    {'class': 0.5, 'id': 1.0, 'words': 1.0}
    """
    given = {name.replace("_", "-"): value for name, value in recorded.attributes.items()}
    found = {
        name: _agreement(name, given[name], node.attributes)
        for name in sorted(WEIGHTS.keys() & given.keys())
        if given[name]
    }
    if recorded.words:
        spoken = [node.words, *(node.attributes.get(literal, "") for literal in SPOKEN)]
        found["words"] = float(_plain(recorded.words) in map(_plain, spoken))
    if recorded.box is not None and node.box is not None:
        found["place"] = recorded.box.iou(node.box)
    return found


def _score(evidence: Mapping[str, float]) -> float:
    weights = WEIGHTS | {"words": WORDS, "place": PLACE}
    whole = sum(weights[name] for name in evidence)
    return sum(weights[name] * share for name, share in evidence.items()) / whole if whole else 0.0


def _agreement(name: str, given: str, attributes: Mapping[str, str]) -> float:
    found = attributes.get(name, attributes.get(name.replace("-", "_"), ""))
    if name != "class" or given == found:
        return float(given == found)
    ours, theirs = set(given.split()), set(found.split())
    return len(ours & theirs) / max(1, len(ours | theirs))


def _plain(words: str) -> str:
    return " ".join(words.casefold().split())


def read_mind2web_raw(
    path: Path, *, images: Pictures | None = None, strict: bool = False, report: Reports = ignore
) -> Iterator[Record]:
    """
    Read the steps of all shards, or one of them, and capture their pages, one at a time.

    Raises InvalidInputError as the seam says, and MissingComponentError without Chromium.
    """
    del images  # pages are rendered
    root = path if path.is_dir() else path.parent.parent
    rows = (
        row for file in label_files(path, mind2web.LABELS) for row in parquet_rows(file, COLUMNS)
    )
    with contextlib.ExitStack() as stack:
        from surefoot.capture.web.browser import Browser  # other readers do without a browser

        browser = stack.enter_context(Browser())

        def make(row: Row) -> Record:
            try:
                return _record(browser, root, row)
            except CaptureError as error:
                raise RecordError(error.reason, error.expected, found=error.found) from error

        yield from sift(rows, make, strict=strict, report=report)


def _record(browser: Browser, root: Path, row: Row) -> Record:
    step = read_step(row)
    address = _address(root, step)
    tags = tuple(dict.fromkeys(candidate.tag.lower() for candidate in step.candidates))
    nodes = nodes_by_tag(browser, address, SETTINGS, tags)
    match, box = _target(step, nodes)
    from surefoot.capture.web.page import capture

    captured = capture(browser, address, SETTINGS)
    element = captured.screen.element(match.node.id)
    if element is not None:
        box = element.box
        if element.hits and not any(element.hits):
            raise RecordError("covered", "a target that a click reaches", found="a covered one")
    if box is None or captured.screen.bounds.intersection(box) != box:
        raise RecordError("no-place", "a target with an area in the picture", found=f"{box}")
    record = record_of(step, row.file, captured.png, (box,))
    return msgspec.structs.replace(
        record,
        width=captured.screen.width,
        height=captured.screen.height,
        target=match.node.id if element else "",
        role=element.role if element else record.role,
        elements=captured.screen.elements,
        source=address.spec,
        facts=record.facts | _told(match),
    )


def _address(root: Path, step: Mind2WebStep) -> Address:
    name = f"task/{step.task}/processed/snapshots/{step.uid}_before.mhtml"
    (address,) = list_addresses(f"mhtml:{find_inside(root, name, what='snapshot')}")
    return address


def _target(
    step: Mind2WebStep, nodes: dict[str, tuple[DomNode, ...]]
) -> tuple[FoundNode, Box | None]:
    """Return the match of the first candidate that has one, the one acted on first of all."""
    failed: list[RecordError] = []
    for item in sorted(step.candidates, key=lambda candidate: not candidate.original):
        try:
            match = find_again(_recorded(step, item), nodes[item.tag.lower()])
        except RecordError as error:
            failed.append(error)
            continue
        return match, match.node.box
    raise failed[0]


def _recorded(step: Mind2WebStep, candidate: Mind2WebCandidate) -> RecordedElement:
    words = step.label if candidate.original or len(step.candidates) == 1 else ""
    return RecordedElement(candidate.tag, candidate.attributes, words, candidate.box)


def _told(match: FoundNode) -> dict[str, str]:
    evidence = ", ".join(f"{name} {share:.2f}" for name, share in match.evidence.items())
    return {
        "match_score": f"{match.score:.3f}",
        "match_margin": f"{match.margin:.3f}",
        "match_evidence": evidence,
    }


MIND2WEB_RAW = LabelledSet(
    name="mind2web-raw",
    version=1,
    summary="steps of tasks on web sites, their archived pages rendered anew",
    convention=mind2web.CONVENTION,
    licence="OpenRAIL; the dump under its own terms",
    labels=(*mind2web.LABELS, SNAPSHOTS),
    splits=mind2web.SPLITS,
    read=read_mind2web_raw,
)
