"""
What the workers of a browser run compute, in this process.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from surefoot.benchmarks.benchmark import BuildOptions, PageResult
from surefoot.capture.settings import Settings
from surefoot.capture.sources import list_addresses
from surefoot.core.canonical import decode
from surefoot.core.errors import UnknownNameError
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.run.page_workers import builder, capturer

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
    assert [each.name for each in screen.elements if each.hit and each.role == "button"] == [
        "Save"
    ]
    assert store.get(screen.image)

    options = BuildOptions(variants=("original", "text-size:paper"), settings=SMALL)
    plain = msgspec.to_builtins(options)
    with builder(benchmark="perturbed", folder=str(tmp_path), options=plain) as work:
        result = decode(work({"screen": msgspec.to_builtins(screen)}), PageResult, what="a result")
    assert [each.variant for each in result.screens] == list(options.variants)
    assert [each.target for each in result.candidates] != []
    assert all(store.get(each.image) for each in result.screens)


def test_an_unknown_benchmark_starts_no_browser(tmp_path: Path) -> None:
    """A worker for a benchmark that does not exist is refused at its start."""
    wrong = builder(benchmark="none", folder=str(tmp_path), options={})
    with pytest.raises(UnknownNameError), wrong:
        pass
