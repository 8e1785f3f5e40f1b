"""
How long a server asks to wait.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import email.utils
import gzip
import re
import zlib
from collections.abc import AsyncIterator

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.errors import ModelError
from surefoot.core.foreign.scrubbing import Scrubber
from surefoot.models.backend import Options
from surefoot.models.servers.exchange import Contact, Endpoint, Post, exchange, retry_after

NOW = dt.datetime(2026, 11, 21, 12, 0, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("0", 0.0),
        ("1.5", 1.5),
        (" 30 ", 30.0),
        (email.utils.format_datetime(NOW + dt.timedelta(seconds=90), usegmt=True), 90.0),
        (email.utils.format_datetime(NOW - dt.timedelta(days=1), usegmt=True), 0.0),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("1e9", None),
        ("nan", None),
        ("\u0663", None),
    ],
)
def test_retry_after(value: str, expected: float | None) -> None:
    """Seconds and dates are read; anything else is as if nothing was asked."""
    assert retry_after(value, NOW) == expected


@given(
    st.text()
    | st.from_regex(
        r"\A[A-Z][a-z]{2}, \d{1,3} [A-Z][a-z]{2} \d{1,12} \d{2}:\d{2}:\d{2} [-+]\d{1,6}\Z"
    )
    | st.datetimes().map(lambda moment: f"{moment:%a, %d %b %Y %H:%M:%S} -2359")
    | st.floats().map(str)
    | st.integers().map(str)
)
def test_no_retry_after_is_a_bug(value: str) -> None:
    """Whatever a server asks, it is a time to wait or nothing."""
    asked = retry_after(value, NOW)
    assert asked is None or 0 <= asked < 1e12


PLAIN = b'{"choices": []}'
REPLIES: list[tuple[str, bytes, bytes | str]] = [
    ("identity", PLAIN, PLAIN),
    ("", PLAIN, PLAIN),
    ("gzip", gzip.compress(PLAIN), PLAIN),
    ("GZIP", gzip.compress(PLAIN), PLAIN),
    ("x-gzip", gzip.compress(PLAIN), PLAIN),
    ("", gzip.compress(PLAIN), PLAIN),
    ("gzip", gzip.compress(PLAIN)[:-9], "compressed by 'gzip', cut off"),
    ("gzip", b"\x1f\x8b" + bytes(20), "compressed by 'gzip', damaged"),
    ("gzip", PLAIN, "compressed by 'gzip', damaged"),
    ("gzip", gzip.compress(bytes(2_000_000)), "found more"),
    ("br", b"\x0b\x02\x80", "compressed by 'br'. Switch compression off"),
    ("zstd", b"\x28\xb5\x2f\xfd", "compressed by 'zstd'"),
    ("deflate", zlib.compress(PLAIN), "compressed by 'deflate'"),
    ("gzip, br", b"x", "compressed by 'gzip, br'"),
]


@pytest.mark.parametrize(("coding", "body", "right"), REPLIES)
def test_a_compression_that_was_not_asked_for(
    coding: str, body: bytes, right: bytes | str
) -> None:
    """A gzip is unpacked within the limit of a reply; any other is a sentence that names it."""

    def reply(request: httpx.Request) -> httpx.Response:
        del request
        return httpx.Response(200, headers={"content-encoding": coding}, stream=_Stream(body))

    async def ask() -> bytes:
        base, transport = "http://127.0.0.1", httpx.MockTransport(reply)
        endpoint = Endpoint(
            lambda: httpx.AsyncClient(transport=transport, base_url=base),
            *(base, Options(), Scrubber(""), Contact()),
        )
        return await exchange(endpoint, Post("/x", b""))

    if isinstance(right, bytes):
        assert asyncio.run(ask()) == right
        return
    with pytest.raises(ModelError, match=re.escape(right)):
        asyncio.run(ask())


class _Stream(httpx.AsyncByteStream):
    """Send bytes as they are."""

    def __init__(self, body: bytes) -> None:
        self._body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield self._body
