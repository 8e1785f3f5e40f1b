"""
Packages of Python: wheels by pip, in an environment that every application has.

A package that its makers give away as source alone is built where the recipe names it: from
what the lock pins, by what the lock pins, once everything else is installed. That runs the
package's own script of installation with our rights; nothing else does.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Collection
from typing import Final

from surefoot.capture.address import Tell
from surefoot.capture.applications.packages.kind import Destination, PackageKind, run_installer
from surefoot.capture.applications.recipe import ApplicationRecipe

PIN: Final = re.compile(r"(?m)^(?=[A-Za-z0-9])")
RUNS: Final = re.compile(r"[-_.]+")


def bring_python(recipe: ApplicationRecipe, destination: Destination, tell: Tell) -> None:
    """
    Make an environment of Python, fetch the lock's wheels and install them without the network.

    The environment is made for every recipe, as it runs what the recipe says.
    """
    create = [sys.executable, "-m", "venv", str(destination.packages)]
    if not recipe.requirements:
        run_installer(recipe, [*create, "--without-pip"])
        return
    variables = {
        name: value
        for name, value in os.environ.items()
        if name.startswith("PIP_") and "@" not in value
    }
    fetched = destination.fetched
    pip = [str(destination.packages / "bin" / "python"), "-m", "pip", "--no-input"]
    run_installer(recipe, create)
    lock = PYTHON_PACKAGES.lock(recipe).read_text("utf-8")
    for name, pins, how in zip(
        ("wheels", "sources"),
        split_lock(lock, recipe.built),
        (["--only-binary"], ["--no-build-isolation", "--no-binary"]),
        strict=True,
    ):
        if not pins:
            continue
        wanted = fetched / f"{name}.txt"
        wanted.write_text(pins, encoding="utf-8")
        locked = ["--require-hashes", "--no-deps", *how, ":all:", "-r", str(wanted)]
        tell(f"{recipe.title}: fetching {name} of Python's packages")
        run_installer(
            recipe, [*pip, "download", *locked, "--dest", str(fetched)], environment=variables
        )
        tell(f"{recipe.title}: installing {name} of Python's packages")
        found = ["--no-index", "--find-links", str(fetched)]
        run_installer(recipe, [*pip, "install", *locked, *found], environment=variables)


def split_lock(lock: str, built: Collection[str]) -> tuple[str, str]:
    r"""
    Return the pins of a lock that are wheels, and those of packages that are built.

    >>> split_lock("one==1 \\\n    --hash=a\nTwo.x==2 \\\n    --hash=b\n", ["two-x"])
    ('one==1 \\\n    --hash=a\n', 'Two.x==2 \\\n    --hash=b\n')
    """
    names = {_normal(name) for name in built}
    wheels: list[str] = []
    sources: list[str] = []
    for pin in PIN.split(lock):
        name = pin.partition("==")[0]
        (sources if _normal(name) in names else wheels).append(pin)
    return "".join(wheels), "".join(sources)


def _normal(name: str) -> str:
    """Return the one spelling of a package's name, by PEP 503."""
    return RUNS.sub("-", name).lower()


PYTHON_PACKAGES: Final = PackageKind(
    name="python",
    suffix=".txt",
    wanted=lambda recipe: recipe.requirements,
    bring=bring_python,
)
