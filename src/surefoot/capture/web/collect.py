"""
The page's elements as data: one call into the page, decoded straight to elements.
"""

from __future__ import annotations

import msgspec

from surefoot.capture.web.world import World
from surefoot.core.canonical import digest
from surefoot.core.screen import Element

Outline = list[tuple[str, str, str]]


class CollectedPage(msgspec.Struct, frozen=True):
    """
    Hold the title and the elements of a page, boxes in pixels of its image.

    ``signature`` tells this state from others; see ``still``.
    """

    title: str
    signature: str
    elements: tuple[Element, ...]


def collect(world: World, scale: float, *, height: int = 0) -> CollectedPage:
    """
    Measure every element, with boxes in image pixels (CSS pixels times ``scale``).

    With a ``height`` (CSS pixels) the image is the whole page of that height instead of
    the viewport; hits are then those of the first tile.
    """
    options = {"scale": scale, "hits": True, "full": height > 0, "height": height}
    return world.call(CollectedPage, "collect", options)


def collect_soon(world: World, scale: float) -> bool:
    """
    Let the page measure itself as ``collect`` does once a picture has been drawn.

    Return false where nobody watches the page, so that what it does meanwhile is not known.
    """
    return world.call(bool, "collectSoon", {"scale": scale, "hits": True})


def still(world: World, measured: CollectedPage, scale: float, *, height: int = 0) -> bool:
    """
    Tell whether elements, places and texts are what they were when they were measured.

    The arguments are those of ``collect``; names and hits follow from what is compared.
    """
    options = {"scale": scale, "hits": False, "full": height > 0, "height": height}
    return world.call(str, "signature", options) == measured.signature


def collect_tile(
    world: World, scale: float, *, height: int, band: tuple[float, float, float, float]
) -> CollectedPage:
    """Measure again while scrolled, with hits only in a band of the viewport (CSS px)."""
    options = {"scale": scale, "hits": True, "full": True, "height": height, "band": band}
    return world.call(CollectedPage, "collect", options)


def outline(world: World) -> Outline:
    """Return the id, role and name of every element, in document order."""
    return world.call(Outline, "outline")


def outline_digest(lines: Outline) -> str:
    """
    Return the digest by which two loads of a page are compared.

    >>> outline_digest([("a-1", "link", "Home")]) == outline_digest([("a-1", "link", "Home")])
    True
    """
    return digest(lines)
