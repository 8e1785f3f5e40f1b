"""
Mind2Web's raw dump: a page archived by Chromium, rendered anew, its target found again.
"""

from __future__ import annotations

import io
import json
from pathlib import Path

import pyarrow as pa
import pytest
from PIL import Image
from pyarrow import parquet

from surefoot.capture.settings import Settings
from surefoot.capture.sources import list_addresses
from surefoot.capture.web.browser import Browser
from surefoot.core.geometry import Box
from surefoot.datasets.dataset import BadRecord
from surefoot.datasets.labelled import Record
from surefoot.datasets.mind2web_raw import read_mind2web_raw
from surefoot.run.folders.folder import read_questions, read_screens
from surefoot.run.folders.lines import lines_digest
from surefoot.run.imports.labelled import import_labelled

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PAGE = """<!doctype html><meta charset=utf-8><title>Rentals</title>
<style>body{margin:0;font:16px sans-serif} *{box-sizing:border-box}
.at{position:absolute;width:120px;height:40px}</style>
<button class="at pill" style="left:20px;top:20px">Add</button>
<button class="at pill" style="left:20px;top:80px;background:#c00">Add</button>
<select class="at" id=city name=type style="left:200px;top:20px"><option>Truck</select>
<button class="at" id=hid style="left:400px;top:20px">Under</button>
<div class="at" style="left:400px;top:20px;background:#fff"></div>
<div class="at card" id=card style="left:20px;top:1200px"><b>Deals</b></div>
<button id=gone style="display:none">Gone</button>
<input class="at" placeholder="Find a city" style="left:600px;top:20px">"""


def step(uid: str, tag: str, shown: str, box: str, **attributes: str) -> dict[str, object]:
    """Spell a step with one candidate."""
    told = {"backend_node_id": "1", "bounding_box_rect": box} | attributes
    candidate = {"tag": tag, "attributes": json.dumps(told), "is_original_target": True}
    return {
        "action_uid": uid,
        "annotation_id": "task-1",
        "confirmed_task": "Rent a truck",
        "website": "rentals",
        "domain": "Travel",
        "subdomain": "Cars",
        "operation": json.dumps({"op": "CLICK", "original_op": "CLICK", "value": ""}),
        "pos_candidates": [json.dumps(candidate)],
        "target_action_reprs": f"{shown} -> CLICK",
    }


GOOD = [
    step("u1", "select", "[combobox]  Reservation type", "200,20,120,40", id="city", name="type"),
    step("u2", "button", "[button]  Add", "20,80,120,40", **{"class": "at pill"}),
    step("u3", "input", "[searchbox]  Find a city", "-1,-1,-1,-1", placeholder="Find a city"),
    step("u4", "div", "[div]  Deals", "20,1200,120,40", id="card", **{"class": "at card"}),
]
BAD = [
    (step("b1", "button", "[button]  Add", "-1,-1,-1,-1", **{"class": "at pill"}),
     "several-matches"),
    (step("b2", "button", "[button]  Under", "400,20,120,40", id="hid"), "covered"),
    (step("b3", "button", "[button]  Gone", "-1,-1,-1,-1", id="gone"), "no-place"),
    (step("b4", "button", "[button]  Buy", "9,9,9,9", id="buy"), "no-match"),
    (step("missing", "button", "[button]  Add", "20,80,120,40"), "missing-snapshot"),
    (step("broken", "button", "[button]  Add", "20,80,120,40"), "bad-archive"),
]  # fmt: skip


@pytest.fixture(scope="module")
def dump(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the page as MHTML, as Chromium archives it, beside the steps in parquet."""
    folder = tmp_path_factory.mktemp("dump")
    page = folder / "site" / "index.html"
    page.parent.mkdir()
    page.write_text(PAGE, encoding="utf-8")
    settings = Settings(width=1280, height=720)
    with Browser() as browser, browser.visit(list_addresses(str(page))[0], settings) as visit:
        session = visit.page.context.new_cdp_session(visit.page)
        archived = session.send("Page.captureSnapshot", {"format": "mhtml"})["data"]
    snapshots = folder / "task" / "task-1" / "processed" / "snapshots"
    snapshots.mkdir(parents=True)
    for row in (*GOOD, *(row for row, _ in BAD)):
        name = snapshots / f"{row['action_uid']}_before.mhtml"
        if row["action_uid"] != "missing":
            name.write_text(
                archived if row["action_uid"] != "broken" else "no archive", newline=""
            )
    (folder / "data").mkdir()
    rows = [*GOOD, *(row for row, _ in BAD)]
    parquet.write_table(pa.Table.from_pylist(rows), folder / "data" / "test_task-0.parquet")
    return folder


@pytest.fixture(scope="module")
def found(dump: Path) -> tuple[list[Record], list[BadRecord]]:
    """Read the dump once, and what it reports."""
    reported: list[BadRecord] = []
    return list(read_mind2web_raw(dump, report=reported.append)), reported


def test_targets_are_found_where_they_are_drawn(
    found: tuple[list[Record], list[BadRecord]],
) -> None:
    """By attributes, by place among twins, by words alone, and below the first window."""
    records, _ = found
    assert {record.id: record.boxes[0] for record in records} == {
        "u1": Box(200.0, 20.0, 320.0, 60.0),
        "u2": Box(20.0, 80.0, 140.0, 120.0),
        "u3": Box(600.0, 20.0, 720.0, 60.0),
        "u4": Box(20.0, 1200.0, 140.0, 1240.0),
    }
    assert [record.role for record in records] == ["combobox", "button", "textbox", "div"]
    assert {record.split for record in records} == {"test_task"}


def test_the_box_is_where_the_picture_shows_it(
    found: tuple[list[Record], list[BadRecord]],
) -> None:
    """The red one of two equal buttons is red in the picture, inside the box and only there."""
    image = found[0][1].image
    assert isinstance(image, bytes)
    with Image.open(io.BytesIO(image)) as picture:
        assert picture.size == (found[0][1].width, found[0][1].height)
        assert picture.convert("RGB").getpixel((30, 90)) == (204, 0, 0)
        assert picture.convert("RGB").getpixel((30, 30)) != (204, 0, 0)


def test_the_evidence_is_kept(found: tuple[list[Record], list[BadRecord]]) -> None:
    """Facts say how well the target was matched, how clearly, and by what."""
    facts = found[0][0].facts
    assert facts["match_evidence"] == "id 1.00, name 1.00, words 0.00, place 1.00"
    assert facts["match_score"] == "0.750"
    assert float(facts["match_margin"]) > 0.1
    assert facts["task"] == "Rent a truck"


def test_elements_come_with_the_page(found: tuple[list[Record], list[BadRecord]]) -> None:
    """A target that is an element is named by its id; one that is none has its box alone."""
    select, *_, card = found[0]
    target = next(element for element in select.elements if element.id == select.target)
    assert (target.role, target.box, target.hit) == ("combobox", select.boxes[0], True)
    assert card.target == ""
    assert select.source.startswith("mhtml:")


def test_what_is_not_found_again_is_left_out(
    found: tuple[list[Record], list[BadRecord]],
) -> None:
    """Twins without a place, what is covered or not drawn, and pages that are not there."""
    assert [(record.line, record.reason) for record in found[1]] == [
        (len(GOOD) + place, reason) for place, (_, reason) in enumerate(BAD, start=1)
    ]


@pytest.mark.long
def test_an_import_keeps_one_screen_for_one_picture(dump: Path, tmp_path: Path) -> None:
    """Steps on equal pages share a screen that can be opened again; two imports are equal."""
    for name in ("a", "b"):
        import_labelled("mind2web-raw", dump, tmp_path / name, limit=2)
    (screen,) = read_screens(tmp_path / "a")
    assert list_addresses(screen.source)[0].spec == screen.source
    questions = read_questions(tmp_path / "a")
    assert [question.truth for question in questions] == [
        Box(200, 20, 320, 60),
        Box(20, 80, 140, 120),
    ]
    for name in ("questions.jsonl", "screens.jsonl"):
        assert lines_digest(tmp_path / "a" / name) == lines_digest(tmp_path / "b" / name)
