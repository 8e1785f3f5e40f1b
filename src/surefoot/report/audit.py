"""
Contact sheets: random samples with target and landmark drawn, for a person to judge.

Pictures for people: elements' boxes drawn on screenshots, and sheets of many.
"""

from __future__ import annotations

import itertools
import textwrap
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import msgspec
from PIL import Image, ImageDraw, ImageFont

from surefoot.capture.fonts import font_file_for
from surefoot.core.errors import InvalidInputError
from surefoot.core.files import write_atomic
from surefoot.core.geometry import Box, Point
from surefoot.core.perturbation import variant_title
from surefoot.core.pictures import opened, png_of, stacked
from surefoot.core.question import Question
from surefoot.core.screen import Element
from surefoot.core.seeds import random_source
from surefoot.core.store import ObjectStore
from surefoot.report.html.gallery import words_box
from surefoot.report.html.section import csv_text
from surefoot.report.html.verdicts import expectation, shown_boxes
from surefoot.run.folders.folder import read_questions, read_screens, require_questions
from surefoot.run.verdicts import CRITERIA

PALETTE: Final = (
    "#d62728",
    "#1f77b4",
    "#2ca02c",
    "#9467bd",
    "#ff7f0e",
    "#17becf",
    "#e377c2",
    "#8c564b",
)
BACKDROP: Final = "#ffffff"
INK: Final = "#222222"
GAP: Final = 12
CAPTION_LINE: Final = 20
BASELINE: Final = 14  # below the top of a line of a caption
LETTER: Final = 7  # pixels that a letter of a caption is wide, about
LABEL_PX: Final = 12
INSET_SHARE: Final = 0.5  # of the picture's width
CONTEXT_PX: Final = 60  # what an inset shows around its box, where that has room
MOST_ZOOM: Final = 4.0
TARGET: Final = "#12a150"
LANDMARK: Final = "#2563eb"
SHEET_PX: Final = 1200
RATINGS: Final = "ratings.csv"
RATED: Final = (
    "item", "site", "sheet", "number", "variant", "kind", "question", "expected", "picture",
    "rating", *CRITERIA, "note",
)  # fmt: skip


class Mark(msgspec.Struct, frozen=True):
    """
    Say what to draw: a box in pixels of the image, a colour and a short label.

    Where there are ``corners``, the polygon is drawn, and the box is that around it.
    """

    box: Box
    color: str
    label: str = ""
    width: int = 2
    corners: tuple[Point, ...] = ()


def draw_marks(png: bytes, marks: Iterable[Mark]) -> bytes:
    r"""
    Return the image with boxes, polygons and labels drawn on it, as PNG bytes.

    A frame lies outside its box, within the image, so that it covers nothing of what it
    frames. Raises InvalidInputError where the bytes are no image.

    >>> draw_marks(png_of(Image.new("RGB", (40, 40))), [Mark(Box(1, 1, 20, 20), "red")])[:4]
    b'\x89PNG'
    """
    image = _open(png)
    _draw(image, marks)
    return png_of(image)


def with_inset(png: bytes, marks: Sequence[Mark], focus: Box) -> bytes:
    """
    Return the image with marks drawn on it and, on its right, what is around a box, larger.

    The inset is half as wide as the image and as high; the box and 60 pixels around it fill
    it, four times as large at most. Raises InvalidInputError where the bytes are no image.
    """
    image = _open(png)
    width, height = max(1, round(image.width * INSET_SHARE)), image.height
    around = (focus.width + 2 * CONTEXT_PX, focus.height + 2 * CONTEXT_PX)
    zoom = min(width / around[0], height / around[1], MOST_ZOOM)
    left, top = focus.center.x - width / zoom / 2, focus.center.y - height / zoom / 2
    inset = image.transform(
        (width, height),
        Image.Transform.AFFINE,
        (1 / zoom, 0, left, 0, 1 / zoom, top),
        Image.Resampling.BICUBIC,
        fillcolor=BACKDROP,
    )
    _draw(inset, [_seen_from(mark, left, top, zoom) for mark in marks])
    _draw(image, marks)
    both = Image.new("RGB", (image.width + GAP + width, height), INK)
    both.paste(image, (0, 0))
    both.paste(inset, (image.width + GAP, 0))
    return png_of(both)


def contact_sheet(
    pictures: Sequence[tuple[str, bytes]], *, columns: int = 2, width: int = 800
) -> bytes:
    """
    Lay pictures out in a grid under their captions, each ``width`` pixels wide.

    Raises InvalidInputError without pictures or columns.
    """
    if not pictures or columns < 1 or width < 1:
        raise InvalidInputError(
            "at least one picture, one column and one pixel",
            found=f"{len(pictures)} pictures, {columns} columns, {width} px",
        )
    tiles = [
        (textwrap.wrap(caption, max(1, width // _letter_px(caption))), _shrunk(_open(png), width))
        for caption, png in pictures
    ]
    rows = [tiles[start : start + columns] for start in range(0, len(tiles), columns)]
    captions = [CAPTION_LINE * max(len(lines) for lines, _ in row) for row in rows]
    pictured = [max(tile.height for _, tile in row) + GAP for row in rows]
    across = min(columns, len(tiles))
    size = (across * (width + GAP) + GAP, sum(captions) + sum(pictured) + GAP)
    sheet = Image.new("RGB", size, BACKDROP)
    brush = ImageDraw.Draw(sheet)
    top = GAP
    for row, caption, height in zip(rows, captions, pictured, strict=True):
        for place, (lines, tile) in enumerate(row):
            left = GAP + place * (width + GAP)
            for number, line in enumerate(lines):
                _write_line(brush, left, top + number * CAPTION_LINE, line)
            sheet.paste(tile, (left, top + caption))
        top += caption + height
    return png_of(sheet)


def _write_line(brush: ImageDraw.ImageDraw, left: float, top: int, line: str) -> None:
    """Write a line, each part in a font of its own: one of Thai has no Latin letters."""
    for _, letters in itertools.groupby(line, key=str.isascii):
        part = "".join(letters)
        font = _font_of(part, LABEL_PX + 2)
        brush.text((left, top + BASELINE), part, fill=INK, font=font, anchor="ls")
        left += font.getlength(part)


def _letter_px(words: str) -> int:
    """Return about how wide a letter of a caption is: some languages write wider ones."""
    wide = any(unicodedata.east_asian_width(letter) in "WF" for letter in words)
    return 2 * LETTER if wide else LETTER


def _font_of(words: str, size: int) -> ImageFont.ImageFont | ImageFont.FreeTypeFont:
    """Return a font that has the letters of a line, whatever its language."""
    found = None if words.isascii() else font_file_for(frozenset(words))
    if found is None:
        return ImageFont.load_default(size)
    file, number = found
    return ImageFont.truetype(str(file), size, index=number)


def _open(png: bytes) -> Image.Image:
    try:
        return opened(png)
    except (OSError, ValueError, SyntaxError) as error:
        raise InvalidInputError("an image", found=error) from error


def _draw(image: Image.Image, marks: Iterable[Mark]) -> None:
    brush = ImageDraw.Draw(image)
    font = ImageFont.load_default(LABEL_PX)
    for mark in marks:
        if mark.corners:
            outline = [(corner.x, corner.y) for corner in (*mark.corners, *mark.corners[:2])]
            brush.line(outline, fill=mark.color, width=mark.width, joint="curve")
        else:
            brush.rectangle(_framed(mark, image), outline=mark.color, width=mark.width)
        if mark.label:
            _write(brush, mark, font)


def _framed(mark: Mark, image: Image.Image) -> tuple[int, int, int, int]:
    """Return the outer pixels of the frame around a mark's box, as far as they are there."""
    left, top, right, bottom = (round(side) for side in mark.box.as_tuple())
    far_right, far_bottom = image.width - 1, image.height - 1
    sides = (
        min(max(left - mark.width, 0), far_right),
        min(max(top - mark.width, 0), far_bottom),
        min(max(right + mark.width - 1, 0), far_right),
        min(max(bottom + mark.width - 1, 0), far_bottom),
    )
    return sides[0], sides[1], max(sides[0], sides[2]), max(sides[1], sides[3])


def _seen_from(mark: Mark, left: float, top: float, zoom: float) -> Mark:
    corners = tuple(
        Point((corner.x - left) * zoom, (corner.y - top) * zoom) for corner in mark.corners
    )
    return msgspec.structs.replace(
        mark, box=mark.box.moved(-left, -top).scaled(zoom), corners=corners
    )


def _write(
    brush: ImageDraw.ImageDraw, mark: Mark, font: ImageFont.ImageFont | ImageFont.FreeTypeFont
) -> None:
    left, top = round(mark.box.left), round(mark.box.top) - LABEL_PX - 3
    if top < 0:
        top = round(mark.box.bottom) + 1
    shape = brush.textbbox((left + 1, top), mark.label, font=font)
    brush.rectangle((shape[0] - 1, shape[1] - 1, shape[2] + 1, shape[3] + 1), fill=mark.color)
    brush.text((left + 1, top), mark.label, fill="#ffffff", font=font)


def _shrunk(image: Image.Image, width: int) -> Image.Image:
    height = max(1, round(image.height * width / image.width))
    return image.resize((width, height), Image.Resampling.LANCZOS)


def sample_questions(
    questions: Sequence[Question], *, count: int, seed: int
) -> tuple[Question, ...]:
    """
    Draw samples that take turns over variants, over kinds of question within each, then pages.

    Each variant gets the same number, give or take one, and in it each kind that has enough; no
    page is drawn twice for a variant's kind before every page of it was drawn once.
    """
    shelves: dict[str, list[tuple[int, int, Question]]] = {}
    for variant in sorted({item.cell.variant for item in questions}):
        chosen = [item for item in questions if item.cell.variant == variant]
        chosen.sort(key=lambda item: item.id)
        random_source(seed, "audit", variant).shuffle(chosen)
        turns: dict[tuple[str, str], int] = defaultdict(int)
        kinds: dict[str, list[tuple[int, int, Question]]] = defaultdict(list)
        for order, question in enumerate(chosen):
            kind, page = question.cell.instruction, question.page_name
            kinds[kind].append((turns[kind, page], order, question))
            turns[kind, page] += 1
        in_turn = [
            (at, order, question)
            for kind in kinds.values()
            for at, (_, order, question) in enumerate(sorted(kind, key=lambda item: item[:2]))
        ]
        shelves[variant] = sorted(in_turn, key=lambda item: item[:2])
    drawn: list[Question] = []
    while len(drawn) < count and any(shelves.values()):
        for shelf in shelves.values():
            if shelf and len(drawn) < count:
                drawn.append(shelf.pop(0)[2])
    return tuple(drawn)


def draw_audit(bench: Path, out: Path, *, count: int, seed: int, per_sheet: int) -> list[Path]:
    """
    Write contact sheets of random samples of a benchmark and a table; return their paths.

    All that is right is framed in green and the landmark in blue on the screenshot that a
    model would see; beside it stands what is around the target, larger. Where what is right is
    no place, the caption says what is expected beside the instruction. Further pictures stand
    below in their order. In the table, CSV, each sample is a line with an empty cell for what a
    person says of it. Questions without a picture are left out; raises InvalidInputError where
    all are, and where another table is there, which somebody may have filled in.
    """
    require_questions(bench)
    screens = {screen.id: screen for screen in read_screens(bench)}
    store = ObjectStore(bench)
    shown = [item for item in read_questions(bench) if all(item.images)]
    if not shown:
        raise InvalidInputError(
            f"a question with a picture in {bench}",
            found="none",
            remedy="import the set again with --images FOLDER, where its pictures are",
        )
    samples = sample_questions(shown, count=count, seed=seed)
    table, path = _table(samples, store, bench, per_sheet), out / RATINGS
    if path.exists() and path.read_bytes() != table:
        raise InvalidInputError(
            f"no other table of ratings than these samples have, {path}",
            found="one that was filled in, or of other samples",
            remedy="name another folder, or put the file elsewhere",
        )
    pictures: list[tuple[str, bytes]] = []
    for number, question in enumerate(samples, start=1):
        marks = truth_marks(question)
        landmark = screens[question.screen].element(question.instruction.landmark)
        if landmark:
            marks.append(landmark_mark(landmark))
        caption = f"{number}. {variant_title(question.cell.variant)}: {question.instruction.text}"
        expected = expectation(question)
        caption += f" (expected: {expected})" if expected else ""
        picture = store.get(question.image)
        if question.truth.area > 0:
            picture = with_inset(picture, marks, question.truth)
        else:  # what is right is an option or a refusal, and no place to look at
            picture = draw_marks(picture, marks)
        rest = [store.get(further.image) for further in question.further]
        if rest:
            picture = png_of(stacked([opened(data) for data in (picture, *rest)]))
        pictures.append((caption, picture))
    out.mkdir(parents=True, exist_ok=True)
    written = []
    for start in range(0, len(pictures), per_sheet):
        sheet_path = out / _sheet_name(start // per_sheet)
        sheet = contact_sheet(pictures[start : start + per_sheet], columns=1, width=SHEET_PX)
        write_atomic(sheet_path, sheet)
        written.append(sheet_path)
    write_atomic(path, table)
    return [*written, path]


def _table(samples: Sequence[Question], store: ObjectStore, bench: Path, per_sheet: int) -> bytes:
    """Return CSV with a line a sample, whose rating is empty."""
    lines: list[tuple[float | str, ...]] = [RATED]
    unsaid = [""] * (2 + len(CRITERIA))
    for number, question in enumerate(samples, start=1):
        sheet, cell = _sheet_name((number - 1) // per_sheet), question.cell
        images = " ".join(str(store.path(image).relative_to(bench)) for image in question.images)
        lines.append((
            question.id, question.cluster, sheet, number, cell.variant, cell.instruction,
            question.instruction.text, expectation(question), images, *unsaid,
        ))  # fmt: skip
    # A spreadsheet takes UTF-8 for what it is only where a file begins with this mark.
    return csv_text(lines).encode("utf-8-sig")


def _sheet_name(place: int) -> str:
    return f"sheet-{place + 1:02d}.png"


def landmark_mark(landmark: Element) -> Mark:
    """
    Return what frames a landmark's words, in blue.

    >>> landmark_mark(Element("a", "heading", Box(0, 0, 90, 9))).color
    '#2563eb'
    """
    return Mark(words_box(landmark), LANDMARK, width=3)


def truth_marks(question: Question) -> list[Mark]:
    """Return what frames all that is right, in green."""
    corners = question.polygon if question.asks == "place" else ()
    return [Mark(box, TARGET, width=3, corners=corners) for box in shown_boxes(question)]
