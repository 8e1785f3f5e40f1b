"""
One page in several languages, captured in Chromium from a server that speaks some of them.
"""

from __future__ import annotations

import contextlib
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from surefoot.api.screens import Screens
from surefoot.capture.settings import Settings
from surefoot.core.errors import InvalidInputError, PlanMismatchError
from surefoot.run.building import capturing
from surefoot.run.building.capturing import capture_screens
from surefoot.run.verifying import verify_folders
from surefoot.verbs.capture import capture

SMALL: Final = Settings(width=420, height=320)
WORDS: Final = {
    "en": ("Choose a country", "Save the choice", "Spain", "Germany", "France"),
    "ru": ("Выберите страну", "Сохранить выбор", "Испания", "Германия", "Франция"),
}
COUNTRIES: Final = ("es", "de", "fr")
NOTE: Final = "<p>Перевод не завершён</p>"


def page(language: str) -> str:
    """Return a page whose list each language sorts, and which has a note in Russian alone."""
    title, button, *names = WORDS.get(language, WORDS["en"])
    listed = sorted(zip(names, COUNTRIES, strict=True))
    rows = "".join(f"<li><a href=/country/{code}>{name}</a>" for name, code in listed)
    note = NOTE if language == "ru" else ""
    return (
        f"<!doctype html><meta charset=utf-8><title>{title}</title><h1>{title}</h1>{note}"
        f"<ul>{rows}</ul><button name=save>{button}</button><button name=undo>\ue000</button>"
    )


@contextlib.contextmanager
def shop() -> Iterator[str]:
    """Serve the page on loopback in the language that is asked for, or else in English."""

    class Spoken(http.server.BaseHTTPRequestHandler):
        """Answer every path with the page."""

        def do_GET(self) -> None:
            """Answer."""
            data = page(self.headers.get("Accept-Language", "")[:2]).encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Stay quiet."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Spoken) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()


@pytest.mark.browser
def test_a_page_is_matched_in_its_languages_and_a_fall_back_is_left_out(tmp_path: Path) -> None:
    """What Russian sorts and adds is found again; French, which is English here, is left out."""
    with shop() as origin:
        found = capture(
            origin, out=tmp_path / "out", width=420, height=320, parallel="en,ru,fr", workers=1
        )

    parallel = Screens(found.folder).parallel
    (name,) = parallel.pages
    english = parallel.screen(name, "en")
    assert english is not None
    assert {screen.locale for screen in found} == {"en-US", "ru-RU", "fr-FR"}
    said = {}
    for element in english.elements:
        partner = parallel.element(name, "ru", element.id)
        if element.name and element.role != "listitem" and partner is not None:
            said[element.name] = partner.name
    assert said == dict(zip(WORDS["en"], WORDS["ru"], strict=True))
    reasons = {item.language: (item.reason, item.found) for item in parallel.records}
    assert reasons == {"en": ("", ""), "ru": ("", ""), "fr": ("untranslated", "0%")}
    assert english.missing == {"U+E000": "no font has it"}
    assert not any(check.damaged for check in verify_folders(tmp_path))


def test_one_language_alone_is_refused(tmp_path: Path) -> None:
    """There is nothing to match with one language, nor with one that is named twice."""
    (tmp_path / "a.html").write_text("<button>Save</button>")
    for languages in (("en",), ("en", "zh-CN", "zh")):
        with pytest.raises(InvalidInputError, match="two or more languages"):
            capture_screens([str(tmp_path)], tmp_path / "out", SMALL, languages=languages)
    assert not (tmp_path / "out").exists()


def test_other_languages_are_another_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder goes on in the languages that it was begun with, and each is a unit of its own."""
    monkeypatch.setattr(capturing, "renderer", lambda *_: {})
    seen: list[list[str]] = []
    monkeypatch.setattr(
        capturing,
        "run_units",
        lambda units, *_, **__: seen.append([str(unit.body.get("locale")) for unit in units]),
    )
    (tmp_path / "a.html").write_text("<button>Save</button>")
    source = [str(tmp_path / "a.html")]
    capture_screens(source, tmp_path / "out", SMALL, languages=("en", "zh", "pt-BR"))

    assert seen == [["en-US", "zh-CN", "pt-BR"]]
    for other in (("en", "zh"), ()):
        with pytest.raises(PlanMismatchError, match="languages"):
            capture_screens(source, tmp_path / "out", SMALL, languages=other)
