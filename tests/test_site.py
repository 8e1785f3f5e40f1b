"""
The site of the documentation: every link leads somewhere, and no page asks for another address.
"""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parent.parent
FETCHED: Final = re.compile(
    r"<(?:script|img|iframe|source)[^>]+src=\"?https?:|<link[^>]+(?:stylesheet|preconnect|icon)[^>]+"
    r"href=\"?https?:|@import|url\(\"?https?:"
)


def built(out: Path) -> subprocess.CompletedProcess[str]:
    """Build the site strictly."""
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(out)]
    return subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.long
def test_site_is_whole_and_asks_nobody(tmp_path: Path) -> None:
    """The strict build ends well, every page of docs/ is there, and nothing is fetched."""
    done = built(tmp_path)

    assert done.returncode == 0, done.stderr
    pages = {path.stem for path in tmp_path.glob("*.html")}
    assert {path.stem for path in (ROOT / "docs").glob("*.md")} - pages <= {"status"}
    asked = [page.name for page in tmp_path.rglob("*.html") if FETCHED.search(page.read_text())]
    assert asked == []
    assert "McNemar" in (tmp_path / "search" / "search_index.json").read_text("utf-8")


@pytest.mark.parametrize("link", ["[gone](gone.md)", "[gone](metrics.md#no-such-heading)"])
def test_broken_link_stops_the_build(tmp_path: Path, link: str) -> None:
    """A page with a link that leads nowhere ends a strict build with an error that names it."""
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "index.md").write_text(f"# Start\n\n{link}\n")
    (docs / "metrics.md").write_text("# Metrics\n")
    text = (ROOT / "mkdocs.yml").read_text("utf-8")
    strict = re.search(r"^validation:\n(?:  .*\n)+", text, re.MULTILINE)
    assert strict is not None
    (tmp_path / "mkdocs.yml").write_text(f"site_name: x\nstrict: true\n{strict[0]}")

    command = [sys.executable, "-m", "mkdocs", "build", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert done.returncode != 0
    assert link[7:-1] in done.stderr.replace("'", "") or "no-such-heading" in done.stderr


def test_notebook_becomes_a_page() -> None:
    """Words stay words, code is fenced, and what it showed follows: a table, a picture, text."""
    site = runpy.run_path(str(ROOT / "scripts" / "site_pages.py"))
    shown = [
        {"data": {"text/html": ["<table>\n", "</table>"], "text/plain": ["no"]}},
        {"data": {"image/png": "iVBO\n", "text/plain": ["no"]}},
        {"data": {"text/plain": ["2"]}},
        {"text": ["said\n"]},
    ]
    cells = [
        {"cell_type": "markdown", "source": ["# A try\n", "Words."]},
        {"cell_type": "code", "source": ["1 + 1"], "outputs": shown},
        {"cell_type": "code", "source": [], "outputs": []},
    ]

    assert site["page_of"]({"cells": cells}) == (
        "# A try\nWords.\n\n```python\n1 + 1\n```\n\n"
        '<div class="output"><table> </table></div>\n\n'
        "![](data:image/png;base64,iVBO)\n\n```text\n2\n```\n\n```text\nsaid\n```\n"
    )


def test_gallery_shows_every_picture(tmp_path: Path) -> None:
    """The page is what its script writes, and shows every picture of its folder."""
    page = tmp_path / "gallery.md"
    script = str(ROOT / "docs" / "draw_perturbations.py")
    subprocess.run([sys.executable, script, "--gallery", str(page)], check=True)

    text = (ROOT / "docs" / "gallery.md").read_text("utf-8")
    assert text == page.read_text("utf-8")
    pictures = {path.name for path in (ROOT / "docs" / "perturbations").glob("*.png")}
    assert set(re.findall(r"perturbations/([\w.-]+\.png)", text)) == pictures
