"""
The seam of a detector: a picture without a tree becomes elements that were found in it.

What was found is a guess, and a screen says so (``Screen.guessed_by``): its roles are what
things look like, its names what was read, and there may be more than was found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

import msgspec
from PIL import Image

from surefoot.capture.contents import file_digest
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.pictures import Pixels, opened, pixels_of
from surefoot.core.registry import Registry
from surefoot.core.screen import HIT_POINTS, Element, Screen


class BarePicture(msgspec.Struct, frozen=True):
    """
    Hold a picture of a screen, and nothing that says what is on it.

    ``name`` is its file's name without folder and suffix; ``language`` is that of the words
    to be read, as a BCP 47 tag.
    """

    name: str
    png: bytes
    language: str = "en"

    @property
    def image(self) -> Image.Image:
        """Return the picture in RGB."""
        return opened(self.png)

    @property
    def pixels(self) -> Pixels:
        """Return its pixels, height x width x 3."""
        return pixels_of(self.png)


class DetectedThing(msgspec.Struct, frozen=True):
    """
    Hold one thing that was found: an ARIA role, a box in pixels, and the words in it.

    ``lines`` are the boxes of the words' lines. ``sure`` is true where a second reading gave
    the same words, or the detector vouches for them: others are shown, but name nothing.
    ``framed`` tells whether a border or a ground of its own is drawn around it.
    """

    role: str
    box: Box
    words: str = ""
    lines: tuple[Box, ...] = ()
    sure: bool = True
    framed: bool = False


def _no_files(_argument: str) -> tuple[Path, ...]:
    return ()


class Detector(msgspec.Struct, frozen=True, kw_only=True):
    """
    Describe one detector: how it finds elements in a picture.

    ``find`` receives the picture and what stands after the name's colon, "" without any; the
    same picture and files give the same elements. ``files`` are those that an argument names:
    their contents are part of a plan.
    """

    name: str
    version: int
    summary: str
    find: Callable[[BarePicture, str], Iterable[DetectedThing]]
    files: Callable[[str], tuple[Path, ...]] = _no_files


DETECTORS: Final = Registry(Detector, "surefoot.capture.detectors", what="detector")


def chosen_detector(spec: str) -> tuple[Detector, str]:
    """
    Return the detector that ``NAME`` or ``NAME:ARGUMENT`` names, and the argument.

    Raises UnknownNameError.

    >>> detector, argument = chosen_detector("pixels")
    >>> detector.name, argument
    ('pixels', '')
    """
    name, _, argument = spec.partition(":")
    return DETECTORS.get(name), argument


def detector_digests(spec: str) -> dict[str, str]:
    """
    Return the SHA-256 of the files that a detector is made of, by their names.

    Raises InvalidInputError where it is to read files and there are none.
    """
    detector, argument = chosen_detector(spec)
    files = detector.files(argument)
    if argument and detector.files is not _no_files and not files:
        raise InvalidInputError(f"files for the detector {detector.name}", found=f"'{argument}'")
    return {file.name: file_digest(file) for file in files}


def detect(screen: Screen, picture: BarePicture, spec: str) -> Screen:
    """
    Return a screen with the elements that a detector finds in its picture, and with its name.

    Elements come from the top, then from the left; each counts as seen and hit, since nothing
    is known of what lies over it. Raises InvalidInputError for what lies outside the picture,
    and whatever the detector raises.
    """
    detector, argument = chosen_detector(spec)
    found = sorted(
        detector.find(picture, argument),
        key=lambda item: (item.box.top, item.box.left, item.box.bottom, item.box.right, item.role),
    )
    for item in found:
        if screen.bounds.intersection(item.box) != item.box:
            raise InvalidInputError(
                f"boxes in the picture from {detector.name}", found=f"{item.box}"
            )
    elements = tuple(_element(number, item) for number, item in enumerate(found, start=1))
    return msgspec.structs.replace(
        screen, elements=elements, guessed_by=f"{detector.name}@{detector.version}"
    )


def _element(number: int, found: DetectedThing) -> Element:
    named = bool(found.words) and found.sure
    return Element(
        id=f"found-{number}",
        role=found.role,
        box=found.box,
        name=found.words if named else "",
        name_from="content" if named else "",
        name_boxes=found.lines if named else (),
        text=found.words,
        text_boxes=found.lines,
        visible_fraction=1.0,
        hits=(True,) * HIT_POINTS,
        attributes={"background": "drawn"} if found.framed else {},
    )
