"""
Sign in once, by a script or by a person's own hands, and keep what the browser then holds.

The browser is as confined as any: it reaches the origins that were named, and no other.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import inspect
import os
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from surefoot.capture.access.access import Access
from surefoot.capture.access.certificates import public_keys
from surefoot.capture.access.states import with_sessions
from surefoot.capture.settings import DEVICES
from surefoot.capture.sources.web import further_origin
from surefoot.capture.web.chromium import page_script, starts
from surefoot.capture.web.host import SiteHost
from surefoot.capture.web.room import Room
from surefoot.core.children import child_environment, environment_of_children
from surefoot.core.errors import InvalidInputError, MissingComponentError, SurefootError
from surefoot.core.foreign.scrubbing import Scrubber

if TYPE_CHECKING:
    from playwright.async_api import Browser as Chromium
    from playwright.async_api import BrowserContext, Page, Playwright

    LoginFunction: TypeAlias = Callable[[Page], Awaitable[object]]

SCRIPT_S: Final = 120.0
SIGNED_IN_S: Final = 30.0
PERSON_S: Final = 900.0
POLL_S: Final = 0.5
HOW: Final = "write async def login(page), which uses a page of Playwright's async API"


def sign_in(
    origin: str, access: Access, further: Iterable[str] = (), *, url: str = "", display: str = ""
) -> dict[str, Any]:
    """
    Return the storage state after the access's login script, or after what a person did.

    The script's page takes paths of ``origin``; ``further`` origins are reached too. A person is
    shown ``url`` on the X ``display`` until the page has what ``signed_in`` selects, or the
    window is closed. Raises InvalidInputError where nobody is signed in afterwards.
    """
    script = read_script(access.login) if access.login else None
    routes = [further_origin(item) for item in (origin, *further, *access.allow)]
    keys = public_keys(access.ca) if access.ca else ()
    with SiteHost() as host, host.serving(*routes), tempfile.TemporaryDirectory() as folder:
        room = Room(Path(folder))

        async def work() -> dict[str, Any]:
            async with _browser(host.address, room, display, keys) as browser:
                size = DEVICES["desktop"]
                context = await browser.new_context(
                    base_url=origin, viewport={"width": size.width, "height": size.height}
                )
                page = await context.new_page()
                if script is None:
                    return await _by_hand(context, page, url or origin, access.signed_in)
                await asyncio.wait_for(script(page), SCRIPT_S)
                if access.signed_in:
                    await _check_signed_in(page, origin, access.signed_in)
                return await _stored(context)

        what = f"a sign-in by {access.login}" if access.login else "a browser to sign in with"
        with _not_ours(what, "name origins that it needs by --allow", host):
            state = asyncio.run(work())
    if not state.get("cookies") and not state.get("origins"):
        raise InvalidInputError(
            "a browser that keeps something of who signed in",
            found="no cookie and nothing stored",
            remedy="sign in before the window is closed, or before the script returns",
        )
    return state


async def _check_signed_in(page: Page, origin: str, signed_in: str) -> None:
    """Look for what somebody who is signed in sees, on the first page where no page was opened."""
    from playwright.async_api import TimeoutError as PlaywrightTimeoutError

    if page.url == "about:blank":  # the script signed in by requests alone
        await page.goto(origin)
    try:
        await page.locator(signed_in).first.wait_for(timeout=SIGNED_IN_S * 1000)
    except PlaywrightTimeoutError as error:
        raise InvalidInputError(
            f"'{signed_in}' on the page that the script leaves open, as --signed-in says",
            found="none there",
            remedy="let the script end on a page that shows it, or correct the selector",
        ) from error


def read_script(file: str) -> LoginFunction:
    """Return the function ``login`` of a Python file; raises InvalidInputError without one."""
    spec = importlib.util.spec_from_file_location("surefoot_login", file)
    if spec is None or spec.loader is None or not Path(file).is_file():
        raise InvalidInputError(f"a Python file {file}", found="none", remedy=HOW)
    module = importlib.util.module_from_spec(spec)
    with _not_ours(f"a Python file {file} that runs", HOW):
        spec.loader.exec_module(module)
    found = getattr(module, "login", None)
    if not inspect.iscoroutinefunction(found):
        raise InvalidInputError(f"an async function 'login' in {file}", found="none", remedy=HOW)
    function: LoginFunction = found
    return function


@contextlib.contextmanager
def _not_ours(expected: str, remedy: str, host: SiteHost | None = None) -> Iterator[None]:
    """
    Say whatever somebody's script raises in a line, as InvalidInputError.

    Nothing that the environment holds is repeated, such as a password. What a ``host`` refused
    last is named, for a script mostly fails where it is led to an origin that was not.
    """
    kept = child_environment()
    scrub = Scrubber(*(value for name, value in os.environ.items() if name not in kept))
    try:
        with scrub:
            yield
    except SurefootError:
        raise
    except Exception as error:  # whatever it raises
        first = str(error).strip().partition("\n")[0]
        found = scrub(f"{type(error).__name__}: {first}")
        refused = [line.partition("?")[0] for line in host.refused] if host else []
        own = [line for line in refused if line.startswith(("CONNECT", "GET", "POST"))]
        last = f"; it was not let to {own[-1].partition(' ')[2]}" if own else ""
        raise InvalidInputError(expected, found=found + last, remedy=remedy) from error


@contextlib.asynccontextmanager
async def _browser(
    proxy: str, room: Room, display: str, keys: Iterable[str]
) -> AsyncIterator[Chromium]:
    from playwright.async_api import Error, async_playwright

    with environment_of_children():
        playwright: Playwright = await async_playwright().start()
    trouble = ""
    try:
        for how in starts(lambda: playwright.chromium.executable_path, proxy, room, display, keys):
            try:
                browser = await playwright.chromium.launch(
                    executable_path=how.script,
                    args=how.arguments,
                    headless=not display,
                    chromium_sandbox=how.sandbox,
                )
            except Error as error:
                trouble = str(error).partition("\n")[0]
                continue
            try:
                yield browser
            finally:
                await browser.close()
            return
        raise MissingComponentError(
            "a Chromium that starts", found=trouble, remedy="run `surefoot doctor`"
        )
    finally:
        await playwright.stop()


async def _stored(context: BrowserContext) -> dict[str, Any]:
    """Return the storage state, with the session storage of all open pages."""
    state = dict(await context.storage_state(indexed_db=True))
    sessions: dict[str, list[tuple[str, str]]] = {}
    for page in context.pages:
        origin, entries = await page.evaluate(page_script("stored.js"))
        sessions[origin] = entries
    return with_sessions(state, sessions)


async def _by_hand(
    context: BrowserContext, page: Page, url: str, signed_in: str
) -> dict[str, Any]:
    """Return the last state before the page shows who is signed in, or is closed."""
    from playwright.async_api import Error

    deadline = time.monotonic() + PERSON_S
    state: dict[str, Any] = {}
    await page.goto(url)
    with contextlib.suppress(Error):  # of a window that is closed meanwhile
        while time.monotonic() < deadline:
            state = await _stored(context)
            if page.is_closed():
                break
            if signed_in and await page.locator(signed_in).first.is_visible():
                return await _stored(context)
            await asyncio.sleep(POLL_S)
    if signed_in:
        raise InvalidInputError(
            f"a page with {signed_in}",
            found="none before the window was closed, or in a quarter of an hour",
            remedy="sign in until it is shown, or leave --signed-in out",
        )
    return state
