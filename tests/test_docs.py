"""
The documents keep up with the code: dependencies, verbs, commands, folders, links.
"""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Container
from pathlib import Path
from typing import Any, Final

import pytest

from surefoot.cli.verb import VERBS
from surefoot_studies.cli import studies

ROOT: Final = Path(__file__).parent.parent
ADDED: Final = ("tally",)  # by the outside package of CONTRIBUTING.md, which has its own test
TOP: Final = tuple(verb for verb in VERBS.entries if "/" not in verb)
PAGES: Final = sorted(
    [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        ROOT / "studies" / "README.md",
        *(ROOT / "studies" / "docs").glob("*.md"),
    ]
)
NOTEBOOKS: Final = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
LINK: Final = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")


def test_the_reference_of_commands_is_that_of_the_program(tmp_path: Path) -> None:
    """docs/commands.md is what docs/write_commands.py writes from the program."""
    page, script = tmp_path / "commands.md", str(ROOT / "docs" / "write_commands.py")
    subprocess.run([sys.executable, script, str(page)], check=True, capture_output=True)

    assert read("docs/commands.md") == page.read_text("utf-8")


def read(name: str) -> str:
    """Return the text of a document."""
    return (ROOT / name).read_text("utf-8")


def broken_links(page: Path, text: str) -> list[str]:
    """Return the relative links of a page that lead nowhere."""
    return [link for link in LINK.findall(text) if not (page.parent / link).exists()]


def crowded_lines(text: str) -> list[str]:
    """
    Return lines of prose with more than two sentences, outside code and tables.

    With one sentence a line a change of a sentence is a change of a line.
    """
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    lines = [line for line in prose.splitlines() if not line.startswith(("|", "- ", "#", "<"))]
    plain = [line for line in lines if not re.match(r"\d+\. ", line)]
    return [line for line in plain if len(re.findall(r"[.!?](?= [A-Z])", line)) > 1]


def openings(text: str) -> list[str]:
    """Return the first word of each sentence of prose, outside code, tables and headings."""
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    lines = [line for line in prose.splitlines() if not line.startswith(("|", "#", "<", "!"))]
    plain = [re.sub(r"^(?:- |\d+\. |> )", "", line) for line in lines]
    sentences = [part for line in plain for part in re.split(r"(?<=[.!?])\s+(?=[A-Z`\"\[])", line)]
    words = [re.match(r"[\"'`\[(*]*([A-Za-z]+)", sentence) for sentence in sentences]
    return [word[1] for word in words if word]


OBLIQUE: Final = {"What", "Of", "Where", "So", "Nothing", "Whoever", "Whatever"}


def test_sentences_begin_with_their_subject() -> None:
    """Fewer than one sentence of a hundred begins with a word that puts its subject off."""
    own = [page for page in PAGES if page.name != "CHANGELOG.md" and "studies" not in page.parts]
    words = [word for page in own for word in openings(page.read_text("utf-8"))]

    assert openings("- What is. `run` asks.\n\n| Of | it |\n") == ["What", "run"]
    assert len(words) > 1000
    assert sum(word in OBLIQUE for word in words) < len(words) / 100


def test_every_dependency_is_argued_for() -> None:
    """Each dependency of pyproject.toml, extras included, has its line with a reason."""
    project = tomllib.loads(read("pyproject.toml"))["project"]
    extras = project["optional-dependencies"].values()
    lines = [*project["dependencies"], *(line for extra in extras for line in extra)]
    names = {re.match(r"[\w.-]+", line)[0] for line in lines}  # type: ignore[index]
    names -= {"surefoot"}  # an extra may be made of others

    argued, in_pages = read("docs/dependencies.md").split("## In the pages of forms")
    lines = re.findall(r"^\| `([\w.-]+)` \| \S.* \|$", argued, re.MULTILINE)
    assert set(lines) == names
    web = json.loads(read("src/surefoot/forms/renderers/web/package.json"))["dependencies"]
    fetched = {name for name, version in web.items() if not version.startswith("file:")}
    rows = re.findall(r"^\| (`.*?`) \| \S.* \|$", in_pages, re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"`([^`]+)`", row)} == fetched


def test_readme_comes_to_the_point() -> None:
    """The two commands and a first result stand within the first 40 lines of the README."""
    opening = "\n".join(read("README.md").splitlines()[:40])

    for part in ("make demo", "make test", "docs/report.png", "surefoot run"):
        assert part in opening


def test_readme_shows_every_verb() -> None:
    """Each verb of the command line is shown in the README."""
    missing = [verb for verb in TOP if f"surefoot {verb}" not in read("README.md")]

    assert missing == []


def test_commands_of_the_documents_exist() -> None:
    """Each `surefoot VERB` and each `make TARGET` that a document shows exists."""
    studied = {
        command.callback.__name__ for command in studies.registered_commands if command.callback
    } | {group.name for group in studies.registered_groups}
    targets = set(re.findall(r"^([a-z-]+):", read("Makefile"), flags=re.MULTILINE))

    for page in PAGES:
        text = page.read_text("utf-8")
        code = "\n".join(re.findall(r"^```.*?^```|`[^`\n]+`", text, re.MULTILINE | re.DOTALL))
        verbs = set(re.findall(r"(?:^|`)surefoot ([a-z]+)", code, flags=re.MULTILINE))
        assert verbs <= {*TOP, *ADDED}, f"{page.name}: {verbs - set(TOP)}"
        named = set(re.findall(r"surefoot-studies ([a-z]+)", code))
        assert named <= studied, f"{page.name}: {named - studied}"
        made = set(re.findall(r"(?:^|`)make ([a-z-]+)", code, flags=re.MULTILINE))
        assert made <= targets, f"{page.name}: {made - targets}"


def options_of_the_reference() -> dict[str, set[str]]:
    """Return the options of each verb, and of each verb of a verb, from docs/commands.md."""
    sections = re.split(r"^#{2,3} surefoot ", read("docs/commands.md"), flags=re.MULTILINE)[1:]
    return {
        section.partition("\n")[0]: set(
            re.findall(
                r"--[a-z][\w-]*",
                " ".join(re.findall(r"^\| `([^`]+)`", section, re.MULTILINE)),
            )
        )
        | {"--help"}
        for section in sections
    }


def options_shown(text: str, known: Container[str]) -> list[tuple[str, set[str]]]:
    """Return each command that a page shows, its verb in one or two words, with its options."""
    code = "\n".join(re.findall(r"^```.*?^```|`[^`\n]+`", text, re.MULTILINE | re.DOTALL))
    lines = re.findall(
        r"(?:^|`)surefoot ([a-z]+[^\n`#]*)", code.replace("\\\n", " "), re.MULTILINE
    )
    verbs = [
        two if (two := " ".join(line.split()[:2])) in known else line.split()[0] for line in lines
    ]
    options = [set(re.findall(r"(?<!\S)--[a-z][\w-]*", line)) for line in lines]
    return list(zip(verbs, options, strict=True))


def test_options_of_the_documents_exist() -> None:
    """Each option that a document gives to a command is one of that command."""
    known = options_of_the_reference()
    shown = [
        (page.name, verb, options)
        for page in PAGES
        for verb, options in options_shown(page.read_text("utf-8"), known)
        if options and verb not in ADDED
    ]

    unknown = [
        f"{page}: {verb} {options - known[verb]}"
        for page, verb, options in shown
        if not options <= known[verb]
    ]
    assert not unknown, "\n".join(unknown)
    assert len(shown) > 100


def test_tree_shows_every_folder() -> None:
    """The tree of folders has a line with a comment for each folder of the source."""
    shown = re.findall(r"^  (\w+)/ +\S", read("ARCHITECTURE.md"), flags=re.MULTILINE)

    there = [path.parent.name for path in (ROOT / "src" / "surefoot").glob("*/__init__.py")]
    assert sorted(shown) == sorted(there)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link of the documents leads to a file."""
    assert broken_links(page, page.read_text("utf-8")) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_prose_has_a_sentence_a_line(page: Path) -> None:
    """Prose is written with semantic newlines."""
    crowded = crowded_lines(page.read_text("utf-8"))

    assert not crowded, "\n".join(crowded)


def test_checks_of_the_documents_can_fail(tmp_path: Path) -> None:
    """A broken link, an option and a crowded line are found; good ones are left alone."""
    page = tmp_path / "page.md"
    page.touch()

    assert broken_links(page, "[a](page.md) [b](gone.md) [c](https://x.y)") == ["gone.md"]
    assert options_shown("`surefoot run x --no-such`\n", {"run"}) == [("run", {"--no-such"})]
    assert len(crowded_lines("One. Two. Three.\n```\nOne. Two. Three.\n```\nFour. Five.")) == 1


def code_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the cells of a notebook that are code."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def kinds_shown(notebook: dict[str, Any]) -> list[list[list[str]]]:
    """Return for each cell of code the kinds of what it shows: text, tables, pictures."""
    return [
        [sorted(output.get("data", {output["output_type"]: ""})) for output in cell["outputs"]]
        for cell in code_cells(notebook)
    ]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_keep_what_they_show(path: Path) -> None:
    """Each notebook was executed from its first cell to its last, and names no place in memory."""
    text = path.read_text("utf-8")
    cells = code_cells(json.loads(text))

    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    assert "error" not in {out["output_type"] for cell in cells for out in cell["outputs"]}
    assert cells[-1]["outputs"]
    assert not re.search(r" at 0x[0-9a-f]{6}", text)
    assert len(text) < 300_000


@pytest.mark.long
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_show_the_same_again(path: Path) -> None:
    """Executed anew in a kernel, no cell fails, and each shows what it showed before."""
    script = ROOT / "scripts" / "notebooks.py"
    spec = importlib.util.spec_from_file_location("scripts.notebooks", script)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    assert kinds_shown(module.executed(path)) == kinds_shown(json.loads(path.read_text("utf-8")))
