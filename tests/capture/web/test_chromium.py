"""
Chromium is found or named as missing, and what determines its pixels is told.
"""

from __future__ import annotations

import io
import re
import resource
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Playwright

from surefoot.capture.captured import Capture
from surefoot.capture.fonts import fonts_identity
from surefoot.capture.web import chromium
from surefoot.capture.web.chromium import identity, launch, page_script
from surefoot.capture.web.room import Confinement, Room
from surefoot.core.errors import MissingComponentError

SHELL = "chromium headless shell 1"


def playwright_with(program: str) -> Playwright:
    """Return a driver whose own browser lies at a path."""
    return cast("Playwright", SimpleNamespace(chromium=SimpleNamespace(executable_path=program)))


def test_absent_chromium_is_a_missing_component(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Without any browser the message says how to get one."""
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(MissingComponentError, match="apt-get install chromium"):
        launch(playwright_with("/absent/chromium"), "http://127.0.0.1:1", Room(tmp_path))


def test_identity_names_all_that_determines_pixels() -> None:
    """Another version is another identity; the same machine is the same."""
    assert identity("1.2.3") == identity("1.2.3") != identity("1.2.4")
    known = {"renderer", "platform", "flags", "capture", *fonts_identity()}
    assert set(identity("1.2.3")) == known > {"fonts"}


@pytest.mark.parametrize(
    ("programs", "display", "program", "renderer"),
    [
        (("chromium",), "", "chromium", "chromium 1"),
        (("chromium", "chromium-headless-shell"), "", "chromium-headless-shell", SHELL),
        (("chromium", "chromium-headless-shell"), ":7", "chromium", "chromium 1"),
        (("chromium-headless-shell",), "", "chromium-headless-shell", SHELL),
    ],
)
def test_the_headless_shell_is_preferred_where_nothing_is_shown(
    programs: tuple[str, ...],
    display: str,
    program: str,
    renderer: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Pages are drawn by the shell where there is one, on a display by Chromium, and told so."""
    for item in programs:
        (tmp_path / item).touch(mode=0o755)
    monkeypatch.setattr(chromium, "HEADLESS_SHELLS", ("chromium-headless-shell",))
    monkeypatch.setattr(chromium, "fonts_identity", dict)
    monkeypatch.setenv("PATH", str(tmp_path))
    launched: list[dict[str, object]] = []
    driver = SimpleNamespace(chromium=SimpleNamespace(launch=lambda **how: launched.append(how)))

    room = Room(tmp_path_factory.mktemp("room"))
    monkeypatch.setattr(room, "confinements", lambda *_: iter([Confinement()]))

    launch(cast("Playwright", driver), "http://127.0.0.1:1", room, display)

    assert f" {tmp_path / program} " in Path(str(launched[0]["executable_path"])).read_text()
    assert launched[0]["chromium_sandbox"] is False
    assert launched[0]["headless"] is not bool(display)
    assert identity("1", display)["renderer"] == renderer


@pytest.mark.parametrize("limit", [resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE])
def test_a_chromium_that_is_there_and_does_not_start_is_not_to_be_installed(
    limit: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Under low limits the limits are named; else how to see why it does not start."""

    def launch_not(**_: object) -> None:
        raise PlaywrightError("it ended")

    (tmp_path / "chromium").touch(mode=0o755)
    monkeypatch.setattr(chromium, "HEADLESS_SHELLS", ())
    monkeypatch.setenv("PATH", str(tmp_path))
    room = Room(tmp_path)
    monkeypatch.setattr(room, "confinements", lambda *_: iter([Confinement()]))
    driver = cast("Playwright", SimpleNamespace(chromium=SimpleNamespace(launch=launch_not)))
    told = []
    for low in (True, False):
        enough = (20, 20) if low else (resource.RLIM_INFINITY,) * 2
        asked = {limit: enough}
        monkeypatch.setattr(
            resource, "getrlimit", lambda kind, asked=asked: asked.get(kind, (-1, -1))
        )
        with pytest.raises(MissingComponentError) as raised:
            launch(driver, "http://127.0.0.1:1", room)
        told.append(raised.value.remedy)

    assert re.fullmatch(
        r"raise the limits that keep it from starting: `ulimit -\w` is 20", told[0]
    )
    assert "chromium --headless --version" in told[1]
    assert not any("install" in words for words in told)


def test_page_scripts_are_found() -> None:
    """Scripts for pages travel with the package."""
    assert "Math" in page_script("hermetic.js")


@pytest.mark.browser
def test_emoji_are_drawn_in_colour(shot: Callable[..., Capture]) -> None:
    """An emoji is a coloured picture and not the empty box that stands for no glyph at all."""
    listed = subprocess.run(
        ["fc-list", ":lang=und-zsye"], capture_output=True, text=True, check=True
    )
    if not listed.stdout:
        pytest.skip("no font has emoji: apt-get install fonts-noto-color-emoji")
    png = shot("<body style='margin:0;font:40px sans-serif'>&#x1F389; &#x2705; &#x1F600;").png
    pixels = np.asarray(Image.open(io.BytesIO(png)).convert("RGB")).astype(int)
    coloured = np.ptp(pixels[:60, :180], axis=2) > 60
    inked = (pixels[:60, :180] < 240).any(axis=2)

    assert inked.mean() > 0.2
    assert (coloured & inked).sum() > 0.6 * inked.sum()
