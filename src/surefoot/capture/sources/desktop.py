"""
Programs of a desktop: a command, a recipe in a TOML file, or the recipes that come along.

``desktop:COMMAND`` starts a command as it is, ``desktop:FILE.toml`` does what a recipe
says, ``desktop:demo`` stands for every recipe that comes along and ``desktop:demo/NAME``
for one of them.
"""

from __future__ import annotations

import importlib.resources
import platform
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from surefoot.capture.address import Address, StillSource
from surefoot.capture.captured import Capture
from surefoot.capture.confinement import walls_hold
from surefoot.capture.contents import file_digest
from surefoot.capture.desktop.record import record
from surefoot.capture.desktop.session import PROGRAMS
from surefoot.capture.desktop.steps import Recipe, load_recipe, recipe_of_command
from surefoot.capture.fonts import fonts_identity
from surefoot.capture.settings import Settings
from surefoot.core.canonical import digest, sha256
from surefoot.core.children import child_environment
from surefoot.core.errors import CaptureError, InvalidInputError

DEMO: Final = "demo"
SUFFIX: Final = ".toml"
ASK_S: Final = 20


class DesktopSource(StillSource):
    """Start programs on a screen of their own and read them through AT-SPI."""

    name = "desktop"
    version = 4

    def addresses(self, rest: str) -> tuple[Address, ...]:
        """
        Return one screen for a command or a recipe, all recipes for ``demo``.

        Raises InvalidInputError for an empty command and for a file that is no recipe.
        """
        if rest == DEMO:
            return tuple(_address(f"{DEMO}/{name}") for name in demo_recipes())
        return (_address(rest),)

    def contents(self, addresses: Iterable[Address]) -> dict[str, dict[str, str]]:
        """Return the digests of recipes in files of the user's own."""
        files = {item.spec: Path(item.spec.removeprefix("desktop:")) for item in addresses}
        return {
            spec: {file.name: file_digest(file)}
            for spec, file in files.items()
            if file.suffix == SUFFIX and file.is_file()
        }

    def identity(self, addresses: Iterable[Address]) -> dict[str, str]:
        """Return the versions of the programs and of the screen, and the fonts' digest."""
        recipes = [recipe_of(address) for address in addresses]
        found = {recipe.program: _version(recipe.argv[0]) for recipe in recipes}
        found |= {name: _version(name) for name in PROGRAMS}
        found |= {package: _package_version(package) for package in LIBRARIES}
        return {
            **{name: version for name, version in found.items() if version},
            **{f"recipe {recipe.page}": digest(recipe)[:16] for recipe in recipes},
            **fonts_identity(desktop=True),
            "platform": f"{platform.system().lower()} {platform.machine()}",
            "walls": str(walls_hold() is not None),
        }

    def record(self, address: Address, settings: Settings) -> Capture:
        """Capture the program's screen; raises CaptureError."""
        if settings.scale != 1.0 or settings.full_page or settings.mobile:
            raise CaptureError(
                "unsupported",
                expected="scale 1, no full page and no phone: a desktop has one screen",
                found=f"scale {settings.scale:g}, full page {settings.full_page}",
            )
        return record(recipe_of(address), address.spec, settings)


LIBRARIES: Final = (
    "libfaketime", "libgtk-3-0", "libgtk2.0-0", "libqt5widgets5", "libreoffice-core"
)  # fmt: skip
DESKTOP = DesktopSource()


def demo_recipes() -> dict[str, Recipe]:
    """Return the recipes that come along, by name, in a stable order."""
    folder = importlib.resources.files("surefoot.capture.desktop").joinpath(DEMO)
    return {
        file.name.removesuffix(SUFFIX): load_recipe(file.read_bytes(), file.name)
        for file in sorted(folder.iterdir(), key=lambda path: path.name)
        if file.name.endswith(SUFFIX)
    }


def recipe_of(address: Address) -> Recipe:
    """Return the recipe that an address of a desktop program stands for."""
    return _recipe(address.spec.removeprefix("desktop:"))


def _address(rest: str) -> Address:
    recipe = _recipe(rest)
    return Address(f"desktop:{rest}", recipe.page, recipe.program)


def _recipe(rest: str) -> Recipe:
    folder, slash, name = rest.partition("/")
    if folder == DEMO and slash:
        known = demo_recipes()
        if name not in known:
            raise InvalidInputError(f"a recipe among {', '.join(known)}", found=f"'{name}'")
        return known[name]
    if rest.endswith(SUFFIX) and " " not in rest:
        file = Path(rest)
        if not file.is_file():
            raise InvalidInputError("an existing recipe", found=f"'{rest}'")
        return load_recipe(file.read_bytes(), file.name)
    return recipe_of_command(rest)


def _version(program: str) -> str:
    """Return the version of a program's package, or its digest where it is of none."""
    path = shutil.which(program)
    if path is None:
        return ""
    real = Path(path).resolve()
    for item in (path, str(real)):
        package = _ask("dpkg-query", "--search", item).partition(":")[0]
        version = _package_version(package) if package else ""
        if version:
            return version
    return sha256(real.read_bytes())[:16]


def _package_version(package: str) -> str:
    return _ask("dpkg-query", "--show", "--showformat", "${Version}", package)


def _ask(*command: str) -> str:
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=ASK_S, check=False, env=child_environment()
        )
    except OSError:
        return ""
    return done.stdout.decode(errors="replace").strip() if done.returncode == 0 else ""
