"""
Documents quote what a command measured, and nothing else; it was measured with this version.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

import pytest

import surefoot
from surefoot.benchmarks.benchmark import BENCHMARKS
from surefoot.capture.sources.catalog import demo_sites
from tests.test_golden import load_script

measured: Final = load_script("measured")
KNOWN: Final = measured.read_measured()


@pytest.mark.parametrize("page", measured.PAGES, ids=lambda page: page.name)
def test_a_page_quotes_what_was_measured(page: Path) -> None:
    """Every number between marks is that of the file which a command wrote."""
    found = measured.quoted(page.read_text("utf-8"))

    assert [(name, KNOWN.get(name)) for name, _ in found] == found


@pytest.mark.parametrize(
    "file", sorted(measured.FOLDER.glob("*.json")), ids=lambda file: file.stem
)
def test_it_was_measured_with_this_version(file: Path) -> None:
    """A file names the version of Surefoot, and the benchmark's, that are here."""
    told = json.loads(file.read_bytes())
    known = BENCHMARKS.get("perturbed")

    assert told["surefoot"] == surefoot.__version__
    assert told.get("benchmark", "") in ("", f"{known.name}@{known.version}")


def test_no_page_tells_of_sites_of_its_own() -> None:
    """What README, the tutorial and the demo's page say of the demo's size is marked."""
    sites = len(demo_sites())
    for name in ("README.md", "docs/tutorial.md", "docs/demo.md"):
        text = (measured.ROOT / name).read_text("utf-8")
        bare = measured.MARK.sub("", text)
        assert not re.search(r"\b\d[\d,]* (real )?(sites|pages|questions|targets|MB)\b", bare), (
            name
        )
        limits = re.findall(r"surefoot capture demo: --limit (\d+)", text)
        assert set(limits) <= {str(sites)}, name
    assert KNOWN["demo.sites"] == str(sites)


def test_a_page_is_filled_in_whole() -> None:
    """Numbers and sentences are put between their marks, and the rest stays as it is."""
    known = {"demo.sites": "29", "demo.said": "\n> One.\n> Two.\n"}
    text = "On <!--m demo.sites-->26<!--/m--> sites:\n<!--m demo.said-->old\n<!--/m-->\nend"

    assert measured.fill(text, known) == (
        "On <!--m demo.sites-->29<!--/m--> sites:\n"
        "<!--m demo.said-->\n> One.\n> Two.\n<!--/m-->\nend"
    )
    with pytest.raises(KeyError):
        measured.fill("<!--m demo.unknown-->1<!--/m-->", known)
