"""
Print how many labelled variants are captured in the time of one bare screenshot.

Bare means: a fresh context in the same Chromium, the page loaded from the same host, and a
screenshot of the same size; every labelled variant is a fresh load as well. Both take
turns on each page, so that a busy machine slows them alike. The ratio should be at least
0.5.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from playwright.sync_api import sync_playwright

from surefoot.capture import chromium
from surefoot.capture.browser import Browser
from surefoot.capture.host import SiteHost
from surefoot.capture.page import capture, tree_digest
from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address, Services, list_addresses, open_address
from surefoot.perturb.variants import parse_variant

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
    addresses = [each for spec in PAGES for each in list_addresses(spec)]
    bare = bare_seconds(addresses)
    labelled = labelled_seconds(addresses)
    for address in addresses:
        ratio = bare[address] / labelled[address]
        print(
            f"{address.page:52} bare {1000 * bare[address]:5.0f} ms, labelled "
            f"{1000 * labelled[address]:5.0f} ms, ratio {ratio:.2f}"
        )
    overall = sum(bare.values()) / sum(labelled.values())
    print(f"labelled variants per second over bare screenshots: {overall:.2f} (wanted: 0.5)")


def bare_seconds(addresses: list[Address]) -> dict[Address, float]:
    """Return the median seconds of a fresh context, a load and a screenshot of each page."""
    taken = {}
    with Services() as services, SiteHost() as host, sync_playwright() as playwright:
        browser = chromium.launch(playwright, host.address)

        def shoot(address: Address) -> None:
            opened = open_address(address, services)
            size = {"width": SETTINGS.width, "height": SETTINGS.height}
            with host.serving(opened.route):
                context = browser.new_context(viewport=size)  # type: ignore[arg-type]
                page = context.new_page()
                page.goto(opened.url)
                page.screenshot()
                context.close()

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
            reference = tree_digest(original)
            times = []
            for name in VARIANTS:
                edits = parse_variant(name).edits(original, seed=0)

                def label(
                    each: Address, name: str = name, edits: tuple[object, ...] = edits
                ) -> None:
                    capture(
                        browser,
                        each,
                        SETTINGS,
                        variant=name,
                        edits=edits,  # type: ignore[arg-type]
                        reference=reference,  # noqa: B023 - used within the round
                    )

                times.append(median_seconds(label, address))
            taken[address] = statistics.mean(times)
    return taken


def median_seconds(work: Callable[[Address], None], address: Address) -> float:
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
