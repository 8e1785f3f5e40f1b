"""
Views of a screen: a part cut out of it, or the whole of it in a window on a desktop.

Both are edits of the picture. They are applied to a captured screen without a browser, and
carry along what is known about every element: boxes move by the same whole number of pixels
or by the same factor as the pixels do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec
from PIL import Image

from surefoot.core.canonical import digest, sha256
from surefoot.core.edit import Crop, Paste
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box, Point
from surefoot.core.pictures import opened, png_of
from surefoot.core.screen import Element, Screen
from surefoot.perturb.desktops.desktop import draw_desktop, work_area

# The centre of a box, then the middles of its four quarters, as ``Element.hits`` has them.
HITS: Final = ((0.5, 0.5), (0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75))


def crop(screen: Screen, png: bytes, edit: Crop, *, variant: str = "crop") -> tuple[Screen, bytes]:
    """
    Cut a part out of a screen's picture, and keep what lies in it.

    Boxes move with the pixels and may reach outside the part, as they may reach outside a
    screen; elements of which nothing lies in it are dropped, their children go to what held
    them. ``visible_fraction`` becomes at most the share of the box that lies in the part,
    and a hit outside it is none. Raises InvalidInputError for a part that is empty or
    reaches outside the picture, and for bytes that are not the screen's picture.
    """
    picture = _opened(screen, png)
    part = Box(float(edit.left), float(edit.top), float(edit.right), float(edit.bottom))
    if part.area == 0 or screen.bounds.intersection(part) != part:
        raise InvalidInputError(
            f"a part of the picture of {screen.width} x {screen.height} pixels",
            found=f"{edit.left}, {edit.top}, {edit.right}, {edit.bottom}",
        )
    kept = tuple(_cut(element, part) for element in screen.elements if _reaches(element, part))
    cut = picture.crop((edit.left, edit.top, edit.right, edit.bottom))
    return _view(screen, cut, _adopted(screen, kept), edit, variant)


def background(
    screen: Screen, png: bytes, edit: Paste, *, variant: str = "background"
) -> tuple[Screen, bytes]:
    """
    Show a screen in a window on a desktop that the edit names, at its place and scale.

    All lengths are multiplied by ``scaling``: at scale 1 the pixels of the screen are kept.
    Elements of which nothing lies in the picture are dropped. What is drawn around it are
    elements as well, and the new window, where it has a title bar, holds the screen's.
    Raises UnknownNameError for a desktop that does not exist, and InvalidInputError where
    the window would not lie between its panels or the bytes are not the screen's picture.
    """
    picture = _opened(screen, png)
    across, down = scaling(screen, edit)
    size = (round(screen.width * across), round(screen.height * down))
    sides = (edit.left, edit.top - edit.bar, edit.left + size[0], edit.top + size[1])
    work = work_area(edit.background, edit.width, edit.height)
    window = Box(*map(float, sides))
    if edit.bar < 0 or work.intersection(window) != window:
        raise InvalidInputError(
            f"a window between the panels of {edit.background}, {work}", found=str(window)
        )
    if size != picture.size:
        picture = picture.resize(size, Image.Resampling.LANCZOS)
    canvas, owner = draw_desktop(edit, picture, screen.title or screen.page)
    shown = tuple(element for element in screen.elements if _reaches(element, screen.bounds))
    moved = tuple(_placed(item, screen, edit, owner) for item in _adopted(screen, shown))
    around = tuple(element for element in canvas.elements() if element.visible_fraction > 0)
    scaled = msgspec.structs.replace(screen, scale=screen.scale * across)
    return _view(scaled, canvas.image, around + moved, edit, variant)


def scaling(screen: Screen, edit: Paste) -> tuple[float, float]:
    """
    Return what widths and heights are multiplied by: whole pixels over whole pixels.

    >>> shown = Screen("s", "p", "x", "", 1280, 801, 1.0, "web", "en", ())
    >>> scaling(shown, Paste("meadow", 0, 1920, 1080, 10, 50, scale=0.5))
    (0.5, 0.4993757802746567)
    """
    if not 0 < edit.scale < float("inf"):
        raise InvalidInputError("a scale above 0", found=str(edit.scale))
    across = max(1, round(screen.width * edit.scale)) / screen.width
    return across, max(1, round(screen.height * edit.scale)) / screen.height


def moved_point(point: Point, screen: Screen, edit: Crop | Paste) -> Point:
    """
    Return where a point of the screen's picture lies in its view.

    >>> shown = Screen("s", "p", "x", "", 100, 80, 1.0, "web", "en", ())
    >>> moved_point(Point(30.0, 40.0), shown, Crop(10, 20, 60, 70))
    Point(x=20.0, y=20.0)
    """
    if isinstance(edit, Crop):
        return Point(point.x - edit.left, point.y - edit.top)
    across, down = scaling(screen, edit)
    return Point(point.x * across + edit.left, point.y * down + edit.top)


def _reaches(element: Element, part: Box) -> bool:
    boxes = (element.box, *element.text_boxes)
    return any(part.intersection(box) is not None for box in boxes)


def _cut(element: Element, part: Box) -> Element:
    """Move an element into a part, and count what the part leaves of it."""
    box = element.box
    shared = part.intersection(box)
    shown = shared.area / box.area if shared else 0.0
    places = (Point(box.left + x * box.width, box.top + y * box.height) for x, y in HITS)
    reached = zip(element.hits, places, strict=False)
    moved = _all_moved(element, lambda item: item.moved(-part.left, -part.top))
    return msgspec.structs.replace(
        moved,
        visible_fraction=min(element.visible_fraction, shown),
        hits=tuple(hit and _inside(part, place) for hit, place in reached),
    )


def _inside(part: Box, place: Point) -> bool:
    return part.left <= place.x < part.right and part.top <= place.y < part.bottom


def _adopted(screen: Screen, kept: tuple[Element, ...]) -> tuple[Element, ...]:
    """Give each element the nearest of its ancestors that was kept as its parent."""
    above = {element.id: element.parent for element in screen.elements}
    here = {item.id for item in kept}
    adopted = []
    for item in kept:
        parent, passed = item.parent, {item.id}
        while parent and parent not in here and parent not in passed:
            passed.add(parent)
            parent = above.get(parent, "")
        known = parent if parent in here and parent != item.id else ""
        adopted.append(msgspec.structs.replace(item, parent=known))
    return tuple(adopted)


def _placed(element: Element, screen: Screen, edit: Paste, owner: str) -> Element:
    """Move an element with its window; words that the window cuts off spell nothing."""
    across, down = scaling(screen, edit)
    moved = _all_moved(
        element, lambda item: item.scaled(across, down).moved(float(edit.left), float(edit.top))
    )
    whole = all(screen.bounds.intersection(box) == box for box in element.name_boxes)
    return msgspec.structs.replace(
        moved,
        name_boxes=moved.name_boxes if whole else (),
        font_px=element.font_px * down,
        parent=element.parent or owner,
    )


def _all_moved(element: Element, move: Callable[[Box], Box]) -> Element:
    return msgspec.structs.replace(
        element,
        box=move(element.box),
        name_boxes=tuple(map(move, element.name_boxes)),
        text_boxes=tuple(map(move, element.text_boxes)),
    )


def _view(
    screen: Screen,
    picture: Image.Image,
    elements: tuple[Element, ...],
    edit: Crop | Paste,
    variant: str,
) -> tuple[Screen, bytes]:
    png = png_of(picture)
    view = msgspec.structs.replace(
        screen,
        id=digest([screen.id, variant, edit])[:16],
        image=sha256(png),
        width=picture.width,
        height=picture.height,
        elements=elements,
        variant=variant,
        edits=(*screen.edits, edit),
    )
    return view, png


def _opened(screen: Screen, png: bytes) -> Image.Image:
    try:
        picture = opened(png)
    except (OSError, ValueError, SyntaxError) as error:
        raise InvalidInputError("an image", found=error) from error
    if picture.size != (screen.width, screen.height):
        raise InvalidInputError(
            f"the screen's picture of {screen.width} x {screen.height} pixels",
            found=f"{picture.width} x {picture.height}",
        )
    return picture
