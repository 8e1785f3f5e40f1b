"""
What a lock of Python names is installed; of its packages those are built that a recipe names.
"""

from __future__ import annotations

import dataclasses
import hashlib
import io
import shutil
import tarfile
from pathlib import Path
from typing import Final

import pytest

from surefoot.capture.applications.__main__ import load
from surefoot.capture.applications.installing import RECIPES
from surefoot.capture.applications.packages.kind import Destination
from surefoot.capture.applications.packages.python import (
    PYTHON_PACKAGES,
    bring_python,
    split_lock,
)
from surefoot.capture.applications.recipe import ApplicationRecipe
from surefoot.core.errors import MissingComponentError

# A package that builds itself, so that nothing has to be fetched for it.
BACKEND: Final = """
import zipfile

FACTS = "Metadata-Version: 2.1\\nName: sea-chart\\nVersion: 1.0\\n"
TAG = "Wheel-Version: 1.0\\nGenerator: backend\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n"


def build_wheel(folder, config_settings=None, metadata_directory=None):
    name = "sea_chart-1.0-py3-none-any.whl"
    with zipfile.ZipFile(f"{folder}/{name}", "w") as wheel:
        wheel.writestr("sea_chart.py", "DEPTH = 12\\n")
        wheel.writestr("sea_chart-1.0.dist-info/METADATA", FACTS)
        wheel.writestr("sea_chart-1.0.dist-info/WHEEL", TAG)
        wheel.writestr("sea_chart-1.0.dist-info/RECORD", "")
    return name
"""
PROJECT: Final = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
"""


def packed() -> bytes:
    """Return the archive of the package's source."""
    archive = io.BytesIO()
    facts = "Metadata-Version: 2.1\nName: sea-chart\nVersion: 1.0\n"
    files = {"pyproject.toml": PROJECT, "backend.py": BACKEND, "PKG-INFO": facts}
    with tarfile.open(fileobj=archive, mode="w:gz") as written:
        for name, text in files.items():
            entry = tarfile.TarInfo(f"sea_chart-1.0/{name}")
            entry.size = len(text)
            written.addfile(entry, io.BytesIO(text.encode()))
    return archive.getvalue()


@pytest.mark.slow
@pytest.mark.long
def test_source_is_built_where_the_recipe_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is source alone is built if it is named and is what the lock says, and else refused."""
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    archive = packed()
    (shelf / "sea_chart-1.0.tar.gz").write_bytes(archive)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(shelf))
    file = tmp_path / "ferry.py"
    shutil.copy(Path(__file__).with_name("ferry.py"), file)
    unnamed = dataclasses.replace(load(file, "ferry"), requirements=("sea-chart==1.0",))
    named = dataclasses.replace(unnamed, built=("Sea.Chart",))
    lock = file.with_suffix(".txt")
    pin = f"sea-chart==1.0 \\\n    --hash=sha256:{hashlib.sha256(archive).hexdigest()}\n"

    def bring(recipe: ApplicationRecipe, name: str) -> list[Path]:
        destination = Destination(tmp_path / name, tmp_path / f"{name}-fetched")
        destination.fetched.mkdir()
        bring_python(recipe, destination, print)
        return list(destination.packages.rglob("sea_chart.py"))

    lock.write_text(pin, encoding="utf-8")
    with pytest.raises(MissingComponentError, match="Ferry"):
        bring(unnamed, "unnamed")
    found = bring(named, "named")
    lock.write_text(pin.replace("sha256:", "sha256:0")[:-2] + "\n", encoding="utf-8")
    with pytest.raises(MissingComponentError, match="Ferry"):
        bring(named, "another")

    assert [path.read_text("utf-8") for path in found] == ["DEPTH = 12\n"]


def test_a_lock_is_split_without_loss() -> None:
    """Each of our locks is split into wheels and what is built, and has all that is built."""
    for recipe in RECIPES.entries.values():
        if not recipe.requirements:
            continue
        lock = PYTHON_PACKAGES.lock(recipe).read_text("utf-8")
        wheels, sources = split_lock(lock, recipe.built)

        assert sorted((wheels + sources).splitlines()) == sorted(lock.splitlines())
        assert sources.count("==") == len(recipe.built), recipe.name
