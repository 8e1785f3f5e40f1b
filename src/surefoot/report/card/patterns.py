"""
How an element fares over all conditions, in a few words: hit when shown, missed when hidden.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from surefoot.core.errors import SurefootError
from surefoot.core.perturbation import (
    LANGUAGE,
    ORIGINAL,
    REWORDED,
    parse_variant,
    variant_title,
)

HIT: Final = "hit throughout"
MISSED: Final = "missed throughout"
SHOWN: Final = "shown"
PLACED: Final = "told by its place"  # in the words that a mask leaves, with nothing hidden
_NAMED: Final = 2  # conditions that a name lists before it counts them
# How the conditions that have something in common are called: (one or some, all of several).
_WORDS: Final = {
    "wordings": ("in most other words", "in most other words"),
    "words": ("with {}", "in all other words"),
    "screen": ("under {}", "under every change of the screen"),
    "view": ("in the view '{}'", "in every other view"),
    "hidden": ("under {}", "when hidden"),
    "language": ("in {}", "in every other language"),
}
_MANY: Final = {
    "words": "in {} of {} other kinds of words",
    "screen": "under {} of {} changes of the screen",
    "view": "in {} of {} other views",
    "hidden": "under {} of {} masks",
    "language": "in {} of {} other languages",
}


def facet_of(scoring: str, variant: str, instruction: str) -> tuple[str, str]:
    """
    Return what a condition of a scoring has in common with others, and its own title.

    >>> facet_of("hits", "original", "relational"), facet_of("overlap", "static", "")
    (('words', 'relational instructions'), ('hidden', 'white mask'))
    >>> facet_of("multilingual", "th", ""), facet_of("overlap", "original", "")
    (('language', 'Thai'), ('told by its place', 'nothing hidden'))
    >>> facet_of("overlap", "dark", "")[0], facet_of("overlap", "dark+static", "")[0]
    ('screen', 'hidden')
    """
    title = variant_title(variant)
    if variant.startswith(LANGUAGE):
        return "language", title
    if variant == ORIGINAL:
        if scoring == "overlap":
            return PLACED, "nothing hidden"
        if scoring == "scatter":
            return "wordings", "many words"
        if instruction not in ("", "direct"):
            return "words", f"{instruction} instructions"
        return SHOWN, "English" if scoring == "multilingual" else "original"
    if variant == ORIGINAL + REWORDED:
        return "words", "reworded instructions"
    try:
        parse_variant(variant)  # a base alone, which is no mask, view or language
    except SurefootError:
        kinds = {"overlap": "hidden", "multilingual": "language", "scatter": "view"}
        return kinds.get(scoring, "screen"), title
    return "screen", title


class FaredCell(NamedTuple):
    """
    Count the hits of an element under a condition.

    ``facet`` and ``title`` are those of ``facet_of``. Cells of the same ``words`` were asked
    alike; ``before`` is the variant that was changed to this ``variant``, "" where nothing was.
    """

    facet: str
    title: str
    words: tuple[str, str]
    variant: str
    before: str
    hits: int
    asked: int

    @property
    def right(self) -> bool:
        """Tell whether more than half was hit."""
        return 2 * self.hits > self.asked


def pattern_name(cells: Sequence[FaredCell]) -> str:
    """
    Name how an element fares over the conditions in which it was asked.

    A change is held against the same words before it: where they miss, nothing is said of it.
    Of hiding nothing is said either where the words were not asked with nothing hidden.

    >>> place = ("hidden", "")
    >>> cells = [FaredCell("shown", "original", ("perturbed", "direct"), "original", "", 1, 1),
    ...          FaredCell(PLACED, "nothing hidden", place, "original", "", 2, 2),
    ...          FaredCell("hidden", "white mask", place, "static", "original", 0, 2)]
    >>> pattern_name(cells)
    'hit when shown, missed when hidden'
    >>> pattern_name([cells[0], cells[2]]), pattern_name([cells[2]])
    ('hit throughout', 'missed throughout')
    >>> dark = FaredCell("screen", "dark", place, "dark", "original", 0, 2)
    >>> both = FaredCell("hidden", "dark, white mask", place, "dark+static", "dark", 0, 2)
    >>> pattern_name([*cells[:2], dark, both])
    'hit when shown, missed under dark'
    """
    if not any(cell.right for cell in cells):
        return MISSED
    shown = [cell for cell in cells if cell.facet == SHOWN]
    plain = 2 * sum(cell.hits for cell in shown) > sum(cell.asked for cell in shown)
    if shown and not plain:
        return "missed when shown, hit at times otherwise"
    right = {(cell.words, cell.variant): cell.right for cell in cells}
    held = [
        cell
        for cell in cells
        if not cell.before or right.get((cell.words, cell.before), cell.facet != "hidden")
    ]
    missed = [words for facet in _WORDS if (words := _missed(facet, held))]
    if any(cell.facet == PLACED and not cell.right for cell in held):
        missed.append("where its place alone is told")
    if not missed:
        return HIT
    return f"{'hit when shown, ' * bool(shown)}missed {' and '.join(missed)}"


def _missed(facet: str, cells: Iterable[FaredCell]) -> str:
    """Say under which conditions of a facet an element is missed, "" under none."""
    asked: dict[str, list[FaredCell]] = {}
    for cell in cells:
        if cell.facet == facet:
            asked.setdefault(cell.title, []).append(cell)
    gone = [
        title
        for title, own in asked.items()
        if 2 * sum(cell.hits for cell in own) <= sum(cell.asked for cell in own)
    ]
    some, every = _WORDS[facet]
    if not gone:
        return ""
    if len(gone) == len(asked) and (len(asked) > 1 or facet == "hidden"):
        return every
    if len(gone) <= _NAMED:
        return " and ".join(map(some.format, gone))
    return _MANY[facet].format(len(gone), len(asked))


def grouped_by_name(named: Iterable[tuple[str, str]]) -> list[tuple[str, tuple[str, ...]]]:
    """
    Group (name, pair) by their names, the largest group first.

    >>> grouped_by_name([("a", "1"), ("b", "2"), ("b", "3")])
    [('b', ('2', '3')), ('a', ('1',))]
    """
    groups: dict[str, list[str]] = {}
    for name, pair in named:
        groups.setdefault(name, []).append(pair)
    ordered = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    return [(name, tuple(pairs)) for name, pairs in ordered]
