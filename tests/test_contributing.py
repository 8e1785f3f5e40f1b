"""
CONTRIBUTING.md as an outside package: built, installed beside us, and run as it says.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

ROOT: Final = Path(__file__).parent.parent
PAGE: Final = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
SECTION: Final = re.compile(r"^### .*?: `(\w+)\.py`$(.*?)(?=^##)", re.MULTILINE | re.DOTALL)
GROUP: Final = "surefoot"
SECONDS: Final = 240
# What the commands of each module must have said, beside that they ended well.
SAID: Final = {
    "seasick": ["fine: pages/index.html", "12 questions about 3 targets"],
    "activated": ["Activate the 'Save' button", "30 questions about 3 targets"],
    "pointer": [],
    "in_steps": ["the model rules out options one by one"],
    "pairs": ["pairs: prompt, reply and the picture's hash"],
    "program": ["12 answers of echo, 0 of them unparsed", "direct, leaning by 1 degree"],
    "again": ["12 answers of again:3@echo, 0 of them unparsed"],
    "tabbed_log": ["12 replies to 12 questions, read as pointer"],
    "zipped": ["1 screens with 4 elements that a click reaches"],
    "northwind": ["1 screens with 3 elements that a click reaches"],
    "blots": ["1 screens with 1 elements that a click reaches"],
    "boxes": ["1 screens with 1 elements that a click reaches"],
    "reply_words": [
        "echo, direct, leaning by 1 degree      3  26.000 words",
        "<figcaption>Each variant against the original: length of the reply</figcaption>",
    ],
    "inner": ["1 in the inner half of the target, else 0"],
    "plain_names": ["1 questions about 1 targets", "1 answers of echo, 0 of them unparsed"],
    "tiny_clicks": ["1 records left out: 1 ", "1 answers of center, 0 of them unparsed"],
    "tiny_export": ["1 questions on 1 screens"],
    "bare": ["1 forms filled in, 1 of them wholly right"],
    "scale": ["1 forms filled in, 1 of them wholly right"],
    "tabber": ["1 forms filled in, 0 of them wholly right"],
    "terse": ["1 forms filled in, 0 of them wholly right"],
    "tally": ["heard-bench: 5 questions"],
}


class Section(msgspec.Struct, frozen=True):
    """Hold an example: its module, and the commands that try it."""

    module: str
    commands: str


def blocks(text: str, language: str) -> list[str]:
    """Return the code blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def sections() -> dict[str, Section]:
    """Return the examples by the names of their modules."""
    return {
        name: Section(blocks(text, "python")[0], "".join(blocks(text, "sh")))
        for name, text in SECTION.findall(PAGE)
    }


def groups() -> dict[str, dict[str, str]]:
    """Return the entry points of the example package."""
    project = tomllib.loads(blocks(PAGE, "toml")[0])["project"]
    points: dict[str, dict[str, str]] = project["entry-points"]
    return points


def registries() -> set[str]:
    """Return the groups of all registries in the source."""
    calls = (
        node
        for file in (ROOT / "src" / "surefoot").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Call)
    )
    return {
        argument.value
        for call in calls
        if isinstance(call.func, ast.Name) and call.func.id == "Registry"
        for argument in call.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    }


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a fresh environment's programs: with ours, its studies and the example package."""
    work = tmp_path_factory.mktemp("outside")
    package = work / "package"
    (package / "my_package").mkdir(parents=True)
    (package / "pyproject.toml").write_text(blocks(PAGE, "toml")[0], "utf-8")
    (package / "my_package" / "__init__.py").write_text('"""Everything of one kind."""\n')
    for name, section in sections().items():
        (package / "my_package" / f"{name}.py").write_text(section.module, "utf-8")
    environment = work / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    # What we depend on is at hand already; only the packages of this repository are new.
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    at_hand = environment / "lib" / version / "site-packages" / "at_hand.pth"
    libraries = [path for path in sys.path if path.endswith("site-packages")]
    at_hand.write_text("\n".join(libraries), "utf-8")
    options = ("--no-deps", "--no-build-isolation", "--no-index", "--quiet")
    python = str(environment / "bin" / "python")
    command = [sys.executable, "-m", "pip", "--python", python, "install", *options]
    subprocess.run(
        [*command, str(ROOT), str(ROOT / "studies"), str(package)],
        check=True,
        env=outside(environment),
    )
    return environment / "bin"


def outside(environment: Path) -> dict[str, str]:
    """Return the variables of a shell in an environment, in which our source is not at hand."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return {**kept, "PATH": f"{environment / 'bin'}:{os.environ['PATH']}"}


@pytest.fixture(scope="module")
def said(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Run the commands of the whole page, from top to bottom, in one folder of a reader's."""
    folder = tmp_path_factory.mktemp("reader")
    (folder / "pages").mkdir()
    (folder / "pages" / "index.html").write_text(blocks(PAGE, "html")[0], "utf-8")
    return {
        name: subprocess.run(
            ["bash", "-euo", "pipefail", "-c", section.commands],
            cwd=folder,
            env=outside(installed.parent),
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
        )
        for name, section in sections().items()
    }


@pytest.mark.long
@pytest.mark.browser
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", SAID)
def test_an_example_runs_as_it_stands(name: str, said: dict[str, Any]) -> None:
    """The commands of an example end well, from outside, and say what came of it."""
    done = said[name]

    assert done.returncode == 0, done.stderr + done.stdout
    assert [item for item in SAID[name] if item not in done.stdout] == [], done.stdout


def test_examples_are_written_like_our_own(installed: Path) -> None:
    """The linter and the formatter find nothing in the example package."""
    package = installed.parent.parent / "package"
    for verb in (["check"], ["format", "--check"]):
        settings = ["--quiet", "--no-cache", "--config", str(ROOT / "pyproject.toml")]
        command = [sys.executable, "-m", "ruff", *verb, *settings, str(package)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout


def test_every_example_is_tried() -> None:
    """Each module of the page is in the package, and each entry point names one of them."""
    named = {value for group in groups().values() for value in group.values()}

    assert named == {f"my_package.{name}" for name in sections()}
    assert set(SAID) == set(sections())


def test_every_door_is_shown() -> None:
    """The entry points of the example package are in all groups that there are."""
    assert set(groups()) == registries()


def test_formats_from_outside_keep_the_promises_of_ours(installed: Path) -> None:
    """The suite's own tests of formats find the example's, and pass."""
    tests = str(ROOT / "tests" / "models" / "test_formats.py")
    command = [str(installed / "python"), "-m", "pytest", "-q", "-p", "no:cacheprovider", tests]
    done = subprocess.run(
        [*command, "-k", "pointer and not table"],
        cwd=ROOT,
        env=outside(installed.parent),
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout
