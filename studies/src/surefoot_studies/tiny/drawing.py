"""
Drawn screens: a window with a few coloured figures, each screen a pure function of its seed.
"""

from __future__ import annotations

import functools
import io
import math
import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from surefoot.core.errors import MissingComponentError, UnknownNameError
from surefoot.core.geometry import Box
from surefoot.core.perturbation import ORIGINAL
from surefoot.core.registry import suggest
from surefoot.core.seeds import random_source

if TYPE_CHECKING:
    from PIL import Image, ImageDraw, ImageFont

COLOURS: Final = {
    "red": (214, 40, 40),
    "green": (34, 150, 70),
    "blue": (38, 84, 210),
    "yellow": (240, 208, 40),
    "orange": (244, 128, 20),
    "purple": (136, 50, 170),
}
SHAPES: Final = ("circle", "square", "triangle", "diamond")
PLACES: Final = ("top left", "top right", "bottom left", "bottom right")
_BAR: Final = 12  # pixels of the window's title bar
BUTTON: Final = "button"
_SEEN: Final = 0.5  # of all words are known ones
_KNOWN: Final = (
    "Save", "Open", "Close", "Print", "Search", "Send", "Reply", "Delete", "Copy", "Paste",
    "Undo", "Redo", "Help", "Settings", "Profile", "Log out", "Sign in", "Next", "Back",
    "Cancel", "Apply", "Upload", "Download", "Share", "Edit", "View", "Insert", "Format",
    "Tools", "Window", "Home", "Inbox", "Drafts", "Archive", "Filter", "Sort", "New", "Add",
    "Remove", "Refresh", "Play", "Pause", "Stop", "Record", "Zoom in", "Zoom out", "Export",
    "Import", "Account", "Password",
)  # fmt: skip
_HEADS: Final = ("b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "st", "tr")
_TAILS: Final = ("a", "e", "i", "o", "u", "an", "el", "in", "or", "us")
_APART: Final = 4  # pixels between two figures, at least
_TRIES: Final = 60


class DrawnLayout(msgspec.Struct, frozen=True):
    """
    Say how large screens are, in pixels, and how many figures of which size are on them.

    ``twins`` is the share of screens on which two figures have one colour; ``written`` is the
    share of figures that are buttons with a word, known or made up.
    """

    width: int = 128
    height: int = 96
    fewest: int = 2
    most: int = 4
    smallest: int = 22
    largest: int = 32
    twins: float = 0.3
    written: float = 0.0

    def lone(self) -> DrawnLayout:
        """Return screens as large with one figure each, and no word."""
        return msgspec.structs.replace(self, fewest=1, most=1, twins=0.0, written=0.0)


class DrawnFigure(msgspec.Struct, frozen=True):
    """
    Hold one figure: its colour and shape by name, its box in pixels, and a button's word.

    ``mask`` covers it with one of MASKS, "" with none.
    """

    colour: str
    shape: str
    box: Box
    word: str = ""
    mask: str = ""


class DrawnScreen(msgspec.Struct, frozen=True):
    """Hold all that a picture is made of; figures stand in the order of drawing."""

    layout: DrawnLayout
    seed: int
    ground: tuple[int, int, int]
    bar: tuple[int, int, int]
    figures: tuple[DrawnFigure, ...]

    def alone(self, *, colour: str = "", shape: str = "") -> DrawnFigure | None:
        """Return the one figure of a colour or a shape, None where there is none or several."""
        fitting = [
            figure for figure in self.figures if colour in ("", figure.colour)
            and shape in ("", figure.shape)
        ]  # fmt: skip
        return fitting[0] if len(fitting) == 1 else None

    def place(self, figure: DrawnFigure) -> str:
        """Return the quarter of the picture that holds a figure, "" where it is in several."""
        across, down = self.layout.width / 2, self.layout.height / 2
        box = figure.box
        if box.left < across < box.right or box.top < down < box.bottom:
            return ""
        vertical = "top" if box.bottom <= down else "bottom"
        return f"{vertical} {'left' if box.right <= across else 'right'}"


def draw(seed: int, layout: DrawnLayout = DrawnLayout()) -> DrawnScreen:  # noqa: B008 - frozen
    """
    Draw a screen from its seed alone: no two figures are alike or overlap.

    >>> draw(3) == draw(3), draw(3) == draw(4)
    (True, False)
    """
    source = random_source(seed, "drawn screen")
    words = _words(source, layout)
    boxes = _boxes(source, layout, words)
    looks = _looks(source, len(boxes), layout.twins)
    figures = tuple(
        DrawnFigure(colour, BUTTON if word else shape, box, word)
        for (colour, shape), (box, word) in zip(looks, boxes, strict=True)
    )
    ground, bar = source.randrange(225, 256), source.randrange(90, 190)
    return DrawnScreen(
        layout,
        seed,
        (ground, ground, ground - source.randrange(12)),
        (bar, bar, bar + source.randrange(20)),
        figures,
    )


GROUNDS: Final = {"dark-ground": (26, 26, 32), "grey-ground": (118, 118, 122)}
SMALLER: Final = {"smaller": 0.75, "small": 0.55, "text_shrink": 0.8}
STYLE: Final = "style"
PRECISION: Final = "precision"
ZOOM: Final = 0.7
MASKS: Final = ("static", "high-contrast", "low-contrast")
_LIKE_THE_GROUND: Final = 12  # of 255, by which a mask of low contrast differs from it
_UNLIKE: Final = 80.0  # between the colours of a style's ground and of each figure


def changed(drawing: DrawnScreen, variant: str, look: int = 0) -> DrawnScreen:
    """
    Return the same screen in a variant: on another ground, or its figures made smaller.

    Figures keep their middles, but under "precision", which shrinks all below the title bar
    to 70 %. ``look`` is which draw of "style" is taken. Raises UnknownNameError for a variant that
    is none.

    >>> changed(draw(3), "dark-ground").figures == draw(3).figures
    True
    """
    if variant == ORIGINAL:
        return drawing
    if variant in GROUNDS:
        return msgspec.structs.replace(drawing, ground=GROUNDS[variant])
    if variant == STYLE:
        return _styled(drawing, look)
    if variant == PRECISION:
        figures = tuple(_zoomed(figure) for figure in drawing.figures)
        return msgspec.structs.replace(drawing, figures=figures)
    if variant not in SMALLER:
        known = [ORIGINAL, *GROUNDS, STYLE, PRECISION, *SMALLER]
        raise UnknownNameError(
            "a variant of drawn screens", found=f"'{variant}'", remedy=suggest(variant, known)
        )
    return msgspec.structs.replace(
        drawing, figures=tuple(_shrunk(item, SMALLER[variant]) for item in drawing.figures)
    )


def masked(drawing: DrawnScreen, figure: DrawnFigure, mask: str) -> DrawnScreen:
    """Return the same screen with one figure under one of MASKS."""
    covered = msgspec.structs.replace(figure, mask=mask)
    figures = tuple(covered if item == figure else item for item in drawing.figures)
    return msgspec.structs.replace(drawing, figures=figures)


def _styled(drawing: DrawnScreen, look: int) -> DrawnScreen:
    """Draw the colours of ground and bar, on which all figures can be seen."""
    source = random_source(drawing.seed, STYLE, str(look))
    colours = [COLOURS[figure.colour] for figure in drawing.figures]

    def colour() -> tuple[int, int, int]:
        return source.randrange(256), source.randrange(256), source.randrange(256)

    ground = colour()
    while min(math.dist(ground, other) for other in colours) < _UNLIKE:
        ground = colour()
    return msgspec.structs.replace(drawing, ground=ground, bar=colour())


def _zoomed(figure: DrawnFigure) -> DrawnFigure:
    box, side = figure.box, round(figure.box.width * ZOOM)
    left, top = round(box.left * ZOOM), _BAR + round((box.top - _BAR) * ZOOM)
    return msgspec.structs.replace(figure, box=Box.from_xywh(left, top, side, side))


def _shrunk(figure: DrawnFigure, share: float) -> DrawnFigure:
    middle, side = figure.box.center, round(figure.box.width * share)
    left, top = round(middle.x - side / 2), round(middle.y - side / 2)
    return msgspec.structs.replace(figure, box=Box.from_xywh(left, top, side, side))


def _words(source: random.Random, layout: DrawnLayout) -> list[str]:
    """Return a word for each figure that is to be drawn, "" for one without; none comes twice."""
    count = source.randint(layout.fewest, layout.most)
    if not layout.written:
        return [""] * count
    words: list[str] = []
    while len(words) < count:
        word = ""
        if source.random() < layout.written:
            word = source.choice(_KNOWN) if source.random() < _SEEN else _made_up(source)
        if not word or word not in words:
            words.append(word)
    return words


def _made_up(source: random.Random) -> str:
    """Return a word that says nothing, so that it has to be read."""
    parts = [source.choice(_HEADS) + source.choice(_TAILS) for _ in range(source.randint(1, 3))]
    return "".join(parts).capitalize()


def _boxes(
    source: random.Random, layout: DrawnLayout, words: Sequence[str]
) -> list[tuple[Box, str]]:
    """Return boxes that are apart, with their words: of all figures, or as many as find room."""
    boxes: list[tuple[Box, str]] = []
    for _ in range(_TRIES):
        word = words[len(boxes)]
        across = down = source.randint(layout.smallest, layout.largest)
        if word:
            across, down = 12 + round(_font().getlength(word)), 20
        left = source.randint(2, layout.width - across - 2)
        top = source.randint(_BAR + 2, layout.height - down - 2)
        box = Box.from_xywh(left, top, across, down)
        around = Box.from_xywh(left - _APART, top - _APART, across + 2 * _APART, down + 2 * _APART)
        if all(around.intersection(other) is None for other, _ in boxes):
            boxes.append((box, word))
        if len(boxes) == len(words):
            break
    return boxes


@functools.cache
def _font() -> ImageFont.FreeTypeFont:
    """Return Pillow's own font, which every machine has."""
    from PIL import ImageFont

    font = ImageFont.load_default(size=12)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise MissingComponentError(
            "Pillow with FreeType", found="one without", remedy="install Pillow's wheel"
        )
    return font


def _looks(source: random.Random, count: int, twins: float) -> list[tuple[str, str]]:
    """Return a colour and a shape for each figure: no two alike, one shape there only once."""
    while True:
        colours = source.sample(sorted(COLOURS), min(count, len(COLOURS)))
        colours += source.choices(sorted(COLOURS), k=count - len(colours))
        if count > 1 and source.random() < twins:
            colours[1] = colours[0]
        shapes = [source.choice(SHAPES) for _ in range(count)]
        looks = list(zip(colours, shapes, strict=True))
        once = [shape for shape in SHAPES if shapes.count(shape) == 1]
        if len(set(looks)) == count and once:
            return looks


def picture(drawing: DrawnScreen) -> Image.Image:
    """Return a drawing's pixels."""
    from PIL import Image, ImageDraw

    layout = drawing.layout
    image = Image.new("RGB", (layout.width, layout.height), drawing.ground)
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 0, layout.width, _BAR - 1), fill=drawing.bar)
    for at in range(3):
        pen.ellipse((4 + 9 * at, 3, 9 + 9 * at, 8), fill=drawing.ground)
    for figure in drawing.figures:
        if figure.mask:
            _mask(image, figure, drawing)
        else:
            _pen_figure(pen, figure)
    return image


def _mask(image: Image.Image, figure: DrawnFigure, drawing: DrawnScreen) -> None:
    from PIL import Image

    left, top, right, bottom = map(int, figure.box.as_tuple())
    size, ground = (right - left, bottom - top), drawing.ground
    if figure.mask == "static":
        source = random_source(drawing.seed, figure.mask)
        patch = Image.frombytes("RGB", size, source.randbytes(3 * size[0] * size[1]))
    elif figure.mask == "high-contrast":
        patch = Image.new("RGB", size, tuple(255 - part for part in ground))
    else:
        patch = Image.new("RGB", size, tuple(part - _LIKE_THE_GROUND for part in ground))
    image.paste(patch, (left, top))


def _pen_figure(pen: ImageDraw.ImageDraw, figure: DrawnFigure) -> None:
    left, top, right, bottom = figure.box.as_tuple()
    right, bottom = right - 1, bottom - 1
    across, down = (left + right) / 2, (top + bottom) / 2
    fill = COLOURS[figure.colour]
    if figure.shape == "circle":
        pen.ellipse((left, top, right, bottom), fill=fill)
    elif figure.shape == BUTTON:
        pen.rectangle((left, top, right, bottom), fill="#ffffff", outline=fill, width=2)
        pen.text((left + 6, top + 3), figure.word, fill="#202020", font=_font())
    elif figure.shape == "square":
        pen.rectangle((left, top, right, bottom), fill=fill)
    elif figure.shape == "triangle":
        pen.polygon([(across, top), (right, bottom), (left, bottom)], fill=fill)
    else:
        pen.polygon([(across, top), (right, down), (across, bottom), (left, down)], fill=fill)


def png(drawing: DrawnScreen) -> bytes:
    """Return a drawing's pixels as PNG; equal drawings are equal bytes."""
    file = io.BytesIO()
    picture(drawing).save(file, "PNG")
    return file.getvalue()
