"""
The rules of the house: tests that mirror the source, pins that agree, files fit to publish.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts.pins import DEMO, ELSEWHERE, demo
from surefoot.capture.sources.catalog import demo_sites

ROOT: Final = Path(__file__).parent.parent
TESTS: Final = ROOT / "tests"
SOURCE: Final = ROOT / "src" / "surefoot"
STUDIES: Final = ROOT / "studies" / "src" / "surefoot_studies"
# Tests of the house itself, of several modules at once and of a user's mistakes mirror no module.
UNMIRRORED: Final = re.compile(
    r"(test_(architecture|contributing|docs|golden|house|measured|setup|site)|.*/test_.*_together"
    r"|(attacks|mistakes)/test_.*)\.py"
)
REGISTRIES: Final = re.compile(
    r"(pypi|npmjs|yarnpkg|jsdelivr|unpkg|anaconda|debian|pythonhosted)\.(org|com|net)"
)
MACHINE_PATHS: Final = re.compile(r"(?<![\w.~/<-])/(work|root|home|Users|mnt|tmp/[a-z])\b")
# Where a name or path of these kinds is the subject itself.
SUBJECTS: Final = {"tests/test_house.py", "LICENSE", "src/surefoot/capture/desktop/users"}


def tracked_files() -> Iterator[tuple[str, str]]:
    """Yield name and text of every text file that is or would be committed."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    for name in listed.stdout.splitlines():
        if name in SUBJECTS or not (ROOT / name).is_file():
            continue
        content = (ROOT / name).read_bytes()
        if b"\0" not in content[:8192]:
            yield name, content.decode("utf-8")


def unmirrored(test: str, modules: set[str]) -> bool:
    """
    Say whether a test file belongs to no module and to no folder of the source.

    ``test_style_browser.py`` is a second file of ``style.py``; the test of a folder as a
    whole bears the folder's name, and stands in it or beside it.
    """
    folder, _, file = test.rpartition("/")
    words = file.removeprefix("test_").removesuffix(".py").split("_")
    subjects = ["_".join(words[:count]) for count in range(1, len(words) + 1)]
    places = [f"{folder}/{subject}".lstrip("/") for subject in subjects]
    files = {f"{place}{end}" for place in places for end in (".py", "/__init__.py")}
    own = folder.rpartition("/")[2] == subjects[-1] and f"{folder}/__init__.py" in modules
    return not own and not files & modules and not UNMIRRORED.fullmatch(test)


def silent_tests(text: str) -> list[str]:
    """Find test functions whose docstring is not one sentence."""
    return [
        node.name
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
        and not is_sentence(ast.get_docstring(node) or "")
    ]


def is_sentence(text: str) -> bool:
    """Say whether a text is one paragraph that ends in a full stop."""
    return bool(re.fullmatch(r"[^\n]+(\n[^\n]+)*\.", text))


def words_of_the_design() -> list[str]:
    """Return the capitalised words of ARCHITECTURE.md's table of words."""
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    rows = re.findall(r"^\| ((?:`[A-Z]\w+`(?:, )?)+) \|", text, flags=re.MULTILINE)
    return [word for row in rows for word in re.findall(r"`(\w+)`", row)]


def requirements() -> dict[str, Requirement]:
    """Return every requirement by canonical name, with those of extras that go together."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    here = [lines for extra, lines in extras.items() if extra not in ELSEWHERE]
    lines = [*project["dependencies"], *(line for extra in here for line in extra)]
    return {
        canonicalize_name(requirement.name): requirement
        for requirement in map(Requirement, lines)
        if requirement.name != "surefoot"  # an extra may be made of others
    }


def test_tests_mirror_the_source() -> None:
    """Every test file stands where the module that it tests stands in the source."""
    modules = {str(file.relative_to(SOURCE)) for file in SOURCE.rglob("*.py")}
    modules |= {f"studies/{file.relative_to(STUDIES)}" for file in STUDIES.rglob("*.py")}
    tests = [str(file.relative_to(TESTS)) for file in TESTS.rglob("test_*.py")]

    stray = sorted(test for test in tests if unmirrored(test, modules))
    assert not stray, "\n".join(stray)


@pytest.mark.parametrize(
    ("test", "stray"),
    [
        ("a/test_b.py", False),
        ("a/test_b_again.py", False),
        ("a/test_a.py", False),
        ("test_a.py", False),
        ("a/test_c.py", True),
        ("a/test_bc.py", True),
        ("test_b.py", True),
    ],
)
def test_a_stray_test_file_is_found(test: str, stray: bool) -> None:
    """A test file without its module is told from one with it."""
    assert unmirrored(test, {"a/b.py", "a/__init__.py"}) is stray


def test_every_test_says_what_it_proves() -> None:
    """Every test function has a docstring of one sentence."""
    silent = [
        f"{file.relative_to(TESTS)}: {name}"
        for file in sorted(TESTS.rglob("test_*.py"))
        for name in silent_tests(file.read_text("utf-8"))
    ]

    assert not silent, "\n".join(silent)


@pytest.mark.parametrize("docstring", ["", '"""No stop"""', '"""One.\n\n    Two paragraphs."""'])
def test_a_silent_test_is_found(docstring: str) -> None:
    """A test without a sentence is found."""
    assert silent_tests(f"def test_x():\n    {docstring}\n    f()") == ["test_x"]


def test_no_registry_is_named() -> None:
    """No file names the host of a package registry."""
    named = [name for name, text in tracked_files() if REGISTRIES.search(text)]

    assert named == []


def test_no_path_of_a_machine_is_named() -> None:
    """No file names a folder that exists only on the machine of its author."""
    named = [
        f"{name}: {match[0]}"
        for name, text in tracked_files()
        for match in MACHINE_PATHS.finditer(text)
    ]

    assert not named, "\n".join(named)


def test_bad_names_are_found() -> None:
    """The two patterns catch what they are for and leave ordinary paths alone."""
    assert REGISTRIES.search("https://registry." + "npmjs.org/x")
    assert MACHINE_PATHS.search("open('/home/me/x')")
    assert MACHINE_PATHS.search("/root/x")
    assert not MACHINE_PATHS.search("/usr/share/x ./work/x a/root/b")


def test_the_demo_is_set_up_with_what_it_needs() -> None:
    """The names that set-up takes for the demo are those that its extras reach, all pinned."""
    names = DEMO.read_text("utf-8").split()

    assert names == demo()
    hashed = set(re.findall(r"^([\w-]+)==", (ROOT / "hashes.txt").read_text(), re.MULTILINE))
    assert set(names) <= hashed


def test_pins_fit_the_requirements() -> None:
    """Each requirement of pyproject.toml has a pin, and the pin satisfies it."""
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pins = dict(line.split("==") for line in lines if not line.startswith("#"))

    for name, requirement in requirements().items():
        assert pins[name] in requirement.specifier, name


def test_page_packages_are_pinned_once() -> None:
    """package.json pins exactly the npm packages that the demo captures."""
    pinned = json.loads((ROOT / "package.json").read_text("utf-8"))["dependencies"]
    sources = {site.source for site in demo_sites()}
    packages = {source for source in sources if source.startswith("npm:")}

    assert {f"npm:{name}@{version}" for name, version in pinned.items()} == packages


def test_sites_of_the_demo_are_named_with_maker_and_licence() -> None:
    """The table of docs/demo.md has a row for each site of the demo, and no other rows."""
    text = (ROOT / "docs" / "demo.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\S+)` \| ([^|]+) \| ([^|]+) \|", text, flags=re.MULTILINE)

    assert rows == [(site.source, site.maker, site.licence) for site in demo_sites()]


def test_words_of_the_design_exist() -> None:
    """Every word of ARCHITECTURE.md's table is a class or a union of the core or the scores."""
    words = words_of_the_design()
    folders = (SOURCE / "core", SOURCE / "score")
    core = "".join(file.read_text("utf-8") for folder in folders for file in folder.rglob("*.py"))

    assert len(words) >= len(("Screen", "Element", "Edit", "Question", "Answer"))
    for word in words:
        assert re.search(rf"^(class {word}\b|{word}(: \w+)? = )", core, flags=re.MULTILINE), word


def test_every_pin_has_hashes() -> None:
    """Set-up takes files by hash alone, of exactly the versions that are pinned."""
    pinned = (ROOT / "constraints.txt").read_text("utf-8").splitlines()[1:]
    blocks = re.split(r"\n(?=\S)", (ROOT / "hashes.txt").read_text("utf-8").strip())[1:]
    hashed = {block.split()[0]: block.count("--hash=sha256:") for block in blocks}

    assert sorted(hashed) == sorted(pinned)
    assert all(hashed.values())


def test_the_bill_of_materials_names_every_pin_with_its_hashes() -> None:
    """Each pinned Python package and each npm package of the lock file is in it, with a hash."""
    script = [sys.executable, str(ROOT / "scripts" / "sbom.py")]
    subprocess.run(script, check=True, capture_output=True, cwd=ROOT)
    bill = json.loads((ROOT / "out" / "sbom.json").read_text("utf-8"))
    found = {item["purl"]: item for item in bill["components"]}
    pins = (ROOT / "constraints.txt").read_text("utf-8").replace("==", "@").split("\n")[1:-1]

    assert {f"pkg:pypi/{pin}" for pin in pins} <= set(found)
    npm = [item for purl, item in found.items() if purl.startswith("pkg:npm/")]
    assert npm
    assert all(len(item["hashes"][0]["content"]) == 128 for item in npm)
