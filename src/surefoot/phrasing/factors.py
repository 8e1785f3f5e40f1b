"""
How the factors of each scoring are named in a sentence: one table.
"""

from __future__ import annotations

from typing import Final

import msgspec

from surefoot.core.perturbation import LANGUAGE, ORIGINAL, variant_title


class FactorPhrases(msgspec.Struct, frozen=True):
    """
    Name a factor, its levels together, one of them, and what they are compared with.

    ``several`` has a place for the number of levels; ``level`` and ``plain`` each have one for
    a value: they follow a verb, as in "falls by 9 points under smaller text". ``against``
    names a level beside its baseline, "" where the baseline needs no word.
    """

    several: str
    level: str
    plain: str
    against: str = ""

    def effect(self, value: str, baseline: str, count: int) -> str:
        """
        Name what was changed: a level, or "" for ``count`` levels together.

        >>> phrases_of("hits", "instruction").effect("relational", "direct", 1)
        'with relational instructions instead of direct ones'
        >>> phrases_of("hits", "variant").effect("", "original", 5)
        'over 5 changes of the screen'
        >>> phrases_of("hits", "variant").effect("language:fr", "original", 1)
        'in French'
        """
        against = variant_title(baseline)
        if not value:
            return self.several.format(count, baseline=against)
        form = self.against or self._form(value)
        return form.format(variant_title(value), baseline=against)

    def value(self, value: str, baseline: str) -> str:
        """
        Name one value of the factor, which may be the baseline.

        >>> phrases_of("hits", "variant").value("original", "original")
        'on the original screens'
        """
        form = self.plain if value == baseline else self._form(value)
        return form.format(variant_title(value))

    def _form(self, value: str) -> str:
        return "in {}" if value.startswith(LANGUAGE) else self.level


_INSTRUCTIONS: Final = FactorPhrases(
    "with {} other kinds of instruction than {baseline} ones",
    "with {} instructions",
    "with {} instructions",
    "with {} instructions instead of {baseline} ones",
)
_PHRASES: Final = {
    "variant": FactorPhrases(
        "over {} changes of the screen", "under {}", "on the original screens"
    ),
    "base": FactorPhrases("over {} changes of the screens", "over {}", "on the original screens"),
    "instruction": _INSTRUCTIONS,
    "kind": _INSTRUCTIONS,
    "specificity": FactorPhrases(
        "with instructions of {} specificities other than {baseline}",
        "with instructions of {} specificity",
        "with instructions of {} specificity",
        "with instructions of {} instead of {baseline} specificity",
    ),
    "identifiers": FactorPhrases(
        "with {} other ways to describe the element than by {baseline}",
        "with the element described by {}",
        "with the element described by {}",
        "with the element described by {} instead of {baseline}",
    ),
    "reasoning": FactorPhrases("", "when it reasons first", "without reasoning"),
    "renderer": FactorPhrases(
        "in {} renderers other than {baseline}", "in {}", "in {}", "in {} instead of {baseline}"
    ),
    "change": FactorPhrases(
        "over {} changes of every page", "under {}", "on the pages as they are"
    ),
    "language": FactorPhrases(
        "in {} languages other than {baseline}", "in {}", "in {}", "in {} instead of {baseline}"
    ),
}
_OF_SCORING: Final = {
    ("hits", "base"): FactorPhrases(
        "over {} further changes of the screen", "over {}", "without a further change"
    ),
    ("multilingual", "variant"): FactorPhrases(
        "in {} languages other than English", "in {}", "in English"
    ),
    ("multilingual", "instruction"): FactorPhrases(
        "over {} dimensions", "on {}", "on {}", "on {} instead of {baseline}"
    ),
    ("overlap", "variant"): FactorPhrases("under {} masks", "under {}", "without a mask"),
    ("scatter", "variant"): FactorPhrases(
        "in {} other views of the picture", "in the view '{}'", "in the original view"
    ),
}


def phrases_of(scoring: str, factor: str) -> FactorPhrases:
    """
    Return how a scoring names a factor, in general words for one that is not in the table.

    >>> phrases_of("scatter", "wording").effect("formal", "as written", 1)
    "with the wording 'formal' instead of 'as written'"
    """
    general = FactorPhrases(
        f"with {{}} other values of the {factor} than '{{baseline}}'",
        f"with the {factor} '{{}}'",
        f"with the {factor} '{{}}'",
        f"with the {factor} '{{}}' instead of '{{baseline}}'",
    )
    return _OF_SCORING.get((scoring, factor)) or _PHRASES.get(factor, general)


def original_words(scoring: str) -> str:
    """
    Say where everything was asked that changes of the screen start from.

    >>> original_words("hits")
    'on the original screens'
    """
    return phrases_of(scoring, "variant").value(ORIGINAL, ORIGINAL)
