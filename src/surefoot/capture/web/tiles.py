"""
Whole pages as tiles of the viewport: the page is scrolled, never resized.

Fixed boxes stand where the first viewport shows them and in no other tile; sticky boxes
lie where the unscrolled page has them. So nothing repeats, and no layout changes.
"""

from __future__ import annotations

from typing import Final

import msgspec
from PIL import Image

from surefoot.capture.settings import Limits
from surefoot.capture.web.collect import CollectedPage, collect, collect_tile, still
from surefoot.capture.web.settle import settle
from surefoot.capture.web.shoot import ViewScale, shoot
from surefoot.capture.web.visit import Visit
from surefoot.capture.web.world import World
from surefoot.core.errors import CaptureError
from surefoot.core.pictures import opened, png_of
from surefoot.core.screen import Element

LAZY_PASSES: Final = 3
FRAME_MS: Final = 20


class _Size(msgspec.Struct, frozen=True):
    width: float
    height: float
    wide: float
    tall: float
    top: float


def shoot_page(
    visit: Visit, world: World, view: ViewScale
) -> tuple[CollectedPage, bytes, tuple[int, int]] | None:
    """
    Return the elements, PNG bytes and size of the whole page, or None if it moved meanwhile.

    The image is as wide as the viewport. Raises CaptureError "too-large" beyond the limits
    ``side_px`` (CSS pixels) and ``pixels``.
    """
    world.call(int, "unstick")
    try:
        size = _awaken(visit, world)
        _check_size(size, view, visit.settings.limits)
        before = collect(world, view.scale, height=round(size.tall))
        tiles, hits = _tiles(world, view, size)
        world.call(float, "scrollTo", 0)
        world.call(bool, "restoreTiles")
        world.call(int, "unstick")
        if not still(world, before, view.scale, height=round(size.tall)):
            return None
        png, pixels = _join(tiles, view, size)
    finally:
        world.call(bool, "restoreTiles")
    elements = merge_hits(before.elements, hits)
    return CollectedPage(before.title, before.signature, elements), png, pixels


def merge_hits(
    elements: tuple[Element, ...], hits: dict[str, tuple[bool, ...]]
) -> tuple[Element, ...]:
    """
    Return the elements with the hits that any tile found, point by point.

    >>> from surefoot.core.geometry import Box
    >>> one = Element("a", "link", Box(0, 0, 1, 1), hits=(False, True))
    >>> merge_hits((one,), {"a": (True, False)})[0].hits
    (True, True)
    """
    return tuple(
        msgspec.structs.replace(
            element,
            hits=tuple(a or b for a, b in zip(element.hits, hits[element.id], strict=True)),
        )
        if element.id in hits
        else element
        for element in elements
    )


def _awaken(visit: Visit, world: World) -> _Size:
    """Scroll through the page so that what loads lazily is there; return its size."""
    size = world.call(_Size, "size")
    for _ in range(LAZY_PASSES):
        _check_side(size, visit.settings.limits)
        for top in range(0, round(size.tall), max(1, round(size.height))):
            world.call(float, "scrollTo", top)
            visit.page.wait_for_timeout(FRAME_MS)
        settle(visit, world, first=False)
        known, size = size, world.call(_Size, "size")
        if size == known:
            break
    return size


def _check_side(size: _Size, limits: Limits) -> None:
    if max(size.width, size.tall) > limits.side_px:
        raise CaptureError(
            "too-large",
            expected=f"sides of at most {limits.side_px} px",
            found=f"{size.width:g} x {size.tall:g} px",
        )


def _image_size(view: ViewScale, size: _Size) -> tuple[int, int]:
    return view.pixels[0], max(view.pixels[1], round(size.tall * view.scale))


def _check_size(size: _Size, view: ViewScale, limits: Limits) -> None:
    _check_side(size, limits)
    width, height = _image_size(view, size)
    if width * height > limits.pixels:
        raise CaptureError(
            "too-large",
            expected=f"an image of at most {limits.pixels} pixels",
            found=f"{width} x {height}",
        )


def _tiles(
    world: World, view: ViewScale, size: _Size
) -> tuple[list[tuple[float, bytes]], dict[str, tuple[bool, ...]]]:
    """Shoot every tile with its scroll position; collect the hits beyond the first."""
    tiles: list[tuple[float, bytes]] = []
    hits: dict[str, tuple[bool, ...]] = {}
    step = max(1, int(size.height))
    for top in range(0, max(1, round(size.tall)), step):
        if top == step:
            world.call(int, "hideFixed")
        here = world.call(float, "scrollTo", top)
        tiles.append((here, shoot(world, view, top=here)))
        if top == 0:
            continue
        band = (0.0, top - here, size.width, min(size.tall, top + step) - here)
        found = collect_tile(world, view.scale, height=round(size.tall), band=band)
        for element in found.elements:
            if any(element.hits):
                known = hits.get(element.id, (False,) * len(element.hits))
                hits[element.id] = tuple(a or b for a, b in zip(known, element.hits, strict=True))
    return tiles, hits


def _join(
    tiles: list[tuple[float, bytes]], view: ViewScale, size: _Size
) -> tuple[bytes, tuple[int, int]]:
    pixels = _image_size(view, size)
    whole = Image.new("RGB", pixels, "white")
    for top, png in reversed(tiles):
        whole.paste(opened(png), (0, round(top * view.scale)))
    return png_of(whole), pixels
