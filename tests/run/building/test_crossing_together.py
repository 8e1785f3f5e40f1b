"""
Crossed conditions: every pillar with every condition, as the documents have it, and real pages.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from surefoot.benchmarks.benchmark import BENCHMARKS
from surefoot.benchmarks.crossing.bases import check_bases
from surefoot.capture.settings import Settings
from surefoot.core.edit import AddStyle, Hide, Mask, Zoom
from surefoot.core.errors import UserError
from surefoot.core.geometry import Box
from surefoot.core.perturbation import OVER
from surefoot.forms.driver.changed import read_change
from surefoot.run.building.capturing import capture_screens
from surefoot.run.building.pages import build_benchmark
from surefoot.run.building.units import plan_of
from surefoot.run.folders.folder import read_questions, read_screens

PILLARS: Final = ("perturbed", "sensitivity", "hidden", "multilingual", "forms")
CHANGES: Final = {
    "a theme": "theme",
    "a zoom": "zoom:1.5",
    "the paper's zoom": "precision",
    "text size": "text-size:1.25",
    "another order": "order",
    "a filter of the picture": "jpeg:30",
    "a picture of another size": "resize",
    "something drawn over it": "popup",
    "two of these": "theme+zoom:1.5",
}
CONDITIONS: Final[dict[str, dict[str, Any]]] = {
    **{f"{name} (`--over {over}`)": {"over": (over,)} for name, over in CHANGES.items()},
    "a base that is a variant already (`--over blur:2`)": {"over": ("blur:2",)},
    "a part around the target (`--variants original,crop`)": {"variants": ("original", "crop")},
    "a window on a desktop (`--variants original,background`)": {
        "variants": ("original", "background")
    },
    "a mask (`--variants original,static`)": {"variants": ("original", "static")},
    "taken off the page (`--variants original,hide`)": {"variants": ("original", "hide")},
    "pages in French, too (`--variants original,language:fr`)": {
        "variants": ("original", "language:fr")
    },
    "direct words (`--kinds direct`)": {"kinds": ("direct",)},
    "words of its content (`--kinds content`)": {"kinds": ("content",)},
    "other words (`--set wordings=synonym`)": {"parameters": {"wordings": "synonym"}},
    "words in French (`--language fr`)": {"language": "fr"},
    "words in every language on screens in every one (`--set crossed=true`)": {
        "parameters": {"crossed": True}
    },
    "a fraction of all (`--design fraction`)": {"design": "fraction", "over": ("theme", "grey")},
}
# A benchmark's own variants, below which a base has to be another change.
OWN: Final = {"perturbed": ("original", "blur:2")}
OF_FORMS: Final = {"language": "works, by `--language`", "over": "works, by `--change`"}


def answer(pillar: str, condition: str) -> str:
    """Ask a pillar for a condition as its command would, before any page is opened."""
    wanted = CONDITIONS[condition]
    try:
        if pillar == "forms":
            for name in wanted.get("over", ()):
                read_change(name)
            (way, *others) = sorted(wanted, key=lambda option: option != "design")
            return "no such option" if others else OF_FORMS.get(way, "no such option")
        benchmark = BENCHMARKS.get(pillar)
        own = OWN.get(pillar, benchmark.defaults.variants)
        options = msgspec.structs.replace(benchmark.defaults, **{"variants": own, **wanted})
        check_bases(benchmark, options)
        plan_of(benchmark, options)
    except UserError as error:
        return f"refused: {error}".partition(". ")[0].replace(
            "refused: Expected", "refused: expected"
        )
    return "works"


def table() -> str:
    """Lay out what every pillar answers to every condition."""
    rows = [("condition", *PILLARS), ("---",) * (1 + len(PILLARS))]
    rows += [(name, *(answer(pillar, name) for pillar in PILLARS)) for name in CONDITIONS]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def test_every_combination_is_answered_as_the_documents_say() -> None:
    """The documents' one table has what each pillar answers to each condition, word by word."""
    page = Path(__file__).parents[3] / "docs" / "crossing.md"
    assert table() in page.read_text(encoding="utf-8")


PAGE: Final = """<!doctype html><html lang="en"><title>Order</title>
<body style="background:#eef;font:20px sans-serif">
<h1>Order</h1><p>Street <button>Look up</button> Germany</p>
<p>Town <button>Find</button> Berlin</p><p>Country <button>Choose</button> Europe</p></html>"""


@pytest.mark.browser
@pytest.mark.slow
def test_a_real_page_is_hidden_over_a_theme(tmp_path: Path) -> None:
    """What is masked or taken off a themed page lies where the theme has it, in its edits."""
    (tmp_path / "page.html").write_text(PAGE)
    capture_screens([str(tmp_path / "page.html")], tmp_path / "screens", Settings())
    options = msgspec.structs.replace(
        BENCHMARKS.get("hidden").defaults,
        variants=("original", "static", "hide"),
        over=("style-dark-mode", "zoom:1.5"),
    )
    build_benchmark("hidden", tmp_path / "screens", tmp_path / "bench", options, workers=1)
    shown = {screen.id: screen for screen in read_screens(tmp_path / "bench")}
    boxes: dict[tuple[str, str], set[Box]] = {}
    conditions = set()
    for question in read_questions(tmp_path / "bench"):
        variant, screen = question.cell.variant, shown[question.screen]
        base = question.facts.get(OVER, "original")
        conditions.add((base, variant))
        boxes.setdefault((question.pair, base), set()).add(question.truth)
        kinds = [type(edit) for edit in screen.edits]
        assert (AddStyle in kinds) == (base == "style-dark-mode")
        assert (Zoom in kinds) == (base == "zoom:1.5")
        assert (Hide in kinds) == variant.endswith("hide")
        assert (Mask in kinds) == variant.endswith("static")

    assert {base for base, _ in conditions} == {"original", "style-dark-mode", "zoom:1.5"}
    assert ("style-dark-mode", "style-dark-mode+hide") in conditions
    assert all(len(own) == 1 for own in boxes.values())
    assert len({box for own in boxes.values() for box in own}) == len(boxes)
