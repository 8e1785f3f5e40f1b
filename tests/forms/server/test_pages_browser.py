"""
A real browser answers a served form: its headers, its posts and its script suit the server.
"""

from __future__ import annotations

import contextlib
import tempfile
import time
import urllib.parse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, Protocol

import pytest
from playwright.sync_api import Error, FilePayload, Page, Route, sync_playwright

from surefoot.capture.routes import Upstream
from surefoot.capture.web.chromium import launch
from surefoot.capture.web.host import SiteHost
from surefoot.capture.web.room import Room
from surefoot.forms.record import RunRecord
from surefoot.forms.rendering import RENDERERS, Rendering
from surefoot.forms.scoring.attempt import held_at_end
from surefoot.forms.specification import Form

# Those whose scripts are built here.
SCRIPTED: Final = [name for name in ("surveyjs", "rjsf") if not RENDERERS.get(name).missing()]


class Visited(Protocol):
    """A run, as the fixture gives it."""

    root: str

    def record(self) -> RunRecord:
        """Read what was kept of it."""


@contextlib.contextmanager
def browsing(run: Visited) -> Iterator[Page]:
    """Open a page that reaches the run's server alone."""
    url = urllib.parse.urlsplit(run.root)
    route = Upstream(f"http://{url.netloc}", "127.0.0.1", url.port or 0)
    with (
        tempfile.TemporaryDirectory() as folder,
        SiteHost() as host,
        host.serving(route),
        sync_playwright() as playwright,
    ):
        browser, _ = launch(playwright, host.address, Room(Path(folder)))
        yield browser.new_page()
        browser.close()


def told(run: Visited, *awaited: tuple[str, str]) -> list[tuple[str, str, str]]:
    """Return what the page told, once it told these values: events are the last to be sent."""
    events: list[tuple[str, str, str]] = []
    tries = 0
    while not set(awaited) <= {(field, value) for field, _, value in events} and tries < 100:
        time.sleep(0.1)
        events = [(event.field, event.kind, event.value) for event in run.record().events]
        tries += 1
    return events


@pytest.mark.browser
def test_a_browser_answers_a_served_form(visit: Callable[..., Any]) -> None:
    """Typed text, ticks and a file arrive, every change is told, and the policy blocks nothing."""
    run = visit()
    complaints: list[str] = []
    with browsing(run) as page:
        page.on("console", lambda message: complaints.append(message.text))
        page.goto(run.root)
        page.fill("[name=name]", "Ada")
        page.check("[name=colours][value=red]")
        page.check("[name=colours][value=green]")
        page.click("[data-action=next]")
        page.wait_for_selector("[data-page='1']")
        page.click("[data-action=back]")
        page.wait_for_selector("[data-page='0']")
        assert page.input_value("[name=name]") == "Ada"
        page.click("[data-action=next]")
        page.click("[data-page='1'] [data-action=next]")
        page.set_input_files("[name=cv]", {"name": "cv.pdf", "mimeType": "", "buffer": b"%PDF"})
        page.click("[data-page='2'] [data-action=submit]")
        page.wait_for_selector("[data-error=terms]")
        page.check("[name=terms]")
        page.click("[data-action=submit]")
        page.wait_for_selector("[data-state=done]")
        awaited = {"name": "Ada", "colours": "red,green", "cv": "cv.pdf", "terms": "yes"}
        changes = set(told(run, *awaited.items()))
    kept = run.record()
    (sent,) = kept.submissions
    assert (sent.values["name"], sent.values["colours"]) == ("Ada", ("green", "red"))
    assert [(item.field, item.reason) for item in kept.refused] == [("terms", "missing")]
    assert {(field, "change", value) for field, value in awaited.items()} <= changes
    assert [event.page for event in kept.events if event.kind == "upload"] == [2]
    # The browser names the one page that was refused; nothing else was worth a word.
    assert [complaint for complaint in complaints if "422" not in complaint] == []


@pytest.mark.browser
def test_what_was_entered_before_the_script_ran_is_told(visit: Callable[..., Any]) -> None:
    """A page whose script comes late takes no click before it, and tells what was entered."""
    run = visit()
    expected = [("name", "change", "Ada"), ("colours", "change", "red")]
    late: list[Route] = []

    def keep(asked: Route) -> None:
        late.append(asked)

    with browsing(run) as page:
        page.route("**/sender.js", keep)
        page.goto(run.root, wait_until="commit")
        page.locator("[name=name]").evaluate("each => { each.value = 'Ada'; }")
        page.locator("[name=colours][value=red]").evaluate("each => { each.checked = true; }")
        with pytest.raises(Error, match="Timeout 500ms"):
            page.click("[data-action=next]", timeout=500)
        assert run.record().events == ()
        for route in late:
            route.continue_()
        assert told(run, ("name", "Ada"), ("colours", "red")) == expected
        page.click("[data-action=next]")
        page.wait_for_selector("[data-page='1']")


@pytest.mark.browser
def test_a_refused_event_takes_no_other_along(visit: Callable[..., Any]) -> None:
    """Texts too long for the server are not told; one too long for a beacon is, and all after."""
    run = visit()
    with browsing(run) as page:
        page.goto(run.root)
        page.fill("[name=email]", "e" * 60_000)
        page.fill("[name=name]", "é" * 40_000)
        page.check("[name=news]")
        changes = {field for field, _, _ in told(run, ("news", "yes"))}
    assert changes == {"name", "news"}


@pytest.mark.browser
@pytest.mark.parametrize("renderer", ["plain", *SCRIPTED])
def test_a_double_click_sends_once(visit: Callable[..., Any], renderer: str) -> None:
    """Two clicks in a row on a button are one refusal of a page, and one submission at the end."""
    run = visit(Rendering(renderer))
    with browsing(run) as page:
        page.goto(run.root)
        page.dblclick("[data-action=next]")
        page.wait_for_selector("[data-error=colours]")
        page.locator("[data-field=name] input").fill("Ada")
        page.locator("[data-field=colours] [data-option=red]").click()
        page.click("[data-action=next]")
        page.click("[data-page='1'] [data-action=next]")
        page.wait_for_selector("[data-page='2']")
        file: FilePayload = {"name": "cv.pdf", "mimeType": "", "buffer": b"%PDF"}
        with page.expect_file_chooser() as chooser:
            page.click("[data-control=cv]")
        chooser.value.set_files(file)
        page.click("[data-control=terms]")
        page.dblclick("[data-action=submit]")
        page.wait_for_selector("[data-state=done]")
    kept = run.record()
    assert [(item.number, item.field) for item in kept.refused] == [(1, "name"), (1, "colours")]
    assert [(item.number, item.values["name"]) for item in kept.submissions] == [(1, "Ada")]


@pytest.mark.browser
@pytest.mark.parametrize("renderer", ["plain", *SCRIPTED])
def test_a_page_opened_anew_is_told(visit: Callable[..., Any], form: Form, renderer: str) -> None:
    """After a reload nobody holds what was typed, and what is typed then counts again."""
    run = visit(Rendering(renderer))
    with browsing(run) as page:
        page.goto(run.root)
        page.locator("[data-field=name] input").fill("Ada")
        page.locator("[data-field=colours] [data-option=red]").click()
        assert set(told(run, ("name", "Ada"), ("colours", "red"))) >= {
            ("colours", "change", "red")
        }
        page.reload()
        page.wait_for_selector("[data-action=next]")
        told(run, ("name", ""), ("colours", ""))
        assert held_at_end(form, run.record().events) == {"name": (), "colours": ()}
        page.locator("[data-field=name] input").fill("Bea")
        told(run, ("name", "Bea"))
    assert held_at_end(form, run.record().events) == {"name": ("Bea",), "colours": ()}
