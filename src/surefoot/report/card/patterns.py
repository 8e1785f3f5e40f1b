"""
How an element fares over all conditions, in a few words: hit when shown, missed when hidden.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from surefoot.core.perturbation import ORIGINAL, REWORDED, variant_title

SHOWN: Final = "shown"
PLACED: Final = "told by its place"  # in the words that a mask leaves, with nothing hidden
_NAMED: Final = 2  # conditions that a name lists before it counts them
# How the conditions that have something in common are called: (one or some, all of several).
_WORDS: Final = {
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
    """
    title = variant_title(variant)
    if variant == ORIGINAL:
        if scoring == "overlap":
            return PLACED, "nothing hidden"
        if instruction not in ("", "direct"):
            return "words", f"{instruction} instructions"
        return SHOWN, "English" if scoring == "multilingual" else "original"
    if variant == ORIGINAL + REWORDED:
        return "words", "reworded instructions"
    kinds = {"overlap": "hidden", "multilingual": "language", "scatter": "view"}
    return kinds.get(scoring, "screen"), title


def pattern_name(found: Mapping[tuple[str, str], Sequence[tuple[int, int]]]) -> str:
    """
    Name how an element fares: (hits, asked) of its cells by facet and title.

    What is hit in more than half of a condition's questions is hit. Of hiding nothing is said
    where the same words miss what is shown.

    >>> pattern_name({("shown", "original"): [(1, 1)], ("hidden", "white mask"): [(0, 2)],
    ...               ("told by its place", "nothing hidden"): [(2, 2)]})
    'hit when shown, missed when hidden'
    >>> pattern_name({("shown", "original"): [(0, 1)], ("screen", "theme"): [(1, 1)]})
    'missed when shown, hit otherwise'
    """
    hit = {
        key: 2 * sum(h for h, _ in cells) > sum(n for _, n in cells)
        for key, cells in found.items()
    }
    plain = next((told for (facet, _), told in hit.items() if facet == SHOWN), None)
    placed = next((told for (facet, _), told in hit.items() if facet == PLACED), None)
    if placed is not True:
        hit = {key: told for key, told in hit.items() if key[0] != "hidden"}
    if not any(hit.values()):
        return "missed throughout"
    if plain is False:
        return "missed when shown, hit otherwise"
    missed = [words for facet in _WORDS if (words := _missed(facet, hit))]
    if placed is False:
        missed.append(PLACED)
    if not missed:
        return "hit throughout"
    return f"{'hit when shown, ' * (plain is True)}missed {' and '.join(missed)}"


def _missed(facet: str, hit: Mapping[tuple[str, str], bool]) -> str:
    """Say under which conditions of a facet an element is missed, "" under none."""
    asked = {title: told for (own, title), told in hit.items() if own == facet}
    gone = [title for title, told in asked.items() if not told]
    some, every = _WORDS[facet]
    if not gone:
        return ""
    if len(gone) == len(asked) and (len(asked) > 1 or facet == "hidden"):
        return every
    if len(gone) <= _NAMED:
        return some.format(" and ".join(gone))
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
