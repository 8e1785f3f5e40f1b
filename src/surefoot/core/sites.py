"""
Which pages are of one site, by their addresses.
"""

from __future__ import annotations

import urllib.parse
from typing import Final

PORTS: Final = {"http": 80, "https": 443}


def site_of(url: str) -> str:
    """
    Return which site a URL is of: its host, and its port where that is not the usual one.

    Servers on other ports of one machine are other sites. "" for a URL without a host;
    raises ValueError for a malformed one.

    >>> site_of("http://127.0.0.1:8001/a"), site_of("https://example.org:443/b")
    ('127.0.0.1:8001', 'example.org')
    """
    parts = urllib.parse.urlsplit(url)
    host, port = parts.hostname or "", parts.port
    label = f"[{host}]" if ":" in host else host
    return label if port in {None, PORTS.get(parts.scheme)} else f"{label}:{port}"
