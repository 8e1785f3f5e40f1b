"""
Playwright's driver, a child of ours that starts the browser.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from surefoot.core.children import environment_of_children
from surefoot.core.errors import CaptureError

if TYPE_CHECKING:
    from playwright.sync_api import Playwright


@contextlib.contextmanager
def started_driver() -> Iterator[Playwright]:
    """
    Run the driver for the length of a block; it and its browsers know no key of ours.

    Raises CaptureError "browser-error" for a driver that dies while it starts.
    """
    from playwright.sync_api import sync_playwright

    try:
        with environment_of_children():
            playwright = sync_playwright().start()
    except Exception as error:  # Playwright has no class of its own for it
        raise driver_died(str(error)) from error
    try:
        yield playwright
    finally:
        playwright.stop()


def driver_died(found: str) -> CaptureError:
    """Return the error for a driver that has died, with how that was noticed."""
    return CaptureError(
        "browser-error",
        expected="a browser's driver that lives as long as it is used",
        found=f"that it died ({found})",
        remedy="give the same command again",
    )
