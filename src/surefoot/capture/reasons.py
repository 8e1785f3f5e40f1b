"""
Why a page could not be captured: each reason, and what a person can do about it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Final

from surefoot.capture.actions import ARROW
from surefoot.core.errors import CaptureError

AGAIN: Final = "run the same command with --retry-failed"
BUSY: Final = f"{AGAIN}, on a machine with less to do if it happens again"
ELSEWHERE: Final = "leave this page out, or capture the one that it leads to"
HEAVY: Final = "leave this page out, or capture a smaller part of it"
MOVING: Final = "leave this page out: what is measured would not be what is shown"
SERVER: Final = f"see why its server did not give it, then {AGAIN}"
DESCRIBED: Final = "mend the file as docs/screens-format.md says, and capture into another folder"
ANDROID: Final = "take the dump and the picture again together (docs/android.md)"
DESKTOP: Final = "see docs/desktop.md"
# By reason: what to do. A remedy that an error brings along comes before the one here.
REMEDIES: Final[dict[str, str]] = {
    "action-failed": "explore the source again: what it shows is not what it was",
    "address-denied": "name the address itself in the URL if it is meant",
    "bad-archive": "save the page again, and name that archive",
    "bad-box": DESCRIBED,
    "bad-picture": DESCRIBED,
    "bad-record": DESCRIBED,
    "bad-role": DESCRIBED,
    "bad-tree": DESCRIBED,
    "bad-value": DESCRIBED,
    "bad-xml": ANDROID,
    "browser-error": BUSY,
    "content-changed": "put the file back as it was, or capture again into another folder",
    "crash": f"{AGAIN}; leave the page out if it happens again",
    "destroys": "leave this action out: pages that others begin from are gone after it",
    "dialog-storm": "leave this page out: it asks without end",
    "download": "leave it out: it is a file to keep, not a page to look at",
    "edit-failed": f"{AGAIN}; if it happens again, the page and this variant do not fit",
    "http-status": f"open it in a browser of your own; once it is there, {AGAIN}",
    "input": DESKTOP,
    "memory": HEAVY,
    "missing-file": DESCRIBED,
    "missing-picture": DESCRIBED,
    "navigated-away": ELSEWHERE,
    "no-elements": DESKTOP,
    "no-locale": "install Debian's package `locales`, or name a locale that it has",
    "no-program": "install the program",
    "no-screen": "run `surefoot doctor`",
    "no-tree": DESKTOP,
    "no-window": DESKTOP,
    "not-asked": "see what the page shows, and name with --ready what it has to show",
    "not-detected": "see what the detector wrote or was given (docs/detector.md)",
    "not-recorded": "record the page again with these settings, into the same folder",
    "not-true": "see the picture of what differs; take parts that move out with --ignore SELECTOR",
    "not-read": "save it as PNG, and capture into another folder",
    "not-started": "remove the application (`surefoot apps remove`), and install it again",
    "not-a-page": "build this benchmark from web pages only",
    "outside-folder": "put the file itself into the folder",
    "page-moved": MOVING,
    "popup": ELSEWHERE,
    "program-ended": "start the program by hand to see why",
    "repeated": "see what both pages show and leave one out",
    "resource-appeared": f"{SERVER}; if it comes and goes, leave the page out",
    "resource-failed": SERVER,
    "script-error": f"leave this page out, and report it: measuring it is our part; {AGAIN}",
    "secret-in-clear": "write type ID $PASSWORD, and set PASSWORD in the environment",
    "signed-out": "leave this page out: it is not the one that is meant, though its status is 200",
    "step-failed": "mend the recipe",
    "timeout": BUSY,
    "too-large": HEAVY,
    "too-many-nodes": HEAVY,
    "too-many-requests": HEAVY,
    "truncated-archive": "save the page again, and name that archive",
    "unreachable": f"see whether the server runs and the name is right, then {AGAIN}",
    "unsettled": f"{SERVER}; leave the page out if it always loads",
    "unstable-layout": MOVING,
    "unstable-page": MOVING,
    "unstable-picture": MOVING,
    "unstable-tree": MOVING,
    "unsupported": "leave the option out for programs of a desktop",
    "wrong-size": f"{AGAIN}; choose another viewport or scale if it happens again",
}


def explained(error: CaptureError, *names: str) -> CaptureError:
    """
    Return an error that names what was captured, the first name where none is in it yet.

    >>> error = explained(CaptureError("popup", expected="one window", found="two"), "mhtml:a")
    >>> error.found, error.remedy
    ('two (mhtml:a)', 'leave this page out, or capture the one that it leads to')
    """
    if error.reason == "secret-in-clear":  # what is done on the page spells it
        names = tuple(name.partition(ARROW)[0] for name in names)
    named = any(name and name in str(error) for name in names)
    found = error.found if named else f"{error.found} ({names[0]})"
    remedy = error.remedy or REMEDIES.get(error.reason, "")
    if found == error.found and remedy == error.remedy:
        return error
    return CaptureError(error.reason, expected=error.expected, found=found, remedy=remedy)


@contextlib.contextmanager
def told_of(spec: str) -> Iterator[None]:
    """Let every CaptureError of a block name the address, or the file or page that ends it."""
    try:
        yield
    except CaptureError as error:
        raise explained(error, spec, spec.rpartition("#")[2]) from error
