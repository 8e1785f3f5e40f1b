"""
What a card holds, as data: the JSON of ``surefoot card``.
"""

from __future__ import annotations

import msgspec

from surefoot.phrasing.headlines import Headline
from surefoot.score.pillars import Pillar


class CardColumn(msgspec.Struct, frozen=True):
    """
    Name a condition of a pillar that elements were asked under.

    ``facet`` is what the condition has in common with others (``patterns.py``), and ``title``
    what people call it. ``before`` is the variant that was changed to this one, "" where
    nothing was changed.
    """

    pillar: str
    variant: str
    instruction: str
    facet: str
    title: str
    before: str = ""


class CardCell(msgspec.Struct, frozen=True):
    """
    Count the hits of one model at one element under one condition.

    ``column`` is the place among the card's columns; ``question`` the id, in the column's
    pillar, of one that was missed, or else of one that was hit; "" for a field of a form.
    """

    model: str
    column: int
    hits: int
    asked: int
    question: str


class CardElement(msgspec.Struct, frozen=True):
    """Hold one element, or one item: what it is, and what became of it under each condition."""

    pair: str
    page: str
    site: str
    role: str
    words: str
    cells: tuple[CardCell, ...]

    def of(self, model: str) -> dict[int, CardCell]:
        """Return a model's cells by their columns."""
        return {cell.column: cell for cell in self.cells if cell.model == model}


class CardPattern(msgspec.Struct, frozen=True):
    """Hold the elements (by their pairs) that fare alike with a model, under a name."""

    model: str
    name: str
    elements: tuple[str, ...]


class CardCost(msgspec.Struct, frozen=True):
    """
    Hold what a run took: replies, their seconds if they are known, tokens and US dollars.
    """

    pillar: str
    model: str
    replies: int
    seconds: float | None
    read: int
    written: int
    dollars: float


class CardRecord(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold all that a card says.

    ``headlines`` are a model each; ``nothing`` are the sentences on what does not follow.
    ``pillars`` are in the order of the runs, with the effects of all judged as one family.
    """

    models: tuple[str, ...]
    headlines: tuple[Headline, ...]
    between: tuple[str, ...]
    nothing: tuple[str, ...]
    pillars: tuple[Pillar, ...]
    columns: tuple[CardColumn, ...]
    elements: tuple[CardElement, ...]
    patterns: tuple[CardPattern, ...]
    costs: tuple[CardCost, ...]
    causes: tuple[str, ...]
    warnings: tuple[str, ...]
    tolerance: float

    @property
    def sentences(self) -> tuple[str, ...]:
        """Return what is said first, model by model."""
        return tuple(sentence for line in self.headlines for sentence in line.sentences)
