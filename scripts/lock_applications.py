"""
Write the locks of recipes: the exact packages that an application needs, with all their hashes.

    python scripts/lock_applications.py NAME...

A lock is for every platform and says no address. Of Python it has wheels alone, but for what a
recipe names as built; of npm what works without the scripts of its packages.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from surefoot.capture.applications.installing import RECIPES
from surefoot.capture.applications.packages import PACKAGE_KINDS
from surefoot.capture.applications.recipe import ApplicationRecipe

__all__ = ["LOCKERS", "lock_npm", "lock_python"]

UV: Final = "uv==0.13.9"


def lock_python(recipe: ApplicationRecipe, folder: Path) -> str:
    """Return the lock of a recipe's requirements, as ``pip install -r`` reads it."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(folder)]
    subprocess.run([*pip, UV], check=True)
    wanted = folder / "requirements.in"
    wanted.write_text("\n".join(recipe.requirements), encoding="utf-8")
    command = [f"{folder}/bin/uv", "pip", "compile", "--quiet", "--universal"]
    command += ["--python-version", "3.11", "--only-binary", ":all:", "--generate-hashes"]
    command += [f"--no-binary={name}" for name in recipe.built]
    command += ["--no-header", "--no-annotate", str(wanted)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def lock_npm(recipe: ApplicationRecipe, folder: Path) -> str:
    """Return the lock of a recipe's packages of npm, as ``npm ci`` reads it."""
    wanted = dict(item.rsplit("@", 1) for item in recipe.npm_packages)
    manifest = {"name": recipe.name, "dependencies": wanted}
    folder.joinpath("package.json").write_text(json.dumps(manifest), encoding="utf-8")
    command = ["npm", "install", "--package-lock-only", "--ignore-scripts", "--no-audit"]
    command += ["--no-fund", "--omit-lockfile-registry-resolved", "--loglevel=error"]
    subprocess.run(command, cwd=folder, check=True)
    return folder.joinpath("package-lock.json").read_text("utf-8")


LOCKERS: Final[Mapping[str, Callable[[ApplicationRecipe, Path], str]]] = {
    "python": lock_python,
    "npm": lock_npm,
}


if __name__ == "__main__":
    for name in sys.argv[1:]:
        found = RECIPES.get(name)
        for kind in PACKAGE_KINDS:
            if not kind.wanted(found):
                continue
            with tempfile.TemporaryDirectory() as scratch:
                locked = LOCKERS[kind.name](found, Path(scratch))
            kind.lock(found).write_text(locked, encoding="utf-8")
