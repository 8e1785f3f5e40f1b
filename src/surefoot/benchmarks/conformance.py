"""
The rendering half of a perturbation's check: same bytes twice, targets still there.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence

import msgspec

from surefoot.capture.captured import Capture
from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address
from surefoot.core.edit import PictureEdit
from surefoot.core.errors import CaptureError
from surefoot.core.perturbation import PERTURBATIONS, parse_variant
from surefoot.perturb.check import Survival, check_draw, compare_screens
from surefoot.perturb.image.change import change_picture, split_edits

# A page's own scripts may drop a control (a sidebar folds when zoomed): most must stay.
LEAST_SURVIVAL = 0.5


class PageCheck(msgspec.Struct, frozen=True):
    """Hold what one page showed: the survival of its targets, and complaints."""

    page: str
    survival: Survival | None
    complaints: tuple[str, ...]


def check_perturbation(
    text: str, addresses: Iterable[Address], settings: Settings, *, seed: int = 0
) -> list[PageCheck]:
    """
    Check a variant on real pages; no complaint means that it keeps its promises.

    The results are about pages that could not be captured, then about the drawing of edits
    alone, then about one page each: two renderings must be the same bytes, most targets
    must still be visible, and every visible one must still take a click at the centre of
    its box.
    """
    variant = parse_variant(text)
    results: list[PageCheck] = []
    from surefoot.capture.web.browser import Browser  # scores of a run need no browser
    from surefoot.capture.web.page import capture

    with Browser() as browser:
        originals: dict[Address, Capture] = {}
        for address in addresses:
            try:
                originals[address] = capture(browser, address, settings)
            except CaptureError as error:
                results.append(PageCheck(address.page, None, (str(error),)))
        screens = [captured.screen for captured in originals.values()]
        for part in variant.parts:
            complaints = check_draw(PERTURBATIONS.get(part.name), screens)
            results.append(PageCheck(f"draws of {part.name}", None, tuple(complaints)))
        for address, original in originals.items():
            edits = variant.edits(original.screen, seed)
            page, picture = split_edits(edits)
            shoot = functools.partial(
                capture,
                browser,
                address,
                settings,
                variant=variant.name,
                edits=page,
                original=original.screen,
            )
            results.append(_check_page(original, shoot, picture))
    return results


def _check_page(
    original: Capture, shoot: Callable[[], Capture], picture: Sequence[PictureEdit]
) -> PageCheck:
    page = original.screen.page
    try:
        first, second = (_changed(shoot(), picture) for _ in range(2))
    except CaptureError as error:
        return PageCheck(page, None, (str(error),))
    survival = compare_screens(original.screen, first.screen)
    complaints = [] if first == second else ["two renderings differ"]
    if survival.visible < LEAST_SURVIVAL * survival.targets:
        complaints.append(f"only {survival.visible} of {survival.targets} targets stay visible")
    if survival.missed:
        complaints.append(f"{len(survival.missed)} visible targets are covered")
    if survival.appeared:
        complaints.append(
            f"a second change: {len(survival.appeared)} floating panels come into view"
        )
    return PageCheck(page, survival, tuple(complaints))


def _changed(captured: Capture, edits: Sequence[PictureEdit]) -> Capture:
    if not edits:
        return captured
    variant = captured.screen.variant
    return Capture(*change_picture(captured.screen, captured.png, edits, variant=variant))
