"""
A recording is a list of pages and files by their digests: what it has not is refused by name.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from surefoot.capture.address import Services
from surefoot.capture.routes import Folder
from surefoot.capture.settings import Settings, device_settings
from surefoot.capture.sources import contents_of, list_addresses, open_address
from surefoot.capture.sources.recorded import (
    FILES,
    LIST,
    VERSION,
    RecordedPage,
    RecordedView,
    Recording,
    read_recording,
    write_recording,
)
from surefoot.core.canonical import sha256
from surefoot.core.errors import CaptureError, InvalidInputError

SMALL = Settings(width=500, height=400)


def page(name: str, text: str, settings: Settings = SMALL) -> RecordedPage:
    """Return a page of one document."""
    document = f"{sha256(text.encode())}.html"
    return RecordedPage(name, RecordedView.of(settings), document, (document,))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write a recording of two pages, one of them as a desktop and as a phone show it."""
    out = tmp_path / "app.rec"
    (out / FILES).mkdir(parents=True)
    pages = [
        page("/#/orders", "wide"),
        page("/about", "about"),
        page("/#/orders", "narrow", device_settings("phone")),
    ]
    recording = Recording(VERSION)
    for one, text in zip(pages, ("wide", "about", "narrow"), strict=True):
        (out / FILES / one.document).write_text(text)
        recording = recording.with_page(one)
    write_recording(out, recording)
    return out


def test_pages_are_named_by_their_way_and_not_by_where_they_were_served(folder: Path) -> None:
    """All pages of a recording, or one by its route, whose name may hold a # of its own."""
    all_pages = list_addresses(f"recorded:{folder}")
    one = list_addresses(f"recorded:{folder}#/#/orders")

    assert [address.page for address in all_pages] == ["app/#/orders", "app/about"]
    assert [address.spec for address in one] == [f"recorded:{folder}#/#/orders"]
    assert {address.site for address in all_pages} == {"app"}


def test_a_page_is_opened_as_it_was_recorded_with_the_same_settings(folder: Path) -> None:
    """A phone is shown what was recorded on a phone, and a tablet nothing."""
    (address,) = list_addresses(f"recorded:{folder}#/#/orders")

    with Services() as services:
        wide = open_address(address, services, SMALL)
        narrow = open_address(address, services, device_settings("phone"))
        with pytest.raises(CaptureError) as caught:
            open_address(address, services, device_settings("tablet"))

    shown = [
        (folder / FILES / opened.url.rpartition("/")[2]).read_text() for opened in (wide, narrow)
    ]
    assert shown == ["wide", "narrow"]
    assert wide.frozen
    assert caught.value.reason == "not-recorded"
    assert "tablet" in str(caught.value)
    assert "500 x 400" in str(caught.value)


def test_only_the_files_of_a_page_are_served_and_a_plan_knows_their_bytes(folder: Path) -> None:
    """Another page's file is no file of this one, and a changed one has another digest."""
    (address,) = list_addresses(f"recorded:{folder}#/about")
    before = contents_of([address])

    with Services() as services:
        route = open_address(address, services, SMALL).route
    (document,) = before[address.spec]
    (folder / FILES / document).write_text("other")

    assert isinstance(route, Folder)
    assert set(route.digests or {}) == {document}
    assert contents_of([address])[address.spec][document] != before[address.spec][document]


def test_what_is_no_recording_is_refused(folder: Path, tmp_path: Path) -> None:
    """A folder without a list, a page that there is not, and a list of another version."""
    (tmp_path / "empty").mkdir()
    for spec, found in ((f"{tmp_path}/empty", LIST), (f"{folder}#/nowhere", "/about")):
        with pytest.raises(InvalidInputError, match=found):
            list_addresses(f"recorded:{spec}")
    write_recording(folder, msgspec.structs.replace(read_recording(folder), version=VERSION + 1))

    with pytest.raises(InvalidInputError, match="version 2"):
        read_recording(folder)


def test_a_page_recorded_again_takes_the_place_of_the_former(folder: Path) -> None:
    """The same name and view is one page; another view of it stays."""
    recording = read_recording(folder).with_page(page("/#/orders", "wider"))

    kept = [(one.name, one.view.device) for one in recording.pages]
    assert kept == [("/#/orders", "desktop"), ("/#/orders", "phone"), ("/about", "desktop")]
    assert recording.pages[0].document == page("/#/orders", "wider").document
