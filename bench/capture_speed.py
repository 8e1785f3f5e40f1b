"""
Print how many labelled variants are captured in the time of one bare screenshot.

Bare means: the page loaded from the same host and a screenshot of the same size, in a
fresh context, as every labelled variant is; that ratio should be at least 0.5. The ratio
against one page that is reused for all loads, warm caches and all, stands beside it.
"""

from __future__ import annotations

import functools
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, ViewportSize, sync_playwright

from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address, Services, list_addresses, open_address
from surefoot.capture.web import chromium
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.host import SiteHost
from surefoot.capture.web.page import capture
from surefoot.capture.web.room import Room
from surefoot.core.perturbation import parse_variant

PAGES = (
    "npm:startbootstrap-sb-admin-2@4.1.4/index.html",
    "npm:startbootstrap-sb-admin-2@4.1.4/buttons.html",
    "npm:startbootstrap-sb-admin-2@4.1.4/tables.html",
    "npm:gentelella@4.2.0/production/form.html",
    "npm:gentelella@4.2.0/production/index3.html",
    "npm:soft-ui-dashboard@1.0.1/pages/billing.html",
)
VARIANTS = ("original", "style", "precision", "text_shrink")
ROUNDS = 3
SETTINGS = Settings()


def main() -> None:
    """Time both on every page and print the ratio of their rates."""
    addresses = [item for spec in PAGES for item in list_addresses(spec)]
    bare = bare_seconds(addresses, fresh=True)
    reused = bare_seconds(addresses, fresh=False)
    labelled = labelled_seconds(addresses)
    for address in addresses:
        ratio = bare[address] / labelled[address]
        print(
            f"{address.page:52} bare {1000 * bare[address]:5.0f} ms, labelled "
            f"{1000 * labelled[address]:5.0f} ms, ratio {ratio:.2f}"
        )
    overall = sum(bare.values()) / sum(labelled.values())
    print(f"labelled variants per second over bare screenshots: {overall:.2f} (wanted: 0.5)")
    warm = sum(reused.values()) / sum(labelled.values())
    print(f"the same over bare screenshots of one reused page: {warm:.2f}")


def bare_seconds(addresses: list[Address], *, fresh: bool) -> dict[Address, float]:
    """Return the median seconds of a load and a screenshot of each page."""
    taken = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        Services() as services,
        SiteHost() as host,
        sync_playwright() as playwright,
    ):
        browser, _ = chromium.launch(playwright, host.address, Room(Path(folder)))

        def open_page() -> Page:
            size: ViewportSize = {"width": SETTINGS.width, "height": SETTINGS.height}
            return browser.new_context(viewport=size).new_page()

        kept = open_page()

        def shoot(address: Address) -> None:
            opened = open_address(address, services)
            with host.serving(*([opened.route] if opened.route else [])):
                page = open_page() if fresh else kept
                page.goto(opened.url)
                page.screenshot()
                if fresh:
                    page.context.close()

        for address in addresses:
            taken[address] = median_seconds(shoot, address)
        browser.close()
    return taken


def labelled_seconds(addresses: list[Address]) -> dict[Address, float]:
    """Return the median seconds of one labelled variant of each page."""
    taken = {}
    with Browser() as browser:
        for address in addresses:
            original = capture(browser, address, SETTINGS).screen
            reference = original
            times = []
            for name in VARIANTS:
                edits = parse_variant(name).edits(original, seed=0)

                label = functools.partial(
                    capture,
                    browser,
                    settings=SETTINGS,
                    variant=name,
                    edits=edits,
                    original=reference,
                )
                times.append(median_seconds(label, address))
            taken[address] = statistics.mean(times)
    return taken


def median_seconds(work: Callable[[Address], object], address: Address) -> float:
    """Return the median of some rounds; the first, which fills caches, is left out."""
    work(address)
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work(address)
        times.append(time.perf_counter() - began)
    return statistics.median(times)


if __name__ == "__main__":
    main()
