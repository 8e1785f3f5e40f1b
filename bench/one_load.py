"""
Compare the variants of many pages from one load with those from a load for each.

Every page is captured in both ways, and element lists, pictures and all else that a screen says
have to be the same bytes, or the page was loaded anew. A variant of which two fresh loads differ,
too, says nothing and is counted apart. Arguments are sources as ``surefoot capture`` takes them,
``--pages`` of each at most; pages that stand in the JSON lines of ``--out`` are not compared
again, so that a run goes on where it was stopped. Where a variant differs, it is loaded up to
``LOADS`` times more, since few loads of a page may come out otherwise. Printed is, for each kind
of source, how many pages came from one load, why others did not, and what differed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

import msgspec

from surefoot.capture.captured import Capture
from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address, list_addresses
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.page import capture
from surefoot.capture.web.variants import Variants, capture_variants
from surefoot.core.errors import CaptureError, SurefootError
from surefoot.core.perturbation import parse_variant
from surefoot.core.screen import Screen

VARIANTS = ("style", "order", "precision", "text_shrink", "zoom:0.7")
SETTINGS = Settings()
LOADS = 6


class Compared(msgspec.Struct, frozen=True):
    """
    Hold what became of one page.

    ``differ`` names the variants that are not the same, ``unsure`` those of which two fresh loads
    are not; ``seconds`` are those of both ways, from one load first.
    """

    source: str
    page: str
    elements: int = 0
    loads: int = 0
    anew: str = ""
    differ: tuple[str, ...] = ()
    unsure: tuple[str, ...] = ()
    seconds: tuple[float, float] = (0.0, 0.0)
    failed: str = ""


def main() -> int:
    """Compare the pages and print what was found; return 1 where something differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", nargs="+")
    parser.add_argument("--pages", type=int, default=8)
    parser.add_argument("--out", type=Path, default=Path("one-load.jsonl"))
    chosen = parser.parse_args()
    lines = chosen.out.read_bytes().splitlines() if chosen.out.exists() else []
    found = [msgspec.json.decode(line, type=Compared) for line in lines]
    known = {(item.source, item.page) for item in found}
    with Browser() as browser, chosen.out.open("ab") as out:
        for source in chosen.sources:
            try:
                addresses = list_addresses(source)
            except SurefootError as error:
                print(f"{source}: {error}", file=sys.stderr)
                continue
            step = max(1, len(addresses) // chosen.pages)
            for address in addresses[::step][: chosen.pages]:
                if (source, address.page) in known:
                    continue
                item = compared(browser, source, address)
                found.append(item)
                out.write(msgspec.json.encode(item) + b"\n")
                out.flush()
                print(item.page, item.loads, item.anew, item.differ, item.failed, flush=True)
    return print_counts(found)


def compared(browser: Browser, source: str, address: Address) -> Compared:
    """Capture a page's variants in both ways."""
    try:
        original = capture(browser, address, SETTINGS).screen
        variants = {name: parse_variant(name).edits(original, seed=0) for name in VARIANTS}
        variants = {name: edits for name, edits in variants.items() if edits}
        began = time.perf_counter()
        fresh = {
            name: fresh_capture(browser, address, variants, name, original) for name in variants
        }
        between = time.perf_counter()
        made = capture_variants(browser, address, SETTINGS, variants, original)
        ended = time.perf_counter()
        differ = [name for name in variants if made.captures[name] != fresh[name]]
        unsure = [
            name
            for name in differ
            if any(
                fresh_capture(browser, address, variants, name, original) != fresh[name]
                for _ in range(LOADS)
            )
        ]
    except CaptureError as error:
        return Compared(source, address.page, failed=error.reason)
    return Compared(
        source,
        address.page,
        len(original.elements),
        made.loads,
        made.anew,
        tuple(name for name in differ if name not in unsure),
        tuple(unsure),
        (ended - between, between - began),
    )


def fresh_capture(
    browser: Browser, address: Address, variants: Variants, name: str, original: Screen
) -> Capture:
    """Capture one variant from a load of its own."""
    return capture(
        browser, address, SETTINGS, variant=name, edits=tuple(variants[name]), original=original
    )


def print_counts(found: list[Compared]) -> int:
    """Print what was found by kind of source, and return 1 where something differs."""
    kinds: dict[str, list[Compared]] = {}
    for item in found:
        kinds.setdefault(item.source.partition(":")[0], []).append(item)
    for kind, items in {**kinds, "all": found}.items():
        made = [item for item in items if not item.failed]
        one = sum(item.loads == 1 for item in made)
        differ = sum(len(item.differ) for item in made)
        unsure = sum(len(item.unsure) for item in made)
        ways = [sum(item.seconds[way] for item in made) for way in (0, 1)]
        print(
            f"{kind}: {len(made)} pages, {one} from one load, {differ} variants differ, of "
            f"{unsure} two fresh loads differ; {ways[0] / max(ways[1], 1e-9):.2f} of the time; "
            f"{len(items) - len(made)} failed"
        )
        reasons = Counter(item.anew for item in made if item.anew)
        for reason, count in reasons.most_common():
            print(f"  {count:4} {reason}")
    return int(any(item.differ for item in found))


if __name__ == "__main__":
    sys.exit(main())
