"""
The command that signs in, and the first hour with a product of one's own.
"""

from __future__ import annotations

import http.server
import json
import os
import re
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import surefoot
from surefoot.core.errors import InvalidInputError, MissingComponentError
from tests.product import PASSWORD, Product

PAGE = Path(__file__).parents[2] / "docs" / "own-product.md"


@pytest.fixture
def product() -> Iterator[Product]:
    """Lend a product whose poll is answered."""
    with Product() as running:
        running.polls = False
        yield running


def blocks(kind: str) -> list[str]:
    """Return the blocks of the page that are of one language."""
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.long
def test_the_first_hour_is_as_the_page_says(product: Product, tmp_path: Path) -> None:
    """Every command of the page runs in a shell, from the login to the report."""
    (script,) = blocks("python")
    (tmp_path / "sign_in.py").write_text(script)
    (tmp_path / "surefoot").write_text(f'#!/bin/sh\nexec {sys.executable} -m surefoot "$@"\n')
    (tmp_path / "surefoot").chmod(0o755)
    told = {"APP": product.origin, "APP_PASSWORD": PASSWORD, "SUREFOOT_UNCONFINED": "1"}
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"

    subprocess.run(
        ["sh", "-e", "-c", "\n".join(blocks("sh"))],
        cwd=tmp_path,
        env={**os.environ, **told, "PATH": path},
        check=True,
    )

    assert stat.S_IMODE((tmp_path / "state.json").stat().st_mode) == 0o600
    assert len(surefoot.open_screens(tmp_path / "out" / "screens")) == 2
    assert (tmp_path / "out" / "report.html").stat().st_size > 0
    written = b"".join(one.read_bytes() for one in (tmp_path / "out").rglob("*") if one.is_file())
    assert not [token for token in (*product.tokens, PASSWORD) if token.encode() in written]


@pytest.mark.browser
def test_a_state_is_written_for_its_owner(
    product: Product, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file holds the session, and nobody else may read it."""
    monkeypatch.setenv("APP_PASSWORD", PASSWORD)
    script, out = tmp_path / "sign_in.py", tmp_path / "state.json"
    script.write_text(blocks("python")[0])

    file = surefoot.login(f"{product.origin}/login", login=script, signed_in="#leave", out=out)

    assert file == out
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    held = [cookie["value"] for cookie in json.loads(out.read_text())["cookies"]]
    assert product.sessions & {*held}


class _Shop(http.server.BaseHTTPRequestHandler):
    """Serve a page that knows its user by the session storage alone."""

    def do_GET(self) -> None:
        """Send the page."""
        page = b"""<!doctype html><title>Shop</title><main></main><script>
            const show = () => { document.querySelector("main").innerHTML =
              sessionStorage.getItem("pass") === "plum-tart-42"
                ? "<h1>Orders</h1><button id=leave>Sign out</button>"
                : "<form><label>Name <input></label><label>Password <input type=password></label>"
                  + "<button type=button onclick='enter()'>Sign in</button></form>"; };
            const enter = () => { sessionStorage.setItem("pass", "plum-tart-42"); show(); };
            show();</script>"""
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.send_header("content-length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.mark.browser
@pytest.mark.slow
def test_a_session_that_ends_with_its_window_is_kept(tmp_path: Path) -> None:
    """Who is known by the session storage alone is known in a capture, and stands in no file."""
    script, out = tmp_path / "sign_in.py", tmp_path / "state.json"
    script.write_text(
        "async def login(page):\n    await page.goto('/')\n"
        "    await page.get_by_role('button', name='Sign in').click()\n"
    )
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Shop) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        origin = f"http://127.0.0.1:{server.server_address[1]}"
        state = surefoot.login(f"{origin}/", login=script, signed_in="#leave", out=out)
        screens = surefoot.capture(
            f"{origin}/", out=tmp_path / "screens", storage_state=state, signed_in="#leave",
            workers=1,
        )  # fmt: skip
        server.shutdown()

    assert [one["sessionStorage"] for one in json.loads(out.read_text())["origins"]] == [
        [{"name": "pass", "value": "plum-tart-42"}]
    ]
    (screen,) = screens
    assert "Sign out" in {element.name for element in screen.elements}
    files = [one for one in (tmp_path / "screens").rglob("*") if one.is_file()]
    assert not [one for one in files if b"plum-tart-42" in one.read_bytes()]


def test_what_cannot_be_signed_in_at_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a display a script is asked for; a folder is no address."""
    monkeypatch.delenv("DISPLAY", raising=False)

    with pytest.raises(MissingComponentError, match="by a script"):
        surefoot.login("http://127.0.0.1:1/", out=tmp_path / "state.json")

    with pytest.raises(InvalidInputError, match="an address"):
        surefoot.login(str(tmp_path), out=tmp_path / "state.json")


@pytest.mark.desktop
@pytest.mark.slow
def test_a_person_is_shown_a_window(product: Product, tmp_path: Path) -> None:
    """The window is there until the page shows what only one who has arrived sees."""
    with subprocess.Popen(
        ["Xvfb", "-displayfd", "1", "-screen", "0", "1300x900x24"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as screen:
        number = screen.stdout.readline().strip() if screen.stdout else ""
        out = tmp_path / "state.json"
        script = (
            f"import surefoot; surefoot.login({product.origin + '/login'!r}, out={str(out)!r}, "
        )
        script += "signed_in='[name=user]')"
        environment = {**os.environ, "DISPLAY": f":{number}"}
        ended = subprocess.run([sys.executable, "-c", script], env=environment, check=False)
        screen.kill()

    assert ended.returncode == 0
    assert [cookie["name"] for cookie in json.loads(out.read_text())["cookies"]] == ["csrf"]
