"""
How the report on each scoring looks: its words, and the pictures in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from surefoot.report.answers.clicks import click_cards
from surefoot.report.answers.failures import failure_cards
from surefoot.report.answers.masks import mask_cards
from surefoot.report.html.gallery import Card

_NONE: Final = "None with a picture."


class ReportLook(msgspec.Struct, frozen=True):
    """Say how the report on one scoring looks: its words, and the pictures in it."""

    kicker: str
    title: str
    gallery: str
    lead: str
    keys: tuple[tuple[str, str], ...]
    cards: Callable[..., Iterable[Card]]
    empty: str = _NONE


_HITS: Final = ReportLook(
    "Surefoot robustness report",
    "How {names} held up",
    "Failures to look at",
    "Each card is one target that the model hit on the original screen and missed on at least "
    "one variant; where nobody asked about a variant, one that it missed.",
    (
        ("target", "target"),
        ("landmark", "landmark"),
        ("prediction", "where the model clicked"),
    ),
    failure_cards,
)
_LOOKS: Final = {
    "hits": _HITS,
    "scatter": ReportLook(
        "Surefoot sensitivity report",
        "How much the words matter to {names}",
        "Elements that it wavers at",
        "Each card is one element, each circle the click for one instruction, numbered like "
        "the words below the picture; 3\N{MULTIPLICATION SIGN} stands for three clicks at one "
        "place. Those that some instructions hit and others missed come first.",
        (("target", "target"), ("in", "hit"), ("out", "miss (dashed)")),
        click_cards,
        "None: every instruction about every element was hit.",
    ),
    "multilingual": ReportLook(
        "Surefoot report on languages",
        "How {names} understood screens in each language",
        "Items that languages tell apart",
        "Each card is one item that the model answered rightly in English and wrongly in at least "
        "one other language; where nobody asked in another, one that it missed.",
        (("target", "target"),),
        failure_cards,
    ),
    "overlap": ReportLook(
        "Surefoot report on hidden elements",
        "How {names} found what is hidden",
        "The masks",
        "Each card is one target under every mask: the part of the screen around it and "
        "around the box that was answered.",
        (("target", "target"), ("prediction", "predicted box, or point")),
        mask_cards,
        "No pictures at hand.",
    ),
}


def look_of(scoring: str) -> ReportLook:
    """Return how the report on a scoring looks, as that on hits for one without a look."""
    return _LOOKS.get(scoring, _HITS)
