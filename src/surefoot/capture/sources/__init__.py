"""
Where pages come from: one file per kind of source, chosen by the specification's scheme.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from surefoot.capture.address import Address, Opened, Services, SourceKind, StillKind
from surefoot.capture.captured import Captured
from surefoot.capture.settings import Settings
from surefoot.capture.sources.android import ANDROID
from surefoot.capture.sources.catalog import demo_sites
from surefoot.capture.sources.desktop import DESKTOP
from surefoot.capture.sources.django_admin import DJANGO_ADMIN
from surefoot.capture.sources.folder import FOLDER
from surefoot.capture.sources.mhtml import MHTML, MHTML_SUFFIXES
from surefoot.capture.sources.npm import NPM
from surefoot.capture.sources.screens import SCREENS
from surefoot.capture.sources.web import HTTP, HTTPS
from surefoot.core.errors import InvalidInputError

__all__ = [
    "Address",
    "Opened",
    "Services",
    "is_still",
    "list_addresses",
    "open_address",
    "record_still",
    "stills_identity",
]

KINDS: Final[dict[str, SourceKind]] = {
    kind.name: kind for kind in (HTTP, HTTPS, FOLDER, MHTML, NPM, DJANGO_ADMIN)
}
# Sources that are no web pages: they give a screen without a browser.
STILLS: Final[dict[str, StillKind]] = {kind.name: kind for kind in (ANDROID, DESKTOP, SCREENS)}


def list_addresses(spec: str) -> tuple[Address, ...]:
    """
    Return the pages that a specification names, in a stable order.

    A URL, a path of a folder, an ``.html`` or an ``.mhtml`` file stand for themselves;
    ``demo:`` is the curated set of pages. Raises InvalidInputError for an unknown scheme
    or a source without pages.

    >>> list_addresses("django-admin:/admin/auth/user/add/")[0].site
    'django-admin'
    """
    if spec == "demo:":
        return _demo()
    still, rest = _still(spec)
    if still is not None:
        return still.addresses(rest)
    kind, rest = _kind(spec)
    return kind.addresses(rest)


def is_still(address: Address) -> bool:
    """Tell whether an address gives a screen without a browser."""
    return _still(address.spec)[0] is not None


def record_still(address: Address, settings: Settings) -> Captured:
    """Record the screen of an address that is a still; raises CaptureError."""
    still, _ = _still(address.spec)
    if still is None:
        raise InvalidInputError("an address that needs no browser", found=address.spec)
    return still.record(address, settings)


def stills_identity(addresses: Iterable[Address]) -> dict[str, str]:
    """Return what determines the pixels of those addresses that are stills, by kind."""
    by_kind: dict[str, list[Address]] = {}
    for address in addresses:
        if is_still(address):
            by_kind.setdefault(address.spec.partition(":")[0], []).append(address)
    return {
        f"{name} {key}": value
        for name, found in sorted(by_kind.items())
        for key, value in sorted(STILLS[name].identity(found).items())
    }


def open_address(address: Address, services: Services) -> Opened:
    """Return where to navigate for an address and what to serve meanwhile."""
    return _kind(address.spec)[0].open(address, services)


def _still(spec: str) -> tuple[StillKind | None, str]:
    scheme, _, rest = spec.partition(":")
    return STILLS.get(scheme), rest


def _kind(spec: str) -> tuple[SourceKind, str]:
    scheme, colon, rest = spec.partition(":")
    if colon and scheme.lower() in KINDS:
        return KINDS[scheme.lower()], rest
    if Path(spec).suffix.lower() in MHTML_SUFFIXES:
        return MHTML, spec
    if spec and Path(spec).exists():
        return FOLDER, spec
    raise InvalidInputError(
        "a URL, an existing .html or .mhtml file, an existing folder, or a source "
        + ", ".join(f"{name}:" for name in (*KINDS, *STILLS, "demo")),
        found=f"'{spec}'",
    )


def _demo() -> tuple[Address, ...]:
    found: list[Address] = []
    for site in demo_sites():
        name = site.source.removeprefix("npm:")
        found += [NPM.address(f"{name}/{page}") for page in site.pages]
    return (*found, *DJANGO_ADMIN.addresses(""))
