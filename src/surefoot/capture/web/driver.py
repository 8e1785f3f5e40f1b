"""
Playwright's driver, a child of ours that starts the browser.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from surefoot.core.children import environment_of_children

if TYPE_CHECKING:
    from playwright.sync_api import Playwright

__all__ = ["started_driver"]


@contextlib.contextmanager
def started_driver() -> Iterator[Playwright]:
    """Run the driver for the length of a block; it and its browsers know no key of ours."""
    from playwright.sync_api import sync_playwright

    with environment_of_children():
        playwright = sync_playwright().start()
    try:
        yield playwright
    finally:
        playwright.stop()
