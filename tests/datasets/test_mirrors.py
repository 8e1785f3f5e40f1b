"""
Sets are read from the mirrors that people fetch: parquet with the picture in each row.
"""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from PIL import Image
from pyarrow import parquet

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.question import Question
from surefoot.run.folders.folder import read_questions
from surefoot.run.imports.labelled import import_labelled

SHOWN = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
BUTTON = Box(20, 10, 80, 40)


def picture(colour: str = "#ddd", kind: str = "PNG") -> bytes:
    """Draw a picture of 200 x 100."""
    file = io.BytesIO()
    Image.new("RGB", (200, 100), colour).save(file, kind)
    return file.getvalue()


def write(folder: Path, name: str, rows: list[dict[str, Any]]) -> Path:
    """Write rows as a shard, images as the Hub's columns have them."""
    columns: dict[str, list[Any]] = {key: [row.get(key) for row in rows] for key in rows[0]}
    arrays = {
        key: pa.array(values, SHOWN if key == "image" else None) for key, values in columns.items()
    }
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    parquet.write_table(pa.table(arrays), file)
    return folder


def shown(kind: str = "PNG") -> dict[str, Any]:
    """Return a row with a picture."""
    return {"image": {"bytes": picture(kind=kind), "path": "a.png"}, "instruction": "press it"}


SPOT = {"data_type": "text", "data_source": "macos"}
PRO = {
    "id": "eviews_1", "application": "eviews", "platform": "windows", "ui_type": "icon",
    "group": "Scientific", "instruction_cn": "x", "img_filename": "eviews/a.png",
}  # fmt: skip
# A mirror, where its columns were seen, the set, the file's name, the row.
MIRRORS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "rootsautomation/ScreenSpot": (
        "screenspot", "data/test-00000-of-00001.parquet",
        shown() | SPOT | {"file_name": "pc_1.png", "bbox": [0.1, 0.1, 0.4, 0.4]},
    ),
    "lmms-lab/ScreenSpot-v2": (
        "screenspot-v2", "data/train-00000-of-00001.parquet",
        shown() | SPOT | {"bbox": [20, 10, 60, 30]},
    ),
    "HongxinLi/ScreenSpot_v2": (
        "screenspot-v2", "data/test-00000-of-00001.parquet",
        shown() | SPOT | {"bbox": [0.1, 0.1, 0.4, 0.4]},
    ),
    "lmms-lab/ScreenSpot-Pro": (
        "screenspot-pro", "data/train-00000-of-00002.parquet",
        shown() | PRO | {"bbox": [20, 10, 80, 40], "img_size": [200, 100]},
    ),
    "TIGER-Lab/ScreenSpot-Pro": (
        "screenspot-pro", "data/test-00000-of-00001.parquet",
        shown() | PRO | {"bbox": "[20, 10, 80, 40]", "img_size": "[200, 100]"},
    ),
    "ScreenSpot-Pro in shares": (
        "screenspot-pro", "test.parquet",
        shown() | PRO
        | {"bbox": [0.1, 0.1, 0.4, 0.4], "image_width": 200, "image_height": 100},
    ),
    "MMInstruction/OSWorld-G": (
        "osworld-g", "data/test-00000-of-00001.parquet",
        shown() | {"id": "g1", "image_size": [200, 100], "box_type": "bbox",
                   "box_coordinates": [20.0, 10.0, 60.0, 30.0], "GUI_types": ["Button"]},
    ),
    "OSWorld-G, a polygon": (
        "osworld-g", "data/test-00000-of-00001.parquet",
        shown() | {"id": "g1", "image_size": [200, 100], "box_type": "polygon",
                   "box_coordinates": [20.0, 10.0, 80.0, 10.0, 80.0, 40.0, 20.0, 40.0]},
    ),
    "ui-vision": (
        "ui-vision", "basic/test-00000-of-00001.parquet",
        {"image": shown()["image"], "prompt_to_evaluate": "press it", "platform": "gimp",
         "bbox": [20.0, 10.0, 80.0, 40.0], "image_size": [200, 100], "element_type": "Button"},
    ),
    "MMBench-GUI": (
        "mmbench-gui-l2", "data/test.parquet",
        shown() | {"bbox": [0.1, 0.1, 0.4, 0.4], "image_size": [200, 100], "app_name": "gimp",
                   "platform": "os_linux", "grounding_type": "advanced", "data_type": "icon"},
    ),
    "VenusBench-GD": (
        "venusbench-gd", "element_grounding/test.parquet",
        shown() | {"bbox": [20, 10, 80, 40], "platform": "web", "application": "shop",
                   "task_type": "element_grounding"},
    ),
    "a JPEG": (
        "screenspot-v2", "data/test.parquet",
        {**shown("JPEG"), **SPOT, "bbox": [20, 10, 60, 30]},
    ),
}  # fmt: skip


def imported(folder: Path, name: str) -> Question:
    """Import a set of one row, and return its question."""
    found = import_labelled(name, folder, folder / "out")
    assert found.counts["left_out"] == {}
    assert found.counts["unpictured"] == 0
    (question,) = read_questions(folder / "out")
    return question


@pytest.mark.parametrize("mirror", MIRRORS)
def test_a_mirror_of_a_set_is_read(tmp_path: Path, mirror: str) -> None:
    """Whatever a mirror calls its columns, and in which unit, the button is the same."""
    name, file, row = MIRRORS[mirror]
    question = imported(write(tmp_path, file, [row]), name)

    assert question.truth.as_tuple() == pytest.approx(BUTTON.as_tuple())
    assert (question.width, question.height) == (200, 100)
    assert question.instruction.text == "press it"


@pytest.mark.parametrize(
    ("name", "file", "row"),
    [
        ("osworld-g", "data/test.parquet", {"box_type": "refusal", "box_coordinates": [-1.0]}),
        ("osworld-g", "data/test.parquet", {"box_type": "refusal", "box_coordinates": None}),
        ("venusbench-gd", "refusal_grounding/test.parquet", {"task_type": "refusal_grounding"}),
        ("venusbench-gd", "data/refusal_spatial.parquet", {"bbox": None, "category": ""}),
    ],
)
def test_a_refusal_has_no_place(tmp_path: Path, name: str, file: str, row: dict[str, Any]) -> None:
    """A row of a refusal asks for nothing on the screen."""
    assert not imported(write(tmp_path, file, [shown() | row]), name).answerable


def test_what_a_mirror_says_beside_is_kept(tmp_path: Path) -> None:
    """System, platform, program and kind of element come from the columns of the set."""
    name, file, row = MIRRORS["lmms-lab/ScreenSpot-Pro"]
    question = imported(write(tmp_path, file, [row]), name)

    assert (question.platform, question.system, question.role) == ("desktop", "windows", "icon")
    assert question.cluster == "eviews"
    assert question.facts["group"] == "Scientific"


def test_one_picture_of_several_rows_is_one_screen(tmp_path: Path) -> None:
    """Rows with the same picture, and shards in their order, are questions about one screen."""
    _, file, row = MIRRORS["lmms-lab/ScreenSpot-v2"]
    write(tmp_path, file, [row, row | {"bbox": [120, 60, 60, 30]}])
    write(tmp_path, file.replace("00000-of", "00001-of"), [row])
    found = import_labelled("screenspot-v2", tmp_path, tmp_path / "out")

    assert (found.counts["questions"], found.counts["screens"]) == (3, 1)


def test_own_labels_come_before_a_mirror(tmp_path: Path) -> None:
    """A folder that has the set's own files as well is read by those."""
    _, file, row = MIRRORS["rootsautomation/ScreenSpot"]
    write(tmp_path, file, [row])
    (tmp_path / "images").mkdir()
    (tmp_path / "images/a.png").write_bytes(picture())
    label = {"img_filename": "a.png", "bbox": [120, 60, 60, 30], "instruction": "own", **SPOT}
    (tmp_path / "screenspot_web.json").write_text(json.dumps([label]))

    assert imported(tmp_path, "screenspot").instruction.text == "own"


BAD: dict[str, dict[str, Any]] = {
    "no picture": {"image": {"bytes": None, "path": None}},
    "a picture that is none": {"image": {"bytes": b"none", "path": "a.png"}},
    "no box": {"bbox": None},
    "words as box": {"bbox": None, "box_coordinates": "none"},
    "no words": {"instruction": None},
    "another size": {"img_size": [400, 200]},
    "a size that is none": {"img_size": "[0, -1]"},
}


@pytest.mark.parametrize("how", BAD)
def test_a_bad_row_of_a_mirror_costs_itself(tmp_path: Path, how: str) -> None:
    """A row without what it needs is left out, and the others are read."""
    row = {**shown(), **SPOT, "bbox": [20, 10, 60, 30]}
    bad = {**row, **BAD[how]}
    rows = [{**dict.fromkeys(bad), **row}, bad]
    found = import_labelled(
        "screenspot-v2", write(tmp_path, "data/test.parquet", rows), tmp_path / "out"
    )

    assert found.counts["questions"] == 1
    assert sum(found.counts["left_out"].values()) == 1  # type: ignore[attr-defined]


@pytest.mark.parametrize("data", [b"version https://git-lfs.github.com/spec/v1\n", b"PAR1"])
def test_a_shard_that_was_not_fetched_is_named(tmp_path: Path, data: bytes) -> None:
    """A pointer, or a cut file, ends the import by its name."""
    (tmp_path / "test.parquet").write_bytes(data)
    with pytest.raises(InvalidInputError, match=r"test\.parquet"):
        import_labelled("screenspot-v2", tmp_path, tmp_path / "out")


def test_the_files_of_venusbench_are_read(tmp_path: Path) -> None:
    """One JSON array a kind, pictures by platform and program, null as a refusal's box."""
    (tmp_path / "instruction").mkdir()
    (tmp_path / "images/web/shop").mkdir(parents=True)
    (tmp_path / "images/web/shop/a.png").write_bytes(picture())
    row = {"img_filename": "web/shop/a.png", "instruction": "press", "label": "button"}
    kinds = {"element_grounding": [20, 10, 80, 40], "refusal_grounding": None}
    for kind, box in kinds.items():
        rows = [{**row, "bbox": box, "category": kind, "data_type": "bbox"}]
        (tmp_path / f"instruction/{kind}.json").write_text(json.dumps(rows))
    import_labelled("venusbench-gd", tmp_path, tmp_path / "out")
    first, second = read_questions(tmp_path / "out")

    assert (first.truth, first.platform, first.cluster) == (BUTTON, "web", "shop")
    assert (first.answerable, second.answerable) == (True, False)
