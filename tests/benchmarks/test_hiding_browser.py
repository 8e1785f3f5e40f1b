"""
Hiding on a real page: gone from the picture, and nothing else moves.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest
from PIL import Image

from surefoot.benchmarks.hidden import HIDDEN
from surefoot.capture.settings import Settings
from surefoot.core.edit import Hide
from surefoot.core.store import ObjectStore
from surefoot.run.building.capturing import capture_screens
from surefoot.run.building.pages import build_benchmark
from surefoot.run.folders.folder import read_questions, read_screens

PAGE = """<!doctype html><title>Order</title><body style="background:#eef;font:20px sans-serif">
<h1>Order</h1><p>Street <button>Look up</button> Germany</p>
<p>Town <button>Find</button> Berlin</p><p>Country <button>Choose</button> Europe</p>"""


@pytest.mark.long
@pytest.mark.browser
def test_a_hidden_element_leaves_its_ground(tmp_path: Path) -> None:
    """Where it stood only the page's ground is seen, and no pixel elsewhere changes."""
    (tmp_path / "page.html").write_text(PAGE)
    screens, bench = tmp_path / "screens", tmp_path / "bench"
    capture_screens([str(tmp_path / "page.html")], screens, Settings())
    options = msgspec.structs.replace(HIDDEN.defaults, variants=("hide",))
    build_benchmark("hidden", screens, bench, options, workers=1)
    (original,) = read_screens(screens)
    shown = {screen.id: screen for screen in read_screens(bench)}
    store = ObjectStore(bench)
    with Image.open(store.path(original.image)) as image:
        before = np.asarray(image.convert("RGB"))
    questions = read_questions(bench)
    assert {question.pair for question in questions}
    for question in questions:
        (edit,) = shown[question.screen].edits
        assert edit == Hide((question.instruction.target,))
        with Image.open(store.path(question.image)) as image:
            after = np.asarray(image.convert("RGB"))
        left, top, right, bottom = (round(side) for side in question.truth.as_tuple())
        inside = (slice(top - 1, bottom + 1), slice(left - 1, right + 1))
        assert (after[inside] == (0xEE, 0xEE, 0xFF)).all()
        assert not (before[inside] == (0xEE, 0xEE, 0xFF)).all()
        elsewhere = np.ones(before.shape[:2], dtype=bool)
        elsewhere[inside] = False
        assert (after[elsewhere] == before[elsewhere]).all()
