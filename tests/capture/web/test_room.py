"""
A room starts Chromium as confined as the machine allows, and shows it single files.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from surefoot.capture.confinement import CHANGE_USER
from surefoot.capture.web import room as module
from surefoot.capture.web.room import UNCONFINED, Confinement, Room
from surefoot.core.errors import MissingComponentError


def test_a_page_of_others_needs_a_sandbox_or_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a sandbox a page of others is refused with the mend, unless a person allows it."""
    monkeypatch.delenv(UNCONFINED, raising=False)
    Confinement(sandbox=True).check("page")
    with pytest.raises(MissingComponentError, match=r"bubblewrap.*--unconfined"):
        Confinement().check("page")
    monkeypatch.setenv(UNCONFINED, "1")
    Confinement().check("page")


@pytest.mark.parametrize(
    ("walls", "user", "expected"),
    [
        ((), (), [(True, True), (False, True), (False, False)]),
        (None, CHANGE_USER, [(False, True), (False, False)]),
        (None, None, [(False, False)]),
    ],
)
def test_the_most_confinement_comes_first(
    walls: tuple[str, ...] | None,
    user: tuple[str, ...] | None,
    expected: list[tuple[bool, bool]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Walls come before a sandbox alone, and that before nothing, as far as each can be had."""
    monkeypatch.setattr(module, "walls_hold", lambda _: walls)
    monkeypatch.setattr(module, "another_user", lambda: user)

    found = list(Room(tmp_path).confinements("/usr/bin/chromium"))

    assert [(item.walls, item.sandbox) for item in found] == expected


def test_a_script_becomes_the_program_and_tells_its_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program gets every argument, a profile of the room's and no variable of ours."""
    monkeypatch.setenv("A_KEY", "secret")
    room = Room(tmp_path / "a 'b")
    program = tmp_path / "program"
    program.write_text('#!/bin/sh\necho $$ "$@"; env\n', encoding="utf-8")
    program.chmod(0o755)

    script = room.script(str(program), Confinement())
    done = subprocess.run([script, "--one", "two three"], capture_output=True, check=True)

    first, *environment = done.stdout.decode().splitlines()
    assert (
        first
        == f"{room.pid} --one two three --user-data-dir={tmp_path / 'a {}b'}/profile".format("'")
    )
    assert not [line for line in environment if "secret" in line]
