"""
What a browser may do with our pages, as headers; it needs no web library.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

STYLE_NONCE: Final = "__STYLE_NONCE__"
"""
What a document writes as the nonce of styles that a library makes at run time.

The server puts a fresh one in its place, and lets it in by that page's policy.
"""
POLICY: Final = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none';"
    " frame-ancestors 'none'; form-action 'self'"
)
HEADERS: Final[Mapping[str, str]] = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
