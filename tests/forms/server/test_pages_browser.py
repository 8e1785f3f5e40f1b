"""
A real browser answers a served form: its headers, its posts and its script suit the server.
"""

from __future__ import annotations

import urllib.parse
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

from surefoot.capture.chromium import launch
from surefoot.capture.host import SiteHost
from surefoot.capture.routes import Upstream


@pytest.mark.browser
def test_a_browser_answers_a_served_form(visit: Callable[..., Any]) -> None:
    """Typed text, ticks and a file arrive, every change is told, and the policy blocks nothing."""
    run = visit()
    url = urllib.parse.urlsplit(run.root)
    route = Upstream(f"http://{url.netloc}", "127.0.0.1", url.port or 0)
    complaints: list[str] = []
    with SiteHost() as host, host.serving(route), sync_playwright() as playwright:
        browser = launch(playwright, host.address)
        page = browser.new_page()
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
        browser.close()
    kept = run.record()
    (sent,) = kept.submissions
    assert (sent.values["name"], sent.values["colours"]) == ("Ada", ("green", "red"))
    assert [(each.field, each.reason) for each in kept.refused] == [("terms", "missing")]
    told = {(each.field, each.kind, each.value) for each in kept.events}
    assert {("name", "change", "Ada"), ("colours", "change", "red,green")} <= told
    assert ("cv", "change", "cv.pdf") in told
    assert [each.page for each in kept.events if each.kind == "upload"] == [2]
    # The browser names the one page that was refused; nothing else was worth a word.
    assert [each for each in complaints if "422" not in each] == []
