"""
An application that is files is served as what it is, and nothing beside it.
"""

from __future__ import annotations

import http.client
import threading
import time
from pathlib import Path

import pytest

from surefoot.capture.applications.files import preferred, serve_files
from tests.ports import private_port


@pytest.mark.parametrize(
    ("accepted", "chosen"),
    [
        ("ja", "ja-JP"),
        ("zh-TW", "zh-Hans"),
        ("de, ru;q=0.5", "ru-RU"),
        ("de", "en-GB"),
        (";,-,", "en-GB"),
    ],
)
def test_the_first_known_language_is_taken(accepted: str, chosen: str) -> None:
    """What Accept-Language asks for first and is there is what is spoken, else the first."""
    known = {"en": "en-GB", "zh": "zh-Hans", "ru": "ru-RU", "ja": "ja-JP"}

    assert preferred(accepted, known) == chosen


def test_files_below_the_folders_are_served(tmp_path: Path) -> None:
    """Pages are made, files come from the folder with the longest path, all else is not there."""
    for name, text in (("a/one.txt", "one"), ("b/one.txt", "two"), ("secret.txt", "no")):
        tmp_path.joinpath(name).parent.mkdir(exist_ok=True)
        tmp_path.joinpath(name).write_text(text)
    port = private_port()
    folders = {"/": tmp_path / "a", "/b/": tmp_path / "b"}

    def page(path: str, accepted: str) -> str | None:
        return f"<p>{path} in {accepted}" if path.startswith("/?") else None

    threading.Thread(target=serve_files, args=(port, folders, page), daemon=True).start()

    def ask(path: str) -> tuple[int, str]:
        end = time.monotonic() + 20
        while True:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
            try:
                connection.request("GET", path, headers={"Accept-Language": "fr"})
                reply = connection.getresponse()
                return reply.status, reply.read().decode() if reply.status == 200 else ""
            except ConnectionRefusedError:
                assert time.monotonic() < end
            finally:
                connection.close()

    assert ask("/?page=1") == (200, "<p>/?page=1 in fr")
    assert ask("/one.txt") == (200, "one")
    assert ask("/b/one.txt?again") == (200, "two")
    assert [ask(path)[0] for path in ("/", "/b/", "/../secret.txt", "/b/%2e%2e/secret.txt")] == [
        404
    ] * 4
