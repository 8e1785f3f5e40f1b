"""
What a native reader is given to check of the benchmark's own sentences.
"""

from __future__ import annotations

import msgspec
import pytest

from surefoot.benchmarks.dimensions.examples import sentence_patterns
from surefoot.benchmarks.dimensions.sentences import known_languages, sentences_of, slots


@pytest.mark.parametrize("language", known_languages())
def test_every_sentence_is_shown_with_words_in_every_place(language: str) -> None:
    """Each sentence of the table has examples, and none has a place left empty."""
    (found,) = sentence_patterns(language)
    own = {one.name: one.examples for one in found.patterns if one.name.startswith("multilingual")}
    parts = msgspec.to_builtins(sentences_of(language))
    wanted = {
        f"multilingual, {part}: {key}": pattern
        for part, sentences in parts.items()
        if isinstance(sentences, dict) and part != "roles"
        for key, pattern in sentences.items()
    }

    assert wanted.keys() <= own.keys()
    assert all(len(own[name]) == (3 if slots(pattern) else 1) for name, pattern in wanted.items())
    assert not any(slots(said) for examples in own.values() for said in examples)
