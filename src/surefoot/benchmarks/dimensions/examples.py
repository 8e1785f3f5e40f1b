"""
Sentences of the multilingual benchmark with examples, for a native reader to check.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from surefoot.benchmarks.dimensions.sentences import (
    DimensionSentences,
    filled,
    known_languages,
    sentences_of,
    slots,
)
from surefoot.refer.say.patterns import (
    LanguagePatterns,
    SentencePattern,
    example_names,
    languages,
)

EXAMPLES: Final = 3
CALLED: Final = frozenset({"element", "other"})
NESTED: Final = frozenset({"goal", "before", "after"})


def sentence_patterns(language: str = "") -> tuple[LanguagePatterns, ...]:
    """
    Return the sentence patterns of a language, or of every one that instructions can be in.

    They are those of instructions, then those of the benchmark ``multilingual``, each with
    examples. Raises UnknownNameError for a language without a table.

    >>> [found.title for found in sentence_patterns("fr")]
    ['français']
    """
    return tuple(
        msgspec.structs.replace(found, patterns=(*found.patterns, *_patterns(found.language)))
        for found in languages(language)
    )


def _patterns(language: str) -> Iterator[SentencePattern]:
    if language not in known_languages():
        return
    table, names = sentences_of(language), example_names(language)
    for part, sentences in msgspec.to_builtins(table).items():
        patterns = {"": sentences} if isinstance(sentences, str) else sentences
        for key, pattern in patterns.items():
            if part == "roles":
                continue
            title = f"multilingual, {part}{f': {key}' if key else ''}"
            yield SentencePattern(title, tuple(_examples(table, pattern, names)))


def _examples(table: DimensionSentences, pattern: str, names: Sequence[str]) -> Iterator[str]:
    """Yield a sentence with other words in each place, once where it has none."""
    places = slots(pattern)
    roles = list(table.roles)
    for turn in range(EXAMPLES if places else 1):
        by_place = {}
        for at, place in enumerate(places):
            name = names[(turn + 3 * at) % len(names)]
            role = roles[(turn + at) % len(roles)]
            if place in CALLED:
                by_place[place] = table.called(name, role)
            elif place in NESTED:
                by_place[place] = filled(table.goals["page"], {"name": name})
            else:
                by_place[place] = table.roles[role] if place == "role" else name
        yield filled(pattern, by_place)
