"""
The files of docs/ci.md: their steps run as a shell would run them, on a product that changes.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

DOC: Final = Path(__file__).parents[2] / "docs" / "ci.md"
NAMES: Final = ("Orders", "Invoices", "Customers", "Refunds", "Shipping", "Reports")
# A label that nobody reads well, and one that is too small to be asked for.
BROKEN: Final = {
    "": (0, "passed"),
    "transform:rotate(180deg)": (1, "lost: \"Click the 'Invoices of the desk' button\""),
    "font-size:5px": (2, "still there, and not asked for: button 'Invoices of the desk'"),
}
PAGE: Final = """<!doctype html><html lang="en"><title>{0}</title>
<style>body{{font:17px sans-serif;margin:36px}}button{{display:block;margin:14px}}</style>
<h1>{0}</h1><main>{1}</main>"""


def blocks(language: str) -> Iterator[str]:
    """Yield the fenced blocks of the page in a language."""
    for part in DOC.read_text().split(f"```{language}\n")[1:]:
        yield part.split("```", 1)[0]


def steps(build: str) -> list[str]:
    """Return the commands of a build's file, without those that install."""
    found = re.findall(r"^ +(?:- )?(?:run: |- )((?:surefoot|cat) .+)$", build, re.MULTILINE)
    assert [step.split()[1] for step in found[:4]] == ["capture", "build", "run", "gate"]
    return found


def write_product(folder: Path, style: str = "") -> None:
    """Write a product of three pages, with a style for one of its buttons."""
    folder.mkdir(exist_ok=True)
    styled = f'<button style="{style}">'
    for page in ("Desk", "Store", "Till"):
        rows = "".join(f"<button>{name} of the {page.lower()}</button>" for name in NAMES)
        rows = rows.replace("<button>Invoices of the d", f"{styled}Invoices of the d")
        (folder / f"{page.lower()}.html").write_text(PAGE.format(page, rows))


def run_steps(folder: Path, commands: list[str]) -> tuple[int, str]:
    """Run commands one by one as a job does, up to the first that fails, but what must run."""
    bin_ = str(Path(sys.executable).parent)
    shell = {
        **os.environ,
        "PATH": f"{bin_}{os.pathsep}{os.environ['PATH']}",
        "GITHUB_STEP_SUMMARY": "summary.md",
    }
    code, out = 0, ""
    for command in commands:
        if code and not command.startswith("cat "):
            continue
        ended = subprocess.run(  # noqa: S602 - as a job would
            command, shell=True, cwd=folder, env=shell, capture_output=True, text=True, check=False
        )
        code, out = code or ended.returncode, out + ended.stdout + ended.stderr
    return code, out


@pytest.mark.long
def test_the_steps_of_both_files_pass_and_fail_a_build(tmp_path: Path) -> None:
    """A product that is the same passes in both files, and one with a broken label fails."""
    write_product(tmp_path / "dist")
    (baseline,) = blocks("sh")
    code, out = run_steps(tmp_path, baseline.strip().splitlines())
    assert code == 0, out
    assert (tmp_path / "surefoot-baseline.jsonl").stat().st_size < 20_000

    for style, (expected, words) in BROKEN.items():
        write_product(tmp_path / "dist", style)
        # Both files do the same, so each of them is run where the other one is not.
        chosen = list(blocks("yaml"))[bool(style) and "size" not in style]
        shutil.rmtree(tmp_path / "out")
        code, out = run_steps(tmp_path, steps(chosen))
        assert (code, words in out) == (expected, True), out
    assert "### Surefoot: ocr" in (tmp_path / "summary.md").read_text()
