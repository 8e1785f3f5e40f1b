"""
Where pages come from: one file per kind of source, chosen by the specification's scheme.
"""

from __future__ import annotations

from typing import Final

from surefoot.capture.sources.address import Address, Opened, Services, SourceKind
from surefoot.capture.sources.folder import FOLDER
from surefoot.capture.sources.npm import NPM
from surefoot.core.errors import InvalidInputError
from surefoot.core.registry import suggest

__all__ = ["Address", "Opened", "Services", "list_addresses", "open_address"]

KINDS: Final[dict[str, SourceKind]] = {kind.name: kind for kind in (FOLDER, NPM)}


def list_addresses(spec: str) -> tuple[Address, ...]:
    """
    Return the pages that a specification names, in a stable order.

    Raises InvalidInputError for an unknown scheme or a source without pages.
    """
    return _kind(spec).addresses(spec.partition(":")[2])


def open_address(address: Address, services: Services) -> Opened:
    """Return where to navigate for an address and what to serve meanwhile."""
    return _kind(address.spec).open(address, services)


def _kind(spec: str) -> SourceKind:
    scheme = spec.partition(":")[0]
    if scheme not in KINDS:
        raise InvalidInputError(
            "a source " + ", ".join(f"{name}:" for name in KINDS),
            found=f"'{spec}'",
            remedy=suggest(scheme, list(KINDS)),
        )
    return KINDS[scheme]
