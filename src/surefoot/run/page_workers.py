"""
What the worker processes of a browser run do: capture a page, or build a benchmark's page.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from surefoot.benchmarks.benchmark import BENCHMARKS, BuildOptions
from surefoot.capture.browser import Browser
from surefoot.capture.page import capture
from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address
from surefoot.core.canonical import canonical_json
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.run.worker import UnitFunction

__all__ = ["builder", "capturer"]


@contextlib.contextmanager
def capturer(*, folder: str, settings: dict[str, Any]) -> Iterator[UnitFunction]:
    """Turn an address into a screen, spelt as canonical JSON; the image goes to the store."""
    store = ObjectStore(Path(folder))
    wanted = msgspec.convert(settings, Settings)
    with Browser() as browser:

        def work(body: dict[str, Any]) -> bytes:
            address = msgspec.convert(body["address"], Address)
            captured = capture(browser, address, wanted)
            store.put(captured.png)
            return canonical_json(captured.screen)

        yield work


@contextlib.contextmanager
def builder(*, benchmark: str, folder: str, options: dict[str, Any]) -> Iterator[UnitFunction]:
    """Turn an address and its original screen into a page's result."""
    store = ObjectStore(Path(folder))
    chosen = BENCHMARKS.get(benchmark)
    wanted = msgspec.convert(options, BuildOptions)
    with Browser() as browser:

        def work(body: dict[str, Any]) -> bytes:
            address = msgspec.convert(body["address"], Address)
            screen = msgspec.convert(body["screen"], Screen)
            return canonical_json(chosen.page(browser, address, screen, store, wanted))

        yield work
