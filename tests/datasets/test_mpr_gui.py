"""
MPR-GUI-Bench: options inside the words, six languages, and rows that hold several pictures.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from surefoot.core.errors import InvalidInputError, RecordError
from surefoot.core.question import Cell
from surefoot.datasets.dataset import BadRecord
from surefoot.datasets.files.pictures import Pictures
from surefoot.datasets.labelled import Record
from surefoot.datasets.mpr_gui import MPR_GUI, read_options
from surefoot.run.folders.folder import read_questions
from surefoot.run.imports.labelled import import_labelled

ROW = {
    "question": "Where is the button? A: Top left B: Top right C: Bottom left D: Bottom right",
    "answer": "B",
    "image_path": "../images/6/en/camera_en_8.jpg",
}
CHINESE = {
    "question": "\u5728\u54ea\u91cc\uff1fA\uff1a\u5de6\u4e0aB\uff1a\u53f3\u4e0a"
    "C\uff1a\u5de6\u4e0bD\uff1a\u53f3\u4e0b",
    "answer": "B",
    "image_path": "../images/6/zh/camera_zh_8.jpg",
}
EPISODE = ROW | {"image_path": "", "image_folder_path": "../images/rich/en/order_episode_1"}


def read(
    folder: Path, *rows: object, file: str = "abs_el_en.jsonl"
) -> tuple[list[Record], list[BadRecord]]:
    """Write rows as one file of the set, and read all files."""
    path = folder / "qas" / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    reported: list[BadRecord] = []
    return list(MPR_GUI.read(folder, report=reported.append)), reported


def test_a_question_keeps_its_words(tmp_path: Path) -> None:
    """The options stay in the words, and are told apart beside them; the answer is a label."""
    (record,), reported = read(tmp_path, ROW)
    assert not reported
    assert (record.text, record.answers) == (ROW["question"], ("B",))
    assert (record.asks, record.options) == ("option", tuple("ABCD"))
    assert (record.image, record.kind, record.language) == ("6/en/camera_en_8.jpg", "ael", "en")
    assert record.facts == {
        "order": "ABCD",
        "A": "Top left",
        "B": "Top right",
        "C": "Bottom left",
        "D": "Bottom right",
    }


def test_languages_are_variants_of_one_question(tmp_path: Path) -> None:
    """Rows whose paths differ in the language alone share a pair; ids stay apart."""
    read(tmp_path, ROW)
    found, reported = read(tmp_path, CHINESE, file="abs_el_zh.jsonl")
    assert not reported
    assert {(record.pair, record.page) for record in found} == {
        ("ael/6/camera_8.jpg", "6/camera_8.jpg")
    }
    assert [(record.variant, record.language) for record in found] == [
        ("original", "en"),
        ("zh", "zh"),
    ]
    assert len({record.id for record in found}) == 2
    assert found[1].facts["D"] == "\u53f3\u4e0b"


def test_a_row_about_a_sequence_holds_its_folder(tmp_path: Path) -> None:
    """Its pictures come in the order of their numbers; without pictures the row is still read."""
    (bare,), _ = read(tmp_path, EPISODE, file="knowledge_rich_en.jsonl")
    folder = tmp_path / "images/rich/en/order_episode_1"
    folder.mkdir(parents=True)
    for name in ("10.jpg", "2.jpg", "1.JPG", "notes.txt"):
        (folder / name).write_bytes(b"")
    (record,) = MPR_GUI.read(tmp_path, images=Pictures(tmp_path / "images"))
    name = "rich/en/order_episode_1"
    assert (record.image, record.further) == (f"{name}/1.JPG", (f"{name}/2.jpg", f"{name}/10.jpg"))
    assert (bare.image, bare.further) == (name, ())
    assert (record.kind, record.pair) == ("ri", "ri/rich/order_episode_1")


@pytest.mark.parametrize(
    ("state", "site"),
    [
        ("6/camera_8.jpg", "6/camera"),
        ("3/general_two_12.jpg", "3/general_two"),
        ("rich/order_episode_1", "rich/order"),
    ],
)
def test_the_site_is_the_application_on_its_device(tmp_path: Path, state: str, site: str) -> None:
    """States of one application are one cluster, whatever the dimension and the language."""
    folder, _, name = state.partition("/")
    (record,), _ = read(tmp_path, ROW | {"image_path": f"../images/{folder}/en/{name}"})
    assert record.site == site


@pytest.mark.parametrize(
    ("name", "reason"),
    [("../..", "unsafe-path"), ("/etc", "unsafe-path"), ("none", "missing-picture"),
     ("away", "unsafe-path"), ("crowd", "many-pictures")],
)  # fmt: skip
def test_a_bad_folder_costs_its_row(tmp_path: Path, name: str, reason: str) -> None:
    """A folder that is none, is empty, leads outside or holds a crowd is reported."""
    read(tmp_path, EPISODE | {"image_folder_path": f"../images/{name}"}, ROW)
    crowd = tmp_path / "images/crowd"
    crowd.mkdir(parents=True)
    for number in range(65):
        (crowd / f"{number}.png").write_bytes(b"")
    (tmp_path / "images/away").symlink_to(tmp_path / "qas")
    reported: list[BadRecord] = []
    images = Pictures(tmp_path / "images")
    found = list(MPR_GUI.read(tmp_path, images=images, report=reported.append))
    assert [record.number for record in found] == [2]
    assert [record.reason for record in reported] == [reason]


def test_an_imported_set_is_asked_in_pairs(tmp_path: Path) -> None:
    """Questions of one pair stand in cells of their own, with their pictures."""
    read(tmp_path, ROW)
    read(tmp_path, CHINESE, file="abs_el_zh.jsonl")
    for item, colour in ((ROW, "red"), (CHINESE, "blue")):
        path = tmp_path / "qas" / item["image_path"]
        path.parent.mkdir(parents=True)
        Image.new("RGB", (20, 10), colour).save(path)
    import_labelled("mpr-gui-bench", tmp_path, tmp_path / "out")
    questions = read_questions(tmp_path / "out")
    assert [question.cell for question in questions] == [
        Cell("original", "ael"),
        Cell("zh", "ael"),
    ]
    assert [(question.width, question.height) for question in questions] == [(20, 10), (20, 10)]
    assert len({question.pair for question in questions}) == 1


@pytest.mark.parametrize("answer", ["b", " B ", "(B)", "B.", "B: Top right", "B\uff1aTop"])
def test_an_answer_may_say_more_than_its_label(tmp_path: Path, answer: str) -> None:
    """The label is what counts, however it is dressed."""
    (record,), _ = read(tmp_path, ROW | {"answer": answer})
    assert record.answers == ("B",)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"question": ""}, "bad-options"),
        ({"question": "Where? A: a B: b C: c"}, "bad-options"),
        ({"question": "Where? A: a B: b C: c D: "}, "bad-options"),
        ({"question": "Where? A: a B: b C: c D: d A: e"}, "bad-options"),
        ({"question": 5}, "malformed"),
        ({"answer": "E"}, "malformed"),
        ({"answer": "Better"}, "malformed"),
        ({"answer": ""}, "malformed"),
        ({"image_path": ""}, "malformed"),
    ],
)
def test_bad_rows_are_reported(tmp_path: Path, changes: dict[str, object], reason: str) -> None:
    """One bad field leaves the row out, and the next is read; strict stops."""
    found, reported = read(tmp_path, ROW | changes, ROW)
    assert [record.number for record in found] == [2]
    assert [(record.place, record.reason) for record in reported] == [
        ("abs_el_en.jsonl, record 1", reason)
    ]
    with pytest.raises(RecordError, match="record 1"):
        list(MPR_GUI.read(tmp_path, strict=True))


def test_hostile_lines_cost_themselves(tmp_path: Path) -> None:
    """What is no JSON, nested without end, or keyed twice is reported between good rows."""
    read(tmp_path)
    good = json.dumps(ROW).encode()
    bad = [b"{", b"[]", b"\xff\xfe", b"[" * 20_000, good[:-1] + b', "answer": "A"}']
    (tmp_path / "qas" / "wf_en.jsonl").write_bytes(b"\n".join([good, *bad, good]))
    reported: list[BadRecord] = []
    found = list(MPR_GUI.read(tmp_path, report=reported.append))
    assert [record.number for record in found] == [1, len(bad) + 2]
    assert [record.line for record in reported] == list(range(2, len(bad) + 2))


@pytest.mark.parametrize("name", ["wf.jsonl", "wf_de.jsonl", "other_en.jsonl"])
def test_a_file_of_another_name_is_the_users_mistake(tmp_path: Path, name: str) -> None:
    """What a file asks about is told by its name alone, so a strange name stops the import."""
    with pytest.raises(InvalidInputError, match=name):
        read(tmp_path, ROW, file=name)


@pytest.mark.parametrize("path", ["../../secret.jpg", "/etc/secret.jpg", "..\\secret.jpg"])
def test_a_picture_outside_is_left_out(tmp_path: Path, path: str) -> None:
    """A path that leaves the pictures' folder costs its row."""
    read(tmp_path, ROW, ROW | {"image_path": path})
    file = tmp_path / "images" / "6" / "en" / "camera_en_8.jpg"
    file.parent.mkdir(parents=True)
    Image.new("RGB", (20, 10)).save(file)
    imported = import_labelled("mpr-gui-bench", tmp_path, tmp_path / "out")
    assert imported.counts["left_out"] == {"unsafe-path": 1}


WORDS = st.text("abcxyz .,\u4e2d", min_size=1, max_size=8).filter(str.strip)


@given(st.permutations("ABCD"), st.lists(WORDS, min_size=4, max_size=4), st.booleans())
def test_options_are_found_in_any_order(labels: list[str], words: list[str], wide: bool) -> None:
    """Whatever the order and the colon, each label keeps its own words."""
    colon = "\uff1a" if wide else ":"
    spelled = " ".join(f"{label}{colon} {text}" for label, text in zip(labels, words, strict=True))
    found = read_options(f"Which one? {spelled}")
    assert list(found) == labels
    assert list(found.values()) == [word.strip() for word in words]
