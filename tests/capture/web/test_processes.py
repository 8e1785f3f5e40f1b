"""
The network service of a real Chromium, alive and killed.
"""

from __future__ import annotations

import re

import psutil
import pytest

from attacks.resources import network_services
from surefoot.capture.settings import Settings
from surefoot.capture.sources import list_addresses
from surefoot.capture.web.browser import Browser
from surefoot.core.errors import CaptureError


def kill_network(browser: int) -> None:
    """Kill the network service of a browser and wait until it is gone."""
    services = network_services(browser)
    assert services
    for service in services:
        service.kill()
    psutil.wait_procs(services, timeout=5)


@pytest.mark.browser
def test_a_visit_that_lost_its_network_says_so_and_the_next_one_is_whole(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """A killed network service is the browser's failure, of that one visit."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "index.html").write_text("<p>hello</p>")
    (address,) = list_addresses(str(folder))
    with Browser() as browser:
        with (
            pytest.raises(CaptureError, match=re.escape(address.spec)) as raised,
            browser.visit(address, Settings()),
        ):
            kill_network(browser.pid)
        assert raised.value.reason == "browser-error"
        with browser.visit(address, Settings()) as visit:
            visit.verify()
            assert visit.page.inner_text("p") == "hello"
