"""
How much of anything one run may send to the server.
"""

from __future__ import annotations

import msgspec


class ServerLimits(msgspec.Struct, frozen=True):
    """
    Bound requests and runs; bytes of a body, characters of a value, counts of the rest.

    ``file_bytes`` bounds one file and ``page_bytes`` the body of a page with its files;
    ``line_chars`` bounds a value that is judged, but for a description's ``value_chars``.
    """

    json_bytes: int = 2**20
    page_bytes: int = 64 * 2**20
    file_bytes: int = 16 * 2**20
    text_bytes: int = 2**18
    value_chars: int = 50_000
    line_chars: int = 4_000
    texts_per_field: int = 100
    events_per_post: int = 500
    events_per_run: int = 50_000
    refused_per_run: int = 10_000
    uploads_per_run: int = 500
    uploaded_bytes_per_run: int = 512 * 2**20
    submissions_per_run: int = 100
