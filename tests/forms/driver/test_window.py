"""
A window is at rest once nothing that it shows can still hang on a reply.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest
from playwright.sync_api import BrowserContext

from surefoot.core.errors import CaptureError
from surefoot.forms.driver import window
from surefoot.forms.driver.limits import EpisodeLimits
from surefoot.forms.driver.window import FormWindow

ORIGIN = "http://forms.localhost"


class Sent:
    """Stand for a request of the page."""

    method = "POST"
    failure = "net::ERR_FAILED"

    def __init__(self, name: str, kind: str = "fetch", **headers: str) -> None:
        self.url = f"{ORIGIN}/{name}"
        self.resource_type = kind
        self.headers = headers


class Driven:
    """
    Stand for a context, its page and its session at once.

    What is asked of the page is noted; ``answers`` are true but for those given, ``then``
    holds what happens meanwhile, in turn.
    """

    def __init__(self) -> None:
        self.url = f"{ORIGIN}/"
        self.heard: dict[str, Callable[[Any], None]] = {}
        self.asked: list[str] = []
        self.then: list[Callable[[], None]] = []
        self.answers: dict[str, str] = {}

    def new_page(self) -> Driven:
        """Return what stands for the page."""
        return self

    def new_cdp_session(self, page: Driven) -> Driven:
        """Return what stands for the session."""
        return page

    def on(self, event: str, listener: Callable[[Any], None]) -> None:
        """Keep who listens."""
        self.heard[event] = listener

    def set_default_timeout(self, _: float) -> None:
        """Take any."""

    def goto(self, _url: str, *, wait_until: str) -> None:
        """Go nowhere."""
        assert wait_until == "load"

    def wait_for_timeout(self, _: float) -> None:
        """Let the next thing happen."""
        self._happen()

    def send(self, method: str, arguments: dict[str, object] | None = None) -> dict[str, Any]:
        """Answer what the driver asks."""
        if method == "Page.getFrameTree":
            return {"frameTree": {"frame": {"id": "1"}}}
        spelled = str((arguments or {}).get("expression", ""))
        called = spelled.partition("surefootLook.")[2].partition("(")[0]
        if spelled.startswith("Promise"):
            self.asked.append(called)
            self._happen()
        return {"executionContextId": 1, "result": {"value": self.answers.get(called, "true")}}

    def _happen(self) -> None:
        if self.then:
            self.then.pop(0)()


@pytest.fixture
def driven() -> Driven:
    """Lend what stands for a browser."""
    return Driven()


@pytest.fixture
def shown(driven: Driven) -> FormWindow:
    """Lend a window on it."""
    return FormWindow(cast("BrowserContext", driven), ORIGIN, EpisodeLimits(rest_s=0.2))


def nothing() -> None:
    """Happen to nobody."""


def test_frames_count_from_the_last_reply(driven: Driven, shown: FormWindow) -> None:
    """A reply that comes while the page lies still may be drawn later: it is looked at anew."""
    sent = Sent("upload")
    driven.heard["request"](sent)
    driven.then = [nothing, lambda: driven.heard["requestfinished"](sent)]

    assert shown.rest(2)
    assert driven.asked == ["rest", "rest", "rest"]


def test_what_began_and_ended_meanwhile_counts_too(driven: Driven, shown: FormWindow) -> None:
    """A request that begins and ends within one look has the page looked at once more."""
    sent = Sent("submit")

    def both() -> None:
        driven.heard["request"](sent)
        driven.heard["requestfailed"](sent)

    driven.then = [both]

    assert shown.rest()
    assert driven.asked == ["rest", "rest"]


@pytest.mark.parametrize("sent", [Sent("events", priority="u=7"), Sent("events", "ping")])
def test_what_is_said_in_passing_is_heard_out_at_the_end(
    driven: Driven, shown: FormWindow, sent: Sent
) -> None:
    """No action waits for a report of the page, but the end does, and not for ever."""
    driven.heard["request"](sent)

    assert shown.rest()
    assert driven.asked == ["rest"]
    driven.then = [nothing, lambda: driven.heard["requestfinished"](sent), pytest.fail]
    shown.hear_out()
    assert driven.then == [pytest.fail]


def test_a_reply_that_never_comes_is_no_rest(driven: Driven, shown: FormWindow) -> None:
    """With a request that stays open the page has not come to rest in its time."""
    driven.heard["request"](Sent("slow"))

    assert not shown.rest()


def test_a_page_that_is_never_drawn_is_a_failure(
    driven: Driven, shown: FormWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A script that has not drawn its page in time fails the episode rather than the agent."""
    monkeypatch.setattr(window, "DRAWN_S", 0.0)
    driven.answers["rest"] = "false"

    with pytest.raises(CaptureError) as caught:
        shown.open(f"{ORIGIN}/")
    assert caught.value.reason == "not-drawn"
