"""
Bring a page to rest, so that what is measured and what is shot are one state.
"""

from __future__ import annotations

import contextlib
import time
from typing import Final

import msgspec
from playwright.sync_api import Error

from surefoot.capture.web.visit import Visit
from surefoot.capture.web.world import SinceEdits, World
from surefoot.core.errors import CaptureError

# What a page may do in its first seconds has been done; its clock then stands still.
RUN_MS: Final = 5_000
RERUN_MS: Final = 1_000
# So often at most does the clock run again for what was asked for meanwhile.
RERUNS: Final = 20
TICK_MS: Final = 16
LOOKS: Final = 4
POLL_MS: Final = 10


class _Rest(msgspec.Struct, frozen=True):
    loading: int
    moved: int
    layout: int


def settle(visit: Visit, world: World, *, first: bool = True) -> None:
    """
    Wait until nothing loads, moves, blinks or has the focus, and two layouts agree.

    The page's own clock is run for five seconds (one second after edits), with finite
    animations sent to their end and endless ones to their beginning. It runs another second as
    long as the page asked for something meanwhile, whose answer may have set timers. The limit
    begins anew whenever the clock has been run: what a page does then takes as long as it
    takes. After edits that nothing of the page has answered, the layout that they left is the
    first of the two. The window's scroll position goes back to the top. Where something was
    done on the page, what it gave the focus keeps it: a menu may be open as long as it has it.
    What scripts still wait for after the limit ``settle_s`` is let go where nothing on the page
    says that it waits: a poll for events may never be answered.
    Raises CaptureError "unsettled" where other requests, fonts or images are still loading after
    that limit, and "unstable-layout" where two layouts in a row never agree.
    """
    limit = visit.settings.limits.settle_s
    if first:
        _await_loads(visit, world, time.monotonic() + limit)
    asked = visit.requests
    if visit.scripted:
        _run(visit, world, RUN_MS if first else RERUN_MS)
    last = _await_loads(visit, world, time.monotonic() + limit)
    if visit.scripted and visit.requests != asked:
        last = _rerun(visit, world, last, asked)
    known = SinceEdits() if first else world.since_edits()
    if not known.is_closed:
        world.open_roots()
    if known.layout == last.layout and last.moved == 0 and visit.requests == asked:
        return
    deadline = time.monotonic() + limit
    while True:
        if visit.scripted:
            _run(visit, world, TICK_MS)
        rest = _await_loads(visit, world, deadline)
        if rest.moved == 0 and rest.layout == last.layout:
            return
        last = rest
        if time.monotonic() > deadline:
            raise CaptureError(
                "unstable-layout",
                expected="two equal layouts in a row",
                found="a page that keeps moving",
            )


def _rerun(visit: Visit, world: World, last: _Rest, asked: int) -> _Rest:
    """Run the clock as long as the page asks for more than it had ``asked`` for before."""
    for _ in range(RERUNS):
        if visit.requests == asked:
            break
        asked = visit.requests
        _run(visit, world, RERUN_MS)
        last = _await_loads(visit, world, time.monotonic() + visit.settings.limits.settle_s)
    return last


def is_still(visit: Visit, world: World, *, looks: int = LOOKS) -> bool:
    """
    Tell whether nothing loads or moves, without running the page's clock.

    What edits had begun is stopped, as ``settle`` does, and observers have been told.
    """
    framed = visit.scripted and world.stirs()
    for _ in range(looks):
        call = world.call_after_frame if framed else world.call
        rest = call(_Rest, "rest", visit.acted)
        if not (rest.moved or rest.loading or visit.pending_requests()):
            return True
    return False


def _run(visit: Visit, world: World, milliseconds: int) -> None:
    """
    Run the page's clock; what its own timers throw is its own affair.

    A frame comes first: a chart that hears from its resize observer whether it has to be
    drawn anew does so on the page's clock, and must have heard before the clock is run.
    """
    if world.stirs():
        world.await_frame()
    with contextlib.suppress(Error):
        visit.page.clock.run_for(milliseconds)


def _await_loads(visit: Visit, world: World, deadline: float) -> _Rest:
    while True:
        rest = world.call(_Rest, "rest", visit.acted)
        pending = visit.pending_requests()
        if not pending and not rest.loading:
            return rest
        if time.monotonic() > deadline:
            # What is drawn does not wait for it: a poll for events, which may never end.
            if not rest.loading and not world.call(bool, "isBusy") and visit.let_go():
                continue
            raise CaptureError(
                "unsettled",
                expected=f"nothing to load after {visit.settings.limits.settle_s:g} s",
                found=f"{pending} requests and {rest.loading} fonts or images",
            )
        visit.page.wait_for_timeout(POLL_MS)
