"""
The study of GUI-XLI on drawn screens, on a model whose states are planted.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from surefoot.intervene.speaking import open_steerable
from surefoot_studies.steered import BEGIN, PICTURE, steer, write_steered
from surefoot_studies.tiny.bench import write_choices
from surefoot_studies.tiny.cli import WEIGHTS
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


@pytest.mark.slow
@pytest.mark.long
def test_a_real_gap_comes_back_on_the_committed_weights(tmp_path: Path) -> None:
    """On trained weights a quarter or more of the gap comes back, and random brings less."""
    screens = {"memory": 80, "validation": 30, "test": 60}
    held_out, _ = steer(open_steerable(f"hf:{WEIGHTS}"), tmp_path / "out", seed=5, screens=screens)

    for language in ("fr", "zh"):
        rates = {
            one.condition: one.rate
            for one in held_out.rates
            if (one.language, one.dimension) == (language, "")
        }
        gap = rates["english"] - rates["before"]
        assert gap > 0.1
        assert rates["xli"] > rates["before"] + gap / 4
        assert rates["xli"] > rates["random"]


def test_the_page_in_the_docs_has_its_place() -> None:
    """The page of the study has the marks between which the study writes."""
    text = (ROOT / "studies" / "docs" / "xli.md").read_text("utf-8")

    assert text.count(BEGIN) == 1
