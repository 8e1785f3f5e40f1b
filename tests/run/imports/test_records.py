"""
A record's question and screen: what the set tells is kept, and checked against the picture.
"""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from surefoot.core.canonical import sha256
from surefoot.core.errors import RecordError
from surefoot.core.geometry import Box, Point
from surefoot.core.screen import Element
from surefoot.core.store import ObjectStore
from surefoot.datasets.files.pictures import Pictures
from surefoot.datasets.labelled import Record
from surefoot.run.imports.index import Shot, open_index
from surefoot.run.imports.records import Shots, check_size, numbered, question_of, screen_of

SHOT = Shot("a.png", "000000004", "f" * 64, 200, 100)
RECORD = Record(
    id="r",
    image="a.png",
    text="Open it",
    boxes=(Box(1, 2, 3, 4), Box(5, 6, 7, 8)),
    width=200,
    height=100,
    kind="basic",
    language="zh",
    action="type",
    value="words",
    answers=("words",),
    split="test",
    page="page",
    site="site",
    platform="mobile",
    system="ios",
    locale="zh-CN",
    role="icon",
    target="e1",
    elements=(Element("e1", "button", Box(1, 2, 3, 4)),),
    facts={"group": "CAD"},
)


def picture(colour: str, size: tuple[int, int] = (200, 100)) -> bytes:
    """Encode a picture of one colour."""
    file = io.BytesIO()
    Image.new("RGB", size, colour).save(file, "PNG")
    return file.getvalue()


def test_everything_that_a_record_tells_is_kept() -> None:
    """Each field stands in the question, its instruction or its screen."""
    question, screen = question_of(RECORD, 12, SHOT), screen_of(RECORD, SHOT, "set")
    assert (question.id, question.pair, question.cluster) == ("000000012", "r", "site")
    assert question.page == "page"
    assert (question.truth, question.boxes) == (Box(1, 2, 3, 4), (Box(5, 6, 7, 8),))
    assert (question.split, question.platform, question.system) == ("test", "mobile", "ios")
    assert (question.role, question.answers, question.facts) == (
        "icon",
        ("words",),
        {"group": "CAD"},
    )
    assert (question.cell.variant, question.cell.instruction) == ("original", "basic")
    said = question.instruction
    assert (said.text, said.language, said.action, said.value) == (
        "Open it",
        "zh",
        "type",
        "words",
    )
    assert said.target == screen.elements[0].id == "e1"
    assert (screen.id, screen.source, screen.site) == ("000000004", "set:a.png", "site")
    assert (screen.platform, screen.locale, screen.page) == ("mobile", "zh-CN", "page")


def test_ids_sort_as_numbers() -> None:
    """The text order of numbers is their own."""
    numbers = [1, 9, 10, 99, 100, 12_345, 99_999_999]
    assert sorted(map(numbered, numbers)) == [numbered(number) for number in numbers]


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (Record(id="r", image="a", text="t", boxes=(Box(150, 0, 250, 9),)), "outside"),
        (
            Record(id="r", image="a", text="t", boxes=(Box(1, 1, 2, 2), Box(0, 0, 9, 101))),
            "outside",
        ),
        (
            Record(id="r", image="a", text="t", polygon=(Point(0, 0), Point(300, 0), Point(0, 9))),
            "outside",
        ),
    ],
)
def test_places_must_lie_in_the_picture(record: Record, reason: str) -> None:
    """Where the labels tell no size, the picture's own decides."""
    with pytest.raises(RecordError) as caught:
        question_of(record, 1, SHOT)
    assert caught.value.reason == reason


def test_pictures_inside_the_set_are_stored_once(tmp_path: Path) -> None:
    """Equal bytes are one screen, other bytes another, and none is a second name."""
    store = ObjectStore(tmp_path)
    with open_index(tmp_path) as index:
        shots = Shots(None, store, index)
        found = []
        for number, colour in enumerate(["red", "blue", "red"], start=1):
            record = Record(id=f"{number}", image=picture(colour), text="t", answers=("a",))
            ((shot, is_new),) = shots.find(record, number)
            if is_new:
                shots.keep(shot)
            found.append((shot.screen, is_new))
            assert store.get(shot.sha) == record.image
    assert found == [("000000001", True), ("000000002", True), ("000000001", False)]


@pytest.mark.parametrize("repeats", [False, True])
def test_pictures_of_a_sequence_are_screens_of_their_own(tmp_path: Path, repeats: bool) -> None:
    """They keep their order; one that comes again is one screen, or damage, as the set has it."""
    colours = ["red", "blue", "red", "lime"]
    for number, colour in enumerate(colours):
        (tmp_path / f"{number}.png").write_bytes(picture(colour))
    record = Record(id="r", image="0.png", further=("1.png", "2.png", "3.png"), text="t")
    with open_index(tmp_path) as index:
        shots = Shots(Pictures(tmp_path), ObjectStore(tmp_path), index, repeats=repeats)
        if not repeats:
            with pytest.raises(RecordError) as caught:
                shots.find(record, 1)
            assert caught.value.reason == "duplicate-picture"
            return
        found = shots.find(record, 1)
        question = question_of(record, 1, *(shot for shot, _ in found))
    assert [shot.screen for shot, _ in found] == [
        "000000001", "000000001-002", "000000001", "000000001-004",
    ]  # fmt: skip
    assert [is_new for _, is_new in found] == [True, True, False, True]
    assert list(question.images) == [sha256(picture(colour)) for colour in colours]
    assert [shown.screen for shown in question.further] == [shot.screen for shot, _ in found[1:]]


def test_a_broken_picture_inside_the_set_is_named(tmp_path: Path) -> None:
    """Bytes that are no picture have the reason of a bad picture, and the record's id."""
    record = Record(id="r7", image=b"no picture", text="t", answers=("a",))
    with open_index(tmp_path) as index, pytest.raises(RecordError, match="r7") as caught:
        Shots(None, ObjectStore(tmp_path), index).find(record, 1)
    assert caught.value.reason == "bad-picture"


def test_a_picture_is_of_the_size_that_the_labels_tell() -> None:
    """A picture of another size is refused; without a declared size any is fine."""
    check_size(Record(id="r", image="a", text="t"), SHOT)
    with pytest.raises(RecordError) as caught:
        check_size(Record(id="r", image="a", text="t", width=9, height=9), SHOT)
    assert caught.value.reason == "wrong-size"
