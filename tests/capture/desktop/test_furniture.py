"""
A fresh home folder holds what makes programs look the same everywhere.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.capture.desktop.furniture import (
    FILES,
    MODIFIED,
    Rooms,
    environment,
    furnish,
    language_of,
    speaks,
    wait_for,
)


@pytest.fixture
def rooms(tmp_path: Path) -> Rooms:
    """Name the folders of a session below a temporary one."""
    return Rooms(tmp_path / "home", tmp_path / "runtime")


def test_home_is_furnished(rooms: Rooms) -> None:
    """The settings, the recipe's files and folders are there, all of one age."""
    furnish(rooms, "en-US", {"notes.txt": "Milk", "Music/": ""})

    assert (rooms.home / "notes.txt").read_text("utf-8") == "Milk"
    assert (rooms.home / "Music").is_dir()
    assert all((rooms.home / path).is_file() for path in FILES)
    assert {item.stat().st_mtime for item in rooms.home.rglob("*")} == {MODIFIED}
    assert rooms.runtime.stat().st_mode & 0o077 == 0


def test_bus_starts_nothing_but_accessibility(rooms: Rooms) -> None:
    """The session bus knows one service and listens on a socket of the session."""
    furnish(rooms, "en-US", {})

    assert [path.name for path in rooms.services.iterdir()] == ["org.a11y.Bus.service"]
    assert f"unix:path={rooms.bus}" in rooms.bus_config.read_text("utf-8")


def test_environment_passes_nothing_on(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs hear of no variable of ours but the path."""
    monkeypatch.setenv("SECRET_TOKEN", "x")
    found = environment(rooms, ":7", "fr-FR", "Asia/Tokyo")

    assert "SECRET_TOKEN" not in found
    assert (found["DISPLAY"], found["LC_ALL"], found["TZ"]) == (":7", "fr_FR.UTF-8", "Asia/Tokyo")
    assert found["HOME"] == str(rooms.home)


@pytest.mark.parametrize(
    ("tag", "locale"), [("th", "th_TH.UTF-8"), ("pt-BR", "pt_BR.UTF-8"), ("ru_RU", "ru_RU.UTF-8")]
)
def test_locales_are_spelled_for_the_c_library(tag: str, locale: str) -> None:
    """A language without a territory takes its usual one."""
    assert language_of(tag) == locale


def test_waiting_ends(tmp_path: Path) -> None:
    """A file that is there is waited for no longer, one that never comes not for ever."""
    assert wait_for(tmp_path, 0.0)
    assert not wait_for(tmp_path / "never", 0.05)


def test_a_language_without_a_locale_is_not_spoken(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A locale that cannot be compiled would be English in silence; English needs none."""
    furnish(rooms, "xx-YY", {})
    monkeypatch.setenv("PATH", "")
    furnish(rooms, "fr-FR", {})

    assert not speaks(rooms, "xx-YY")
    assert not speaks(rooms, "fr-FR")
    assert speaks(rooms, "en-GB")
