"""
A running application is alone on its loopback, is put back, and ends when its owner does.
"""

from __future__ import annotations

import http
import json
import os
import signal
import subprocess
import sys
import time
import urllib.parse
from typing import Final

import psutil
import pytest

from surefoot.capture.applications.installing import RECIPES, install
from surefoot.capture.applications.running import RunningApplication, run
from surefoot.capture.confinement import HOME, walls_hold
from surefoot.capture.routes import Upstream, forward
from surefoot.core.errors import CaptureError, MissingComponentError

OWNER: Final = """
import time
from surefoot.capture.applications.installing import RECIPES
from surefoot.capture.applications.running import run
with run(RECIPES.get("quay")) as application:
    application.ready()
    print("ready", flush=True)
    time.sleep(60)
"""


def load(application: RunningApplication, path: str, *, fresh: bool = False) -> tuple[int, str]:
    """Return status and body of a page, asked for as the site host does."""
    listener = application.ready(fresh=fresh)
    route = Upstream("http://app-quay.localhost", "", 0, socket=listener)
    reply = forward(route, "GET", urllib.parse.urlsplit(f"{route.origin}{path}"), {})
    return reply.status, b"".join(reply.chunks).decode()


@pytest.mark.usefixtures("quay")
def test_state_is_put_back_and_a_dead_application_comes_again() -> None:
    """What a page wrote is gone after a fresh start; one that died is started anew."""
    recipe = RECIPES.get("quay")
    with pytest.raises(MissingComponentError, match="surefoot apps install quay"), run(recipe):
        pass
    install(recipe, lambda _: None)
    with run(recipe) as application:
        first = load(application, "/orders")
        load(application, "/add")
        written = load(application, "/orders")
        back = load(application, "/orders", fresh=True)
        status, _ = load(application, "/die")
        end = time.monotonic() + 20
        while (risen := load(application, "/orders")) != first and time.monotonic() < end:
            time.sleep(0.05)

    assert "Lantern" in written[1]
    assert back == first
    assert status == http.HTTPStatus.BAD_GATEWAY
    assert risen == first


@pytest.mark.usefixtures("quay")
def test_it_sees_nothing_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told no key, has a home of its own and, where there are walls, no network."""
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    recipe = RECIPES.get("quay")
    install(recipe, lambda _: None)
    with run(recipe) as application:
        seen = json.loads(load(application, "/inside")[1])

    assert "OPENAI_API_KEY" not in seen["environment"]
    assert seen["home"] != os.environ.get("HOME")
    if walls_hold() is not None:
        assert seen["home"] == HOME
        assert seen["networks"] == ["lo"]


@pytest.mark.usefixtures("quay")
@pytest.mark.parametrize(
    ("name", "words"), [("quay-broken", "no port"), ("quay-garbled", "ended")]
)
def test_what_does_not_start_is_said_once(name: str, words: str) -> None:
    """One that ends, or answers with no HTTP, is a reason with its last words, kept for later."""
    recipe = RECIPES.get(name)
    install(recipe, lambda _: None)
    with run(recipe) as application:
        with pytest.raises(CaptureError, match=words) as first:
            application.ready()
        with pytest.raises(CaptureError) as second:
            application.ready()

    assert first.value.reason == "not-started"
    assert second.value is first.value


@pytest.mark.usefixtures("quay")
def test_it_ends_with_its_owner() -> None:
    """Once the owner was killed, everything that it started ends by itself."""
    install(RECIPES.get("quay"), lambda _: None)
    with subprocess.Popen([sys.executable, "-c", OWNER], stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None
        assert owner.stdout.readline() == b"ready\n"
        started = psutil.Process(owner.pid).children(recursive=True)
        os.kill(owner.pid, signal.SIGKILL)
    _, left = psutil.wait_procs(started, timeout=5)

    assert len(started) >= 2
    assert [item for item in left if item.status() != psutil.STATUS_ZOMBIE] == []
