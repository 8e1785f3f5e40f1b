"""
The reader of published replies: real records whole, hostile ones named and left out.
"""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.instruction import Direction
from surefoot.core.question import Cell
from surefoot.datasets.dataset import DATASETS, BadRecord
from surefoot.datasets.gui_perturbed import NAMES, ReadLimits, direction_in, read_replies

LineMaker = Callable[..., bytes]


def written(folder: Path, *lines: bytes) -> Path:
    """Write lines into a file."""
    path = folder / "replies.jsonl"
    path.write_bytes(b"\n".join(lines) + b"\n")
    return path


def test_a_record_becomes_a_question_and_raw_words(tmp_path: Path, line: LineMaker) -> None:
    """Cell, pair, task, box in edges, instruction and the reply's format are kept."""
    (found,) = read_replies(written(tmp_path, line(reasoning=True, variant="precision")))
    question = found.question
    assert question.cell == Cell("precision", "direct", reasoning=True)
    assert (question.pair, question.cluster) == ("task:3", "task")
    assert question.truth == Box(657, 300.5, 701, 342.5)
    assert (question.width, question.height) == (1920, 1080)
    assert (found.model, found.format, found.raw) == ("gta1", "", "(683,324)")


EVALUATED = {
    "model": "uitars15",
    "use_reasoning": True,
    "query_type": "relational_query",
    "variant": "text_shrink",
    "task_id": "task",
    "step_index": 3,
    "instruction": "Click on the button above 'Dance'",
    "raw_prediction": "Action: click(start_box='(840, 541)')",
    "ground_truth_bbox": "[657, 300.5, 44, 42]",
}
# What the evaluator wrote beside them, in its first and in a later version.
FIRST = {"test_split": "test_task_style", "image_path": "step_3.png", "step_time_seconds": 7.9}
LATER = {"config_id": "uitars15", "predicted_coordinate": [1.5, 2], "is_hit": False}


@pytest.mark.parametrize("beside", [FIRST, LATER])
@pytest.mark.parametrize("box", ["[657, 300.5, 44, 42]", [657, 300.5, 44, 42]])
def test_a_record_of_the_evaluator_is_the_same_record(
    tmp_path: Path, line: LineMaker, beside: dict[str, object], box: object
) -> None:
    """GUI-DR's names of fields, its kinds and its boxes in strings are read as ours."""
    theirs = {**EVALUATED, **beside, "ground_truth_bbox": box}
    ours = line(
        model="uitars15",
        reasoning=True,
        instruction_type="relational",
        variant="text_shrink",
        instruction=EVALUATED["instruction"],
        raw_prediction=EVALUATED["raw_prediction"],
    )
    (found,) = read_replies(written(tmp_path, json.dumps(theirs).encode()))
    (expected,) = read_replies(written(tmp_path, ours))
    assert found == expected


@pytest.mark.parametrize(
    "box", ["657, 300", "[657", "", '"[1, 2, 3, 4]"', "[1, 2, 0, 4]", 7, None]
)
def test_a_box_that_is_none_makes_a_bad_record(tmp_path: Path, box: object) -> None:
    """A string that holds no four numbers is reported, however it is spelt."""
    reported: list[BadRecord] = []
    path = written(tmp_path, json.dumps({**EVALUATED, "ground_truth_bbox": box}).encode())
    assert list(read_replies(path, report=reported.append)) == []
    assert [record.line for record in reported] == [1]


@pytest.mark.parametrize("model", ["gpt", "Org/Tuned 7B", "模型", "../up"])
def test_any_model_is_read(tmp_path: Path, line: LineMaker, model: str) -> None:
    """The reader knows no models; whose words are read in which format others tell."""
    (found,) = read_replies(written(tmp_path, line(model=model)))
    assert found.model == model


def test_the_registry_knows_the_dataset() -> None:
    """The reader is found by its name, as an outside one would be."""
    assert DATASETS.get("gui-perturbed").read is read_replies


@pytest.mark.parametrize(
    "bad",
    [
        b"{",
        b"[]",
        b"\xff\xfe",
        b"null",
        b"[" * 50_000,
        b'{"model": "gta1"}',
        b'{"model": ' + b"[" * 50_000,
    ],
)
def test_a_broken_line_is_named_and_left_out(tmp_path: Path, line: LineMaker, bad: bytes) -> None:
    """The reader goes on after a broken line, reports its number, and raises when strict."""
    path = written(tmp_path, line(), b"", bad, line(variant="style"))
    reported: list[BadRecord] = []
    assert len(list(read_replies(path, report=reported.append))) == 2
    assert [record.line for record in reported] == [3]
    with pytest.raises(InvalidInputError, match=r"line 3 of replies\.jsonl"):
        list(read_replies(path, strict=True))


@pytest.mark.parametrize(
    "changes",
    [
        {"model": ""},
        {"model": "m" * 201},
        {"instruction_type": "direct_query_query"},
        {"variant": "zoom"},
        {"reasoning": "yes"},
        {"step_index": 1.5},
        {"raw_prediction": None},
        {"box_xywh": [1, 2, 3]},
        {"box_xywh": [1, 2, 0, 4]},
        {"box_xywh": [1, 2, 3, -4]},
        {"box_xywh": [1, 2, float("nan"), 4]},
        {"box_xywh": [1, 2, float("inf"), 4]},
        {"box_xywh": [1e308, 0, 1e308, 4]},
    ],
)
def test_a_wrong_field_makes_a_bad_record(
    tmp_path: Path, line: LineMaker, changes: dict[str, object]
) -> None:
    """Unknown names, wrong types, and boxes without a finite area are reported."""
    reported: list[BadRecord] = []
    path = written(tmp_path, line(**changes))
    assert list(read_replies(path, report=reported.append)) == []
    assert len(reported) == 1


def test_a_reply_counts_once(tmp_path: Path, line: LineMaker) -> None:
    """A second record of one model, step and cell is reported and left out."""
    reported: list[BadRecord] = []
    path = written(tmp_path, line(), line(raw_prediction="(1,1)"), line(model="uitars15"))
    found = list(read_replies(path, report=reported.append))
    assert [reply.raw for reply in found] == ["(683,324)", "(683,324)"]
    assert [record.line for record in reported] == [2]


def test_a_bomb_is_stopped_by_the_limits(tmp_path: Path, line: LineMaker) -> None:
    """A packed file that unfolds beyond the limits raises before it fills the memory."""
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b"x" * 30_000_000))
    with pytest.raises(InvalidInputError, match="lines of at most"):
        list(read_replies(path))
    path.write_bytes(gzip.compress((line() + b"\n") * 1000))
    with pytest.raises(InvalidInputError, match=r"50,000 in all"):
        list(read_replies(path, limits=ReadLimits(total=50_000)))


def test_a_cut_or_absent_file_is_the_users_mistake(tmp_path: Path, line: LineMaker) -> None:
    """A truncated archive, a damaged one, a folder and a missing file raise one error."""
    packed = gzip.compress(b"\n".join(line(step_index=n) for n in range(500)))
    for name, data in {"cut": packed[:-40], "bad": packed[:60] + b"\0" * 60}.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(InvalidInputError, match="a readable file"):
            list(read_replies(tmp_path / name))
    for absent in (tmp_path / "absent", tmp_path):
        with pytest.raises(InvalidInputError, match="a readable file"):
            list(read_replies(absent))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=300))
def test_any_bytes_end_in_reports_or_one_error(tmp_path: Path, data: bytes) -> None:
    """Whatever a file holds, the reader ends, and raises nothing but its own error."""
    path = tmp_path / "any"
    path.write_bytes(data)
    try:
        assert list(read_replies(path)) == []
    except InvalidInputError as error:
        assert "a readable file" in str(error)  # noqa: PT017 - either end is fine


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Click on the button above 'Below the fold'", "above"),
        ("Click the 'Men's left' link right of “above”", "right of"),
        ("Click the link to the left of 'A' and above 'B'", None),
        ("Click on 'right'", None),
        ("Type the textbox below 'X'", "below"),
        ("", None),
    ],
)
def test_directions_are_read_outside_of_names(text: str, expected: Direction | None) -> None:
    """A direction counts only outside quotation marks and only where it is the only one."""
    assert direction_in(text) == expected


def test_the_published_file_is_read_whole(published_folder: Path) -> None:
    """All 20,592 replies are read: 429 to each of 48 cells, without a bad record."""
    reported: list[BadRecord] = []
    path = published_folder / "predictions.jsonl.gz"
    cells: Counter[tuple[str, Cell]] = Counter()
    clusters = set()
    for reply in read_replies(path, report=reported.append):
        cells[reply.model, reply.question.cell] += 1
        clusters.add(reply.question.cluster)
    assert reported == []
    assert set(cells.values()) == {429}
    assert (len(cells), len(clusters)) == (48, 304)


def tabled(rows: list[dict[str, object]], **how: Any) -> bytes:  # noqa: ANN401 - csv's own
    """Write rows as pandas does, what Python prints in each cell."""
    text = io.StringIO()
    table = csv.DictWriter(text, fieldnames=list(rows[0]), **how)
    table.writeheader()
    table.writerows(rows)
    return text.getvalue().encode()


SAID = 'Thought: the "2" is above,\nso I click it.\nAction: (739,195)'
TABLES: dict[str, bytes] = {
    "as GUI-DR": tabled([EVALUATED | FIRST]),
    "marked": b"\xef\xbb\xbf" + tabled([EVALUATED]),
    "gzipped": gzip.compress(tabled([EVALUATED])),
    "lines of Unix": tabled([EVALUATED], lineterminator="\n"),
    "all quoted": tabled([EVALUATED], quoting=csv.QUOTE_ALL),
    "an index": tabled([{"": 0, **EVALUATED}]),
    "an unnamed column": tabled([{**EVALUATED, "Unnamed: 15": ""}]),
    "number as pandas has it": tabled([{**EVALUATED, "step_index": "3.0"}]),
    "our names": tabled(
        [{
            "reasoning": "True",
            "instruction_type": "relational",
            "box_xywh": "[657, 300.5, 44, 42]",
            **{name: value for name, value in EVALUATED.items() if name not in NAMES},
        }]
    ),
    "a tuple as box": tabled([{**EVALUATED, "ground_truth_bbox": "(657, 300.5, 44, 42)"}]),
    "words after the last": tabled([EVALUATED]).rstrip() + b"\r\n\r\n",
}  # fmt: skip


@pytest.mark.parametrize("how", TABLES)
def test_a_table_of_replies_is_read(tmp_path: Path, how: str) -> None:
    """A row of GUI-DR's CSV is what the same record is as a line of JSON."""
    bad: list[BadRecord] = []
    (tmp_path / "table.csv").write_bytes(TABLES[how])
    found = list(read_replies(tmp_path / "table.csv", report=bad.append))
    right = list(read_replies(written(tmp_path, json.dumps(EVALUATED).encode())))

    assert (found, bad) == (right, [])


@pytest.mark.parametrize("said", [SAID, "", "(1,2)", "None", "x" * 100_000])
def test_a_cell_of_any_words_is_read(tmp_path: Path, said: str) -> None:
    """A reply of several lines, of quotes, or of no words is kept as it is."""
    (tmp_path / "table.csv").write_bytes(tabled([{**EVALUATED, "raw_prediction": said}]))
    (found,) = read_replies(tmp_path / "table.csv")

    assert found.raw == said


@pytest.mark.parametrize(
    ("change", "left_out"),
    [
        ({"ground_truth_bbox": ""}, 1),
        ({"ground_truth_bbox": "[1, 2, 0, 4]"}, 1),
        ({"use_reasoning": "maybe"}, 1),
        ({"step_index": "x"}, 1),
        ({"model": ""}, 1),
        ({"variant": "dark"}, 1),
    ],
)
def test_a_bad_row_costs_itself(tmp_path: Path, change: dict[str, object], left_out: int) -> None:
    """A row that is no reply is left out, and the others are read."""
    bad: list[BadRecord] = []
    (tmp_path / "table.csv").write_bytes(tabled([EVALUATED | change, EVALUATED]))
    found = list(read_replies(tmp_path / "table.csv", report=bad.append))

    assert (len(found), len(bad)) == (1, left_out)


def test_all_published_replies_are_the_same_as_a_table(
    tmp_path: Path, published_folder: Path
) -> None:
    """Published replies, written as a table, are read as they were."""
    with gzip.open(published_folder / "predictions.jsonl.gz") as lines:
        rows = [json.loads(line) for line in itertools.islice(lines, 2000)]
    (tmp_path / "table.csv").write_bytes(tabled(rows))
    (tmp_path / "lines.jsonl").write_text("\n".join(map(json.dumps, rows)))

    found = [list(read_replies(tmp_path / name)) for name in ("table.csv", "lines.jsonl")]
    assert found[0] == found[1]
