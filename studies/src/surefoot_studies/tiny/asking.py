"""
What is asked about a drawn screen: clicks on figures, and choices among four options.

A choice is asked with the same options in the same order in each language; its sentences are
those of ``sentences.toml``.
"""

from __future__ import annotations

import functools
import tomllib
from pathlib import Path
from typing import Final

import msgspec

from surefoot_studies.tiny.drawing import PLACES, SHAPES, DrawnFigure, DrawnScreen

LABELS: Final = "ABCD"
# "ael" is what the multilingual benchmark calls it: the absolute location of an element.
DIMENSIONS: Final = ("shape", "ael")
LANGUAGES: Final = ("en", "fr", "zh")


class DrawnSentences(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Hold what is said of drawn screens in one language."""

    figure: str
    colours: dict[str, str]
    shapes: dict[str, str]
    places: dict[str, str]
    asked: dict[str, str]
    click: dict[str, str] = {}

    def filled(self, sentence: str, figure: DrawnFigure) -> str:
        """Put a figure's colour and shape into a sentence."""
        if figure.word:
            return sentence.format(word=figure.word)
        words = {"colour": self.colours[figure.colour], "shape": self.shapes[figure.shape]}
        return sentence.format(figure=self.figure.format(**words), **words)

    def option(self, dimension: str, key: str) -> str:
        """Return the words of an option."""
        return {"shape": self.shapes, "ael": self.places}[dimension][key]


class ClickItem(msgspec.Struct, frozen=True):
    """Ask for a click on the one figure that ``kind`` tells from all others."""

    kind: str
    figure: DrawnFigure

    def text(self, language: str = "en") -> str:
        """Return the instruction."""
        table = sentences(language)
        return table.filled(table.click[self.kind], self.figure)


class ChoiceItem(msgspec.Struct, frozen=True):
    """Ask about a figure; ``options`` are keys in their order, ``right`` is a place among them."""

    dimension: str
    figure: DrawnFigure
    options: tuple[str, ...]
    right: int

    @property
    def label(self) -> str:
        """Return the label of the right option."""
        return LABELS[self.right]

    def question(self, language: str) -> str:
        """Return the question without its options."""
        table = sentences(language)
        return table.filled(table.asked[self.dimension], self.figure)

    def words(self, language: str) -> tuple[str, ...]:
        """Return the options."""
        return tuple(sentences(language).option(self.dimension, key) for key in self.options)

    def text(self, language: str) -> str:
        """Return the question with its options below it, as the multilingual benchmark does."""
        options = zip(LABELS, self.words(language), strict=True)
        lines = (f"{label}: {words}" for label, words in options)
        return "\n".join((self.question(language), *lines))


@functools.cache
def sentences(language: str) -> DrawnSentences:
    """Return the sentences of a language."""
    tables = tomllib.loads((Path(__file__).parent / "sentences.toml").read_text("utf-8"))
    return msgspec.convert(tables[language], DrawnSentences)


def clicks(drawing: DrawnScreen) -> tuple[ClickItem, ...]:
    """Return all clicks that can be asked for on a screen, each on one figure alone."""
    found = []
    for figure in drawing.figures:
        if figure.word:
            found.append(ClickItem("word", figure))
            continue
        if drawing.alone(colour=figure.colour):
            found.append(ClickItem("colour", figure))
        if drawing.alone(shape=figure.shape):
            found.append(ClickItem("shape", figure))
        found.append(ClickItem("both", figure))
    return tuple(found)


def choices(drawing: DrawnScreen) -> tuple[ChoiceItem, ...]:
    """
    Return what can be asked about a screen's one figure, an item of each dimension.

    Options are all answers that there are, always in one order.
    """
    (figure,) = drawing.figures
    answers = {"shape": (figure.shape, SHAPES), "ael": (drawing.place(figure), PLACES)}
    return tuple(
        ChoiceItem(dimension, figure, options, options.index(right))
        for dimension, (right, options) in answers.items()
        if right
    )
