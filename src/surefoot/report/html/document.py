"""
A report as one HTML file: what it says, and how it is laid out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Final

import msgspec

from surefoot.core.canonical import digest
from surefoot.core.files import write_atomic
from surefoot.core.version import __version__
from surefoot.phrasing.headlines import Headline, headline_rows
from surefoot.report.html.gallery import Card
from surefoot.report.html.section import Chapter, Figure, Section, Table
from surefoot.report.html.tables import named_tables, write_tables

SHOWN: Final = 3  # replies that are quoted
LONGEST: Final = 240  # characters of each
MOST_SENTENCES: Final = 3  # models that are told of in a sentence and three numbers each
QUESTIONS: Final[dict[Chapter, str]] = {
    "fell": "Did it fall?",
    "where": "Where?",
    "sure": "Is it sure?",
    "shown": "Show me",
    "measured": "How was it measured?",
}


class Alarm(msgspec.Struct, frozen=True):
    """Hold why a model's replies are no result, what to do, and some of them as they came."""

    sentence: str
    remedy: str
    replies: tuple[str, ...]


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
    """
    Hold all that one report says, in the order in which it is read.

    The first screen has the alarms, the headlines and one figure; all else is folded below,
    by the questions of a reader. ``questions`` are those that this report asks in other words.
    """

    title: str
    kicker: str
    facts: str
    headlines: tuple[Headline, ...]
    warnings: tuple[str, ...]
    figure: Figure | None = None
    alarms: tuple[Alarm, ...] = ()
    questions: Mapping[Chapter, str] = {}
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
        style=_raw(style),
        version=__version__,
        chapters=_chapters(document),
        models=_models(document.headlines),
        **parts,
    )


def write_document(document: Document, out: Path, tables: Path | None = None) -> None:
    """
    Write the page, and its tables into a folder where one is named.

    Raises as ``write_tables`` does.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(out, render(document).encode())
    if tables is not None:
        write_tables(named_tables(document.sections), tables)


def _models(headlines: Sequence[Headline]) -> Table | None:
    """Return models as a table where they are too many for a sentence each."""
    head, *rows = headline_rows(headlines)
    return Table(head, tuple(rows)) if len(rows) > MOST_SENTENCES else None


def _chapters(document: Document) -> list[tuple[Chapter, str, Sequence[Section]]]:
    """Return the reader's questions, each with the sections that answer it."""
    gallery = document.gallery
    always = {"measured"} | ({"shown"} if gallery.cards or gallery.empty else set())
    chapters: list[tuple[Chapter, str, Sequence[Section]]] = []
    for name, question in {**QUESTIONS, **document.questions}.items():
        own = [section for section in document.sections if section.chapter == name]
        if own or name in always:  # which have the gallery and the rulers
            chapters.append((name, question, own))
    return chapters


def quoted_replies(texts: Iterable[str]) -> tuple[str, ...]:
    """
    Return some replies as they came, different ones, cut.

    >>> quoted_replies(["a", "", "a"])
    ('a', '(nothing)')
    """
    replies = list(dict.fromkeys(text.strip() or "(nothing)" for text in texts))[:SHOWN]
    return tuple(raw if len(raw) <= LONGEST else f"{raw[:LONGEST]} ..." for raw in replies)


def identity_rulers(name: str, identity: Mapping[str, object]) -> list[tuple[str, str]]:
    """Say what determines a model's answers, one line a part."""
    rulers = [(f"Model {name}", f"identity {digest(identity)}")]
    return [*rulers, *((f"{name}: {key}", words) for key, words in _plan_words(identity))]


def _plan_words(plan: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield the values of a plan as a person writes them, those within others by both names."""
    for key, value in plan.items():
        name = f"{prefix}{key.replace('_', ' ')}"
        if isinstance(value, Mapping):
            if value:
                yield from _plan_words(value, f"{name}, ")
            else:
                yield name, "none"
        elif isinstance(value, (list, tuple)):
            yield name, ", ".join(map(str, value)) or "none"
        elif value is None or value == "":
            yield name, "none"
        elif isinstance(value, bool):
            yield name, "yes" if value else "no"
        else:
            yield name, f"{value:g}" if isinstance(value, float) else str(value)


def _raw(css: str) -> str:
    from markupsafe import Markup

    return Markup(css)  # noqa: S704 - our own style sheet
