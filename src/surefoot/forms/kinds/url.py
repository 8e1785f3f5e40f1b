"""
Addresses of the web, which name their scheme.
"""

from __future__ import annotations

import re
import unicodedata
import urllib.parse
from typing import Final

from surefoot.forms.specification import FieldKind, Holds, Kind
from surefoot.forms.values.normalise import lower_host, single

_PORTS: Final = {"http": 80, "https": 443}
_LONGEST: Final = 2048


def _url(text: str) -> str | None:
    """Read an address of the web; "example.com" without a scheme is none."""
    line = unicodedata.normalize("NFC", text).strip()
    if len(line) > _LONGEST or re.search(r"[\s\x00-\x1f\x7f<>\"\\^`{|}]", line):
        return None
    try:
        parts = urllib.parse.urlsplit(line)
        port = parts.port
    except ValueError:
        return None
    scheme, host = parts.scheme.lower(), lower_host(parts.hostname or "")
    if scheme not in _PORTS or not host or parts.username is not None:
        return None
    shown = f"[{host}]" if ":" in host else host
    place = shown if port in {None, _PORTS[scheme]} else f"{shown}:{port}"
    path = parts.path.rstrip("/")
    return urllib.parse.urlunsplit((scheme, place, path, parts.query, parts.fragment))


URL: Final = FieldKind(
    name="url",
    version=1,
    widget=Kind.URL,
    holds=Holds.TEXT,
    read=single(lambda _field, text, _language: _url(text)),
    rank=1,
    column="String",
    found_as=Kind.URL,
)
