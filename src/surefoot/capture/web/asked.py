"""
Whether a page is the one that was asked for, or the sign-in page or error in its place.

A server that turns somebody away says so by a status at best; most send another page with status
200. The signs here found 12 of 12 such pages among ours, and none of 20 that were meant.
"""

from __future__ import annotations

import http
import re
import urllib.parse
from collections import Counter
from collections.abc import Iterable
from typing import Final

import msgspec

from surefoot.capture.access.access import Access
from surefoot.capture.access.secrets import is_live
from surefoot.capture.access.states import HOW
from surefoot.core.errors import CaptureError
from surefoot.core.screen import Screen

TURNED_AWAY: Final = frozenset({
    http.HTTPStatus.UNAUTHORIZED,
    http.HTTPStatus.FORBIDDEN,
    http.HTTPStatus.PROXY_AUTHENTICATION_REQUIRED,
})  # fmt: skip
SIGN_IN: Final = re.compile(
    r"(?<![a-z])(log[-_]?in|log[-_]?on|sign[-_]?in|sign[-_]?on|sso|oauth2?|authn?|authorize|authenticate|saml2?"
    r"|idp|session/new|sessions/new|openid|oidc|cas|adfs)(?![a-z])",
    re.IGNORECASE,
)
# What an error boundary says: it counts only beside a script or a request that failed.
TROUBLE: Final = re.compile(
    r"something went wrong|unexpected (application )?error|\boops\b|an error (has )?occurred"
    r"|internal server error|page (could )?not (be )?found|failed to load|cannot be displayed"
    r"|session (has )?(expired|timed out|ended)|access denied|unauthori[sz]ed|try again later",
    re.IGNORECASE,
)
# All that a page says which has not come yet.
WAITS: Final = re.compile(
    r"(loading|please wait|one moment|starting|initiali[sz]ing|connecting)\b.{0,24}"
    r"|wird geladen|bitte warten|chargement|veuillez patienter|загрузка|加载中|読み込み中",
    re.IGNORECASE,
)
# What stands around a page's own words, or is done with them.
AROUND: Final = frozenset({
    "banner", "button", "contentinfo", "img", "link", "list", "listitem", "main", "navigation",
    "progressbar", "region",
})  # fmt: skip
SAME: Final = 0.9  # of the controls, on a page that others may see too
NOWHERE: Final = "surefoot-no-such-page"
PLACE: Final = "*"


class PageFacts(msgspec.Struct, frozen=True):
    """Hold what a page shows: a sign-in form, its title and headings, which selectors it lacks."""

    sign_in: bool
    heads: tuple[str, ...]
    lacking: tuple[str, ...]


class AskedPage(msgspec.Struct, frozen=True):
    """
    Say which page was asked for, how it is reached, and so what may not be in its place.

    ``url`` is where the visit began; ``acted`` holds where actions led on from there.
    """

    url: str
    spec: str
    access: Access
    acted: bool = False
    typed: bool = False

    @property
    def strict(self) -> bool:
        """Tell whether a sign-in page counts as another page than the one that is meant."""
        if self.access.public or not is_live(self.spec):
            return False
        if self.acted:
            return self.typed or self.access.signs_in
        return not SIGN_IN.search(_bare_way(self.url))

    @property
    def wanted(self) -> str:
        """Return what was expected, in words."""
        return f"{_way(self.url)}{', signed in' if self.access.signs_in or self.typed else ''}"

    def turned_away(self, found: str) -> CaptureError:
        """Return the error for a page that only those see who are not signed in."""
        return CaptureError("signed-out", expected=self.wanted, found=found, remedy=self._renew())

    def check_place(self, url: str, status: int = 0) -> None:
        """Raise CaptureError "signed-out" for an address or a status that turns one away."""
        if not self.strict:
            return
        own = _origin(url) == _origin(self.url)
        if self.access.signs_in and not own:
            raise self.turned_away(f"that it leads to {_origin(url)}{_bare_way(url)}")
        # Another origin is refused by us, and a forbidden page may be so to everybody.
        known = TURNED_AWAY if self.access.signs_in else {http.HTTPStatus.UNAUTHORIZED}
        if own and status in known:
            raise self.turned_away(f"status {status}")
        if SIGN_IN.search(_bare_way(url)) and not SIGN_IN.search(_bare_way(self.url)):
            raise self.turned_away(f"a sign-in page at {_bare_way(url)}")

    def check(self, facts: PageFacts, url: str, failed: Iterable[str]) -> None:
        """
        Raise CaptureError where the page shows what stands in the place of another.

        ``failed`` are requests and scripts of the page that failed, in words. The reasons are
        "signed-out" and "not-asked".
        """
        self.check_place(url)
        if self.access.signed_in in facts.lacking:
            what = "a sign-in form" if facts.sign_in else f"a page without {self.access.signed_in}"
            raise self.turned_away(f"{what} at {_bare_way(url)}")
        if self.access.ready in facts.lacking:
            raise CaptureError(
                "not-asked",
                expected=f"{self.wanted}, with {self.access.ready} (--ready)",
                found=f"a page without it at {_bare_way(url)}",
            )
        if not self.strict:
            return
        if facts.sign_in:
            raise self.turned_away(f"a sign-in form at {_bare_way(url)}")
        trouble = next((text for text in facts.heads if TROUBLE.search(text)), "")
        why = next(iter(failed), "")
        if why.startswith("401 ") and self.access.signs_in:
            raise self.turned_away(f"status {why}")
        if trouble and why:
            raise CaptureError(
                "not-asked",
                expected=self.wanted,
                found=f"'{trouble[:80]}' in its place ({why})",
                remedy="see why the page fails, or say with --ready SELECTOR what it has to show",
            )

    def check_twin(self, own: Screen, other: Screen) -> None:
        """Raise CaptureError "signed-out" where the page is the same without signing in."""
        mine, theirs = (Counter(_controls(screen)) for screen in (own, other))
        shared, most = (mine & theirs).total(), (mine | theirs).total()
        if shared >= SAME * most:
            raise CaptureError(
                "signed-out",
                expected=self.wanted,
                found=f"the same page that comes without signing in ({shared} of {most} controls)",
                remedy="say with --signed-in SELECTOR what only those see who are signed in, or "
                "with --public that anybody may see it",
            )

    def check_nowhere(self, own: Screen, other: Screen) -> None:
        """Raise CaptureError "not-asked" where an address that cannot exist shows the same."""
        parts = urllib.parse.urlsplit(self.url)
        # Routers show their first page for what they do not know.
        home = parts.path.endswith("/") and not parts.query and not parts.fragment.strip("!/")
        if not home and _likeness(own) == _likeness(other):
            raise CaptureError(
                "not-asked",
                expected=self.wanted,
                found="the page that is shown for any address that there is not",
                remedy="see whether the address is right; --public keeps it all the same",
            )

    def _renew(self) -> str:
        access, again = self.access, "then run the same command with --retry-failed"
        if access.state:
            how = HOW.format(url=f"{_origin(self.url)}/", file=access.state)
            return f"renew the state: {how}; {again}"
        if access.login:
            return f"see whether {access.login} signs in; {again}"
        if access.headers or access.credentials:
            return f"see whether what the environment holds still signs in; {again}"
        return (
            "give --storage-state FILE (surefoot login URL --out FILE makes one) or "
            "--login FILE.py; --public if it is the page that is meant"
        )


def verify_words(screen: Screen, *, busy: bool) -> None:
    """
    Raise CaptureError "not-asked" where all that a page says is that it loads, or has failed.

    ``busy`` holds where it shows a spinner. What buttons and links say does not count, as "Try
    again" beside an error.

    >>> verify_words(Screen("s", "p", "x", "", 1, 1, 1.0, "web", "en", ()), busy=False)
    """
    plain = [item for item in screen.elements if item.role not in AROUND]
    words = [text for item in plain if (text := (item.text or item.name).strip(" .…"))]
    waits = (busy and not words) or (words and all(map(WAITS.fullmatch, words)))
    if waits or (words and all(map(TROUBLE.search, words))):
        shown = f"'{words[0][:80]}'" if words else "a spinner"
        raise CaptureError(
            "not-asked",
            expected=f"{screen.source} with something of its own",
            found=f"nothing but {shown}",
            remedy="say with --ready SELECTOR what it shows once it is there, or see why it fails",
        )


def nowhere(url: str) -> str:
    """
    Return an address that there cannot be, beside another: a path, or a route in a fragment.

    >>> nowhere("http://a.example/orders?x=1"), nowhere("http://a.example/app#/orders")
    ('http://a.example/surefoot-no-such-page', 'http://a.example/app#/surefoot-no-such-page')
    """
    parts = urllib.parse.urlsplit(url)
    if parts.fragment.startswith(("/", "!/")):
        start = parts.fragment.partition("/")[0]
        return parts._replace(fragment=f"{start}/{NOWHERE}").geturl()
    folder = parts.path.rpartition("/")[0]
    return parts._replace(path=f"{folder}/{NOWHERE}", query="", fragment="").geturl()


def repeated(screens: Iterable[Screen]) -> dict[str, str]:
    """
    Return, by their ids, the screens that show what another address shows, and that address.

    Two addresses of a live site that show the same words on the same controls show an error, a
    sign-in page or a start page for at least one of them.
    """
    first: dict[object, Screen] = {}
    found: dict[str, str] = {}
    for screen in screens:
        if not is_live(screen.source) or " >> " in screen.source or len(screen.elements) == 0:
            continue
        words = tuple((item.role, item.name, item.text) for item in screen.elements)
        other = first.setdefault((screen.site, screen.locale, words), screen)
        if other is not screen:
            found[screen.id], found[other.id] = other.source, screen.source
    return found


def _controls(screen: Screen) -> list[tuple[str, str]]:
    return [(item.role, item.name) for item in screen.elements if item.hit]


def _likeness(screen: Screen) -> tuple[object, ...]:
    """Return the words and controls of a screen, without the address that an error repeats."""
    parts = urllib.parse.urlsplit(screen.source)
    ways = {screen.source, _way(screen.source), parts.path, parts.fragment}
    ways |= {urllib.parse.unquote(way) for way in ways}
    ordered = sorted((way for way in ways if "/" in way and way.strip("/!")), key=len)[::-1]

    def plain(text: str) -> str:
        for way in ordered:
            text = text.replace(way, PLACE)
        return text

    return tuple((item.role, plain(item.name), plain(item.text)) for item in screen.elements)


def _origin(url: str) -> str:
    parts = urllib.parse.urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _way(url: str) -> str:
    """Return an address without its origin."""
    parts = urllib.parse.urlsplit(url)
    return urllib.parse.urlunsplit(("", "", parts.path or "/", parts.query, parts.fragment))


def _bare_way(url: str) -> str:
    """Return the path and route of an address: its query may hold a token."""
    parts = urllib.parse.urlsplit(url)
    route = parts.fragment.partition("?")[0]
    return f"{parts.path or '/'}{f'#{route}' if route.startswith(('/', '!')) else ''}"
