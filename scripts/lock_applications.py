"""
Write the locks of recipes: the exact packages that an application needs, with all their hashes.

    python scripts/lock_applications.py NAME...

A lock is for every platform, and has wheels alone: nothing is built when it is installed.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from surefoot.capture.applications.installing import RECIPES
from surefoot.capture.applications.recipe import ApplicationRecipe

__all__ = ["lock"]

UV = "uv==0.13.9"


def lock(recipe: ApplicationRecipe) -> str:
    """Return the lock of a recipe's requirements, as ``pip install -r`` reads it."""
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder]
        subprocess.run([*pip, UV], check=True)
        wanted = Path(folder) / "requirements.in"
        wanted.write_text("\n".join(recipe.requirements), encoding="utf-8")
        command = [f"{folder}/bin/uv", "pip", "compile", "--quiet", "--universal"]
        command += ["--python-version", "3.11", "--only-binary", ":all:", "--generate-hashes"]
        command += ["--no-header", "--no-annotate", str(wanted)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    for name in sys.argv[1:]:
        found = RECIPES.get(name)
        found.lock.write_text(lock(found), encoding="utf-8")
