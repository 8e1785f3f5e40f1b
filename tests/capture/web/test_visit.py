"""
Hostile pages: each costs itself and nothing else.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from typing import Final

import msgspec
import pytest
from playwright.sync_api import Error

from surefoot.capture.settings import Limits, Settings
from surefoot.capture.sources import Address, list_addresses
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.visit import Visit
from surefoot.core.errors import CaptureError

pytestmark = pytest.mark.browser

Write = Callable[..., Address]
LIMITS: Final = Limits(navigation_s=3, unit_s=20, nodes=5_000, dialogs=3, requests=100)
FAST: Final = Settings(width=400, height=300, limits=LIMITS)
WATCH_S: Final = 6.0

BOMB: Final = "document.write('<i></i>'.repeat(9000));"

HOSTILE: Final = {
    "a script that never returns": ("<script>while (true);</script>", "timeout"),
    "a storm of dialogs": ("<script>while (true) alert(1);</script>", "dialog-storm"),
    "a popup": ("<script>open('other.html');</script>", "popup"),
    "a popup without an opener": ("<script>open('/', '', 'noopener');</script>", "popup"),
    "a refresh to another site": (
        "<meta http-equiv=refresh content='0;url=http://evil.example/'>",
        "navigated-away",
    ),
    "a refresh to another page of its own": (
        "<meta http-equiv=refresh content='0;url=other.html'>",
        "navigated-away",
    ),
    "a change of location after load": (
        "<script>onload = () => { location = 'http://evil.example/'; };</script>",
        "navigated-away",
    ),
    "a reload after load": (
        "<script>onload = () => location.reload();</script>",
        "navigated-away",
    ),
    "a page of 2,000,000 pixels": ("<div style='height: 2000000px'>tall</div>", "too-large"),
    "a bomb of nodes": (
        f"<script>{BOMB}</script>",
        "too-many-nodes",
    ),
    "a bomb of nodes beside a picture called as their count": (
        f"<img name=getElementsByTagName><script>{BOMB}</script>",
        "too-many-nodes",
    ),
    "a bomb of nodes that lies about them": (
        f"<script>document.getElementsByTagName = () => [];{BOMB}</script>",
        "too-many-nodes",
    ),
    "a download": ("<a id=a download href=other.html></a><script>a.click();</script>", "download"),
    "a flood of requests": (
        "<script>for (let i = 0; i < 300; i++) fetch('other.html?' + i);</script>",
        "too-many-requests",
    ),
}


def watch(visit: Visit) -> None:
    """Look at the page again and again, as settling does, until it fails or time is up."""
    end = time.monotonic() + WATCH_S
    while time.monotonic() < end:
        visit.verify()
        visit.page.wait_for_timeout(100)


def assert_next_page(browser: Browser, address: Write) -> None:
    """Show that the browser still captures a page without fault."""
    page = address("<title>well</title><button>Save</button>")
    with browser.visit(page, FAST) as visit:
        visit.verify()
        assert visit.page.title() == "well"


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_page_fails_with_its_reason(browser: Browser, address: Write, name: str) -> None:
    """A hostile page raises one CaptureError with its reason, and the next page is fine."""
    html, reason = HOSTILE[name]
    page = address(f"<title>bad</title>{html}", other__html="<title>other</title>")
    with pytest.raises(CaptureError) as caught, browser.visit(page, FAST) as visit:
        watch(visit)
    assert caught.value.reason == reason
    assert_next_page(browser, address)


def test_another_address_in_the_history_is_no_navigation(browser: Browser, address: Write) -> None:
    """A document that rewrites its own address, while loading and later, is still the same."""
    script = "history.replaceState({}, '', '/en/'); onload = () => history.pushState({}, '', '/b')"
    with browser.visit(address(f"<p>hello</p><script>{script}</script>"), FAST) as visit:
        visit.verify()
        assert visit.page.url.endswith("/b")


def test_blocked_evaluation_ends_at_the_deadline(browser: Browser, address: Write) -> None:
    """A call that no time-out of the driver bounds ends when the visit's time is up."""
    settings = msgspec.structs.replace(FAST, limits=Limits(navigation_s=3, unit_s=4))
    start = time.monotonic()
    with (
        pytest.raises(CaptureError) as caught,
        browser.visit(address("<title>bad</title>"), settings) as visit,
    ):
        visit.page.evaluate("while (true);")
    assert caught.value.reason == "timeout"
    assert time.monotonic() - start < 12
    assert_next_page(browser, address)


@pytest.mark.parametrize(
    "grow",
    ["keep.push(new Uint8Array(2 ** 24).fill(1))", "keep.push(Array(2 ** 16).fill(0.5))"],
)
def test_memory_bomb_is_killed(browser: Browser, address: Write, grow: str) -> None:
    """Memory of buffers and of objects is held to the limit of the whole process tree."""
    limits = Limits(navigation_s=15, unit_s=20, memory_bytes=900 * 2**20)
    settings = msgspec.structs.replace(FAST, limits=limits)
    page = address(f"<script>const keep = []; while (keep.length < 9e4) {grow};</script>")
    with pytest.raises(CaptureError) as caught, browser.visit(page, settings) as visit:
        watch(visit)
    assert caught.value.reason == "memory"
    assert_next_page(browser, address)


def test_crashed_page_is_a_failure(browser: Browser, address: Write) -> None:
    """A renderer that dies under the page is the reason 'crash'."""

    def crash(visit: Visit) -> None:
        with contextlib.suppress(Error):
            visit.page.goto("chrome://crash", timeout=2000)
        watch(visit)

    with (
        pytest.raises(CaptureError) as caught,
        browser.visit(address("<title>bad</title>"), FAST) as visit,
    ):
        crash(visit)
    assert caught.value.reason == "crash"
    assert_next_page(browser, address)


def test_dialogs_below_the_limit_are_dismissed(browser: Browser, address: Write) -> None:
    """A page may ask a little: it is answered no, and captured."""
    html = "<script>document.title = [alert(1), confirm(2), prompt(3)].join();</script>"
    with browser.visit(address(html), FAST) as visit:
        assert visit.page.title() == ",false,"


def test_pending_requests_fall_to_zero(browser: Browser, address: Write) -> None:
    """Requests in flight are counted, and what never came is kept for the record."""
    page = address("<img src=absent.png><script>fetch('other.html');</script>", other__html="x")
    with browser.visit(page, FAST) as visit:
        end = time.monotonic() + 5
        while visit.pending_requests() and time.monotonic() < end:
            visit.page.wait_for_timeout(20)
        assert visit.pending_requests() == 0
        assert visit.resources.missing == {"http://folder-site.localhost/absent.png": "status 404"}


def test_anchor_in_a_page_is_no_departure(browser: Browser, address: Write) -> None:
    """A page that jumps to an anchor of its own is still the page that was opened."""
    with browser.visit(address("<p id=a>hello</p>"), FAST) as visit:
        visit.page.evaluate("location.hash = 'a'")
        visit.verify()
        assert visit.page.url.endswith("#a")


def test_archive_opens_without_scripts(browser: Browser, address: Write) -> None:
    """An archived page opens from its file, runs nothing, and says that it is unscripted."""
    with browser.visit(address("<title>kept</title><b>Old</b>"), FAST) as visit:
        session = visit.page.context.new_cdp_session(visit.page)
        data = session.send("Page.captureSnapshot")["data"]
    live = address("<p>x</p>")
    file = live.spec.removeprefix("folder:").rpartition("#")[0] + "/kept.mhtml"
    with open(file, "w", newline="", encoding="utf-8") as stream:  # noqa: PTH123
        stream.write(data.replace("<b>Old", "<script>document.title =3D 'ran'</script><b>Old"))
    (archived,) = list_addresses(file)
    with browser.visit(archived, FAST) as visit:
        assert not visit.scripted
        assert visit.page.title() == "kept"
        assert visit.page.evaluate("document.querySelector('b').textContent") == "Old"
        visit.verify()


def test_what_is_refused_to_scripts_is_recorded(browser: Browser, address: Write) -> None:
    """A worker does not begin, as one whose script is lost, and the visit says so and why."""
    page = address(
        "<p>waits<script>const told = () => { document.querySelector('p').textContent = 'lost'; };"
        "new Worker('worker.js').onerror = told; new SharedWorker('worker.js');"
        "CSS.paintWorklet.addModule('worker.js').catch(() => 0);</script>",
        worker__js="",
    )
    with browser.visit(page, FAST) as visit:
        visit.page.clock.run_for(10)
        found = visit.page.evaluate("document.querySelector('p').firstChild.data")
        missing = visit.resources.missing

    assert found == "lost"
    assert list(missing) == ["a shared worker", "a worker", "a worklet"]
    assert {why.partition(":")[0] for why in missing.values()} == {"refused"}
