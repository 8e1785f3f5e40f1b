"""
Contact sheets: whom the draw takes, and what is drawn.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.ledger import Ledger
from surefoot.core.question import Cell, Question, ScreenImage
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.report.audit import (
    Mark,
    contact_sheet,
    draw_audit,
    draw_marks,
    sample_questions,
    with_inset,
)
from surefoot.run.folders.folder import export

INSTRUCTION = Instruction("Click", "en", "direct", "high", Expression(role="link"), "e")


def question(variant: str, page: int, number: int, kind: str = "direct") -> Question:
    """Return one of many questions about a page."""
    name = f"{variant} {page} {number} {kind}"
    cell = Cell(variant, kind)
    truth = Box(0, 0, 1, 1)
    return Question(name, name, f"p{page}", cell, name, "", 9, 9, INSTRUCTION, truth)


def level(drawn: Counter[str], whole: Counter[str]) -> bool:
    """Tell whether all kinds were drawn alike, give or take one, or used up."""
    most = max(drawn.values(), default=0)
    return all(drawn[item] == whole[item] or drawn[item] >= most - 1 for item in whole)


@given(
    pool=st.lists(
        st.tuples(st.sampled_from("abc"), st.integers(0, 3), st.integers(0, 9)), unique=True
    ),
    count=st.integers(1, 30),
    seed=st.integers(0, 9),
)
def test_samples_take_turns(pool: list[tuple[str, int, int]], count: int, seed: int) -> None:
    """Variants are level while they last, and so are the pages within each variant."""
    asked = [question(*item) for item in pool]
    drawn = sample_questions(asked, count=count, seed=seed)

    assert len(drawn) == len({item.id for item in drawn}) == min(count, len(asked))
    assert drawn == sample_questions(asked[::-1], count=count, seed=seed)
    assert level(
        Counter(item.cell.variant for item in drawn), Counter(item.cell.variant for item in asked)
    )
    for variant in {item.cell.variant for item in asked}:
        pages, there = (
            Counter(item.cluster for item in group if item.cell.variant == variant)
            for group in (drawn, asked)
        )
        assert level(pages, there)


def test_samples_take_turns_over_kinds() -> None:
    """A kind of which there are few questions is drawn as often as one of which there are many."""
    asked = [question("a", page, number) for page in range(9) for number in range(9)]
    asked += [question("a", page, 0, "rare") for page in range(3)]
    drawn = sample_questions(asked, count=7, seed=0)

    assert Counter(item.cell.instruction for item in drawn) == {"direct": 4, "rare": 3}


def test_the_seed_decides() -> None:
    """Another seed draws other samples from many."""
    asked = [question("a", page, number) for page in range(5) for number in range(20)]
    draws = {
        tuple(item.id for item in sample_questions(asked, count=5, seed=seed)) for seed in range(4)
    }
    assert len(draws) > 1


def test_sheets_show_target_and_landmark(drawn: Path, tmp_path: Path) -> None:
    """Sheets are full but the last, hold both colours, and are the same bytes each time."""
    paths = draw_audit(drawn, tmp_path / "new" / "audit", count=7, seed=0, per_sheet=3)
    again = draw_audit(drawn, tmp_path / "again", count=7, seed=0, per_sheet=3)

    names = ["sheet-01.png", "sheet-02.png", "sheet-03.png", "ratings.csv"]
    assert [path.name for path in paths] == names
    assert [path.read_bytes() for path in paths] == [item.read_bytes() for item in again]
    with Image.open(paths[0]) as sheet, Image.open(paths[2]) as last:
        colours = {colour for _, colour in sheet.convert("RGB").getcolors(1 << 24) or []}
        assert last.height < sheet.height or last.width < sheet.width
    assert {(0x12, 0xA1, 0x50), (0x25, 0x63, 0xEB)} <= colours


def test_what_was_filled_in_is_not_lost(drawn: Path, tmp_path: Path) -> None:
    """Sheets are drawn again over their like, and not where their table has other bytes."""
    *_, table = draw_audit(drawn, tmp_path, count=2, seed=0, per_sheet=2)
    draw_audit(drawn, tmp_path, count=2, seed=0, per_sheet=2)
    filled = table.read_bytes().replace(b",,\r\n", b",right,\r\n")
    table.write_bytes(filled)

    with pytest.raises(InvalidInputError, match="filled in"):
        draw_audit(drawn, tmp_path, count=2, seed=0, per_sheet=2)
    assert table.read_bytes() == filled


def blank(width: int = 60, height: int = 40) -> bytes:
    """Return a white picture."""
    file = io.BytesIO()
    Image.new("RGB", (width, height), "white").save(file, "PNG")
    return file.getvalue()


def test_a_sheet_shows_all_pictures_of_a_question_in_their_order(tmp_path: Path) -> None:
    """Where the answer is no place, nothing stands beside the pictures, one below the other."""
    store, folder = ObjectStore(tmp_path / "bench"), tmp_path / "bench"
    shown = []
    for colour in ("#ff0000", "#00ff00", "#0000ff"):
        file = io.BytesIO()
        Image.new("RGB", (300, 100), colour).save(file, "PNG")
        shown.append(ScreenImage(colour, store.put(file.getvalue()), 300, 100))
    first, *further = shown
    screen = Screen(first.screen, "p", "x", first.image, 300, 100, 1.0, "web", "en", ())
    asked = Question(
        "q", "q", "p", Cell("original", "si"), screen.id, screen.image, 300, 100, INSTRUCTION,
        Box(0, 0, 0, 0), asks="option", options=("A", "B"), answers=("A",), further=tuple(further),
    )  # fmt: skip
    with Ledger.open(folder, {"kind": "bench", "benchmark": "multilingual@2"}):
        export(folder, "bench", {"screens.jsonl": [screen], "questions.jsonl": [asked]})

    path, table = draw_audit(folder, tmp_path / "sheets", count=1, seed=0, per_sheet=1)

    (line,) = csv.DictReader(io.StringIO(table.read_text("utf-8-sig"), newline=""))
    assert line["item"] == asked.id
    assert [(folder / picture).is_file() for picture in line["picture"].split()] == [True] * 3
    sheet = opened(path.read_bytes())
    column = [sheet.getpixel((sheet.width - 20, row)) for row in range(sheet.height)]
    wanted = [(255, 0, 0), (0, 255, 0), (0, 0, 255)]
    assert [colour for colour in dict.fromkeys(column) if colour in wanted] == wanted


def opened(png: bytes) -> Image.Image:
    """Return the picture behind PNG bytes."""
    return Image.open(io.BytesIO(png)).convert("RGB")


def test_a_mark_frames_its_box() -> None:
    """The frame lies around its box, whose own pixels stay as they were."""
    image = opened(draw_marks(blank(), [Mark(Box(10, 5, 30, 25), "#ff0000", width=2)]))
    red, white = (255, 0, 0), (255, 255, 255)
    assert [image.getpixel(at) for at in ((8, 3), (9, 4), (31, 26))] == [red] * 3
    assert [image.getpixel(at) for at in ((10, 5), (29, 24), (7, 3), (32, 26))] == [white] * 4


def test_a_frame_stays_in_the_picture() -> None:
    """Of a box that fills the picture the frame is drawn on its own edge."""
    image = opened(draw_marks(blank(), [Mark(Box(0, 0, 60, 40), "#ff0000", width=2)]))
    assert image.getpixel((0, 0)) == image.getpixel((59, 39)) == (255, 0, 0)
    assert image.getpixel((30, 20)) == (255, 255, 255)


def test_an_inset_shows_a_small_box_larger() -> None:
    """A box of eight pixels, framed, is drawn four times as large beside its picture."""
    image = Image.new("RGB", (1280, 800), "white")
    image.paste("blue", (100, 100, 108, 108))
    file = io.BytesIO()
    image.save(file, "PNG")
    focus = Box(100, 100, 108, 108)
    shown = opened(with_inset(file.getvalue(), [Mark(focus, "#ff0000", width=2)], focus))
    inset = shown.crop((1280 + 12, 0, *shown.size))
    drawn = {colour: count for count, colour in inset.getcolors(1 << 20) or []}

    assert inset.size == (640, 800)
    assert 28**2 <= drawn[0, 0, 255] <= 32**2
    assert drawn[255, 0, 0] >= 4 * 2 * 32
    assert shown.getpixel((104, 104)) == (0, 0, 255)


@given(
    left=st.floats(-500, 500), top=st.floats(-500, 500), width=st.floats(0, 500),
    height=st.floats(0, 500),
)  # fmt: skip
def test_any_box_can_be_drawn(left: float, top: float, width: float, height: float) -> None:
    """Boxes outside the picture, without area or far too large do no harm."""
    drawn = draw_marks(blank(), [Mark(Box.from_xywh(left, top, width, height), "red", "label")])
    assert opened(drawn).size == (60, 40)


def test_contact_sheet() -> None:
    """Pictures keep their proportions and lie in rows of the asked width."""
    sheet = opened(
        contact_sheet([("a", blank()), ("b", blank()), ("c", blank(60, 80))], width=120)
    )
    assert sheet.width == 2 * 120 + 3 * 12
    assert sheet.height == 12 + (20 + 80 + 12) + (20 + 160 + 12)


def test_a_long_caption_is_broken_into_lines() -> None:
    """A caption that is wider than its picture takes more lines, and none of the picture."""
    short, long = (
        opened(contact_sheet([(words, blank())], width=120)) for words in ("a", "b " * 20)
    )
    assert long.height == short.height + 2 * 20


@pytest.mark.parametrize("data", [b"", b"no image", blank()[:40]])
def test_what_is_no_image_is_refused(data: bytes) -> None:
    """Bytes that are no image, or half of one, are refused."""
    with pytest.raises(InvalidInputError, match="an image"):
        draw_marks(data, [])


def test_a_sheet_wants_pictures() -> None:
    """A sheet without pictures is refused."""
    with pytest.raises(InvalidInputError, match="at least one picture"):
        contact_sheet([])


def test_a_polygon_is_drawn_along_its_corners() -> None:
    """A mark with corners leaves out the box around them, and closes the outline."""
    file = io.BytesIO()
    Image.new("RGB", (60, 60), "white").save(file, "PNG")
    corners = (Point(5.0, 5.0), Point(50.0, 5.0), Point(5.0, 50.0))
    mark = Mark(Box(5, 5, 50, 50), "#ff0000", width=3, corners=corners)
    image = Image.open(io.BytesIO(draw_marks(file.getvalue(), [mark]))).convert("RGB")
    red, white = (255, 0, 0), (255, 255, 255)
    assert [image.getpixel(at) for at in ((27, 5), (27, 28), (5, 27))] == [red] * 3
    assert [image.getpixel(at) for at in ((50, 27), (27, 50), (15, 15))] == [white] * 3


@pytest.mark.parametrize("words", ["保存订单", "ログアウト", "บันทึก", "Сохранить", "Enregistré"])
def test_captions_are_drawn_in_every_language(words: str) -> None:
    """No two letters of a caption look alike, as they would where no font has them."""
    letters = sorted(set(words))
    drawn = {contact_sheet([(letter, blank())], width=120) for letter in letters}
    assert len(drawn) == len(letters)
    beside = {contact_sheet([(f"{words} {label}", blank())], width=120) for label in "ABCD"}
    assert len(beside) == 4
