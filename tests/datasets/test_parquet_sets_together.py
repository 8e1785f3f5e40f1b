"""
The sets whose rows stand in parquet: GUI-Perturbed's evaluation set and Multimodal-Mind2Web.
"""

from __future__ import annotations

import io
import json
import tracemalloc
from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pytest
from PIL import Image
from pyarrow import parquet

from surefoot.core.errors import InvalidInputError, RecordError
from surefoot.core.geometry import Box
from surefoot.core.question import Cell
from surefoot.datasets.dataset import BadRecord
from surefoot.datasets.files.parquet_rows import parquet_rows
from surefoot.datasets.labelled import LABELLED, Record
from surefoot.run.folders.folder import read_questions, read_screens
from surefoot.run.imports.labelled import import_labelled

Values = dict[str, object]
FILES = {"gui-perturbed-hf": "eval-0.parquet", "multimodal-mind2web": "test_task-0.parquet"}
SHOWN = pa.struct([("bytes", pa.binary()), ("path", pa.string())])


def picture(colour: str) -> bytes:
    """Draw a picture of 200 x 100."""
    file = io.BytesIO()
    Image.new("RGB", (200, 100), colour).save(file, "PNG")
    return file.getvalue()


STEP: Values = {
    "visual_variant": "style",
    "instruction_type": "relational_query",
    "task_id": "t1",
    "step_index": 3,
    "instruction": "Click the button below 'May'",
    "gt_bbox": "[10.5, 20, 30, 40]",
    "screenshot": {"bytes": picture("red"), "path": "a.png"},
}


def candidate(box: str, *, original: bool = False, **attributes: str) -> str:
    """Spell a candidate as the set does, JSON in JSON."""
    spelled = json.dumps({"backend_node_id": "136", "bounding_box_rect": box} | attributes)
    return json.dumps(
        {
            "tag": "select",
            "attributes": spelled,
            "is_original_target": original,
            "is_top_level_target": True,
            "backend_node_id": "136",
        }
    )


ACTION: Values = {
    "action_uid": "u1",
    "raw_html": "<html>" * 100,
    "operation": json.dumps({"original_op": "CLICK", "value": "", "op": "CLICK"}),
    "pos_candidates": [candidate("0,0,50,60"), candidate("10,20.5,30,40", original=True)],
    "website": "rentals",
    "domain": "Travel",
    "subdomain": "Car rental",
    "annotation_id": "t1",
    "confirmed_task": "Rent a truck",
    "screenshot": {"bytes": picture("red"), "path": None},
    "target_action_reprs": "[combobox]  Reservation type -> CLICK",
}
ROWS = {"gui-perturbed-hf": STEP, "multimodal-mind2web": ACTION}


def write(folder: Path, name: str, *rows: Values) -> Path:
    """Write a shard of a set; the screenshot has the type that image columns have."""
    columns = {key: [(ROWS[name] | row)[key] for row in rows] for key in ROWS[name]}
    arrays = {
        key: pa.array(values, SHOWN if key == "screenshot" else None)
        for key, values in columns.items()
    }
    path = folder / "data" / FILES[name]
    path.parent.mkdir(exist_ok=True)
    parquet.write_table(pa.table(arrays), path)
    return path


def read(folder: Path, name: str, *rows: Values) -> tuple[list[Record], list[BadRecord]]:
    """Write rows, each the good one with some columns changed, and read them."""
    write(folder, name, *rows)
    reported: list[BadRecord] = []
    return list(LABELLED.get(name).read(folder, report=reported.append)), reported


def test_a_perturbed_step_is_read(tmp_path: Path) -> None:
    """Its box is x, y, width, height; variants and wordings of a step share a pair."""
    (record,), reported = read(tmp_path, "gui-perturbed-hf", {})
    assert not reported
    assert record.boxes == (Box(10.5, 20.0, 40.5, 60.0),)
    assert (record.variant, record.kind, record.pair) == ("style", "relational", "t1:3")
    assert (record.image, record.split, record.page) == (picture("red"), "eval", "t1")


def test_perturbed_steps_become_matched_pairs(tmp_path: Path) -> None:
    """In the imported benchmark one step's questions differ in their cell alone."""
    blue = {"bytes": picture("blue"), "path": None}
    write(
        tmp_path,
        "gui-perturbed-hf",
        {},
        {"visual_variant": "original", "screenshot": blue},
        {"instruction_type": "direct_query"},
        {"step_index": 4, "instruction": " "},
    )
    imported = import_labelled("gui-perturbed-hf", tmp_path, tmp_path / "out")
    assert imported.counts["left_out"] == {"empty-text": 1}
    questions = read_questions(tmp_path / "out")
    assert {question.pair for question in questions} == {"t1:3"}
    assert [question.cell for question in questions] == [
        Cell("style", "relational"), Cell("original", "relational"), Cell("style", "direct"),
    ]  # fmt: skip
    assert [screen.variant for screen in read_screens(tmp_path / "out")] == ["style", "original"]


def test_a_recorded_step_is_read(tmp_path: Path) -> None:
    """The box that was acted on comes first, the words are made from the label."""
    (record,), reported = read(tmp_path, "multimodal-mind2web", {})
    assert not reported
    assert record.boxes == (Box(10.0, 20.5, 40.0, 60.5), Box(0.0, 0.0, 50.0, 60.0))
    assert record.text == "Click the combobox 'Reservation type'"
    assert (record.id, record.page, record.site, record.split) == (
        "u1",
        "t1",
        "rentals",
        "test_task",
    )
    assert record.facts["task"] == "Rent a truck"
    assert record.facts["step"] == "[combobox]  Reservation type -> CLICK"


@pytest.mark.parametrize(
    ("done", "value", "text", "action"),
    [
        ("TYPE", "NYC", "Type 'NYC' into the searchbox 'Find'", "type"),
        ("SELECT", "2", "Select '2' in the searchbox 'Find'", "select"),
        ("HOVER", "", "Point at the searchbox 'Find'", "click"),
        ("ENTER", "", "Press Enter in the searchbox 'Find'", "click"),
    ],
)
def test_every_operation_has_its_form(
    tmp_path: Path, done: str, value: str, text: str, action: str
) -> None:
    """Typing and selecting carry their value; pointing and Enter count as clicks."""
    op = done if value else "CLICK"
    operation = json.dumps({"original_op": done, "value": value, "op": op})
    shown = f"[searchbox]  Find -> {done}" + (f": {value}" if value else "")
    row: Values = {"operation": operation, "target_action_reprs": shown}
    (record,), _ = read(tmp_path, "multimodal-mind2web", row)
    assert (record.text, record.action, record.value) == (text, action, value)


def bad_perturbed() -> Iterable[tuple[Values, str]]:
    """Yield changes that spoil a perturbed step."""
    yield {"instruction": ""}, "empty-text"
    yield {"instruction": None}, "malformed"
    yield {"task_id": ""}, "malformed"
    yield {"visual_variant": ""}, "malformed"
    yield {"screenshot": {"bytes": b"", "path": None}}, "missing-picture"
    yield {"screenshot": None}, "malformed"
    yield {"gt_bbox": "[10, 20, 0, 5]"}, "empty-box"
    yield {"gt_bbox": "[10, 20, -5, 5]"}, "reversed-box"
    yield {"gt_bbox": "[0.1, 0.2, 0.3, 0.4]"}, "wrong-scale"
    for box in ("", "10,20,30,40", "[10, 20, 30]", "[1, 2, 3, NaN]", "[" * 9_999, '{"x": 1}'):
        yield {"gt_bbox": box}, "malformed"


def bad_recorded() -> Iterable[tuple[Values, str]]:
    """Yield changes that spoil a recorded step."""
    yield {"pos_candidates": []}, "no-place"
    yield {"pos_candidates": [candidate("-1,-1,-1,-1")]}, "no-place"
    yield {"pos_candidates": [candidate("1,2,0,4")]}, "empty-box"
    yield {"pos_candidates": [candidate("1,2,-3,4")]}, "reversed-box"
    yield {"pos_candidates": [candidate("0.1,0.2,0.3,0.4")]}, "wrong-scale"
    for box in ("", "1,2,3", "a,b,c,d", "1,2,3,inf", "nan,1,2,3"):
        yield {"pos_candidates": [candidate(box)]}, "malformed"
    yield {"pos_candidates": ["{"]}, "malformed"
    yield {"pos_candidates": ['{"tag": "a", "attributes": {}}']}, "malformed"
    yield {"pos_candidates": ['{"tag": "a", "attributes": "[]"}']}, "malformed"
    yield {"operation": "CLICK"}, "malformed"
    yield {"operation": '{"op": "DRAG", "value": ""}'}, "malformed"
    yield {"operation": '{"op": "TYPE", "value": " "}'}, "empty-text"
    yield {"target_action_reprs": "[div]   -> CLICK"}, "empty-text"
    yield {"target_action_reprs": "click it"}, "malformed"
    yield {"action_uid": ""}, "malformed"
    yield {"screenshot": {"bytes": None, "path": None}}, "missing-picture"


@pytest.mark.parametrize("name", sorted(FILES))
def test_bad_rows_are_reported_with_their_place(tmp_path: Path, name: str) -> None:
    """Each bad row is left out with its reason, and the ones around it stay; strict stops."""
    bad = bad_perturbed() if name == "gui-perturbed-hf" else bad_recorded()
    changes = list(bad)
    found, reported = read(tmp_path, name, {}, *(change for change, _ in changes), {})
    assert [record.number for record in found] == [1, len(changes) + 2]
    assert [record.reason for record in reported] == [reason for _, reason in changes]
    assert [record.line for record in reported] == list(range(2, len(changes) + 2))
    assert {record.file for record in reported} == {FILES[name]}
    with pytest.raises(RecordError, match="record 2"):
        list(LABELLED.get(name).read(tmp_path, strict=True))


@pytest.mark.parametrize("name", sorted(FILES))
@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.9, 0.999])
def test_a_cut_file_is_named(tmp_path: Path, name: str, share: float) -> None:
    """Wherever it is cut, a file without its end raises."""
    path = write(tmp_path, name, {})
    data = path.read_bytes()
    path.write_bytes(data[: int(share * len(data))])
    with pytest.raises(InvalidInputError, match=r"\.parquet"):
        list(LABELLED.get(name).read(tmp_path))


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_file_without_a_column_is_the_users_mistake(tmp_path: Path, name: str) -> None:
    """The error names the column that is not there."""
    path = write(tmp_path, name, {})
    parquet.write_table(parquet.read_table(path).drop_columns(["screenshot"]), path)
    with pytest.raises(InvalidInputError, match="no screenshot"):
        list(LABELLED.get(name).read(path))


def test_a_picture_that_is_none_is_left_out_at_import(tmp_path: Path) -> None:
    """Bytes that are no picture, and a box beyond one, cost their rows."""
    broken = {"bytes": b"\x89PNG\r\n", "path": None}
    rows: list[Values] = [
        {},
        {"step_index": 1, "screenshot": broken},
        {"step_index": 2, "gt_bbox": "[190, 20, 30, 40]"},
    ]
    write(tmp_path, "gui-perturbed-hf", *rows)
    imported = import_labelled("gui-perturbed-hf", tmp_path, tmp_path / "out")
    assert imported.counts["left_out"] == {"bad-picture": 1, "outside": 1}
    assert imported.counts["questions"] == 1


def test_rows_are_streamed(tmp_path: Path) -> None:
    """Python never holds more than a few rows: the peak is far under the file's size."""
    path = tmp_path / "a.parquet"
    rows = [bytes([number]) * 2**20 for number in range(64)]
    parquet.write_table(pa.table({"a": rows}), path, compression="none", use_dictionary=False)
    tracemalloc.start()
    assert sum(1 for _ in parquet_rows(path, ("a",))) == 64
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 24 * 2**20
