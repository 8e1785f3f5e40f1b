"""
A person fills in one field in a browser and sees the score change.
"""

from __future__ import annotations

import contextlib
import re
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from surefoot.capture.routes import Upstream
from surefoot.capture.web.chromium import launch
from surefoot.capture.web.host import SiteHost
from surefoot.capture.web.room import Room
from surefoot.core.errors import FolderBusyError, InvalidInputError
from surefoot.forms.catalogue.reading import find_form
from surefoot.forms.desk.application import serve_desk
from surefoot.forms.desk.cases import Offer
from surefoot.forms.rendering import Rendering
from surefoot.forms.server.runs import record
from surefoot.forms.values.making import make_instance

OFFER: Final = Offer((find_form("bug_report"),), seed=3)


@contextlib.contextmanager
def visiting(browser: Browser, address: str, complaints: list[str]) -> Iterator[Page]:
    """Open a page that reaches one origin alone."""
    url = urllib.parse.urlsplit(address)
    route = Upstream(f"http://{url.netloc}", "127.0.0.1", url.port or 0)
    with SiteHost() as host, host.serving(route):
        page = browser.new_page(proxy={"server": host.address, "bypass": "<-loopback>"})
        page.on("console", lambda message: complaints.append(message.text))
        page.goto(address)
        yield page
        page.close()


@pytest.mark.browser
def test_a_person_sees_the_score_change(tmp_path: Path) -> None:
    """A form is opened, one field filled in, and the open page of the score shows it as right."""
    complaints: list[str] = []
    with (
        serve_desk(tmp_path, OFFER) as address,
        SiteHost() as nowhere,
        sync_playwright() as playwright,
    ):
        browser, _ = launch(playwright, nowhere.address, Room(tmp_path / "room"))
        with visiting(browser, address, complaints) as desk:
            desk.click("button[value=bug_report]")
            form_at = desk.get_attribute("text=Open the form", "href") or ""
            desk.click("text=Watch the score")
            row = desk.locator("[data-row=title]")
            expect(row).to_contain_text("Still empty")
            with visiting(browser, form_at, complaints) as form:
                value = str(make_instance(OFFER.forms[0], seed=3, index=0).values["title"])
                form.fill("[name=title]", value)
                expect(row).to_contain_text("Right, not sent yet")
                expect(row).to_contain_text(value)
                form.fill("[name=title]", "Another bug")
                expect(row).to_contain_text("Not the right value")
            expect(desk.locator(".stopped")).to_be_hidden()
            desk.set_viewport_size({"width": 390, "height": 800})
            wide = [desk.evaluate("document.documentElement.scrollWidth")]
            desk.click("text=All forms")
            wide.append(desk.evaluate("document.documentElement.scrollWidth"))
        browser.close()
    assert wide == [390, 390], "on a telephone tables scroll, and the page does not"
    assert complaints == []
    assert urllib.parse.urlsplit(form_at).netloc != urllib.parse.urlsplit(address).netloc
    (token,) = re.findall("/r/([0-9a-f]{32})/", form_at)
    assert record(tmp_path, token).events


def test_one_folder_has_one_desk(tmp_path: Path) -> None:
    """A second desk of a served folder is refused; a look that there is not makes no folder."""
    folder = tmp_path / "tried"
    wrong = Offer(OFFER.forms, Rendering(theme="none"))
    with pytest.raises(InvalidInputError, match="clear"), serve_desk(folder, wrong):
        pass
    assert not folder.exists()
    with (
        serve_desk(folder, OFFER),
        pytest.raises(FolderBusyError),
        serve_desk(folder, OFFER),
    ):
        pass
