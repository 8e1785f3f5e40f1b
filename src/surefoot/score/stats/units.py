"""
What a sample stands for: the unit that intervals, tests and clusters are over.

Sites speak for sites like them, pages for other pages of their sites, elements for themselves.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

Unit: TypeAlias = Literal["site", "page", "element"]
GateUnit: TypeAlias = Literal["element", "page"]
"""
The unit of a gate: a release's own elements, or all pages that those at hand stand for.
"""
SITES: Final = "sites"


class Population(msgspec.Struct, frozen=True, kw_only=True):
    """
    Count what was asked about, and say what it stands for.

    ``unit`` is what intervals are over; ``sites`` of them all are ``site_noun``, in the plural.
    """

    unit: Unit
    elements: int
    pages: int
    sites: int
    site_noun: str = SITES

    @property
    def noun(self) -> str:
        """Return the plural of what a cluster is."""
        return self.site_noun if self.unit == "site" else f"{self.unit}s"
