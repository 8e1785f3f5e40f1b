"""
The benchmark from end to end without a browser: a folder of screens, a build, a run.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest

from surefoot.benchmarks.sensitivity import SENSITIVITY
from surefoot.capture.settings import Settings
from surefoot.core.canonical import canonical_json
from surefoot.core.ledger import Ledger
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.run.building.pages import build_benchmark
from surefoot.run.folders.folder import export, read_questions, read_screens
from surefoot.run.folders.lines import lines_digest


@pytest.fixture(scope="module")
def screens(drawn_page: tuple[Screen, bytes], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the drawn page twice, as two pages of a finished folder of screens."""
    folder = tmp_path_factory.mktemp("drawn") / "screens"
    screen, png = drawn_page
    pages = [
        msgspec.structs.replace(screen, id=name, page=f"site/{name}.html", source=f"x:{name}")
        for name in ("one", "two")
    ]
    plan = {"kind": "screens", "settings": msgspec.to_builtins(Settings()), "renderer": {}}
    with Ledger.open(folder, plan):
        ObjectStore(folder).put(png)
        export(folder, "screens", {"screens.jsonl": pages})
    return folder


def built(screens: Path, out: Path) -> Path:
    """Build three targets of both pages, in all views."""
    options = msgspec.structs.replace(SENSITIVITY.defaults, targets=2, parameters={"top": 3})
    outcome = build_benchmark("sensitivity", screens, out, options, workers=1)
    assert outcome.failures == ()
    return out


def test_a_build_needs_no_browser_and_is_the_same_twice(screens: Path, tmp_path: Path) -> None:
    """Two builds export the same bytes, and the top three come from both pages."""
    first, second = built(screens, tmp_path / "a"), built(screens, tmp_path / "b")
    for name in ("questions.jsonl", "screens.jsonl", "funnel.json"):
        assert lines_digest(first / name) == lines_digest(second / name)

    questions, shown = read_questions(first), {screen.id: screen for screen in read_screens(first)}
    pairs = {item.pair for item in questions}
    assert sorted(Counter(pair.split("#")[0] for pair in pairs).values()) == [1, 2]
    assert len({pair.split("#")[1] for pair in pairs}) == 3
    assert {item.screen for item in questions} == set(shown)
    store = ObjectStore(first)
    for question in questions:
        view = shown[question.screen]
        element = view.element(question.instruction.target)
        assert element is not None
        assert question.truth == element.box
        assert question.image == view.image
        assert store.path(view.image).is_file()
        assert canonical_json(question)
