"""
All variants of a page from one load: each is edited, measured, shot and taken back.

A load is used again only as long as nothing tells it from a fresh one: no timer of the page ran
and none was set, it wrote nothing and asked for nothing, and all of its nodes, the places of its
elements and its picture are what they were. Whatever else it did is done to one variant alone,
which is what a fresh load would have come to; the next variant is loaded anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from surefoot.capture.captured import Capture
from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.chromium import page_script
from surefoot.capture.web.page import OpenedPage, capture, resize
from surefoot.capture.web.settle import is_still, settle
from surefoot.capture.web.shoot import shoot
from surefoot.core.edit import AddStyle, Edit, Reorder, Zoom
from surefoot.core.errors import CaptureError
from surefoot.core.screen import Screen

# After so many loads that served one variant alone, each of the others is loaded by itself.
TRIES: Final = 2
FAILED: Final = "a variant that failed"

Variants = Mapping[str, Sequence[Edit]]


class CapturedVariants(msgspec.Struct, frozen=True):
    """
    Hold the captures of a page's variants, by name, in the order that was asked for.

    ``loads`` counts how often the page was loaded, and ``anew`` says why more than once, "" where
    it was not.
    """

    captures: dict[str, Capture]
    loads: int
    anew: str = ""


def capture_variants(
    browser: Browser, address: Address, settings: Settings, variants: Variants, original: Screen
) -> CapturedVariants:
    """
    Capture variants of a page in as few loads as give the bytes of a load for each.

    ``variants`` are the edits by name. Raises CaptureError as ``capture`` does, for the first
    variant that fails.
    """
    found: dict[str, Capture] = {}
    loads, anew = 0, _apart(address, settings)
    tries = 0 if anew else TRIES
    while tries and len(left := _by_risk(variants, found)) > 1:
        made, reason = _from_one_load(browser, address, settings, left, original)
        found |= made
        loads += 1
        anew = anew or reason
        tries -= len(made) <= 1
    for name in variants:
        if name not in found:
            loads += 1
            found[name] = capture(
                browser,
                address,
                settings,
                variant=name,
                edits=tuple(variants[name]),
                original=original,
            )
    return CapturedVariants({name: found[name] for name in variants}, loads, anew)


def _apart(address: Address, settings: Settings) -> str:
    """Say why each variant needs a load of its own, "" where it may not."""
    if address.actions:
        return "actions before it"
    if settings.full_page:
        return "a page that is scrolled through"
    return "a phone" if settings.mobile else ""


def _by_risk(variants: Variants, found: Mapping[str, Capture]) -> dict[str, tuple[Edit, ...]]:
    """Return the variants that are not found yet, those last to which scripts react most."""

    def risk(name: str) -> tuple[bool, bool, bool]:
        kinds = {type(edit) for edit in variants[name]}
        return Zoom in kinds, Reorder in kinds, kinds != {AddStyle}

    left = [name for name in variants if name not in found]
    return {name: tuple(variants[name]) for name in sorted(left, key=risk)}


def _from_one_load(
    browser: Browser, address: Address, settings: Settings, variants: Variants, original: Screen
) -> tuple[dict[str, Capture], str]:
    """Capture variants until the load can no more be taken for a fresh one, and say why not."""
    made: dict[str, Capture] = {}
    try:
        with browser.visit(address, settings) as visit:
            page = OpenedPage(visit, original, edited=True)
            undo = _Undo(page)
            zoomed = False
            for name, edits in variants.items():
                if made:
                    browser.extend(settings.limits.unit_s)
                    if reason := undo.take_back(zoomed=zoomed):
                        return made, reason
                made[name] = page.capture(name, tuple(edits))
                zoomed = any(isinstance(edit, Zoom) for edit in edits)
    except CaptureError:
        return {}, FAILED
    return made, ""


class _Doings(msgspec.Struct, frozen=True):
    """Count what the page wrote since, and elements with scripts of their own that were moved."""

    wrote: int
    moved: int


class _Undo:
    """Put a page back as it was before edits, where that can be proven."""

    def __init__(self, page: OpenedPage) -> None:
        self._page = page
        visit, world = page.visit, page.world
        self._lasting = world.call(str, "remember")
        self._clock = ""
        if visit.scripted:
            noted = world.session.send(
                "Runtime.evaluate", {"expression": page_script("rewind.js")}
            )
            self._clock = noted["result"].get("objectId", "")
            self._lasting = self._lasting or ("" if self._clock else "a clock of its own")
        self._requests = visit.requests
        self._counts = self._ask("counts") or [0, 0]
        self._picture = b""
        if not self._lasting:
            self._picture = shoot(world, page.view, fast=True)
            world.is_closed = self._is_closed

    def take_back(self, *, zoomed: bool) -> str:
        """Take the last edits back, and say what makes the page another one, "" if nothing."""
        page = self._page
        visit, world = page.visit, page.world
        if self._lasting:
            return self._lasting
        doings = world.call(_Doings, "doings")
        ran = bool(doings.wrote) or self._ask("hasRun") is True
        if reason := self._state_of_its_own(doings):
            return reason
        world.call(bool, "restore")
        if zoomed:
            if not resize(world, page.view):
                return "a window that does not come back"
            # From now on this session sets the metrics, as after any zoom.
            page.view = msgspec.structs.replace(page.view, zoomed=True)
        if ran or not is_still(visit, world) or self._ask("hasRun") is True:
            settle(visit, world, first=False)
        if reason := self._difference():
            return reason
        self._ask("rewind")
        self._counts = self._ask("counts") or self._counts
        return ""

    def _state_of_its_own(self, doings: _Doings) -> str:
        """Say what the page remembers of the edits where no node shows it, "" if nothing."""
        if self._page.visit.requests != self._requests:
            return "requests"
        if doings.moved:
            return "custom elements that were moved"
        called = self._ask("counts") or self._counts
        return "observers that write" if doings.wrote and called[0] != self._counts[0] else ""

    def _difference(self) -> str:
        page = self._page
        visit, world = page.visit, page.world
        if reason := self._state_of_its_own(_Doings(wrote=0, moved=0)):
            return reason
        if self._ask("hasSameTimers") is False:
            return "timers"
        if reason := world.call(str, "changedSince"):
            return reason
        return "" if shoot(world, page.view, fast=True) == self._picture else "another picture"

    def _is_closed(self) -> bool:
        """Tell whether no node can have come that has a shadow."""
        wrote = self._page.world.call(_Doings, "doings").wrote
        return not wrote and (self._ask("counts") or self._counts)[1] == self._counts[1]

    def _ask(self, what: str) -> Any:  # noqa: ANN401 - what scripts say
        """Ask what was noted of the page's clock, None where there is none."""
        if not self._clock:
            return None
        answer = self._page.world.session.send(
            "Runtime.callFunctionOn",
            {
                "objectId": self._clock,
                "functionDeclaration": f"function () {{ return this.{what}(); }}",
                "returnByValue": True,
            },
        )
        return answer["result"].get("value")
