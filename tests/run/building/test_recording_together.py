"""
An application that moves, recorded signed in, and asked again offline: the same bytes each time.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

import surefoot
from surefoot.capture.sources.recorded import read_recording
from surefoot.run.folders.folder import read_screens
from tests.product import Product
from tests.run.building.test_entering_together import found_in

VARIANTS: Final = "original,style,order,zoom:1.5"
SMALL: Final[dict[str, Any]] = {"width": 500, "height": 400, "unconfined": True}
pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def product() -> Iterator[Product]:
    """Lend a product whose poll is answered."""
    with Product() as running:
        running.polls = False
        yield running


def signed_in(product: Product, folder: Path) -> dict[str, Any]:
    """Return the options of one who is signed in."""
    state = folder / "state.json"
    state.write_text(json.dumps(product.state()))
    return {"storage_state": state, "signed_in": "#leave", **SMALL}


def captured(recording: Path, out: Path) -> list[bytes]:
    """Capture a recording, and return what was written of its screens and their pictures."""
    made = surefoot.capture(f"recorded:{recording}", out=out, workers=1, **SMALL)
    assert made.outcome.failures == ()
    pictures = sorted((out / "objects").rglob("*.png"))
    return [(out / "screens.jsonl").read_bytes(), *(file.read_bytes() for file in pictures)]


def test_a_moving_page_is_one_state_offline_and_no_secret_is_in_it(tmp_path: Path) -> None:
    """Rows that differ at each load come back as recorded, by port or by load, and no token."""
    out = tmp_path / "out"
    with Product() as product:
        product.polls = False
        told = signed_in(product, tmp_path)
        pages = [f"{product.origin}{way}" for way in ("/#/orders", "/plain", "/h/moving")]
        live = surefoot.capture(pages[0], out=tmp_path / "live", workers=1, **told)
        made = surefoot.record(pages, out=out / "app.rec", ignore=["ul li:nth-child(2)"], **told)
        tokens = product.tokens
    quiet = captured(out / "app.rec", out / "quiet")
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as load:
        under_load = captured(out / "app.rec", out / "busy")
        load.kill()
    screens = {screen.page: screen for screen in read_screens(out / "quiet")}
    moving = screens["app/h/moving"]
    rows = {item.text: item.hits for item in moving.elements if item.text.startswith("Order")}

    assert made.failures == ()
    assert "two loads differ" in made.lines[2]
    assert quiet == under_load
    assert found_in(out, [*tokens, product.origin.rpartition(":")[2]]) == []
    ((first,), again) = live, screens["app/#/orders"]
    names = [(item.id, item.role, item.name, item.box, item.hits) for item in first.elements]
    assert names == [
        (item.id, item.role, item.name, item.box, item.hits) for item in again.elements
    ]
    assert first.image == again.image
    assert len(rows) == 3
    assert list(rows.values())[1] == ()
    assert {"3 ships at sea", "the tide is high"} <= {item.text for item in again.elements}


def test_what_is_hard_to_freeze_comes_back(product: Product, tmp_path: Path) -> None:
    """Shadow roots, state, listeners, canvases, frames, sheets of scripts: elements and pixels."""
    page, out = f"{product.origin}/sampler/index.html", tmp_path / "app.rec"
    told = {"width": 700, "height": 1000, "public": True, "unconfined": True}
    live = surefoot.capture(page, out=tmp_path / "live", workers=1, **told)

    made = surefoot.record([page, f"{page}#asked"], out=out, **told)
    again = surefoot.capture(
        f"recorded:{out}#/sampler/index.html",
        out=tmp_path / "again",
        workers=1,
        width=700,
        height=1000,
        unconfined=True,
    )

    assert made.failures == ()
    ((first,), (second,)) = live, again
    assert first.image == second.image
    assert first.elements == second.elements
    assert first.unrecorded == second.unrecorded
    named = {(item.role, item.name) for item in second.elements}
    wanted = ("Open details", "Card one", "Shadow button", "Closed button", "Mine", "Framed")
    assert {("button", name) for name in wanted} <= named
    assert found_in(out, ["typed-secret-4711", "hidden-token-4711"]) == []


def test_benchmarks_are_built_on_a_recording_as_on_the_live_page(
    product: Product, tmp_path: Path
) -> None:
    """A changed style, order and zoom give the pictures that the live page gives."""
    told = signed_in(product, tmp_path)
    page, out = f"{product.origin}/#/settings", tmp_path / "app.rec"
    surefoot.record(page, out=out, **told)
    found = []
    for name, source, options in (("live", page, told), ("kept", f"recorded:{out}", SMALL)):
        screens, bench = tmp_path / name, tmp_path / f"{name}-bench"
        surefoot.capture(source, out=screens, workers=1, **options)
        surefoot.build("perturbed", screens=screens, out=bench, variants=VARIANTS, workers=1)
        found.append({screen.variant: screen.image for screen in read_screens(bench)})

    assert set(found[0]) == set(VARIANTS.split(","))
    assert found[0] == found[1]


def test_what_is_no_page_is_not_recorded(product: Product, tmp_path: Path) -> None:
    """A page that only loads, an error, and one for which nobody is signed in are refused."""
    out = tmp_path / "app.rec"
    found = {}
    for way in ("loading", "oops", "302"):
        product.way = way
        made = surefoot.record(f"{product.origin}/h/orders", out=out, **SMALL)
        found[way] = made.failures[0].reason

    assert found == {"loading": "not-asked", "oops": "not-asked", "302": "signed-out"}
    assert not out.exists() or read_recording(out).pages == ()
