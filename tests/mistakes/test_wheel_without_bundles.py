"""
A wheel used to be built without the scripts of the form renderers, and then drew no form.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DIST = Path("src/surefoot/forms/renderers/web/dist")
BUILD = "from hatchling.build import build_wheel; build_wheel(__import__('sys').argv[1])"


def tracked(work: Path) -> Path:
    """Return a copy of what git tracks, as a clean clone has it, without what set-up built."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file() and not name.startswith(("docs/", "tests/")):
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, work / name)
    return work


def build(tree: Path, out: Path, path: str) -> subprocess.CompletedProcess[str]:
    """Build a wheel of a tree with these programs."""
    return subprocess.run(
        [sys.executable, "-c", BUILD, str(out)],
        cwd=tree,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("npm", ["absent", "failing"])
def test_wheel_without_bundles_is_refused(tmp_path: Path, npm: str) -> None:
    """A clean tree whose form scripts cannot be built gives no wheel, and says why."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("bash", "dirname", "cat", "find", "sort", "xargs", "sha256sum", "cut", "git"):
        (programs / name).symlink_to(shutil.which(name) or name)
    (programs / "env").symlink_to(shutil.which("env") or "env")
    if npm == "failing":
        (programs / "npm").write_text("#!/bin/sh\necho 'npm error: no network' >&2\nexit 1\n")
        (programs / "npm").chmod(0o755)

    done = build(tracked(tmp_path / "tree"), tmp_path / "out", str(programs))

    assert done.returncode != 0
    assert ("no npm" if npm == "absent" else "no network") in done.stderr
    assert not list((tmp_path / "out").glob("*.whl"))


@pytest.mark.long
def test_wheel_holds_every_bundle(tmp_path: Path) -> None:
    """The wheel of a tree that was set up holds each file that the renderers load."""
    if not (ROOT / DIST / ".built").is_file():
        pytest.skip("the scripts of the form renderers are not built")
    tree = tracked(tmp_path / "tree")
    shutil.copytree(ROOT / DIST, tree / DIST)

    done = build(tree, tmp_path / "out", os.environ["PATH"])

    assert done.returncode == 0, done.stderr
    (wheel,) = (tmp_path / "out").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if "/dist/" in name}
    built = {
        f"{file.relative_to(ROOT / 'src').as_posix()}"
        for file in (ROOT / DIST).rglob("*")
        if file.is_file()
    }
    assert packed == built
