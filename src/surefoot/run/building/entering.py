"""
How a run gets into a product: with which secrets, at which moment, and what it does not keep.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import re
import urllib.parse
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from surefoot.capture.access.secrets import Secrets, is_live, read_secrets, variables_of
from surefoot.capture.access.states import moment
from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address, address_of, list_addresses
from surefoot.capture.web.asked import repeated
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.page import await_asked, capture
from surefoot.capture.web.settle import settle
from surefoot.capture.web.world import World
from surefoot.core.errors import CaptureError, InvalidInputError
from surefoot.core.ledger import Failure, read_plan
from surefoot.core.screen import Screen
from surefoot.exploration.steps import is_avoided

if TYPE_CHECKING:
    from rich.console import Console


REPEATED: Final = "repeated"
# What a page fails with once all its actions are done.
AFTERWARDS: Final = frozenset({
    "not-asked", "resource-appeared", "resource-failed", "signed-out", "unstable-layout",
    "unstable-page",
})  # fmt: skip


def at_its_moment(settings: Settings, specs: Iterable[str], out: Path) -> Settings:
    """
    Return settings whose pages believe it is now, or when the folder was begun.

    A session has a beginning and an end, so pages that are opened as somebody cannot believe in
    another month; everybody's pages keep the usual moment.
    """
    access = settings.reached
    if access.clock or not (access.signs_in or any(map(variables_of, specs))):
        return settings
    clock = moment(dt.datetime.now(dt.UTC))
    if (out / "plan.json").is_file():
        begun = read_plan(out).get("settings")
        kept = begun.get("access") if isinstance(begun, dict) else None
        clock = str(kept.get("clock", clock)) if isinstance(kept, dict) else clock
    return msgspec.structs.replace(settings, access=msgspec.structs.replace(access, clock=clock))


def entered(settings: Settings, specs: Iterable[str], console: Console | None = None) -> Secrets:
    """
    Return what opens pages: read from the environment and from files, or signed in for anew.

    Raises InvalidInputError as `read_secrets` does, and where the login script fails.
    """
    access = settings.reached
    wanted = list(specs)
    secrets = read_secrets(access, wanted)
    live = [spec for spec in wanted if is_live(spec)]
    if not access.login or not live:
        return secrets
    from surefoot.capture.web.login import sign_in

    if console is not None:
        console.print(f"signing in by {access.login}", markup=False, highlight=False)
    origins = list(dict.fromkeys(map(_origin, live)))
    return msgspec.structs.replace(secrets, state=sign_in(origins[0], access, origins[1:]))


def refuse_clear_passwords(
    addresses: Iterable[Address], settings: Settings, secrets: Secrets
) -> None:
    """
    Raise InvalidInputError for an action that types a password in clear on a live page.

    A plan would hold it, so this is found out before there is one. Where the page fails before
    all is typed nobody can tell, and that is refused as well.
    """
    doubtful = [
        address
        for address in addresses
        if is_live(address.spec)
        and any(action.kind == "type" and action.text for action in address.actions)
    ]
    if not doubtful:
        return
    with Browser(secrets=secrets, ca=settings.reached.ca) as browser:
        for address in doubtful:
            try:
                capture(browser, address, settings)
            except CaptureError as error:
                if error.reason == "secret-in-clear":
                    raise InvalidInputError(
                        error.expected, found=error.found, remedy=error.remedy
                    ) from None
                if error.reason not in AFTERWARDS:
                    raise InvalidInputError(
                        f"to see at {address.entry.spec} that what is typed is no password",
                        found=f"that the page failed before ({error.reason})",
                        remedy="write type ID $VARIABLE for what may be a secret, or see why the "
                        "page fails",
                    ) from None


def linked_pages(
    addresses: Sequence[Address], settings: Settings, out: Path, most: int
) -> list[Address]:
    """
    Return pages of live servers with those that each links to, at most so many of each.

    Links of another origin are left out, and those that end a session or destroy something by
    their words or their address. A folder that was begun has the pages that it began with, and
    a page that cannot be captured leads nowhere.
    """
    if (out / "plan.json").is_file():
        begun = msgspec.convert(read_plan(out).get("pages", []), list[str])
        return [address_of(spec) for spec in begun]
    specs = [address.spec for address in addresses]
    settings = at_its_moment(settings, specs, out)
    found = list(addresses)
    with Browser(secrets=entered(settings, specs), ca=settings.reached.ca) as browser:
        for address in addresses:
            if not is_live(address.spec) or address.actions:
                continue
            links: list[tuple[str, str]] = []
            with (
                contextlib.suppress(CaptureError),  # which the capture itself records
                browser.visit(address, settings) as visit,
            ):
                world = World(visit.page)
                settle(visit, world)
                await_asked(visit, world)
                links = world.call(list[tuple[str, str]], "links")
            fresh = dict.fromkeys(
                list_addresses(url)[0]
                for url, words in links
                if is_live(url) and _origin(url) == _origin(address.spec)
                if not is_avoided(f"{words} . {' '.join(re.split(r'[^a-z]+', url.lower()))}")
            )
            found += [page for page in fresh if page not in found][:most]
    return found


def without_repeated(
    screens: Sequence[Screen], failures: Sequence[Failure], settings: Settings
) -> tuple[list[Screen], tuple[Failure, ...]]:
    """Count as failures those pages of a live site that show what another address shows."""
    found = {} if settings.reached.public else repeated(screens)
    more = [
        Failure(
            screen.id,
            REPEATED,
            str(
                CaptureError(
                    REPEATED,
                    expected=f"{screen.source}, which shows something of its own",
                    found=f"what {found[screen.id]} shows as well",
                    remedy="see what both show and leave one out; --public keeps both",
                )
            ),
        )
        for screen in screens
        if screen.id in found
    ]
    kept = [screen for screen in screens if screen.id not in found]
    return kept, (*failures, *more)


def _origin(spec: str) -> str:
    parts = urllib.parse.urlsplit(spec)
    return f"{parts.scheme}://{parts.netloc}"
