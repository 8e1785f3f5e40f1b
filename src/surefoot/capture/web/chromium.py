"""
Chromium itself: where it is, how it is started, and what of it determines the pixels.
"""

from __future__ import annotations

import functools
import importlib.resources
import os
import platform
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Final

from surefoot.core.canonical import digest
from surefoot.core.errors import MissingComponentError

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

from surefoot.capture.fonts import fonts_digest

__all__ = ["identity", "launch", "page_script"]

PROGRAMS: Final = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
FLAGS: Final = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    "--no-pings",
    "--force-color-profile=srgb",
    "--font-render-hinting=none",
    "--disable-lcd-text",
    # Else a tile redrawn in part, or a picture decoded late, differs by a shade between runs.
    "--disable-partial-raster",
    "--disable-checker-imaging",
    "--blink-settings=imageAnimationPolicy=2",
    "--hide-scrollbars",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--proxy-bypass-list=<-loopback>",
)
# Of a browser on a screen: nothing of its own over the page, a wheel that turns at once.
SCREEN_FLAGS: Final = (
    "--ozone-platform=x11",
    "--test-type",
    "--disable-smooth-scrolling",
    "--disable-save-password-bubble",
)
# How elements and their words are found in a page; raised whenever a screen would change.
CAPTURE_VERSION: Final = 2
REMEDY: Final = "install it: apt-get install chromium, or: python -m playwright install chromium"


def launch(playwright: Playwright, proxy: str, display: str = "") -> Browser:
    """
    Start a Chromium whose every request goes through a proxy.

    A system Chromium comes first, then Playwright's own. The sandbox is kept wherever it
    can work, which is for every user but root. It shows itself on the X ``display``, where
    one is named. Raises MissingComponentError without any.
    """
    program = _program(playwright)
    sandbox = hasattr(os, "geteuid") and os.geteuid() != 0
    from playwright.sync_api import Error

    try:
        return playwright.chromium.launch(
            executable_path=program,
            args=[*FLAGS, *(SCREEN_FLAGS if display else ()), f"--proxy-server={proxy}"],
            headless=not display,
            env={**os.environ, "DISPLAY": display} if display else None,
            chromium_sandbox=sandbox,
        )
    except Error as error:
        raise MissingComponentError(
            "a Chromium that starts",
            found=f"{program}: {str(error).splitlines()[0]}",
            remedy=REMEDY,
        ) from error


def identity(version: str) -> dict[str, str]:
    """Return what of the renderer determines pixels, as data for a plan."""
    return {
        "renderer": f"chromium {version}",
        "fonts": fonts_digest(),
        "platform": f"{platform.system().lower()} {platform.machine()}",
        "flags": digest(FLAGS)[:16],
        "capture": str(CAPTURE_VERSION),
    }


@functools.cache
def page_script(name: str) -> str:
    """Return one of the scripts that run in pages, by its file name."""
    return importlib.resources.files(__package__).joinpath("javascript", name).read_text("utf-8")


def _program(playwright: Playwright) -> str:
    for name in PROGRAMS:
        found = shutil.which(name)
        if found:
            return found
    own = playwright.chromium.executable_path
    if Path(own).exists():
        return own
    raise MissingComponentError("Chromium", found="none", remedy=REMEDY)
