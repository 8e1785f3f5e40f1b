"""
What a sample stands for: the unit that intervals, tests and clusters are over.

Sites speak for sites like them, pages for other pages of their sites, elements for themselves.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

Unit: TypeAlias = Literal["site", "page", "element"]
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


def population_sentence(found: Population) -> str:
    """
    Say for what the numbers hold, and for what nothing follows from them.

    >>> population_sentence(Population(unit="element", elements=31, pages=4, sites=1))
    'All this is about these 31 elements of one site; for other pages and sites nothing follows.'
    >>> population_sentence(Population(unit="site", elements=256, pages=84, sites=29))
    'The 256 elements are from 29 sites; what is said holds for sites like these.'
    """
    one = found.site_noun[:-1]
    home = f"one {one}" if found.sites == 1 else f"{found.sites:,} {found.site_noun}"
    these = "this" if found.sites == 1 else "these"
    elements = _counted(found.elements, "element")
    if found.unit == "element":
        those = "this element" if found.elements == 1 else f"these {elements}"
        return (
            f"All this is about {those} of {home}; for other pages and {found.site_noun} "
            "nothing follows."
        )
    verb = "is" if found.elements == 1 else "are"
    if found.unit == "page":
        return (
            f"The {elements} {verb} from {_counted(found.pages, 'page')} of {home}; what is said "
            f"holds for pages of {these} {one if found.sites == 1 else found.site_noun}; for "
            f"other {found.site_noun} nothing follows."
        )
    if found.sites == 1:
        return f"The {elements} {verb} from {home}; for other {found.site_noun} nothing follows."
    return (
        f"The {elements} {verb} from {home}; what is said holds for {found.site_noun} like these."
    )


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'s' * (count != 1)}"
