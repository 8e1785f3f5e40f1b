"""
What a recipe calls to serve an application that is files: those of its packages and its state.
"""

from __future__ import annotations

import http.server
import urllib.parse
from collections.abc import Callable, Mapping
from http import HTTPStatus
from pathlib import Path


def preferred(accepted: str, languages: Mapping[str, str]) -> str:
    """
    Return what stands for the first language of Accept-Language that is among ``languages``.

    A tag stands for all that it begins; where none is there, the first of ``languages`` is.

    >>> preferred("fr-CH, en;q=0.9", {"en": "en-US", "fr": "fr-FR"})
    'fr-FR'
    >>> preferred("zh-CN", {"en": "en-US", "zh": "zh-Hans"}), preferred("", {"en": "en-US"})
    ('zh-Hans', 'en-US')
    """
    for item in accepted.split(","):
        tag = item.partition(";")[0].strip()
        while tag:
            if tag in languages:
                return languages[tag]
            tag = tag.rpartition("-")[0]
    return next(iter(languages.values()))


def serve_files(
    port: int, folders: Mapping[str, Path], page: Callable[[str, str], str | None]
) -> None:
    """
    Serve folders by the paths that lead to them, and pages that are made, on 127.0.0.1.

    ``page`` is told the path with its query, and Accept-Language; where it returns None, the
    path is a file below one of the folders, of which the longest path counts.
    """

    class Answer(http.server.SimpleHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            made = page(self.path, self.headers.get("Accept-Language", ""))
            if made is None:
                super().do_GET()
                return
            body = made.encode()
            self.send_response(HTTPStatus.OK)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def translate_path(self, path: str) -> str:
            asked = urllib.parse.urlsplit(path).path
            prefix = max((name for name in folders if asked.startswith(name)), key=len, default="")
            self.directory = str(folders.get(prefix, "/dev/null"))
            return super().translate_path(asked.removeprefix(prefix) or "/")

        def list_directory(self, path: object) -> None:
            del path
            self.send_error(HTTPStatus.NOT_FOUND)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    http.server.ThreadingHTTPServer(("127.0.0.1", port), Answer).serve_forever()
