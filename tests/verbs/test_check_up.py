"""
A check-up from sources to the card, on a page that nobody tuned anything for.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

import surefoot
from surefoot.core.errors import InvalidInputError

PAGE: Final = """<!doctype html><html lang="en"><title>Harbour</title>
<style>body{{font:17px sans-serif;margin:36px}}
a,button,input{{display:block;margin:24px 0 0 16px}}
</style><h1>{0}</h1><nav><a href="#a">{0} berths</a><a href="#b">Tides</a></nav>
<label for=n>Ship of {0}</label><input id=n><button>Moor {0}</button><button>Cast off</button>
<a href="#c">Charts of {0}</a><footer>Harbour master</footer>"""
TOWNS: Final = ("Ostend", "Bergen", "Gdynia", "Malaga", "Odessa", "Lisbon", "Turku", "Cadiz")
SUITE: Final = """
name = "harbour"
extends = "quick"
sources = [{sources}]
[pillars.perturbed]
variants = ["original", "{dark}"]
[pillars.hidden]
variants = ["original", "static"]
[languages]
sources = []
languages = []
[forms]
forms = {forms}
[diagnosis]
questions = 12
"""


def write_suite(
    folder: Path, towns: Sequence[str], *, dark: str = "theme", forms: int = 1
) -> Path:
    """Write a suite's file, and the pages of towns that are its sources."""
    for town in towns:
        (folder / town).mkdir()
        (folder / town / "index.html").write_text(PAGE.format(town))
    file = folder / "harbour.toml"
    sources = ", ".join(f'"folder:{folder / town}"' for town in towns)
    file.write_text(SUITE.format(sources=sources, dark=dark, forms=forms))
    return file


def test_what_gives_the_scale_is_no_model_of_a_check_up(tmp_path: Path) -> None:
    """Each of the scale is refused before anything is captured, and so is a suite that is none."""
    for model in ("oracle", "center", "random", "nearest-label"):
        with pytest.raises(InvalidInputError, match=model):
            surefoot.check_up(model, out=tmp_path / "out")
    with pytest.raises(InvalidInputError, match="no-such-suite"):
        surefoot.check_up("ocr", suite="no-such-suite", out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.long
def test_a_check_up_ends_in_a_card_and_goes_on_where_it_was(tmp_path: Path) -> None:
    """All pillars and a form are asked and told by name; again nothing is asked anew."""
    file = write_suite(tmp_path, ("Ostend", "Bergen"))
    steps: list[str] = []

    found = surefoot.check_up(
        "ocr",
        suite=str(file),
        out=tmp_path / "out",
        browsers=1,
        tell=lambda step: steps.append(step) if isinstance(step, str) else None,
    )
    page = found.card.path.read_text()
    assert set(found.suite.benches) == {"perturbed", "sensitivity", "hidden"}
    assert {pillar.name for pillar in found.card.record.pillars} == {
        "perturbed",
        "sensitivity",
        "hidden",
        "forms",
    }
    assert found.card.record.models == ("ocr",)
    assert all(name in page for name in ("Where ocr stands", "hidden", "forms", "Causes"))
    assert [step for step in steps if step.startswith("asking")]

    again = surefoot.check_up("ocr", suite=str(file), out=tmp_path / "out", browsers=1)
    assert sum(outcome.tally.done for outcome in again.outcomes) == 0
    assert again.card.path.read_text() == page

    other = surefoot.check_up(
        "ocr", suite=str(file), built=found.suite, out=tmp_path / "other", browsers=1
    )
    assert other.suite.folder == found.suite.folder
    assert other.card.sentences == found.card.sentences


@pytest.mark.long
def test_a_fault_in_every_pillar_is_named_and_nothing_else(tmp_path: Path) -> None:
    """What is hidden, dark pages and labels of forms stand on the card of who misses them."""
    file = write_suite(tmp_path, TOWNS, dark="style-dark-mode", forms=3)

    found = surefoot.check_up("faulty", suite=str(file), out=tmp_path / "out", browsers=1)

    record = found.card.record
    losses = {
        (pillar.name, effect.value)
        for pillar in record.pillars
        for effect in pillar.effects_on("faulty")
        if effect.found and effect.value and (effect.change or 0.0) < 0
    }
    assert ("perturbed", "style-dark-mode") in losses
    assert {name for name, _ in losses} == {"hidden", "perturbed"}
    assert any("label" in cause for cause in record.causes)
    first = " ".join(found.card.sentences)
    assert all(words in first for words in ("mask", "dark mode"))
