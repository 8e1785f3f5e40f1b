"""
All variants of a page from one load: each is edited, measured, shot and taken back.

A load is used again only as long as nothing tells it from a fresh one: no timer of the page ran
and none was set, it wrote nothing and asked for nothing, and all of its nodes and the places of
its elements are what they were, and its picture before the last variant. Whatever else it did is
done to one variant alone, which is what a fresh load would have come to; the next variant is
loaded anew.
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
from surefoot.capture.web.page import OpenedPage, capture
from surefoot.capture.web.settle import is_still, settle
from surefoot.capture.web.shoot import shoot
from surefoot.capture.web.world import SinceEdits
from surefoot.core.canonical import sha256
from surefoot.core.edit import AddStyle, Edit, Reorder, Zoom
from surefoot.core.errors import CaptureError
from surefoot.core.screen import Screen

# After so many loads that served one variant alone, each of the others is loaded by itself.
TRIES: Final = 2
FAILED: Final = "a variant that failed"
ZOOM: Final = "a zoom"
REQUESTS: Final = "requests"

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
    # A layer that was drawn before has other shades at its edges under a zoom.
    together = {
        name: edits
        for name, edits in variants.items()
        if not any(isinstance(edit, Zoom) for edit in edits)
    }
    while tries and len(left := _by_risk(together, found)) > 1:
        made, reason = _from_one_load(browser, address, settings, left, original)
        found |= made
        loads += 1
        anew = anew or reason
        tries -= len(made) <= 1
    if len(together) < len(variants):
        anew = anew or ZOOM
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
    if settings.mobile:
        return "a phone"
    # A picture at another scale leaves a trace in the next one.
    return "a finer picture" if settings.scale != 1 else ""


def _by_risk(variants: Variants, found: Mapping[str, Capture]) -> dict[str, tuple[Edit, ...]]:
    """Return the variants that are not found yet, those last to which scripts react most."""

    def risk(name: str) -> tuple[bool, bool]:
        kinds = {type(edit) for edit in variants[name]}
        return Reorder in kinds, not kinds <= {AddStyle}

    left = [name for name in variants if name not in found]
    return {name: tuple(variants[name]) for name in sorted(left, key=risk)}


def _from_one_load(
    browser: Browser, address: Address, settings: Settings, variants: Variants, original: Screen
) -> tuple[dict[str, Capture], str]:
    """Capture variants until the load can no more be taken for a fresh one, and say why not."""
    made: dict[str, Capture] = {}
    proven: dict[str, Capture] = {}  # what was made before any edit was taken back
    try:
        with browser.visit(address, settings) as visit:
            page = OpenedPage(visit, original, edited=True)
            undo = _Undo(page, original)
            edited = False
            for name, edits in variants.items():
                if made and edited:
                    browser.extend(settings.limits.unit_s)
                    proven = proven or dict(made)
                    # What edits leave stays: one picture shows what any of them has left.
                    last = len(made) == len(variants) - 1
                    if reason := undo.take_back(compare=last):
                        return proven, reason
                made[name] = page.capture(name, tuple(edits))
                edited = bool(edits)
    except CaptureError:
        return {}, FAILED
    return made, ""


class _Doings(msgspec.Struct, frozen=True):
    """
    Say what the page did since it was noted, as far as nodes show it.

    ``wrote`` counts its changes, of which some have ``grown`` elements; ``moved`` counts elements
    with scripts of their own that an edit has taken out and put in again.
    """

    wrote: int
    grown: bool
    moved: int


class _Edited(_Doings, frozen=True):
    """Say the same, and the layout that the last edits left, None where it was said before."""

    layout: int | None


class _Taken(_Doings, frozen=True):
    """Say the same once the edits are taken back, and what is not as it was, "" if nothing."""

    changed: str


def _memory(done: _Doings, *, called: bool) -> str:
    """Say what the page may remember of the edits where no node shows it, "" if nothing."""
    if done.moved:
        return "custom elements that were moved"
    return "observers that write" if done.wrote and called else ""


class _ClockState(msgspec.Struct, frozen=True):
    """
    Say what scripts did since the page was noted, as far as their clock and hermetic.js know it.

    ``ran`` holds where a timer has run or was set, ``due`` where one would run at the next tick,
    ``waits`` where the same timers wait as then. ``called``, ``attached`` and ``watched`` count
    calls of its mutation observers, shadow roots, and requests to hear of sizes or places.
    """

    ran: bool = False
    due: bool = False
    waits: bool = True
    called: int = 0
    attached: int = 0
    watched: int = 0


class _Undo:
    """Put a page back as it was before edits, where that can be proven."""

    def __init__(self, page: OpenedPage, original: Screen) -> None:
        self._page = page
        self._picture = original.image
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
        if not self._lasting:
            self._noted = self._state()
            world.since_edits = self._since_edits
            world.stirs = self._stirs

    def take_back(self, *, compare: bool) -> str:
        """
        Take the last edits back, and say what makes the page another one, "" if nothing.

        ``compare`` its picture with the original's, too.
        """
        page = self._page
        visit, world = page.visit, page.world
        if self._lasting:
            return self._lasting
        state = self._state()
        if visit.requests != self._requests:
            return REQUESTS
        called = state.called != self._noted.called
        if reason := _memory(world.call(_Doings, "takeBack", called), called=called):
            return reason
        still, state = is_still(visit, world), self._state()
        if not (still and state.waits):
            settle(visit, world, first=False)
            state = self._state()
        if reason := self._difference(state):
            return reason
        if compare and sha256(shoot(world, page.view)) != self._picture:
            return "another picture"
        if self._clock:
            self._noted = msgspec.convert(self._ask("rewind"), _ClockState)
        return ""

    def _difference(self, state: _ClockState) -> str:
        """Say what is not as it was, "" if everything is."""
        world = self._page.world
        if self._page.visit.requests != self._requests:
            return REQUESTS
        found = world.call(_Taken, "sinceTaken")
        if reason := _memory(found, called=state.called != self._noted.called):
            return reason
        if not state.waits:
            return "timers"
        return found.changed

    def _since_edits(self) -> SinceEdits:
        """Say whether no node can have come, or become, one with a shadow, and what was done."""
        done, state = self._page.world.call(_Edited, "sinceEdits"), self._state()
        is_closed = not done.grown and state.attached == self._noted.attached
        acted = done.wrote or state.ran or state.due or state.called != self._noted.called
        quiet = self._clock and is_closed and not acted
        return SinceEdits(is_closed, done.layout if quiet else None)

    def _stirs(self) -> bool:
        """Tell whether a frame may do more than draw: no script of the page has run, or waits."""
        state = self._state()
        acted = state.ran or state.called != self._noted.called or state.watched
        return bool(not self._clock or acted or self._page.world.call(bool, "stirs"))

    def _state(self) -> _ClockState:
        if not self._clock:
            return _ClockState()
        return msgspec.convert(self._ask("state"), _ClockState)

    def _ask(self, what: str) -> Any:  # noqa: ANN401 - what scripts say
        answer = self._page.world.session.send(
            "Runtime.callFunctionOn",
            {
                "objectId": self._clock,
                "functionDeclaration": f"function () {{ return this.{what}(); }}",
                "returnByValue": True,
            },
        )
        return answer["result"].get("value")
