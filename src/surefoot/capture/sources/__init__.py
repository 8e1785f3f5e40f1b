"""
Where pages come from: one file per kind of source, chosen by the specification's scheme.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from surefoot.capture.actions import parse_actions
from surefoot.capture.address import (
    SOURCES,
    Address,
    Agreed,
    OpenedAddress,
    PageSource,
    Services,
    Source,
    StillSource,
    Tell,
)
from surefoot.capture.captured import Capture
from surefoot.capture.contents import Contents, verify
from surefoot.capture.routes import Upstream
from surefoot.capture.settings import Settings
from surefoot.capture.sources.catalog import demo_sites
from surefoot.capture.sources.django_admin import DJANGO_ADMIN
from surefoot.capture.sources.folder import FOLDER
from surefoot.capture.sources.mhtml import MHTML, MHTML_SUFFIXES
from surefoot.capture.sources.npm import NPM
from surefoot.core.errors import InvalidInputError

USUAL: Final = Settings()

__all__ = [
    "Address",
    "OpenedAddress",
    "Services",
    "address_of",
    "contents_of",
    "is_still",
    "is_trusted",
    "list_addresses",
    "locale_of",
    "lost_pages",
    "open_address",
    "prepare",
    "record_still",
    "source_versions",
    "stills_identity",
]


def list_addresses(spec: str) -> tuple[Address, ...]:
    """
    Return the pages that a specification names, in a stable order.

    A URL, a path of a folder, an ``.html`` or an ``.mhtml`` file stand for themselves;
    ``demo:`` is the curated set of pages, ``@FILE`` has one specification on each line, or is a
    site map. Raises InvalidInputError for an unknown scheme or a source without pages.

    >>> list_addresses("django-admin:/admin/auth/user/add/")[0].site
    'django-admin'
    """
    if spec.startswith("@"):
        return _listed(Path(spec[1:]))
    if spec == "demo:":
        return tuple(
            _named(f"{site.source}/{page}") for site in demo_sites() for page in site.pages
        )
    entry, actions = parse_actions(spec)
    source, rest = _source(entry)
    found = source.addresses(rest)
    if not actions:
        return found
    # A page may lie above others, which its specification names as well.
    found = tuple(address for address in found if address.spec == entry) or found
    if not isinstance(source, PageSource) or len(found) != 1:
        raise InvalidInputError("one web page to act on", found=f"{len(found)} of {entry}")
    return (found[0].after(*actions),)


def address_of(spec: str) -> Address:
    """
    Return the one page whose specification this is, as a screen's source names it.

    A specification may also name pages below its own. Raises as ``list_addresses``.

    >>> address_of("django-admin:/admin/").spec
    'django-admin:/admin/'
    """
    return next(address for address in list_addresses(spec) if address.spec == spec)


def is_still(address: Address) -> bool:
    """Tell whether an address gives a screen without a browser."""
    return isinstance(_source_of(address), StillSource)


def is_trusted(address: Address) -> bool:
    """Tell whether the page of an address runs no code but that of whoever captures it."""
    source = _source_of(address)
    return isinstance(source, PageSource) and source.trusted(address.entry)


def record_still(
    address: Address, settings: Settings, contents: Contents | None = None
) -> Capture:
    """
    Record the screen of an address that is a still; raises CaptureError.

    Files that ``contents`` names must be those, before and after: "content-changed".
    """
    source = _source_of(address)
    if not isinstance(source, StillSource):
        raise InvalidInputError("an address that needs no browser", found=address.spec)
    _verify_contents(source, address, contents or {})
    captured = source.record(address, settings)
    _verify_contents(source, address, contents or {})
    return captured


def contents_of(addresses: Iterable[Address]) -> dict[str, dict[str, str]]:
    """Return the digests of the local files that addresses are made of, by place and name."""
    found: dict[str, dict[str, str]] = {}
    for name, group in sorted(_by_source(addresses).items()):
        found |= SOURCES.get(name).contents(group)
    return dict(sorted(found.items()))


def stills_identity(addresses: Iterable[Address]) -> dict[str, str]:
    """Return what determines the pixels of those addresses that are stills, by source."""
    return {
        f"{name} {key}": value
        for name, found in sorted(_by_source(addresses).items())
        if isinstance(source := SOURCES.get(name), StillSource)
        for key, value in sorted(source.identity(found).items())
    }


def prepare(addresses: Iterable[Address], tell: Tell, agreed: Agreed) -> None:
    """Bring what addresses need and is not here; raises MissingComponentError."""
    for name, group in sorted(_by_source(addresses).items()):
        SOURCES.get(name).prepare(group, tell, agreed)


def source_versions(addresses: Iterable[Address]) -> list[str]:
    """Return "NAME@VERSION" of every source that the addresses are of, sorted."""
    sources = {source.name: source.version for source in map(_source_of, addresses)}
    return [f"{name}@{version}" for name, version in sorted(sources.items())]


def locale_of(address: Address, language: str) -> str:
    """
    Return the tag by which a page is asked for a language, "" where its source has none such.

    >>> locale_of(list_addresses("django-admin:/admin/auth/user/add/")[0], "ja")
    'ja-JP'
    """
    return _source_of(address).locale(address, language)


def lost_pages(address: Address, services: Services) -> tuple[str, ...]:
    """Return the pages of an address's site that its actions made vanish."""
    source = _source_of(address)
    return source.lost(address.entry, services) if isinstance(source, PageSource) else ()


def open_address(
    address: Address, services: Services, settings: Settings = USUAL
) -> OpenedAddress:
    """Return where to navigate for an address and what to serve meanwhile."""
    source = _source_of(address)
    if not isinstance(source, PageSource):
        raise InvalidInputError("an address that a browser opens", found=address.spec)
    opened = source.open_as(address.entry, services, settings)
    if address.actions and opened.restores and isinstance(opened.route, Upstream):
        writable = msgspec.structs.replace(opened.route, read_only=False)
        return msgspec.structs.replace(opened, route=writable)
    return opened


def _by_source(addresses: Iterable[Address]) -> dict[str, list[Address]]:
    found: dict[str, list[Address]] = {}
    for address in addresses:
        found.setdefault(_source_of(address).name, []).append(address.entry)
    return found


def _verify_contents(source: Source, address: Address, contents: Contents) -> None:
    """Check the files of one address; raises CaptureError "content-changed"."""
    for place, now in source.contents([address]).items():
        known = contents.get(place, {})
        verify(place, {name: known[name] for name in now if name in known}, now)


def _source_of(address: Address) -> Source:
    return _source(address.entry.spec)[0]


def _source(spec: str) -> tuple[Source, str]:
    scheme, colon, rest = spec.partition(":")
    if colon and scheme.lower() in SOURCES.entries:
        return SOURCES.get(scheme.lower()), rest
    if Path(spec).suffix.lower() in MHTML_SUFFIXES:
        return MHTML, spec
    if spec and Path(spec).exists():
        return FOLDER, spec
    raise InvalidInputError(
        "a URL, an existing .html or .mhtml file, an existing folder, or a source "
        + ", ".join(f"{name}:" for name in (*SOURCES.entries, "demo")),
        found=f"'{spec}'",
    )


def _listed(file: Path) -> tuple[Address, ...]:
    """
    Return the pages that the lines of a file name, or a site map lists.

    Empty lines and comments name none. Raises InvalidInputError for a map of site maps.
    """
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeError) as error:
        raise InvalidInputError(f"a file of pages, {file}", found=error) from error
    lines = [line.strip() for line in text.splitlines()]
    if text.lstrip("\ufeff \t\r\n").startswith("<"):
        if "<sitemapindex" in text:
            raise InvalidInputError(
                f"a site map of pages, {file}",
                found="one of other site maps",
                remedy="fetch those, and name each of them",
            )
        lines = [
            html.unescape(url) for url in re.findall(r"<loc>\s*(https?:[^<\s]+)\s*</loc>", text)
        ]
    named = [line for line in lines if line and not line.startswith(("#", "@"))]
    if not named:
        raise InvalidInputError(f"a page on each line of {file}", found="none")
    return tuple(dict.fromkeys(found for line in named for found in list_addresses(line)))


def _named(spec: str) -> Address:
    """Name one page without fetching anything to see whether there is such a page."""
    source, rest = _source(spec)
    if source is NPM:
        return NPM.address(rest)
    if source is DJANGO_ADMIN:
        return DJANGO_ADMIN.address(rest)
    return next(address for address in source.addresses(rest) if address.spec == spec)
