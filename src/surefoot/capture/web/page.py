"""
Capture one variant of one page: load, settle, edit, measure, shoot, measure again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from surefoot.capture.captured import Captured
from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address
from surefoot.capture.web.apply import apply_edits
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.collect import Collected, collect, outline, outline_digest, still
from surefoot.capture.web.settle import settle
from surefoot.capture.web.shoot import ViewScale, shoot
from surefoot.capture.web.tiles import shoot_page
from surefoot.capture.web.visit import Visit
from surefoot.capture.web.world import World
from surefoot.core.canonical import digest, sha256
from surefoot.core.edit import Edit
from surefoot.core.errors import CaptureError
from surefoot.core.screen import Screen

__all__ = ["capture", "measured", "tree_digest"]

ATTEMPTS: Final = 3


def capture(
    browser: Browser,
    address: Address,
    settings: Settings,
    *,
    variant: str = "original",
    edits: Sequence[Edit] = (),
    reference: str = "",
) -> Captured:
    """
    Load a page afresh, apply the edits and return its screen and image.

    Element ids are given by structural position after the first settling and before any
    edit. ``reference`` is the original's ``tree_digest``: a load whose tree differs before
    the edits is repeated once, then fails with CaptureError "unstable-page". Boxes are in
    pixels of the image. Raises CaptureError for a page that cannot be captured.
    """
    try:
        return _capture(browser, address, settings, variant, tuple(edits), reference)
    except CaptureError as error:
        if error.reason != "unstable-page":
            raise
    return _capture(browser, address, settings, variant, tuple(edits), reference)


def tree_digest(screen: Screen) -> str:
    """
    Return the digest of an original screen's ids, roles and names.

    >>> tree_digest(Screen("s", "p", "x", "", 1, 1, 1.0, "web", "en", ()))[:8]
    '4f53cda1'
    """
    return outline_digest([(each.id, each.role, each.name) for each in screen.elements])


def _capture(
    browser: Browser,
    address: Address,
    settings: Settings,
    variant: str,
    edits: tuple[Edit, ...],
    reference: str,
) -> Captured:
    with browser.visit(address, settings) as visit:
        world = World(visit.page)
        settle(visit, world)
        if visit.scripted:
            world.hear()
        if edits or reference:
            _verify_tree(outline_digest(outline(world)), reference, address)
        view = apply_edits(world, edits, ViewScale.of(settings))
        if edits:
            settle(visit, world, first=False)
        collected, png, pixels = measured(visit, world, view)
        visit.verify()
    screen = Screen(
        id=digest([address.spec, variant, settings, edits])[:16],
        page=address.page,
        site=address.site,
        source=address.spec,
        image=sha256(png),
        width=pixels[0],
        height=pixels[1],
        scale=view.scale,
        platform="web",
        locale=settings.locale,
        elements=collected.elements,
        variant=variant,
        edits=edits,
        title=collected.title,
    )
    return Captured(screen, png)


def measured(
    visit: Visit, world: World, view: ViewScale
) -> tuple[Collected, bytes, tuple[int, int]]:
    """
    Measure, shoot and measure again until both measures agree; return the image's size too.

    Raises CaptureError "unstable-layout" after three attempts.
    """
    for _ in range(ATTEMPTS):
        if visit.settings.full_page:
            found = shoot_page(visit, world, view)
            if found is not None:
                return found
        else:
            before = collect(world, view.scale)
            png = shoot(world, view)
            if still(world, before, view.scale):
                return before, png, view.pixels
        settle(visit, world, first=False)
    raise CaptureError(
        "unstable-layout",
        expected="the same elements before and after the screenshot",
        found=f"other ones, {ATTEMPTS} times",
    )


def _verify_tree(found: str, reference: str, address: Address) -> None:
    if reference and found != reference:
        raise CaptureError(
            "unstable-page",
            expected="the same elements at every load",
            found=f"others ({address.spec})",
        )
