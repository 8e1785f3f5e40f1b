"""
Playwright's storage state: read as what others wrote, and asked whether it can still sign in.

Ours may have the session storage of an origin as well (``sessionStorage``, beside
``localStorage``), which Playwright neither writes nor takes.
"""

from __future__ import annotations

import base64
import datetime as dt
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from surefoot.core.errors import InvalidInputError
from surefoot.core.files import write_atomic

JWT: Final = re.compile(r"eyJ[\w-]{8,}\.(eyJ[\w-]{8,})\.[\w-]*")
# Values that are most likely secrets: long, without spaces, of letters and digits.
SECRET: Final = re.compile(r"(?=\S*\d)(?=\S*[A-Za-z])\S{16,}")
SECRET_NAME: Final = re.compile(
    r"auth|token|secret|sess|sid\b|passw|jwt|key|credential|csrf|xsrf|refresh", re.IGNORECASE
)
SHORTEST: Final = 8
LARGEST: Final = 64 * 2**20
HOW: Final = "surefoot login {url} --out {file}"


class StoredCookie(msgspec.Struct, frozen=True, rename="camel"):
    """Hold what is read of a cookie; the rest goes to the browser as it is."""

    name: str
    value: str
    domain: str = ""
    expires: float = -1
    http_only: bool = False


class StoredItem(msgspec.Struct, frozen=True):
    """Hold one entry of an origin's storage."""

    name: str
    value: str


class StoredOrigin(msgspec.Struct, frozen=True, rename="camel"):
    """Hold what an origin keeps in the browser."""

    origin: str
    local_storage: tuple[StoredItem, ...] = ()
    session_storage: tuple[StoredItem, ...] = ()

    @property
    def stored(self) -> tuple[StoredItem, ...]:
        """Return all entries of both storages."""
        return (*self.local_storage, *self.session_storage)


class StorageState(msgspec.Struct, frozen=True):
    """Hold what is read of a storage state; no message and no text of it repeats a value."""

    cookies: tuple[StoredCookie, ...] = ()
    origins: tuple[StoredOrigin, ...] = ()

    def __repr__(self) -> str:
        return f"StorageState({len(self.cookies)} cookies, {len(self.origins)} origins)"


def read_state(file: str) -> dict[str, Any]:
    """
    Return a storage state as Playwright takes it.

    Raises InvalidInputError, which repeats no value, for a file that is none.
    """
    remedy = f"make one: {HOW.format(url='URL', file=file)}"
    try:
        path = Path(file)
        if path.stat().st_size > LARGEST:
            raise InvalidInputError("a storage state", found=f"{file}, over 64 MiB", remedy=remedy)
        raw = path.read_bytes()
    except OSError as error:
        raise InvalidInputError(f"a storage state in {file}", found=error, remedy=remedy) from None
    try:
        msgspec.json.decode(raw, type=StorageState)
        found: dict[str, Any] = msgspec.json.decode(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        # The library's message may quote the file.
        raise InvalidInputError(
            f"a storage state in {file}, with cookies and origins",
            found="something else",
            remedy=remedy,
        ) from None
    return found


def with_sessions(
    state: dict[str, Any], stored: Mapping[str, Iterable[tuple[str, str]]]
) -> dict[str, Any]:
    """
    Return a state with the session storage of each origin that has any.

    >>> with_sessions({"origins": []}, {"http://a.example": [("id", "7")], "http://b": []})
    {'origins': [{'origin': 'http://a.example', 'localStorage': [], 'sessionStorage': \
[{'name': 'id', 'value': '7'}]}]}
    """
    origins = {item["origin"]: dict(item) for item in state.get("origins", ())}
    for origin, entries in stored.items():
        items = [{"name": name, "value": value} for name, value in entries]
        if items:
            known = origins.setdefault(origin, {"origin": origin, "localStorage": []})
            known["sessionStorage"] = items
    return {**state, "origins": [*origins.values()]}


def without_sessions(
    state: dict[str, Any],
) -> tuple[dict[str, Any], dict[str, dict[str, str]]]:
    """Return a state as Playwright takes it, and each origin's session storage by name."""
    known = msgspec.convert(state, StorageState, strict=False)
    sessions = {
        origin.origin: {item.name: item.value for item in origin.session_storage}
        for origin in known.origins
        if origin.session_storage
    }
    origins = [
        {name: value for name, value in entry.items() if name != "sessionStorage"}
        for entry in state.get("origins", ())
    ]
    return ({**state, "origins": origins} if sessions else state), sessions


def write_state(file: Path, state: dict[str, Any]) -> None:
    """Write a storage state that its owner alone can read."""
    before = os.umask(0o077)
    try:
        write_atomic(file, msgspec.json.format(msgspec.json.encode(state), indent=1))
    finally:
        os.umask(before)
    file.chmod(0o600)


def expired(state: dict[str, Any], hosts: Collection[str], now: float) -> str:
    """
    Say how long ago the last that could sign in to one of the hosts expired, "" if one has not.

    ``now`` is in seconds of the epoch. What says no date counts as one that has not expired,
    but for stored words beside a token (JWT) that has.

    >>> cookie = {"name": "sid", "value": "x", "domain": "a.example", "expires": 1000}
    >>> expired({"cookies": [cookie]}, ["a.example"], 8200), expired({}, ["a.example"], 0)
    ('2 hours ago', '')
    """
    known = msgspec.convert(state, StorageState, strict=False)
    cookies = [cookie for cookie in known.cookies if _fits(cookie.domain, hosts)]
    items = [
        item.value
        for origin in known.origins
        if any(origin.origin.partition("://")[2].rsplit(":", 1)[0] == host for host in hosts)
        for item in origin.stored
    ]
    tokens = [until for value in items for until in _token_ends(value)]
    tokens += [until for cookie in cookies for until in _token_ends(cookie.value)]
    dated = [cookie.expires for cookie in cookies if cookie.expires > 0] + tokens
    open_ended = any(
        cookie.expires <= 0 and not [*_token_ends(cookie.value)] for cookie in cookies
    )
    if not dated or open_ended or max(dated) > now or (items and not tokens):
        return ""
    return _ago(now - max(dated))


def secrets_in(state: dict[str, Any]) -> Iterator[str]:
    """Yield the values of a state that may be secrets."""
    known = msgspec.convert(state, StorageState, strict=False)
    for cookie in known.cookies:
        if cookie.http_only or _is_secret(cookie.name, cookie.value):
            yield cookie.value
    for origin in known.origins:
        for item in origin.stored:
            yield from _leaves(item.name, item.value)
    for origin in state.get("origins", ()):
        yield from _words(origin.get("indexedDB", ()))


def _is_secret(name: str, value: str) -> bool:
    return len(value) >= SHORTEST and bool(SECRET.fullmatch(value) or SECRET_NAME.search(name))


def _leaves(name: str, value: str) -> Iterator[str]:
    """Yield what may be secret of a stored value, which is often JSON."""
    try:
        inner = msgspec.json.decode(value)
    except (msgspec.MsgspecError, UnicodeEncodeError):
        inner = value
    if isinstance(inner, dict | list):
        yield from _words(inner, name)
    elif _is_secret(name, str(inner)):
        yield str(inner)


def _words(value: object, name: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _words(part, str(key))
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _words(part, name)
    elif isinstance(value, str) and _is_secret(name, value):
        yield value


def _fits(domain: str, hosts: Collection[str]) -> bool:
    bare = domain.removeprefix(".")
    return any(host == bare or host.endswith(f".{bare}") for host in hosts)


def _token_ends(text: str) -> Iterator[float]:
    """Yield when the JSON web tokens in a text expire, in seconds of the epoch."""
    for found in JWT.finditer(text):
        body = found[1] + "=" * (-len(found[1]) % 4)
        try:
            claims = msgspec.json.decode(base64.urlsafe_b64decode(body))
        except (msgspec.MsgspecError, ValueError):
            continue
        until = claims.get("exp") if isinstance(claims, dict) else None
        if isinstance(until, int | float):
            yield float(until)


def _ago(seconds: float) -> str:
    for size, name in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= size:
            count = int(seconds // size)
            return f"{count} {name}{'s' if count > 1 else ''} ago"
    return "just now"


def moment(now: dt.datetime) -> str:
    """
    Return a moment to the minute, as an access names it.

    >>> moment(dt.datetime(2026, 5, 4, 3, 2, 1, tzinfo=dt.UTC))
    '2026-05-04T03:02:00+00:00'
    """
    return now.astimezone(dt.UTC).replace(second=0, microsecond=0).isoformat()
