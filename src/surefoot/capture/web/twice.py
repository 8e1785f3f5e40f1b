"""
The net under all that is sealed: a page's first capture is made twice, and both have to agree.
"""

from __future__ import annotations

import io
from typing import Final

from PIL import Image, ImageChops

from surefoot.capture.captured import Capture
from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.page import capture
from surefoot.core.errors import CaptureError
from surefoot.core.geometry import Box
from surefoot.core.screen import Element

NAMED: Final = 3


def capture_twice(browser: Browser, address: Address, settings: Settings) -> Capture:
    """
    Capture an original in two visits and return the first, equal to the second in every byte.

    Raises CaptureError "unstable-page", which names what differs, and as ``capture`` does.
    """
    first = capture(browser, address, settings)
    found = difference(first, capture(browser, address, settings))
    if found:
        raise CaptureError(
            "unstable-page",
            expected="the same page in two visits",
            found=f"{found} ({address.spec})",
        )
    return first


def difference(first: Capture, second: Capture) -> str:
    """Say in words what two captures of a page differ in, "" where nothing does."""
    before, after = ({one.id: one for one in it.screen.elements} for it in (first, second))
    changed = [one for name, one in after.items() if before.get(name) != one]
    changed += [one for name, one in before.items() if name not in after]
    if changed:
        return f"other elements: {_named(changed)}"
    if first.screen.missing != second.screen.missing:
        return "other resources"
    if first.png == second.png:
        return ""
    with Image.open(io.BytesIO(first.png)) as one, Image.open(io.BytesIO(second.png)) as other:
        where = ImageChops.difference(one.convert("RGB"), other.convert("RGB")).getbbox()
    if where is None:
        return "other bytes of the same picture"
    moved = Box(*map(float, where))
    at = [one for one in second.screen.elements if one.box.intersection(moved) is not None]
    place = f"other pixels in {', '.join(map(str, where))}"
    return f"{place}, where there is {_named(at)}" if at else place


def _named(elements: list[Element]) -> str:
    """Name some elements for people: the smallest are nearest to what differs."""
    nearest = sorted(elements, key=lambda one: (one.box.width * one.box.height, one.id))
    names = [f"{one.role} '{(one.name or one.text)[:60]}'" for one in nearest[:NAMED]]
    return ", ".join(names) + (" and more" if len(elements) > NAMED else "")
