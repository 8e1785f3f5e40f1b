"""
Commands done in parts, by their own processes: merged, they are what one machine writes.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from surefoot.core.canonical import sha256
from surefoot.core.errors import ExitCode

Command = Callable[..., "subprocess.CompletedProcess[str]"]
FORMS = ("bug_report", "it_support_request")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that all commands are given in."""
    return tmp_path_factory.mktemp("parts")


@pytest.fixture(scope="module")
def surefoot(place: Path) -> Command:
    """Return what runs a command line, and demands that it ends well."""

    def run(*words: object, code: int = ExitCode.FINE) -> subprocess.CompletedProcess[str]:
        line = [sys.executable, "-P", "-m", "surefoot", *map(str, words)]
        ended = subprocess.run(line, check=False, cwd=place, text=True, capture_output=True)
        assert ended.returncode == code, ended.stderr + ended.stdout
        return ended

    return run


def written(folder: Path) -> dict[str, str]:
    """Return the hashes of what a folder exports, its pictures among them."""
    own = {"ledger.sqlite", "ledger.lock", "bench.txt", "speed.json", "seconds.jsonl"}
    return {
        str(path.relative_to(folder)): sha256(path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in own and "-" not in path.suffix
    }


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("name", "words", "parts"),
    [
        ("screens", ("capture", "{site}", "--workers", 1), 2),
        (
            "bench",
            ("build", "perturbed", "--screens", "screens", "--variants", "original,style,jpeg:30"),
            3,
        ),
        ("run", ("run", "bench", "--model", "oracle", "--samples", 2), 4),
        (
            "forms",
            (
                *("forms", "run", "--agent", "oracle", "--workers", 1),
                *(word for form in FORMS for word in ("--form", form)),
            ),
            2,
        ),
    ],
)
def test_parts_merge_to_the_bytes_of_the_whole(
    surefoot: Command, place: Path, site: Path, name: str, words: tuple[object, ...], parts: int
) -> None:
    """A command in parts exports what it does in one go; the next one takes what was merged."""
    words = tuple(site if word == "{site}" else word for word in words)
    folders = [f"{name}-{part}" for part in range(1, parts + 1)]
    for part, folder in enumerate(folders, start=1):
        ended = surefoot(*words, "--shard", f"{part}/{parts}", "--out", folder)
        assert "surefoot merge" in ended.stderr
        assert (place / folder / "manifest.json").exists() == (name == "run")
    surefoot("merge", *reversed(folders), "--out", name)
    surefoot(*words, "--out", f"{name}-whole")

    assert written(place / name) == written(place / f"{name}-whole")
    surefoot("merge", *folders, "--out", name)
    assert written(place / name) == written(place / f"{name}-whole"), "a second time"
    surefoot("verify", name)
