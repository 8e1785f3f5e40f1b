"""
The study of GUI-XLI on drawn screens, on a model whose states are planted.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from surefoot_studies.steered import BEGIN, PICTURE, steer, write_steered
from surefoot_studies.tiny.bench import write_choices
from tests.intervene.conftest import PlantedModel

ROOT = Path(__file__).parents[2]
SCREENS: Final = {"memory": 30, "validation": 8, "test": 14}


@pytest.mark.slow
def test_both_protocols_are_run_and_written(tmp_path: Path) -> None:
    """Held out comes first, then the paper's protocol, and both stand in the page, labelled."""
    benches = [
        write_choices(tmp_path / "known" / name, name, screens=count)
        for name, count in SCREENS.items()
    ]
    found = steer(PlantedModel(*benches), tmp_path / "out", seed=0, screens=SCREENS)

    page = tmp_path / "page.md"
    page.write_text(f"Before.\n\n{BEGIN}\nold\n<!-- end of what is measured -->\n\nAfter.\n")
    write_steered(page, tmp_path / "out", found, SCREENS)
    text = page.read_text("utf-8")
    assert [results.protocol for results in found] == ["held-out", "paper"]
    assert text.startswith("Before.")
    assert text.endswith("After.\n")
    assert "old" not in text
    assert "### Chosen on the scored items" in text
    assert (tmp_path / PICTURE).read_text("utf-8").startswith("<svg")


def test_the_page_in_the_docs_has_its_place() -> None:
    """The page of the documentation has the marks between which the study writes."""
    text = (ROOT / "docs" / "xli.md").read_text("utf-8")

    assert text.count(BEGIN) == 1
