"""
Write the locks of recipes: the exact packages that an application needs, with all their hashes.

    python scripts/lock_applications.py NAME...

A lock is for every platform and says no address. Of Python it has wheels alone, but for what a
recipe names as built; of npm and Debian what works without the scripts of their packages. That
of Debian is for this machine's architecture, and what this machine's lists of packages know.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from surefoot.capture.applications.installing import RECIPES
from surefoot.capture.applications.packages import PACKAGE_KINDS
from surefoot.capture.applications.packages.npm import manifest
from surefoot.capture.applications.recipe import ApplicationRecipe

UV: Final = "uv==0.13.9"
# What every Debian has.
BASE: Final = "?priority(required)"
KEPT: Final = ("Package", "Version", "Architecture", "Multi-Arch", "Provides", "Maintainer")


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
    asked = {"name": recipe.name, **manifest(wanted)}
    folder.joinpath("package.json").write_text(json.dumps(asked), encoding="utf-8")
    command = ["npm", "install", "--package-lock-only", "--ignore-scripts", "--no-audit"]
    command += ["--no-fund", "--omit-lockfile-registry-resolved", "--loglevel=error"]
    subprocess.run(command, cwd=folder, check=True)
    return folder.joinpath("package-lock.json").read_text("utf-8")


def lock_debian(recipe: ApplicationRecipe, folder: Path) -> str:
    """
    Return the lock of a recipe's packages of Debian, as ``bring_debian`` reads it.

    apt says what they depend on where nothing but the base, and what is left out, is installed.
    """
    status = folder / "status"
    status.touch()
    left_out = [name.removesuffix("-") for name in recipe.debian_packages if name.endswith("-")]
    there = _facts([*_apt_installs(status, BASE), *left_out])
    status.write_text("".join(map(_as_installed, there)))
    wanted = [name for name in recipe.debian_packages if not name.endswith("-")]
    return "".join(sorted(map(_locked, _facts(_apt_installs(status, *wanted)))))


def _apt_installs(status: Path, *names: str) -> list[str]:
    apt = ["apt-get", "--simulate", "--option", f"Dir::State::status={status}"]
    apt += ["install", "--no-install-recommends", *names]
    said = subprocess.run(apt, check=True, capture_output=True, text=True).stdout
    found = re.findall(r"^Inst (\S+) \((\S+) ", said, flags=re.MULTILINE)
    return [f"{package}={version}" for package, version in found]


def _facts(packages: Sequence[str]) -> list[dict[str, str]]:
    """Return what apt knows of each package."""
    show = ["apt-cache", "show", "--no-all-versions", *packages]
    said = subprocess.run(show, check=True, capture_output=True, text=True).stdout
    stanzas = said.strip().split("\n\n")
    return [dict(re.findall(r"^(\S+): (.*)$", text, flags=re.MULTILINE)) for text in stanzas]


def _as_installed(facts: Mapping[str, str]) -> str:
    """Return what dpkg says of a package that is installed and asks for nothing."""
    kept = [f"{key}: {facts[key]}" for key in KEPT if key in facts]
    return "\n".join(["Status: install ok installed", *kept]) + "\n\n"


def _locked(facts: Mapping[str, str]) -> str:
    kind = facts["Architecture"]
    name = facts["Package"] + ("" if kind == "all" else f":{kind}")
    return f"{name} {facts['Version']} {facts['SHA256']}\n"


LOCKERS: Final[Mapping[str, Callable[[ApplicationRecipe, Path], str]]] = {
    "python": lock_python,
    "npm": lock_npm,
    "debian": lock_debian,
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
