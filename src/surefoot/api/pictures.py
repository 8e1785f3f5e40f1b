"""
Screens, questions and answers with their pictures: drawn on, and shown by a notebook.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

import msgspec
from PIL import Image, ImageDraw

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Point
from surefoot.core.perturbation import variant_title
from surefoot.core.pictures import opened, png_of, stacked
from surefoot.core.question import Answer, Question
from surefoot.core.screen import Element, Screen
from surefoot.core.store import ObjectStore

if TYPE_CHECKING:
    from surefoot.report.audit import Mark


S = TypeVar("S", "PicturedScreen", "PicturedQuestion")
FindScreen: TypeAlias = Callable[[str], Screen | None]

SHOWN_PX: Final = 800  # width of a picture in a notebook
CLICK: Final = "#d62728"
CLICK_PX: Final = 11
LINE_PX: Final = 3
ELEMENT: Final = "#9467bd"
_FOLDER: Final = "_surefoot_folder"
_FIND: Final = "_surefoot_screen"


class PicturedScreen(Screen, frozen=True, omit_defaults=True, dict=True, gc=True):
    """
    Hold a screen that knows where its picture lies.
    """

    def picture(self, *, elements: bool = False) -> Image.Image:
        """
        Return the picture (RGB), with a frame around each element that a click reaches if asked.

        Raises InvalidInputError where the screen has none, and DamageError where it is gone.
        """
        reached = [element for element in self.elements if element.hit] if elements else []
        return _drawn(self, [_framed(element) for element in reached])

    def __repr__(self) -> str:
        count = len(self.elements)
        return f"PicturedScreen({self.id!r}, {self.page!r}, {self.variant!r}, {count} elements)"

    def _repr_html_(self) -> str:
        count = sum(element.hit for element in self.elements)
        of = f"{count} of {len(self.elements)} elements"
        words = f"{self.page} ({variant_title(self.variant)}): {of} are"
        return _figure(
            self.picture(elements=True) if self.image else None, f"{words} reached by a click"
        )


class PicturedQuestion(Question, frozen=True, omit_defaults=True, dict=True, gc=True):
    """
    Hold a question that knows where its picture lies, and the screen that it is about.
    """

    @property
    def landmark(self) -> Element | None:
        """Return the element beside which the target is looked for, None where there is none."""
        find: FindScreen | None = vars(self).get(_FIND)
        screen = find(self.screen) if find is not None and self.instruction.landmark else None
        return screen.element(self.instruction.landmark) if screen is not None else None

    def picture(self, *, boxes: bool = True) -> Image.Image:
        """
        Return the picture (RGB), with what is right framed in green and the landmark in blue.

        Without ``boxes`` it is what a model is shown. Raises InvalidInputError where the
        question has none, and DamageError where it is gone.
        """
        return _drawn(self, _marks(self) if boxes else [])

    def pictures(self, *, boxes: bool = True) -> list[Image.Image]:
        """
        Return all pictures in the order in which a model is shown them; raises as ``picture``.
        """
        folder = _folder_of(self)
        rest = [image_of(ObjectStore(folder).get(shown.image)) for shown in self.further]
        return [self.picture(boxes=boxes), *rest]

    def __repr__(self) -> str:
        return f"PicturedQuestion({self.id!r}, {_asked(self)!r})"

    def _repr_html_(self) -> str:
        return _figure(stacked(self.pictures()) if self.image else None, _asked(self))


class Exchange(msgspec.Struct, frozen=True):
    """
    Hold a question, the answer to it, and whether it was a hit.

    ``answer`` and ``hit`` are None where there is no reply, and ``failure`` then says why. A hit
    lies in the target, the border counted in, without any tolerance.
    """

    question: PicturedQuestion
    answer: Answer | None
    hit: bool | None
    failure: str = ""

    @property
    def click(self) -> Point | None:
        """Return where the model clicked, in pixels of the picture; None where nowhere."""
        from surefoot.score.truths import place_of

        return place_of(self.answer.parsed) if self.answer is not None else None

    def picture(self, *, boxes: bool = True) -> Image.Image:
        """Return the question's picture with the click in red; raises as that does."""
        image = self.question.picture(boxes=boxes)
        if self.click is not None:
            x, y = self.click.x, self.click.y
            pen = ImageDraw.Draw(image)
            for reach in (CLICK_PX, LINE_PX):
                circle = (x - reach, y - reach, x + reach, y + reach)
                pen.ellipse(circle, outline=CLICK, width=LINE_PX)
        return image

    def __repr__(self) -> str:
        hit = "no reply" if self.hit is None else "hit" if self.hit else "no hit"
        return f"Exchange({self.question.id!r}, {_asked(self.question)!r}, {hit})"

    def _repr_html_(self) -> str:
        from surefoot.report.html.verdicts import verdict

        parsed = self.answer.parsed if self.answer is not None else None
        outcome = self.failure or verdict(self.question, parsed, hit=bool(self.hit))
        if not self.question.image:
            return _figure(None, f"{_asked(self.question)}: {outcome}")
        picture = stacked([self.picture(), *self.question.pictures()[1:]])
        return _figure(picture, f"{_asked(self.question)}: {outcome}")


def image_of(data: bytes) -> Image.Image:
    """
    Return the picture that bytes hold, in RGB.

    >>> from surefoot.core.pictures import png_of
    >>> image_of(png_of(Image.new("L", (3, 2)))).mode
    'RGB'
    """
    return opened(data)


def with_picture(record: S, folder: Path, find: FindScreen | None = None) -> S:
    """
    Let a record know the folder that holds its picture; that is no part of what it is.

    ``find`` gives the screen of an id, None where there is none.
    """
    vars(record).update({_FOLDER: folder, _FIND: find})
    return record


def _asked(question: Question) -> str:
    cell = question.cell
    return f"{question.instruction.text} ({variant_title(cell.variant)}, {cell.instruction})"


def _marks(question: PicturedQuestion) -> list[Mark]:
    from surefoot.report.audit import landmark_mark, truth_marks

    landmark = question.landmark
    return [*truth_marks(question), *([landmark_mark(landmark)] if landmark is not None else ())]


def _framed(element: Element) -> Mark:
    from surefoot.report.audit import Mark

    return Mark(element.box, ELEMENT, width=2)


def _drawn(record: PicturedScreen | PicturedQuestion, marks: Sequence[Mark]) -> Image.Image:
    from surefoot.report.audit import draw_marks

    data = ObjectStore(_folder_of(record)).get(record.image)
    return image_of(draw_marks(data, marks) if marks else data)


def _folder_of(record: PicturedScreen | PicturedQuestion) -> Path:
    """Return the folder of a record's picture; raises InvalidInputError where it has none."""
    folder: Path | None = vars(record).get(_FOLDER)
    if folder is None or not record.image:
        raise InvalidInputError(
            f"a picture of '{record.id}'",
            found="none",
            remedy="open the folder that it lies in with surefoot.open",
        )
    return folder


def _figure(picture: Image.Image | None, caption: str) -> str:
    from surefoot.report.html.gallery import embed_image

    words = escape(caption)
    if picture is None:
        return f"<p>{words}</p>"
    shown = embed_image(png_of(picture), width=SHOWN_PX)
    style = "max-width:100%;height:auto"
    return (
        f'<figure style="margin:0"><img src="{shown}" alt="{words}" style="{style}">'
        f"<figcaption>{words}</figcaption></figure>"
    )
