"""
A page's nodes by their tag, for finding again an element that somebody recorded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address
from surefoot.core.geometry import Box

if TYPE_CHECKING:
    from surefoot.capture.web.browser import Browser


MOST: Final = 5_000


class DomNode(msgspec.Struct, frozen=True):
    """
    Hold a node's id, which is an element's where the node is one, and what it says of itself.

    ``words`` is all text in it, ``box`` its place on the whole page in image pixels, None in
    a frame. Long texts are cut after 500 characters.
    """

    id: str
    attributes: dict[str, str]
    words: str
    box: Box | None


def nodes_by_tag(
    browser: Browser, address: Address, settings: Settings, tags: tuple[str, ...]
) -> dict[str, tuple[DomNode, ...]]:
    """
    Return the nodes of a page by their lower-case tags, in document order, at most 5,000 each.

    The page is loaded afresh; its ids are those of every other load. Raises CaptureError as
    a capture does.
    """
    from surefoot.capture.web.settle import settle  # readers of other sets need no browser
    from surefoot.capture.web.world import World

    with browser.visit(address, settings) as visit:
        world = World(visit.page)
        settle(visit, world)
        found = {
            tag: world.call(tuple[DomNode, ...], "nodesOf", tag, settings.scale, MOST)
            for tag in tags
        }
        visit.verify()
    return found
