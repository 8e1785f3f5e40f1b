"""
A file where a folder is to be written, or a folder where a file is.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surefoot.core.errors import ExitCode

Surefoot = Callable[..., Any]
FOLDERS = {
    "quickstart": ("quickstart",),
    "capture": ("capture", "page.html"),
    "build": ("build", "perturbed", "--screens", "screens"),
    "run": ("run", "bench", "--model", "center"),
    "diagnose": ("diagnose", "bench", "--model", "center"),
    "import": ("import", "screenspot", "data"),
    "export": ("export", "bench"),
    "audit": ("audit", "bench"),
    "forms build": ("forms", "build"),
    "forms import": ("forms", "import", "data"),
    "forms serve": ("forms", "serve"),
    "forms run": ("forms", "run", "--agent", "oracle"),
}
FILES = {
    "report --out": ("report", "run", "--out"),
    "score --json": ("score", "run", "--json"),
    "diagnose --json": ("diagnose", "bench", "--model", "center", "--out", "d", "--json"),
    "forms report --out": ("forms", "report", "run", "--out"),
    "forms score --json": ("forms", "score", "run", "--json"),
}


@pytest.mark.parametrize("verb", FOLDERS)
def test_a_file_is_no_folder_to_write(surefoot: Surefoot, tmp_path: Path, verb: str) -> None:
    """Every verb that writes a folder refuses a file before it does anything, and leaves it."""
    file = tmp_path / "notes.txt"
    file.write_text("mine", "utf-8")
    ended = surefoot(*FOLDERS[verb], "--out", file)

    assert ended.code == ExitCode.USER_ERROR
    assert "'--out'" in ended.err
    assert "is a file" in ended.err
    assert "Traceback" not in ended.err
    assert file.read_text("utf-8") == "mine"


@pytest.mark.parametrize("verb", FILES)
def test_a_folder_is_no_file_to_write(surefoot: Surefoot, tmp_path: Path, verb: str) -> None:
    """Every verb that writes a file refuses a folder before it does anything."""
    ended = surefoot(*FILES[verb], tmp_path)

    assert ended.code == ExitCode.USER_ERROR
    assert "is a directory" in ended.err
    assert list(tmp_path.iterdir()) == []


def test_a_file_among_the_folders_above_is_named(
    surefoot: Surefoot, drawn: Path, tmp_path: Path
) -> None:
    """A folder to be made below a file is the user's mistake, told by its path."""
    (tmp_path / "notes.txt").write_text("mine", "utf-8")
    ended = surefoot("run", drawn, "--model", "center", "--out", tmp_path / "notes.txt" / "run")

    assert ended.code == ExitCode.USER_ERROR
    assert str(tmp_path / "notes.txt") in ended.err
    assert "Traceback" not in ended.err
