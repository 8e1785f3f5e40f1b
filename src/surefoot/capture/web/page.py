"""
Capture one variant of one page: load, settle, edit, measure, shoot, measure again.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final

import msgspec

from surefoot.capture.access.access import Access
from surefoot.capture.access.secrets import is_live, scrubbed
from surefoot.capture.captured import Capture, ControlChange
from surefoot.capture.fonts import undrawn_letters
from surefoot.capture.parallel.structure import Structure
from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address
from surefoot.capture.web.acting import act
from surefoot.capture.web.asked import PageFacts
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.collect import (
    CollectedPage,
    collect,
    collect_soon,
    outline,
    outline_digest,
    still,
)
from surefoot.capture.web.settle import settle
from surefoot.capture.web.shoot import ShownPart, ViewScale, shoot
from surefoot.capture.web.tiles import shoot_page
from surefoot.capture.web.unrecorded import UnrecordedPaint, unrecorded_words
from surefoot.capture.web.visit import Visit
from surefoot.capture.web.world import World
from surefoot.core.canonical import digest, sha256
from surefoot.core.edit import (
    AddStyle,
    ControlEdit,
    Edit,
    EnforceContrast,
    Hide,
    PictureEdit,
    RaiseContrast,
    Relabel,
    Reorder,
    Restyle,
    ScaleText,
    Zoom,
)
from surefoot.core.errors import CaptureError
from surefoot.core.perturbation import ORIGINAL
from surefoot.core.screen import Element, Screen

RESIZE_S: Final = 3.0
WAIT_MS: Final = 100.0
POLL_S: Final = 0.005
ATTEMPTS: Final = 3
# What another load may well not show again.
PASSING: Final = frozenset({"unstable-page", "resource-failed", "resource-appeared"})


def _nothing(_visit: Visit, _world: World) -> None:
    """Do nothing more on a page."""


class _Outcome(msgspec.Struct, frozen=True):
    """Say why an edit failed, "" if none did, and its place."""

    error: str = ""
    at: int = 0


class Inspected(msgspec.Struct, frozen=True):
    """Hold code points without a font, what could not be drawn, and what no element holds."""

    undrawn: tuple[int, ...]
    unreadable: tuple[tuple[str, str], ...]
    unrecorded: UnrecordedPaint | None


class _Looked(msgspec.Struct, frozen=True):
    """Hold the same of a page that is known not to have moved, None of any other."""

    inspected: Inspected | None


class _Collected(_Looked, frozen=True):
    """Hold what was collected besides."""

    collected: CollectedPage


class _Size(msgspec.Struct, frozen=True):
    width: float
    height: float


def apply_edits(world: World, edits: Sequence[Edit], view: ViewScale) -> ViewScale:
    """
    Apply every edit and return the view of the result.

    Edits between two zooms are applied at once: a page that reacts to one of them does so after
    the last, however busy the machine is. Raises CaptureError "edit-failed" for an edit that
    names an unknown element or group, or that changes nothing it was meant to.
    """
    for zooms, group in itertools.groupby(edits, lambda edit: isinstance(edit, Zoom)):
        together = tuple(group)
        if not zooms:
            _apply(world, together)
        for edit in together:
            if isinstance(edit, Zoom):
                view = _zoom(world, view, edit)
    return view


def _apply(world: World, edits: Sequence[Edit]) -> None:
    outcome = world.call(_Outcome, "applyEdits", [_call(edit) for edit in edits])
    _check(not outcome.error, edits[outcome.at], "an edit that fits the page", outcome.error)


def _call(edit: Edit) -> tuple[object, ...]:
    """Return the name of the page's function that applies an edit, and its arguments."""
    match edit:
        case AddStyle(css, top_only):
            return "addStyle", css, top_only
        case EnforceContrast(minimum):
            _check(1 <= minimum <= 21, edit, "a ratio between 1 and 21")  # noqa: PLR2004
            return "enforceContrast", minimum
        case ScaleText(factor, floor):
            _check(0 < factor < math.inf, edit, "a factor above 0")
            return "scaleText", factor, floor
        case Reorder(group, order):
            return "reorder", group, order
        case RaiseContrast(elements, minimum):
            _check(1 <= minimum <= 21, edit, "a ratio between 1 and 21")  # noqa: PLR2004
            return "raiseContrast", elements, minimum
        case Relabel(element, text, replaces, shows):
            return "relabel", element, text, replaces, shows
        case Restyle(elements, declarations):
            return "restyle", elements, declarations
        case Hide(elements):
            return "hide", elements
        case _:
            where = "the picture, which is applied to a captured screen"
            kind = where if isinstance(edit, PictureEdit) else "a kind that pages do not know"
            expected = "an edit that fits the page"
            raise CaptureError("edit-failed", expected=expected, found=f"an edit of {kind}")


def _check(holds: bool, edit: Edit, expected: str, found: str = "") -> None:  # noqa: FBT001
    if not holds:
        raise CaptureError("edit-failed", expected=expected, found=found or str(edit)[:200])


def _zoom(world: World, view: ViewScale, edit: Zoom) -> ViewScale:
    """Zoom as a person does, after loading: what has been seen keeps its identity."""
    _check(0 < edit.factor < math.inf, edit, "a factor above 0")
    zoomed = view.zoom(edit.factor)
    _check(resize(world, zoomed), edit, "a viewport that follows the zoom")
    return zoomed


def resize(world: World, view: ViewScale) -> bool:
    """Show the page in a view; tell whether its window has followed."""
    wanted = _Size(max(1, round(view.width)), max(1, round(view.height)))
    world.session.send(
        "Emulation.setDeviceMetricsOverride",
        {
            "width": wanted.width,
            "height": wanted.height,
            "deviceScaleFactor": view.scale,
            "mobile": view.mobile,
        },
    )
    deadline = time.monotonic() + RESIZE_S
    while world.call(_Size, "size") != wanted:
        if time.monotonic() >= deadline:
            return False
        time.sleep(POLL_S)
    if view.mobile:
        world.call(ShownPart, "seen")
    return True


def capture(  # noqa: PLR0913 - what is captured, and how, all by name
    browser: Browser,
    address: Address,
    settings: Settings,
    *,
    variant: str = ORIGINAL,
    edits: Sequence[Edit] = (),
    original: Screen | None = None,
    structured: bool = False,
    then: Callable[[Visit, World], None] = _nothing,
) -> Capture:
    """
    Load a page afresh, apply the edits and return its screen and image.

    Element ids are given by structural position after the first settling and before any
    edit; those of what an action of the address brings, after that action. With the
    ``original`` of an earlier visit, this one must have the same elements
    before the edits and lack the same resources. A load that does not, or of which something
    fails to come, is repeated once, then fails with CaptureError "unstable-page",
    "resource-failed" or "resource-appeared". Boxes are in pixels of the image. Only where it is
    ``structured`` is the page's structure read, too. Raises
    CaptureError for a page that cannot be captured. ``then`` is called with what was measured and
    shot before it is let go.
    """

    def once() -> Capture:
        with browser.visit(address, settings) as visit:
            page = OpenedPage(visit, original, edited=bool(edits))
            return page.capture(variant, tuple(edits), structured=structured, then=then)

    try:
        return once()
    except CaptureError as error:
        if error.reason not in PASSING:
            raise
    return once()


def tree_digest(screen: Screen) -> str:
    """
    Return the digest of an original screen's ids, roles and names.

    >>> tree_digest(Screen("s", "p", "x", "", 1, 1, 1.0, "web", "en", ()))[:8]
    '4f53cda1'
    """
    return outline_digest(
        [(element.id, element.role, element.name) for element in screen.elements]
    )


class OpenedPage:
    """
    Hold a page that was brought to rest and has its ids, before any edit.

    Where it will be ``edited``, or there is an ``original``, the names of its elements are read
    first, and must be the original's. ``view`` is how it is seen. Raises CaptureError.
    """

    def __init__(self, visit: Visit, original: Screen | None, *, edited: bool) -> None:
        self.visit = visit
        self.world = world = World(visit.page)
        settle(visit, world)
        visit.hear(world, later=not visit.address.actions)
        self._shown_at = visit.shown_at()
        for action in visit.address.actions:
            self.world = world = act(visit, world, action)
        await_asked(visit, world)
        self._known = None if original is None else original.missing
        self._verify_resources(world.call(list[tuple[str, str]], "unreadable"))
        world.read_tree()
        if edited or original is not None:
            named = [(place, role, visit.hide(name)) for place, role, name in outline(world)]
            _verify_tree(outline_digest(named), original, visit.address)
        shown = world.call(ShownPart, "seen") if visit.settings.mobile else None
        self.view = ViewScale.of(visit.settings, shown)

    def capture(
        self,
        variant: str,
        edits: tuple[Edit, ...],
        *,
        structured: bool = False,
        then: Callable[[Visit, World], None] = _nothing,
    ) -> Capture:
        """Apply edits, bring the page to rest, measure and shoot it; raises CaptureError."""
        visit, world = self.visit, self.world
        view = apply_edits(world, edits, self.view)
        if edits:
            settle(visit, world, first=False)
            _verify_edits(world)
        mended = any(isinstance(edit, ControlEdit) for edit in edits)
        changes = world.call(tuple[ControlChange, ...], "mended") if mended else ()
        collected, png, pixels, found = measured(visit, world, view)
        structure = world.call(Structure, "structure") if structured else Structure()
        unrecorded = unrecorded_words(world, view, found.unrecorded)
        self._verify_resources(found.unreadable)
        if not edits:
            _verify_asked(visit, world)
        visit.verify()
        ignored = world.call(frozenset[str], "ignored") if visit.frozen else frozenset()
        then(visit, world)
        hide = visit.hiding_all(world)
        address, settings = visit.address, visit.settings
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
            elements=unasked(collected.elements, ignored),
            variant=variant,
            edits=edits,
            title=collected.title,
            missing=visit.resources.missing | undrawn_letters(found.undrawn),
            shown_at=self._shown_at,
            unrecorded=unrecorded,
        )
        if visit.secrets:
            screen = scrubbed(screen, Screen, hide)
            structure = scrubbed(structure, Structure, hide)
            changes = tuple(scrubbed(change, ControlChange, hide) for change in changes)
        return Capture(screen, png, structure, changes)

    def _verify_resources(self, unreadable: Iterable[tuple[str, str]]) -> None:
        visit = self.visit
        visit.resources.unreadable(unreadable)
        visit.resources.verify(visit.address.spec, self._known)


def _verify_edits(world: World) -> None:
    """Raise CaptureError where the page has undone an edit, which its name would then deny."""
    if not world.call(bool, "keepsSheets"):
        raise CaptureError(
            "edit-failed",
            expected="a page that keeps the style sheets of others",
            found="a style sheet of the variant that the page has removed",
        )


def unasked(elements: tuple[Element, ...], ignored: Collection[str]) -> tuple[Element, ...]:
    """Return elements, those with these ids as such that nobody is asked to click."""
    if not ignored:
        return elements
    return tuple(
        msgspec.structs.replace(element, hits=()) if element.id in ignored else element
        for element in elements
    )


def await_asked(visit: Visit, world: World) -> None:
    """Wait for what the page has to show, then raise CaptureError where it is another one."""
    if not (is_live(visit.address.spec) or visit.settings.reached != Access()):
        return
    deadline = time.monotonic() + visit.settings.limits.navigation_s
    facts = _facts(visit, world)
    while facts.lacking and not facts.sign_in and time.monotonic() < deadline:
        settle(visit, world, first=False)
        visit.page.wait_for_timeout(WAIT_MS)
        facts = _facts(visit, world)
    visit.verify_asked(facts)


def _verify_asked(visit: Visit, world: World) -> None:
    visit.verify_asked(_facts(visit, world))


def _facts(visit: Visit, world: World) -> PageFacts:
    access = visit.settings.reached
    wanted = [selector for selector in (access.signed_in, access.ready) if selector]
    return world.call(PageFacts, "facts", wanted)


def measured(
    visit: Visit, world: World, view: ViewScale
) -> tuple[CollectedPage, bytes, tuple[int, int], Inspected]:
    """
    Measure, shoot and measure again until both measures agree, and look at what else is seen.

    The image's size stands behind it. A page that is watched is measured while its picture is
    being encoded. Raises CaptureError "unstable-layout" after three attempts.
    """
    if visit.scripted and not visit.settings.full_page and collect_soon(world, view.scale):
        png = shoot(world, view)
        found = world.call_awaited(_Collected, "collectedSoon")
        if found.inspected is not None:
            return found.collected, png, view.pixels, found.inspected
    for _ in range(ATTEMPTS):
        if visit.settings.full_page:
            whole = shoot_page(visit, world, view)
            if whole is not None:
                return *whole, world.call(Inspected, "inspected")
        else:
            before = collect(world, view.scale)
            png = shoot(world, view)
            looked = world.call(_Looked, "inspectedUnmoved").inspected
            if looked is None and still(world, before, view.scale):
                looked = world.call(Inspected, "inspected")
            if looked is not None:
                return before, png, view.pixels, looked
        settle(visit, world, first=False)
    raise CaptureError(
        "unstable-layout",
        expected="the same elements before and after the screenshot",
        found=f"other ones, {ATTEMPTS} times",
    )


def _verify_tree(found: str, original: Screen | None, address: Address) -> None:
    if original is not None and found != tree_digest(original):
        raise CaptureError(
            "unstable-page",
            expected="the same elements at every load",
            found=f"others ({address.spec})",
        )
