"""
The net under all that is sealed: a page's first capture is made twice, and both have to agree.
"""

from __future__ import annotations

import io
from typing import Final

import msgspec
from PIL import Image, ImageChops

from surefoot.capture.access.access import Access
from surefoot.capture.access.secrets import is_live
from surefoot.capture.captured import Capture
from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address
from surefoot.capture.web.asked import NOWHERE, AskedPage, nowhere
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.page import capture
from surefoot.core.errors import CaptureError
from surefoot.core.geometry import Box
from surefoot.core.screen import Element, Screen

NAMED: Final = 3


def capture_twice(
    browser: Browser, address: Address, settings: Settings, *, structured: bool = False
) -> Capture:
    """
    Capture an original in two visits and return the first, equal to the second in every byte.

    Its structure is read where it is to be ``structured``.

    What is opened as somebody is compared with what anybody sees, and with what is shown for an
    address that there is not. Raises CaptureError "unstable-page", which names what differs,
    "signed-out" and "not-asked", and as ``capture`` does.
    """
    first = capture(browser, address, settings, structured=structured)
    verify_reached(browser, address, settings, first)
    found = difference(first, capture(browser, address, settings))
    if found:
        raise CaptureError(
            "unstable-page",
            expected="the same page in two visits",
            found=f"{found} ({address.spec})",
        )
    return first


def verify_reached(browser: Browser, address: Address, settings: Settings, first: Capture) -> None:
    """
    Raise CaptureError where a page that is opened as somebody is what others see in its place.

    That is "signed-out" where it is the same without signing in, and "not-asked" where an
    address that there is not shows the same.
    """
    access = settings.reached
    if access.signs_in and is_live(address.spec) and not access.public and not address.actions:
        asked = AskedPage(address.spec, address.spec, access)
        strange = nowhere(address.spec)
        other = msgspec.structs.replace(address, spec=strange, page=f"{address.site} {NOWHERE}")
        any_page = _read(
            settings, msgspec.structs.replace(access, public=True, signed_in="", ready="")
        )
        seen = browser.once(
            f"{strange} {settings.locale}", lambda: _screen(browser, other, any_page)
        )
        if seen is not None:
            asked.check_nowhere(first.screen, seen)
        if not access.signed_in:
            anybody = Access(public=True, allow=access.allow, ca=access.ca, clock=access.clock)
            twin = _screen(browser, address, _read(settings, anybody))
            if twin is not None:
                asked.check_twin(first.screen, twin)


def _read(settings: Settings, access: Access) -> Settings:
    return msgspec.structs.replace(settings, access=access)


def _screen(browser: Browser, address: Address, settings: Settings) -> Screen | None:
    """Return what an address shows, None where that is an error."""
    try:
        return capture(browser, address, settings).screen
    except CaptureError:
        return None


def difference(first: Capture, second: Capture) -> str:
    """Say in words what two captures of a page differ in, "" where nothing does."""
    before, after = (
        {element.id: element for element in it.screen.elements} for it in (first, second)
    )
    changed = [element for name, element in after.items() if before.get(name) != element]
    changed += [element for name, element in before.items() if name not in after]
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
    at = [
        element
        for element in second.screen.elements
        if element.box.intersection(moved) is not None
    ]
    place = f"other pixels in {', '.join(map(str, where))}"
    return f"{place}, where there is {_named(at)}" if at else place


def _named(elements: list[Element]) -> str:
    """Name some elements for people: the smallest are nearest to what differs."""
    nearest = sorted(elements, key=lambda one: (one.box.width * one.box.height, one.id))
    names = [
        f"{element.role} '{(element.name or element.text)[:60]}'" for element in nearest[:NAMED]
    ]
    return ", ".join(names) + (" and more" if len(elements) > NAMED else "")
