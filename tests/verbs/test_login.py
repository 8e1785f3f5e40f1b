"""
The command that signs in, and the first hour with a product of one's own.
"""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
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
