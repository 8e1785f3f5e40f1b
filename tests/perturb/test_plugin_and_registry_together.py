"""
The door for strangers: a package installed elsewhere brings a perturbation by name.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "plugin_package"

LOOK_UP = """
from surefoot.perturb.check import check_draw
from surefoot.perturb.variants import PERTURBATIONS, parse_variant

found = PERTURBATIONS.get("grayscale@1")
assert found.draw.__module__ == "surefoot_grayscale"
assert check_draw(found, []) == [], check_draw(found, [])
print(parse_variant("shuffle+grayscale:0.5").identity())
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the package as a user would, without a network, into a folder of its own."""
    work = tmp_path_factory.mktemp("plugin")
    source = shutil.copytree(PACKAGE, work / "source")
    target = work / "installed"
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet"]
    pip = [sys.executable, "-m", "pip", "install"]
    command = [*pip, *options, "--target", str(target), str(source)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return target


def run_with(path: Path, code: str) -> subprocess.CompletedProcess[str]:
    """Run Python code in a process that sees one more folder of packages."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(path), *sys.path])}
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )


def test_an_installed_package_is_found_by_name_and_passes_the_check(installed: Path) -> None:
    """Its perturbation is looked up, checked and composed like one of ours."""
    done = run_with(installed, LOOK_UP)

    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "shuffle@1:all+grayscale@1:0.5"


def test_without_the_package_the_name_is_unknown(tmp_path: Path) -> None:
    """The same look-up fails where the package is not installed."""
    done = run_with(tmp_path, LOOK_UP)

    assert done.returncode != 0
    assert "UnknownNameError" in done.stderr
