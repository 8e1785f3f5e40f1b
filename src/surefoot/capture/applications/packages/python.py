"""
Packages of Python: wheels by pip, in an environment that every application has.
"""

from __future__ import annotations

import os
import sys
from typing import Final

from surefoot.capture.address import Tell
from surefoot.capture.applications.packages.kind import Destination, PackageKind, run_installer
from surefoot.capture.applications.recipe import ApplicationRecipe

__all__ = ["PYTHON_PACKAGES", "bring_python"]


def bring_python(recipe: ApplicationRecipe, destination: Destination, tell: Tell) -> None:
    """
    Make an environment of Python, fetch the lock's wheels and install them without the network.

    The environment is made for every recipe, as it runs what the recipe says.
    """
    create = [sys.executable, "-m", "venv", str(destination.packages)]
    if not recipe.requirements:
        run_installer(recipe, [*create, "--without-pip"])
        return
    told = {
        name: value
        for name, value in os.environ.items()
        if name.startswith("PIP_") and "@" not in value
    }
    wheels = str(destination.fetched)
    locked = ["--require-hashes", "--no-deps", "--only-binary", ":all:"]
    locked += ["-r", str(PYTHON_PACKAGES.lock(recipe))]
    pip = [str(destination.packages / "bin" / "python"), "-m", "pip", "--no-input"]
    tell(f"{recipe.title}: fetching packages of Python")
    run_installer(recipe, create)
    run_installer(recipe, [*pip, "download", *locked, "--dest", wheels], environment=told)
    tell(f"{recipe.title}: installing packages of Python")
    found = ["--no-index", "--find-links", wheels]
    run_installer(recipe, [*pip, "install", *locked, *found], environment=told)


PYTHON_PACKAGES: Final = PackageKind(
    name="python",
    suffix=".txt",
    wanted=lambda recipe: recipe.requirements,
    bring=bring_python,
)
