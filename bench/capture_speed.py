"""
Print how many labelled variants are captured in the time of one bare screenshot.

Labelled is what ``surefoot build`` does with a page: its variants are captured from one load
where that gives the same bytes, each with its elements, their names, boxes and hit tests, and a
picture; a variant's time is that of all of them over their number. Bare is what a script without
labels does for each of them: a fresh context, the page loaded from the same host, a screenshot of
the same size. Both take turns, so that what else the machine does slows both, and the medians of
the rounds are compared; the first round, which fills caches, is left out. Their ratio should
be at least 1.

The original is among the variants, as it always was here. Beside it stand the ratio without
it, as a build has it, which renders the others alone; that with a load for each variant; and that
of a whole page as it comes to be in a benchmark: the original, captured in two loads, which have
to agree, and its variants from one.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial

import msgspec

from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address, Services, list_addresses, open_address
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.page import capture
from surefoot.capture.web.twice import capture_twice
from surefoot.capture.web.variants import capture_variants
from surefoot.core.errors import InvalidInputError
from surefoot.core.perturbation import parse_variant

PAGES = (
    "npm:startbootstrap-sb-admin-2@4.1.4/index.html",
    "npm:startbootstrap-sb-admin-2@4.1.4/buttons.html",
    "npm:startbootstrap-sb-admin-2@4.1.4/tables.html",
    "npm:gentelella@4.2.0/production/form.html",
    "npm:gentelella@4.2.0/production/index3.html",
    "npm:soft-ui-dashboard@1.0.1/pages/billing.html",
)
VARIANTS = ("original", "style", "theme", "order", "precision", "text_shrink")
ROUNDS = 2
BARE = 3  # screenshots a round
SETTINGS = Settings()


class Seconds(msgspec.Struct, frozen=True):
    """Hold a page's medians, of one screenshot or one variant; ``whole`` is of a screen."""

    bare: float
    labelled: float
    built: float
    fresh: float
    whole: float


def main() -> None:
    """Time all of them on every page and print the ratios of their rates."""
    found = []
    with Browser() as browser:
        for spec in PAGES:
            for address in list_addresses(spec):
                seconds = timed(browser, address)
                found.append(seconds)
                print(
                    f"{address.page:52} bare {1000 * seconds.bare:5.0f} ms, labelled "
                    f"{1000 * seconds.labelled:5.0f} ms, ratio "
                    f"{seconds.bare / seconds.labelled:.2f}",
                    flush=True,
                )
    bare = sum(item.bare for item in found)
    ratio, built, fresh, whole = (
        bare / sum(getattr(item, name) for item in found)
        for name in ("labelled", "built", "fresh", "whole")
    )
    print(f"labelled variants per second over bare screenshots: {ratio:.2f} (wanted: 1.0)")
    print(f"the same without the original, as a build has it: {built:.2f}")
    print(f"the same with a load for each variant: {fresh:.2f}")
    print(f"screens of a page, its original captured twice, over bare screenshots: {whole:.2f}")


def timed(browser: Browser, address: Address) -> Seconds:
    """Return the medians of some rounds, in each of which everything is done once."""
    original = capture(browser, address, SETTINGS).screen
    variants = {name: parse_variant(name).edits(original, seed=0) for name in VARIANTS}
    count = len(VARIANTS)

    def each_loaded() -> None:
        for name, edits in variants.items():
            capture(browser, address, SETTINGS, variant=name, edits=edits, original=original)

    with Services() as services:
        opened = open_address(address, services)
        if opened.route is None:
            raise InvalidInputError("a page that has a server", found=address.spec)
        route = opened.route

        def shoot() -> None:
            with browser.lend(route, SETTINGS) as context:
                page = context.new_page()
                page.goto(opened.url)
                page.screenshot()

        others = {name: edits for name, edits in variants.items() if edits}
        times: list[list[float]] = []
        for _ in range(1 + ROUNDS):
            bare = statistics.mean(seconds_of(shoot) for _ in range(BARE))
            labelled, built = (
                seconds_of(partial(capture_variants, browser, address, SETTINGS, some, original))
                for some in (variants, others)
            )
            twice = seconds_of(lambda: capture_twice(browser, address, SETTINGS))
            whole = (twice + built) / count
            times.append([bare, labelled / count, built / len(others), whole])
        bare, labelled, built, whole = map(statistics.median, zip(*times[1:], strict=True))
        fresh = seconds_of(each_loaded) / count
    return Seconds(bare, labelled, built, fresh, whole)


def seconds_of(work: Callable[[], object]) -> float:
    """Return how long something takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
