"""
Mind2Web's raw dump: the pages of its steps as MHTML, rendered anew, the target found again.

The dump's ``task/<annotation_id>/processed/snapshots/<action_uid>_before.mhtml`` is the page
before a step; what the step was stands in Multimodal-Mind2Web's parquet files, which must
lie in ``data/`` beside ``task/``. Each page is captured whole, as ``surefoot capture`` would,
without any network, in a window of 1280 x 720. Its target is then looked for among the
page's own nodes by the attributes, the words and the place that were recorded: see
``refound``. What was found, how well, and by which evidence is kept in the facts.

A step is left out, with its reason, where the page cannot be captured, where no node or
more than one is like the recorded one, and where the one that is has no area in the
picture or is covered there.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address, list_addresses
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.page import capture
from surefoot.capture.web.recorded import DomNode, nodes_by_tag
from surefoot.core.errors import CaptureError, RecordError
from surefoot.core.geometry import Box
from surefoot.datasets import mind2web
from surefoot.datasets.dataset import Reports, ignore
from surefoot.datasets.files.parquet_rows import Row, parquet_rows
from surefoot.datasets.files.pictures import Pictures, find_inside
from surefoot.datasets.labelled import LabelledSet, Record, label_files, sift
from surefoot.datasets.mind2web import Mind2WebCandidate, Mind2WebStep, read_step, record_of
from surefoot.datasets.refound import FoundNode, RecordedElement, find_again

__all__ = ["MIND2WEB_RAW", "SETTINGS", "read_mind2web_raw"]

SETTINGS: Final = Settings(width=1280, height=720, full_page=True)
SNAPSHOTS: Final = "task/*/processed/snapshots/*_before.mhtml"
COLUMNS: Final = (
    "action_uid", "annotation_id", "confirmed_task", "website", "domain", "subdomain",
    "operation", "pos_candidates", "target_action_reprs",
)  # fmt: skip


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
    tags = tuple(dict.fromkeys(each.tag.lower() for each in step.candidates))
    nodes = nodes_by_tag(browser, address, SETTINGS, tags)
    match, box = _target(step, nodes)
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
    for each in sorted(step.candidates, key=lambda candidate: not candidate.original):
        try:
            match = find_again(_recorded(step, each), nodes[each.tag.lower()])
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
