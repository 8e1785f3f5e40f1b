"""
What the workers of a browser run compute, in this process.
"""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import msgspec
import numpy as np
import pytest

from surefoot.benchmarks.benchmark import BuildOptions, PageResult
from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address, list_addresses
from surefoot.core.canonical import decode
from surefoot.core.edit import Resize, Zoom
from surefoot.core.errors import CaptureError, UnknownNameError
from surefoot.core.geometry import Box
from surefoot.core.screen import Element, Screen
from surefoot.core.store import ObjectStore
from surefoot.perturb.pixels import spell_png
from surefoot.run.building import page_workers
from surefoot.run.building.page_workers import builder, capturer

SMALL = Settings(width=300, height=200)


@pytest.mark.browser
def test_a_page_becomes_a_screen_and_a_result(tmp_path: Path) -> None:
    """One worker captures a page, another builds on it; both give what the ledger can keep."""
    (tmp_path / "a.html").write_text("<!doctype html><button>Save</button><p>Text</p>")
    address = msgspec.to_builtins(list_addresses(str(tmp_path / "a.html"))[0])
    store = ObjectStore(tmp_path)
    with capturer(folder=str(tmp_path), settings=msgspec.to_builtins(SMALL)) as work:
        payload = work({"address": address})
        assert work({"address": address}) == payload
    screen = decode(payload, Screen, what="a screen")
    assert [
        element.name for element in screen.elements if element.hit and element.role == "button"
    ] == ["Save"]
    assert store.get(screen.image)

    options = BuildOptions(variants=("original", "text-size:paper"), settings=SMALL)
    plain = msgspec.to_builtins(options)
    with builder(benchmark="perturbed", folder=str(tmp_path), options=plain) as work:
        result = decode(work({"screen": msgspec.to_builtins(screen)}), PageResult, what="a result")
    assert [item.variant for item in result.screens] == list(options.variants)
    assert [candidate.target for candidate in result.candidates] != []
    assert all(store.get(item.image) for item in result.screens)


@pytest.mark.parametrize("source", ["demo:/a.html", "android:somewhere", "imported:set/7"])
def test_a_picture_is_changed_without_a_browser(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Variants of the picture alone are built from the store, of a source that cannot open."""
    monkeypatch.setattr(page_workers, "Browser", _no_browser)
    store = ObjectStore(tmp_path)
    box = Box(20, 30, 80, 50)
    element = Element(
        "a", "button", box, name="Save", name_from="content", name_boxes=(box,), text="Save",
        text_boxes=(box,), visible_fraction=1.0, hits=(True,) * 5,
    )  # fmt: skip
    image = store.put(spell_png(np.full((100, 200, 3), 200, np.uint8)))
    screen = Screen("s", "site/a", source, image, 200, 100, 1.0, "web", "en", (element,))
    options = BuildOptions(variants=("original", "jpeg:30", "resize:0.5+blur:2"), settings=SMALL)
    plain = msgspec.to_builtins(options)
    with builder(benchmark="perturbed", folder=str(tmp_path), options=plain) as work:
        payload = work({"screen": msgspec.to_builtins(screen)})
        assert work({"screen": msgspec.to_builtins(screen)}) == payload
    result = decode(payload, PageResult, what="a result")
    assert [item.variant for item in result.screens] == list(options.variants)
    assert [(item.width, item.height) for item in result.screens] == [(200, 100)] * 2 + [(100, 50)]
    assert result.screens[2].elements[0].box == Box(10, 15, 40, 25)
    assert len({item.image for item in result.screens}) == 3
    assert all(store.get(item.image) for item in result.screens)


@pytest.mark.parametrize("variant", ["zoom:1.5", "zoom:1.5+jpeg:30"])
def test_a_still_has_no_page_to_change(variant: str, tmp_path: Path) -> None:
    """As soon as one part of a variant is of the page a still is refused, with the reason."""
    store = ObjectStore(tmp_path)
    image = store.put(spell_png(np.zeros((10, 10, 3), np.uint8)))
    (tmp_path / "still").mkdir()
    (tmp_path / "still" / "screens.jsonl").write_text("")
    screen = Screen("s", "p", "still", image, 10, 10, 1.0, "mobile", "en", ())
    options = msgspec.to_builtins(BuildOptions(variants=("original", variant), settings=SMALL))
    with (
        builder(benchmark="perturbed", folder=str(tmp_path), options=options) as work,
        pytest.MonkeyPatch.context() as patch,
    ):
        address = Address("still", "p", "p")
        patch.setattr(page_workers, "address_of", lambda _source: address)
        patch.setattr(page_workers, "is_still", lambda _address: True)
        with pytest.raises(CaptureError) as caught:
            work({"screen": msgspec.to_builtins(screen)})
    assert caught.value.reason == "not-a-page"


@pytest.mark.browser
def test_a_page_is_rendered_before_its_picture_is_changed(tmp_path: Path) -> None:
    """A sum of both kinds is the page under the one, with its picture under the other."""
    (tmp_path / "a.html").write_text("<!doctype html><button>Save</button><p>Text</p>")
    address = msgspec.to_builtins(list_addresses(str(tmp_path / "a.html"))[0])
    with capturer(folder=str(tmp_path), settings=msgspec.to_builtins(SMALL)) as work:
        screen = decode(work({"address": address}), Screen, what="a screen")
    variants = ("original", "zoom:1.5", "resize:0.5+zoom:1.5")
    options = msgspec.to_builtins(BuildOptions(variants=variants, settings=SMALL))
    with builder(benchmark="perturbed", folder=str(tmp_path), options=options) as work:
        result = decode(work({"screen": msgspec.to_builtins(screen)}), PageResult, what="a result")
    zoomed, both = result.screens[1:]
    assert (both.width, both.height) == (150, 100)
    assert both.edits == (Zoom(1.5), Resize(0.5, 0.5))
    assert [element.box.scaled(0.5) for element in zoomed.elements] == [
        element.box for element in both.elements
    ]


def _no_browser() -> NoReturn:
    pytest.fail("a browser was started")


def test_an_unknown_benchmark_starts_no_browser(tmp_path: Path) -> None:
    """A worker for a benchmark that does not exist is refused at its start."""
    wrong = builder(benchmark="none", folder=str(tmp_path), options={})
    with pytest.raises(UnknownNameError), wrong:
        pass
