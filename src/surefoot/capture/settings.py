"""
How a page is captured: viewport, scale, language, seed, and the limits that hold it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

import msgspec

from surefoot.capture.access.access import Access
from surefoot.core.errors import InvalidInputError, UnknownNameError

Handheld: TypeAlias = Literal["phone", "tablet"]


class Viewport(msgspec.Struct, frozen=True):
    """State the size of a device's viewport in CSS pixels, and image pixels per CSS pixel."""

    width: int
    height: int
    scale: float


# Sizes that are common, held upright where one holds them.
DEVICES: Final[Mapping[str, Viewport]] = {
    "desktop": Viewport(1280, 800, 1.0),
    "phone": Viewport(390, 844, 3.0),
    "tablet": Viewport(820, 1180, 2.0),
}


class Limits(msgspec.Struct, frozen=True):
    """
    Bound what one page may cost; a page beyond a bound is one recorded failure.

    Times are seconds of real time: ``navigation_s`` until the load event, ``settle_s``
    for what loads, anew whenever the page's clock has been run, ``unit_s`` for the whole
    visit, after which the browser is killed.
    ``nodes`` counts the elements of the document, ``side_px`` bounds each side of the
    document in CSS pixels, ``pixels`` bounds every image in image pixels,
    ``memory_bytes`` the resident memory of the browser's process tree, ``mhtml_bytes`` an
    archive file; a browser is replaced after ``pages_per_browser`` visits.
    """

    navigation_s: float = 15.0
    settle_s: float = 5.0
    unit_s: float = 60.0
    nodes: int = 50_000
    side_px: int = 16_383
    pixels: int = 40_000_000
    memory_bytes: int = 2 * 2**30
    mhtml_bytes: int = 50 * 2**20
    pages_per_browser: int = 200
    requests: int = 2_000
    dialogs: int = 20

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            if not 0 < getattr(self, name) < math.inf:
                raise InvalidInputError(
                    f"the limit '{name}' above 0 and finite", found=str(getattr(self, name))
                )


class Settings(msgspec.Struct, frozen=True):
    """
    State everything about a capture that is not the page: the same settings, same bytes.

    ``width`` and ``height`` are the viewport in CSS pixels before any zoom, ``scale`` is
    image pixels per CSS pixel, ``locale`` a BCP 47 tag that the page hears as
    Accept-Language, ``seed`` seeds the page's Math.random. A ``device`` that is held in the
    hand is touched, says so to servers, and lays pages out by their own viewport. ``access`` names
    how pages behind a sign-in are reached.
    """

    width: int = 1280
    height: int = 800
    scale: float = 1.0
    locale: str = "en-US"
    timezone: str = "UTC"
    seed: int = 0
    full_page: bool = False
    limits: Limits = Limits()
    # Unset, and so no part of any plan or id, where it is a desktop.
    device: Handheld | msgspec.UnsetType = msgspec.UNSET
    # Unset where pages are open to everybody.
    access: Access | msgspec.UnsetType = msgspec.UNSET

    def __post_init__(self) -> None:
        if self.mobile and self.full_page:
            raise InvalidInputError(
                "a viewport of a phone or tablet",
                found="a whole page",
                remedy="leave --full-page or --device out",
            )
        sides = (self.width, self.height, self.scale)
        if not all(0 < side < math.inf for side in sides):
            raise InvalidInputError(
                "a viewport and a scale above 0",
                found=f"{self.width} x {self.height} at scale {self.scale}",
            )
        pixels = self.width * self.height * self.scale**2
        if pixels > self.limits.pixels:
            raise InvalidInputError(
                f"an image of at most {self.limits.pixels} pixels",
                found=f"{pixels:.0f}",
                remedy="choose a smaller viewport or scale",
            )

    @property
    def mobile(self) -> bool:
        """Tell whether the device is one that is held in the hand."""
        return self.device is not msgspec.UNSET

    @property
    def reached(self) -> Access:
        """Return how pages are reached; of those that are open to everybody it names nothing."""
        return Access() if self.access is msgspec.UNSET else self.access


def device_settings(
    device: str,
    *,
    width: int | None = None,
    height: int | None = None,
    scale: float | None = None,
    locale: str = "en-US",
    full_page: bool = False,
    access: Access | msgspec.UnsetType = msgspec.UNSET,
) -> Settings:
    """
    Return the settings of a device; what is given of its viewport goes before its own.

    Raises UnknownNameError for a device that there is none of.

    >>> device_settings("phone", width=360).width, device_settings("phone").height
    (360, 844)
    """
    if device not in DEVICES:
        raise UnknownNameError(
            "a device", found=f"'{device}'", remedy=f"choose {', '.join(DEVICES)}"
        )
    usual = DEVICES[device]
    return Settings(
        usual.width if width is None else width,
        usual.height if height is None else height,
        usual.scale if scale is None else scale,
        locale,
        full_page=full_page,
        device=msgspec.UNSET if device == "desktop" else msgspec.convert(device, Handheld),
        access=access,
    )
