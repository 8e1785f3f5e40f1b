"""
``surefoot login``: sign in once, and keep what the browser then holds.
"""

from __future__ import annotations

import os
import urllib.parse
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from surefoot.api.options import AnyPath
from surefoot.api.parameters import CliArgument, CliOption
from surefoot.api.reaching import AllowOption, CaOption, LoginOption, SignedInOption
from surefoot.api.threads import in_thread
from surefoot.cli.verb import CliVerb


@in_thread
def login(
    url: Annotated[str, CliArgument("The address of the page to sign in at.")],
    *,
    out: Annotated[
        AnyPath, CliOption("The file to write, for its owner alone.", shell=Path, only="file")
    ],
    login: LoginOption = None,
    signed_in: SignedInOption = "",
    allow: AllowOption = (),
    ca: CaOption = None,
) -> Path:
    """
    Sign in once, and write what the browser then holds as Playwright's storage state.

    Opens a window for you to sign in at until it shows --signed-in or is closed, or has the
    script of --login do it without one. The browser reaches the origin of the page and those of
    --allow. The file is a secret, as good as a password for as long as the session lasts.

    Raises InvalidInputError where nobody is signed in afterwards, and MissingComponentError
    without a browser or a display.
    """
    from surefoot.capture.access.access import Access
    from surefoot.capture.access.states import write_state
    from surefoot.capture.sources import list_addresses
    from surefoot.capture.web.login import sign_in
    from surefoot.core.errors import InvalidInputError, MissingComponentError

    if not url.startswith(("http://", "https://")):
        raise InvalidInputError("an address as in https://app.example/login", found=f"'{url}'")
    (address,) = list_addresses(url)
    display = os.environ.get("DISPLAY", "")
    if login is None and not display:
        raise MissingComponentError(
            "a display to show a browser on",
            found="no DISPLAY",
            remedy="sign in by a script (--login FILE.py), or on a machine with a screen",
        )
    access = Access(
        login=str(login or ""), signed_in=signed_in, allow=tuple(allow or ()), ca=str(ca or "")
    )
    parts = urllib.parse.urlsplit(address.spec)
    state = sign_in(
        f"{parts.scheme}://{parts.netloc}",
        access,
        url=address.spec,
        display="" if login else display,
    )
    write_state(Path(out), state)
    return Path(out)


def command(work: Callable[[], Path]) -> None:
    """Sign in, and say what the file is good for."""
    from surefoot.cli.output import say

    file = work()
    say(f"wrote {file}, which only you can read: keep it out of repositories")
    say(
        f"next: surefoot capture URL --storage-state {file} --signed-in SELECTOR --out out/screens"
    )


VERB = CliVerb(
    "login",
    "Collect",
    "Sign in once, and keep what the browser then holds.",
    login,
    command,
    (
        "surefoot login https://app.example/login --out state.json",
        "surefoot login https://app.example/login --login sign_in.py --out state.json",
    ),
)
