"""
What a page asked for beside its document, and what of it never came.

A page always lacks what its server says is not there and what is refused to it: that is
recorded, and is the same at every visit. Anything else that fails is a failure of the visit.
"""

from __future__ import annotations

import http
import re
import urllib.parse
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Final

from surefoot.core.canonical import sha256
from surefoot.core.errors import CaptureError

OK: Final = http.HTTPStatus.OK
BAD: Final = http.HTTPStatus.BAD_REQUEST
SERVER_ERROR: Final = http.HTTPStatus.INTERNAL_SERVER_ERROR
# Statuses by which a server says that it might answer otherwise the next time.
PASSING_STATUSES: Final = frozenset(
    {
        http.HTTPStatus.REQUEST_TIMEOUT,
        http.HTTPStatus.TOO_EARLY,
        http.HTTPStatus.TOO_MANY_REQUESTS,
    }
)
# Errors that are the same at each visit: the browser itself refuses what the page asks for. A
# dead network service gives "net::ERR_FAILED" too, and is found out by other means.
LASTING_ERRORS: Final = re.compile(
    r"csp|mixed-content|origin|inspector|subresource-filter|content-type|coop|coep|corp|"
    r"net::ERR_(BLOCKED_BY\w+|UNKNOWN_URL_SCHEME|DISALLOWED_URL_SCHEME|INVALID_URL|UNSAFE_PORT|"
    r"TOO_MANY_REDIRECTS|UNSAFE_REDIRECT|INVALID_REDIRECT|ACCESS_DENIED|FILE_NOT_FOUND|FAILED|"
    r"CLEARTEXT_NOT_PERMITTED|UNKNOWN_CONTENT_ENCODING)"
)
# What the page's own script, or the browser on behalf of the page, no longer wanted.
ABORTED: Final = "net::ERR_ABORTED"
# The kinds in whose place a server that answers every path with a page sends that page.
NEVER_PAGES: Final = {
    "stylesheet": "a style sheet",
    "script": "a script",
    "font": "a font",
    "image": "a picture",
}
# What is sent away rather than asked for, and streams that never end.
UNSEEN: Final = frozenset({"ping", "cspviolationreport", "eventsource", "websocket"})
REFUSED: Final = "refused: a page reaches no other site"
LONGEST: Final = 300
KEPT: Final = 200


class Resources:
    """
    Keep what became of each request of a visit, by address.

    ``origin`` is the site's own, "" for an archive, which has no server. ``elsewhere`` is why
    an address of no other origin ever loads, but for those ``allowed``. ``hide`` takes secrets
    out of addresses.
    """

    def __init__(
        self,
        origin: str,
        *,
        elsewhere: str = REFUSED,
        allowed: Collection[str] = (),
        hide: Callable[[str], str] = str,
    ) -> None:
        self._origin = origin
        self._allowed = allowed
        self._hide = hide
        self._elsewhere = elsewhere
        self._outcomes: dict[str, str] = {}
        self._passing: set[str] = set()
        self._refused: dict[str, str] = {}

    def answered(self, url: str, kind: str, status: int, content_type: str) -> None:
        """Note a reply; ``kind`` is the resource type as DevTools names it, in lower case."""
        if kind in UNSEEN:
            return
        if status >= BAD:
            passing = status >= SERVER_ERROR or status in PASSING_STATUSES
            self._note(url, f"status {status}", passing=passing)
        elif status == OK and kind in NEVER_PAGES and content_type.startswith("text/html"):
            self._note(url, f"a page instead of {NEVER_PAGES[kind]}", passing=False)
        elif status < http.HTTPStatus.MULTIPLE_CHOICES:
            self._outcomes.setdefault(self._place(url), "")

    def broken_off(self, url: str, kind: str, failure: str) -> None:
        """Note a request that gave no whole reply, with the browser's name of the error."""
        if kind in UNSEEN or failure == ABORTED:
            return
        self._note(url, failure or "no reply", passing=not LASTING_ERRORS.fullmatch(failure))

    def unreadable(self, found: Iterable[tuple[str, str]]) -> None:
        """Note addresses whose pictures or fonts came and could not be drawn, and why."""
        for url, why in found:
            if not self._outcomes.get(self._place(url)):
                self._note(url, why, passing=False)

    def refused(self, what: str, why: str) -> None:
        """Note what a script of the page asked for and does not get, such as a worker."""
        if len(self._refused) < KEPT:
            self._refused.setdefault(what, f"refused: {why}")

    @property
    def missing(self) -> dict[str, str]:
        """
        Return what never came, by address or by what it is, with the reason; at most 200.

        >>> seen = Resources("http://a.localhost")
        >>> seen.answered("http://a.localhost/x.png", "image", 404, "text/plain")
        >>> seen.missing
        {'http://a.localhost/x.png': 'status 404'}
        """
        found = [pair for pair in self._outcomes.items() if pair[1]]
        return dict(sorted((*found, *self._refused.items()))[:KEPT])

    def verify(self, page: str, known: Mapping[str, str] | None = None) -> None:
        """
        Raise CaptureError where something failed that is not always missing.

        ``known`` is what the first visit was without, None at the first visit. The reason is
        "resource-failed" for what did not come, and "resource-appeared" for what did although
        the first visit was without it.
        """
        for place, why in self.missing.items():
            lost = place in self._passing if known is None else place not in known
            if lost and (known is None or self._own(place)):
                raise CaptureError(
                    "resource-failed",
                    expected="all that the page is made of",
                    found=f"{place} failed: {why} ({page})",
                )
        for place, why in (known or {}).items():
            if self._outcomes.get(place) == "":
                raise CaptureError(
                    "resource-appeared",
                    expected="the same resources at every visit",
                    found=f"{place}, which the first visit was without: {why} ({page})",
                )

    def _own(self, url: str) -> bool:
        parts = urllib.parse.urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        return not self._origin or origin == self._origin or origin in self._allowed

    def _place(self, url: str) -> str:
        return self._hide(_place(url))

    def _note(self, url: str, why: str, *, passing: bool) -> None:
        place = self._place(url)
        if self._outcomes.get(place):
            return
        if not self._own(url) and urllib.parse.urlsplit(url).scheme in {"http", "https"}:
            self._outcomes[place] = self._elsewhere
            return
        self._outcomes[place] = why
        if passing:
            self._passing.add(place)


def _place(url: str) -> str:
    """
    Return an address as it is recorded: the same at each visit and on each machine.

    >>> _place("blob:http://a.localhost/8c9e7f5a-15b1-4f2e-a6a4-1b1d6f1a2b3c")
    'blob:http://a.localhost/'
    >>> _place("file:///home/ann/pages/x.png")
    'file:x.png'
    """
    if url.startswith("blob:"):
        return url.rpartition("/")[0] + "/"
    if url.startswith("file:"):
        return "file:" + url.rpartition("/")[2]
    return url if len(url) <= LONGEST else f"{url[:LONGEST]}... {sha256(url.encode())[:8]}"
