"""
What is known of packages as data: the folder to serve, and the pages worth capturing.
"""

from __future__ import annotations

import functools
import importlib.resources
from typing import Final

import msgspec

FILE: Final = "catalog.toml"


class DemoSite(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Name a source and those of its pages that show an interface worth capturing.

    ``maker`` is who designed the pages, ``licence`` what they are given under (SPDX),
    ``integrity`` the SHA-512 of a package's archive as npm spells it.
    """

    source: str
    maker: str
    licence: str
    pages: tuple[str, ...]
    integrity: str = ""


class _Catalog(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    roots: dict[str, str] = {}
    demo: tuple[DemoSite, ...] = ()


def served_root(package: str) -> str:
    """
    Return the folder of an npm package that its pages expect as their root.

    >>> served_root("gentelella"), served_root("unknown-package")
    ('dist', '.')
    """
    return _catalog().roots.get(package, ".")


def known_integrity(package: str) -> str:
    """Return the integrity of a package's archive, "" where the catalogue does not know it."""
    sources = {site.source: site.integrity for site in demo_sites()}
    return sources.get(f"npm:{package}", "")


def demo_sites() -> tuple[DemoSite, ...]:
    """Return the curated sites."""
    return _catalog().demo


@functools.cache
def _catalog() -> _Catalog:
    text = importlib.resources.files(__package__).joinpath(FILE).read_bytes()
    return msgspec.toml.decode(text, type=_Catalog)
