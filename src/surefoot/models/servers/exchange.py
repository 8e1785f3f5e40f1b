"""
One request to a server, tried until it is answered, and nothing secret in what is said.

What has never been reached is not waited for: its address is wrong, or it does not run. How long a
server asks to wait stands in its header Retry-After, or, from Google, in the reply's body.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import email.utils
import logging
import re
import socket
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Final, NamedTuple

from surefoot.core.errors import ModelError, SurefootError
from surefoot.core.foreign.scrubbing import Scrubber
from surefoot.models.backend import Options

if TYPE_CHECKING:
    import httpx


MAX_BODY_BYTES = 1_000_000
GZIP: Final = b"\x1f\x8b"
GZIP_BITS: Final = 16  # what zlib wants to hear besides, for gzip's own header
TRIED_AGAIN = frozenset({408, 409, 425, 429})
SERVER_FAULT = 500
FINE = 200
FIRST_CONNECTION_S = 4.0
# Google's RetryInfo; what Anthropic says where waiting cannot help.
RETRY_DELAY: Final = re.compile(r'"retryDelay"\s*:\s*"(\d{1,9}(?:\.\d{1,12})?)s"')
SPENT: Final = '"enforced_spend_limit_reached"'
OTHER_REMEDY = "see the server's log, mend it, and ask again with --retry-failed"

# The retrying library notes each retry; unless somebody listens, that is no word for a terminal.
logging.getLogger("stamina").addHandler(logging.NullHandler())


def retry_after(value: str, now: dt.datetime) -> float | None:
    """
    Read a Retry-After header: seconds or a date; None where it is neither.

    >>> retry_after("2.5", dt.datetime.now(dt.UTC))
    2.5
    """
    text = value.strip()
    if text.replace(".", "", 1).isdecimal() and text.isascii():
        return float(text[:12])
    try:
        moment = email.utils.parsedate_to_datetime(text)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=dt.UTC)
        return max(0.0, (moment - now).total_seconds())
    except (ValueError, OverflowError):  # no date, or one that no calendar has
        return None


class _StatusError(Exception):
    """Hold a status that is no success, what was said with it, and when to ask again."""

    def __init__(self, status: int, said: str, *, again: bool | float) -> None:
        super().__init__(said)
        self.status = status
        self.again = again


class Contact:
    """Remember whether a server has ever responded, however it did."""

    def __init__(self) -> None:
        self.made = False


class Post(NamedTuple):
    """Hold one request: a path below the base URL, a body, and headers of this request alone."""

    path: str
    body: bytes
    headers: Mapping[str, str] = {}


class Endpoint(NamedTuple):
    """
    Hold a server as requests see it: connections to it, its base URL, limits, and its secrets.

    ``connection`` lends a client of one connection for the length of a block.
    """

    connection: Callable[[], AbstractAsyncContextManager[httpx.AsyncClient]]
    base: str
    options: Options
    scrub: Scrubber
    contact: Contact


async def exchange(endpoint: Endpoint, post: Post) -> bytes:
    """
    Post a body to a server and return the reply's body of up to 1 MB, a gzip unpacked.

    Each attempt has a connection for itself, and none has one that was broken off. Raises
    ModelError when the last attempt failed, or at once where trying again cannot help;
    SurefootError, which ends a run, where no connection was ever had.
    """
    import httpx
    import stamina

    _, base, options, scrub, contact = endpoint
    unconnected = httpx.ConnectError, httpx.ConnectTimeout

    def again(error: Exception) -> bool | float:
        if isinstance(error, _StatusError):
            return error.again
        if isinstance(error, unconnected) and not contact.made:
            return False
        return isinstance(error, httpx.TransportError | TimeoutError)

    attempts = stamina.retry_context(
        on=again,
        attempts=options.attempts,
        timeout=None,
        wait_initial=options.wait,
        wait_max=options.longest_wait,
        wait_jitter=options.wait,
    )
    try:
        async for attempt in attempts:
            with attempt:
                async with asyncio.timeout(options.timeout):
                    return await _sent(endpoint, post)
    except _StatusError as error:
        raise _failure(f"http-{error.status}", str(error), base) from error
    except unconnected as error:
        if not contact.made:
            raise SurefootError(
                f"a server at {base}",
                found=scrub(_why_unconnected(error)),
                remedy="start it, or correct the address behind the model's name",
            ) from error
        raise _failure("connection", "no connection", base) from error
    except (httpx.TimeoutException, TimeoutError) as error:
        found = f"none in {options.timeout:g} s, {options.attempts} times"
        raise _failure("timeout", found, base) from error
    except httpx.HTTPError as error:
        raise _failure("connection", scrub(str(error)), base) from error
    raise _failure("connection", "no attempt allowed", base)


def _why_unconnected(error: Exception) -> str:
    import httpx

    if isinstance(error, httpx.ConnectTimeout):
        return f"none that took a connection within {FIRST_CONNECTION_S:g} s"
    for cause in _causes(error):
        if isinstance(cause, ConnectionRefusedError):
            return "nothing that listens there (connection refused)"
        if isinstance(cause, socket.gaierror):
            return "no machine of that name"
    return str(error) or "no connection"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and all that led to it."""
    if error is None:
        return
    yield error
    if isinstance(error, BaseExceptionGroup):
        for part in error.exceptions:
            yield from _causes(part)
    yield from _causes(error.__cause__ or error.__context__)


async def _sent(endpoint: Endpoint, post: Post) -> bytes:
    import httpx

    connection, base, options, scrub, contact = endpoint
    soon = min(FIRST_CONNECTION_S, options.timeout)
    connect = options.timeout if contact.made else soon
    timeout = httpx.Timeout(options.timeout, pool=None, connect=connect)
    async with (
        connection() as client,
        client.stream(
            "POST", post.path, content=post.body, headers=post.headers, timeout=timeout
        ) as response,
    ):
        contact.made = True
        received = bytearray()
        async for chunk in response.aiter_raw():
            received += chunk
            if len(received) > MAX_BODY_BYTES:
                raise _too_large(base)
    data = _uncompressed(bytes(received), response, base)
    if response.status_code == FINE:
        return data
    words = data.decode(errors="replace")
    moved = response.headers.get("location", "")
    elsewhere = f", moved to {scrub(moved)[:200]}" if moved else ""
    # Scrubbed before it is cut: a border may lie within a key.
    said = f"status {response.status_code}{elsewhere}: {scrub(words[:20_000])[:300]}"
    raise _StatusError(response.status_code, said, again=_pause(response, words, options))


def _uncompressed(data: bytes, response: httpx.Response, base: str) -> bytes:
    """
    Undo a compression that was not asked for, as some proxies apply it.

    Raises ModelError "too-large", and "compressed" for one that is not gzip or is damaged.
    """
    coding = response.headers.get("content-encoding", "").strip().lower()
    if coding in {"", "identity"} and not data.startswith(GZIP):
        return data
    found = f"one compressed by '{coding or 'gzip'}'"
    if coding in {"", "identity", "gzip", "x-gzip"}:
        unpacker = zlib.decompressobj(zlib.MAX_WBITS | GZIP_BITS)
        try:
            plain = unpacker.decompress(data, MAX_BODY_BYTES + 1)
        except zlib.error as error:
            found = f"{found}, damaged ({error})"
        else:
            if len(plain) > MAX_BODY_BYTES:
                raise _too_large(base)
            if unpacker.eof:
                return plain
            found = f"{found}, cut off"
    raise ModelError(
        "compressed",
        expected=f"a reply without compression from {base}, as was asked",
        found=found,
        remedy="switch compression off in the server, or in the proxy before it",
    )


def _too_large(base: str) -> ModelError:
    return ModelError(
        "too-large",
        expected=f"a reply of at most {MAX_BODY_BYTES:,} bytes from {base}",
        found="more",
        remedy="lower the limit of tokens",
    )


def _pause(response: httpx.Response, words: str, options: Options) -> bool | float:
    """Return whether to ask again, or after how many seconds."""
    if response.status_code not in TRIED_AGAIN and response.status_code < SERVER_FAULT:
        return False
    if SPENT in words:
        return False
    asked = retry_after(response.headers.get("retry-after", ""), dt.datetime.now(dt.UTC))
    if asked is None and (delay := RETRY_DELAY.search(words)):
        asked = float(delay[1])
    if asked is None:
        return True
    # Nothing but True and a positive number means yes to the retrying library.
    return max(asked, 0.001) if asked <= options.longest_retry_after else False


def _failure(reason: str, found: str, base: str) -> ModelError:
    remedies = {
        "connection": "check that the server runs and that the base URL is right",
        "http-401": "name the environment variable of this server's key with --key-variable",
        "http-403": "check that the key is allowed to ask this model",
        "http-404": "check the model's name and the base URL, which mostly ends in /v1",
        "timeout": "raise the time-out or lower the concurrency",
    }
    if reason.startswith("http-3"):
        remedies[reason] = "name the address that replies itself: a key is sent to no other"
    return ModelError(
        reason,
        expected=f"a reply from {base}",
        found=found,
        remedy=remedies.get(reason, OTHER_REMEDY),
    )
