"""
Variants in a report: called by what they do, and shown before and after.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Final
from urllib.parse import unquote

import msgspec
import pytest

from surefoot.benchmarks.benchmark import Funnel
from surefoot.core.geometry import Point
from surefoot.core.ledger import Ledger
from surefoot.core.perturbation import ORIGINAL, PERTURBATIONS, PRESETS, variant_title
from surefoot.core.question import Parsed, Question
from surefoot.core.store import ObjectStore
from surefoot.report.answers.page import write_report
from surefoot.report.answers.scored import Choices
from surefoot.report.answers.variants import variants_section
from surefoot.run.asking.runs import open_run
from surefoot.run.folders.folder import export, read_questions, read_screens

Write = Callable[..., Path]
LEVELS: Final = [f"{name}:{one.default}" for name, one in PERTURBATIONS.entries.items()]
NAMES: Final = tuple({variant_title(name): name for name in (*LEVELS, *PRESETS)}.values())


def lost(question: Question) -> Parsed:
    """Hit on the original, and miss on every variant."""
    return question.truth.center if question.cell.variant == ORIGINAL else Point(1.0, 1.0)


@pytest.fixture(scope="module")
def everything(drawn: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a benchmark of the drawn pictures under the names of all perturbations."""
    out = tmp_path_factory.mktemp("everything") / "bench"
    target = ObjectStore(out)
    plain = [one for one in read_questions(drawn) if one.cell.variant == ORIGINAL]
    questions = [
        msgspec.structs.replace(
            one, id=f"{one.id} {name}", cell=msgspec.structs.replace(one.cell, variant=name)
        )
        for one in plain
        if one.cell.instruction == "direct"
        for name in NAMES
    ]
    for one in plain:
        target.put(ObjectStore(drawn).get(one.image))
    with Ledger.open(out, {"kind": "bench", "benchmark": "perturbed@5"}):
        tables = {"screens.jsonl": read_screens(drawn), "questions.jsonl": questions}
        export(out, "bench", tables, {"funnel.json": Funnel((), {})})
    return out


def test_no_page_calls_a_variant_by_its_name(
    everything: Path, write_run: Write, tmp_path: Path
) -> None:
    """Sentences, tables, CSV, figures and pictures call every perturbation by its title."""
    run = write_run(everything, tmp_path / "run", lost)
    write_report([run], tmp_path / "page.html", Choices(cards=1))
    page = re.sub(r"data:image[^\"]+", "", unquote((tmp_path / "page.html").read_text()))
    page = re.sub(r"&#39;\S+&#39; in commands and files| style=\"[^\"]*\"", "", page)
    page = page[page.index("<main>") : page.index('<section id="ruler">')]
    named = set(NAMES) - {ORIGINAL, "theme", "order"}

    # Theme and order stand for two of the perturbations.
    assert len(named) >= len(PERTURBATIONS.entries) - 2
    said = {name for name in named if re.search(rf"(?<![\w\"-]){re.escape(name)}\b", page)}
    assert said == set()
    assert {name for name in named if page.count(variant_title(name)) < 4} == set()


def test_a_target_is_shown_before_and_after(drawn: Path, write_run: Write, tmp_path: Path) -> None:
    """Both pictures show one part of the screen, which holds the target where it was and is."""
    run = open_run(write_run(drawn, tmp_path / "run", lost))
    cards = variants_section(run, seed=1).cards

    assert [card.instruction for card in cards] == ["theme and order", "browser zoom 150 %"]
    assert "together: one of the eight themes" in cards[0].caption
    for card in cards:
        before, after = (ET.fromstring(pane.svg) for pane in card.panes)
        assert before.get("viewBox") == after.get("viewBox")
        frames = [
            [float(frame.get(side, "")) for side in ("x", "y", "width", "height")]
            for drawing in (before, after)
            for frame in drawing.iter("rect")
        ]
        left, top, wide, high = map(float, (before.get("viewBox") or "").split())
        assert len(frames) == 2
        assert frames[0] != frames[1]
        for x, y, width, height in frames:
            assert left <= x <= x + width <= left + wide
            assert top <= y <= y + height <= top + high


def test_without_pictures_nothing_is_shown(drawn: Path, write_run: Write, tmp_path: Path) -> None:
    """A set without pictures, or without an original, has no such pictures."""
    run = open_run(write_run(drawn, tmp_path / "run", lost))
    bare = tuple(msgspec.structs.replace(one, image="") for one in run.questions)
    changed = tuple(one for one in run.questions if one.cell.variant != ORIGINAL)

    for questions in (bare, changed):
        assert (
            variants_section(msgspec.structs.replace(run, questions=questions), seed=1).cards == ()
        )
