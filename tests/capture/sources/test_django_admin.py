"""
Django's admin starts, is the same at each start, speaks languages, and ends with us.
"""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import time
import urllib.parse
from collections.abc import Iterator
from typing import Final

import psutil
import pytest

from surefoot.capture.routes import HttpReply, Upstream, forward
from surefoot.capture.sources import Address, Services, list_addresses, open_address
from surefoot.core.errors import InvalidInputError, MissingComponentError


@pytest.fixture(scope="module")
def services() -> Iterator[Services]:
    """Lend what was started to a module's tests."""
    with Services() as running:
        yield running


def load(services: Services, address: Address, language: str = "en") -> HttpReply:
    """Ask the site for a page as the site host would."""
    opened = open_address(address, services)
    assert isinstance(opened.route, Upstream)
    url = urllib.parse.urlsplit(opened.url)
    headers = {"Host": url.netloc, "Accept-Language": language}
    return forward(opened.route, "GET", url, headers)


def text(reply: HttpReply) -> str:
    """Return the body as text."""
    return b"".join(reply.chunks).decode()


def test_every_page_is_there_and_signed_in(services: Services) -> None:
    """At least 15 pages answer with the admin itself, never with its log-in form."""
    addresses = list_addresses("django-admin:")
    assert len(addresses) >= 15
    for address in addresses:
        reply = load(services, address)
        assert reply.status == 200, address
        assert 'id="login-form"' not in text(reply), address
        assert "Helen" in text(reply), address


def test_two_starts_give_the_same_pages(services: Services) -> None:
    """Another process serves the same bytes, for every page."""
    addresses = list_addresses("django-admin:")
    with Services() as other:
        for address in addresses:
            assert text(load(services, address)) == text(load(other, address)), address


@pytest.mark.parametrize(
    ("language", "word"), [("fr", "Utilisateurs"), ("ru", "Пользователи"), ("th", "ผู้ใช้")]
)
def test_admin_speaks_the_visitor_s_language(services: Services, language: str, word: str) -> None:
    """The page is in the language that the browser asks for."""
    (address,) = list_addresses("django-admin:/admin/auth/user/?q=maria")
    assert word in text(load(services, address, language))


def test_style_sheets_are_served(services: Services) -> None:
    """The admin's own static files arrive."""
    opened = open_address(list_addresses("django-admin:/admin/")[0], services)
    assert isinstance(opened.route, Upstream)
    url = urllib.parse.urlsplit("http://django-admin.localhost/static/admin/css/base.css")
    assert forward(opened.route, "GET", url, {"Host": url.netloc}).status == 200


def test_unknown_page_is_refused() -> None:
    """A path that the admin does not list is the caller's mistake."""
    with pytest.raises(InvalidInputError):
        list_addresses("django-admin:/shop/")


def test_absent_django_is_a_missing_component(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Django the message says how to get it."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(MissingComponentError, match=r"surefoot\[django\]"):
        list_addresses("django-admin:")


OWNER: Final = """
import time
from surefoot.capture.sources import Services, list_addresses, open_address
with Services() as services:
    open_address(list_addresses("django-admin:")[0], services)
    print("ready", flush=True)
    time.sleep(60)
"""


def test_site_ends_with_its_owner() -> None:
    """Once the owner was killed, the site's process ends by itself."""
    with subprocess.Popen([sys.executable, "-c", OWNER], stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None
        assert owner.stdout.readline() == b"ready\n"
        (site,) = psutil.Process(owner.pid).children()
        os.kill(owner.pid, signal.SIGKILL)
    end = time.monotonic() + 5
    while site.is_running() and site.status() != "zombie" and time.monotonic() < end:
        time.sleep(0.1)
    assert not site.is_running() or site.status() == "zombie"
