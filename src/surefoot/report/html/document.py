"""
A report as one HTML file: what it says, and how it is laid out.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources

import msgspec

from surefoot import __version__
from surefoot.core.canonical import digest
from surefoot.report.html.gallery import Card
from surefoot.report.html.section import Section

__all__ = ["Document", "Gallery", "identity_rulers", "render"]


class Gallery(msgspec.Struct, frozen=True):
    """
    Hold the pictures to look at.

    ``keys`` are the marks that are drawn on them, as (class of the style sheet, meaning);
    ``empty`` is what is said where there are no cards; ``wide`` gives each a row of its own.
    """

    title: str
    lead: str
    keys: tuple[tuple[str, str], ...]
    cards: tuple[Card, ...]
    empty: str
    wide: bool = False


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """Hold all that one report says, in the order in which it is read."""

    title: str
    kicker: str
    facts: str
    sentences: tuple[str, ...]
    warnings: tuple[str, ...]
    sections: tuple[Section, ...]
    gallery: Gallery
    rulers: tuple[tuple[str, str], ...]


def render(document: Document) -> str:
    """Return the page: one HTML text that needs no network and runs no script."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    pages = Environment(
        loader=PackageLoader("surefoot.report.html"), autoescape=True, undefined=StrictUndefined
    )
    style = (
        resources.files("surefoot.report.html").joinpath("templates/report.css").read_text("utf-8")
    )
    parts = {name: getattr(document, name) for name in document.__struct_fields__}
    return pages.get_template("report.html.j2").render(
        style=_raw(style), version=__version__, **parts
    )


def identity_rulers(name: str, identity: Mapping[str, object]) -> list[tuple[str, str]]:
    """Say what determines a model's answers, one line a part."""
    said = [(f"Model {name}", f"identity {digest(identity)}")]
    return [*said, *((f"{name}: {key}", str(value)) for key, value in identity.items())]


def _raw(css: str) -> str:
    from markupsafe import Markup

    return Markup(css)  # noqa: S704 - our own style sheet
