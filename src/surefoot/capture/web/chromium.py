"""
Chromium itself: where it is, how it is started, and what of it determines the pixels.
"""

from __future__ import annotations

import functools
import importlib.resources
import platform
import resource
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from surefoot.capture.fonts import fonts_identity
from surefoot.capture.settings import Settings
from surefoot.capture.web.room import Confinement, Room
from surefoot.core.canonical import digest
from surefoot.core.errors import MissingComponentError

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright


PROGRAMS: Final = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
# The same pixels for a quarter of the processor time: no window is drawn around each page.
# Debian's program on PATH is a script that stays beside its child, so the child comes first.
HEADLESS_SHELLS: Final = (
    "/usr/lib/chromium/chromium-headless-shell",
    "chromium-headless-shell",
    "chrome-headless-shell",
)
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
    # As Chromium with a window does; only its headless shell asks for it.
    "--font-render-hinting=slight",
    "--disable-lcd-text",
    # Else a tile redrawn in part, or a picture decoded late, differs by a shade between runs.
    "--disable-partial-raster",
    "--disable-checker-imaging",
    "--blink-settings=imageAnimationPolicy=2",
    "--hide-scrollbars",
    # Every frame in the process of its page: to one of its own, scripts that have to come first
    # come too late now and then.
    "--disable-site-isolation-trials",
    # random() of CSS is drawn anew at each load.
    "--disable-blink-features=CSSRandomFunction",
    # Fields of dates and numbers as a browser in the page's language draws and reads them.
    "--enable-blink-features=LangAttributeAwareFormControlUI",
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
CAPTURE_VERSION: Final = 11
# As Chrome reduces it: no model, and no version but the first number.
HANDHELD: Final = (
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/{version}.0.0.0 {kind}/537.36"
)
# What Chromium cannot do without, by the letter of a shell's `ulimit`.
LIMITS: Final = {
    "-v": (resource.RLIMIT_AS, 2**41),
    "-d": (resource.RLIMIT_DATA, 2**31),
    "-n": (resource.RLIMIT_NOFILE, 256),
    "-u": (resource.RLIMIT_NPROC, 256),
    "-f": (resource.RLIMIT_FSIZE, 2**26),
    "-t": (resource.RLIMIT_CPU, 60),
}
REMEDY: Final = "install it: apt-get install chromium, or: python -m playwright install chromium"


class ChromiumStart(NamedTuple):
    """Say one way to start a Chromium: by which script, with which arguments, how confined."""

    program: str
    script: Path
    arguments: list[str]
    confinement: Confinement

    @property
    def sandbox(self) -> bool:
        """Tell whether Chromium's own sandbox works in it."""
        return self.confinement.sandbox


def starts(
    fallback: Callable[[], str],
    proxy: str,
    room: Room,
    display: str = "",
    keys: Iterable[str] = (),
) -> Iterator[ChromiumStart]:
    """
    Yield the ways to start a Chromium whose every request goes through a proxy.

    The most confined comes first. A system Chromium comes before the ``fallback``, its headless
    shell before all. It shows itself on the X ``display``, where one is named, and believes
    servers that have one of the ``keys``, each the SHA-256 of a public key in base64. Raises
    MissingComponentError without any.
    """
    found = _installed(display) or fallback()
    if not Path(found).exists():
        raise MissingComponentError("Chromium", found="none", remedy=REMEDY)
    believed = [f"--ignore-certificate-errors-spki-list={','.join(keys)}"] if keys else []
    shown = SCREEN_FLAGS if display else ()
    arguments = [*FLAGS, *shown, *believed, f"--proxy-server={proxy}"]
    # Each twice: one that dies at its start by accident is no reason to confine it less.
    for confinement in (kind for kind in room.confinements(found, display) for _ in range(2)):
        script = room.script(found, confinement, display)
        yield ChromiumStart(found, script, arguments, confinement)


def launch(
    playwright: Playwright,
    proxy: str,
    room: Room,
    display: str = "",
    *,
    keys: Iterable[str] = (),
) -> tuple[Browser, Confinement]:
    """
    Start a Chromium, confined as well as can be, in the first of the ways that ``starts``.

    Raises MissingComponentError without any that does.
    """
    from playwright.sync_api import Error

    trouble, found = "", ""
    for how in starts(lambda: playwright.chromium.executable_path, proxy, room, display, keys):
        found = how.program
        try:
            browser = playwright.chromium.launch(
                executable_path=how.script,
                args=how.arguments,
                headless=not display,
                chromium_sandbox=how.sandbox,
            )
        except Error as error:
            trouble = f"{found}: {str(error).splitlines()[0]}"
        else:
            return browser, how.confinement
    raise MissingComponentError("a Chromium that starts", found=trouble, remedy=_why_not(found))


def _why_not(program: str) -> str:
    """Say what may keep a Chromium that is there from starting: low limits of this shell."""
    low = [
        f"`ulimit {letter}` is {limit:,}"
        for letter, (kind, needed) in LIMITS.items()
        if (limit := resource.getrlimit(kind)[0]) != resource.RLIM_INFINITY and limit < needed
    ]
    if low:
        return f"raise the limits that keep it from starting: {', '.join(low)}"
    return f"run `{program} --headless --version` to see why it does not; `surefoot doctor` helps"


def identity(version: str, display: str = "") -> dict[str, str]:
    """Return what of the renderer determines pixels, as data for a plan."""
    shell = " headless shell" if _installed(display) in _paths(HEADLESS_SHELLS) else ""
    return {
        "renderer": f"chromium{shell} {version}",
        "platform": f"{platform.system().lower()} {platform.machine()}",
        "flags": digest(FLAGS)[:16],
        "capture": str(CAPTURE_VERSION),
        **fonts_identity(),
    }


def user_agent(version: str, settings: Settings) -> str | None:
    """
    Return what a phone or tablet calls itself, None for what the browser itself says.

    >>> from surefoot.capture.settings import device_settings
    >>> user_agent("156.0.8078.79", device_settings("tablet"))[-30:]
    'Chrome/156.0.0.0 Safari/537.36'
    """
    if not settings.mobile:
        return None
    kind = "Mobile Safari" if settings.device == "phone" else "Safari"
    return HANDHELD.format(version=version.partition(".")[0], kind=kind)


@functools.cache
def page_script(name: str) -> str:
    """Return one of the scripts that run in pages, by its file name."""
    return importlib.resources.files(__package__).joinpath("javascript", name).read_text("utf-8")


def _installed(display: str) -> str:
    """Return the path of the system's Chromium for a display, "" where there is none."""
    return next(iter(_paths(PROGRAMS if display else (*HEADLESS_SHELLS, *PROGRAMS))), "")


def _paths(programs: Iterable[str]) -> list[str]:
    return [found for found in map(shutil.which, programs) if found]
