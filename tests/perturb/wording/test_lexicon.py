"""
The whitelist of synonyms: WordNet proves what it says it proves, and nothing is doubly meant.
"""

from __future__ import annotations

import itertools

import pytest

from surefoot.perturb.wording.lexicon import load_lexicon, proven_synonyms
from surefoot.perturb.wording.wordnet import PartOfSpeech, WordNet, wordnet_folder


@pytest.mark.parametrize("pos", ["verb", "noun"])
def test_wordnet_proves_exactly_what_has_no_reason(pos: PartOfSpeech) -> None:
    """A pair without a reason is a synonym in WordNet; one with a reason is not."""
    wordnet = WordNet(wordnet_folder())
    table = load_lexicon().verbs if pos == "verb" else load_lexicon().nouns
    pairs = [(word, *pair) for word, others in table.items() for pair in others.items()]

    assert any(not reason for _, _, reason in pairs)
    for word, other, reason in pairs:
        assert bool(wordnet.evidence(word, other, pos)) is not bool(reason), (word, other)


def test_no_synonym_stands_for_two_words() -> None:
    """Every synonym leads back to one word, and none is one of our own words."""
    for words in proven_synonyms().values():
        others = list(itertools.chain(*words.values()))
        assert len(set(others)) == len(others)
        assert not set(others) & set(words)


def test_frames_hold_what_they_frame() -> None:
    """Each frame has exactly the field that is filled."""
    frames = load_lexicon().frames
    assert all(item.count("{said}") == item.count("{") == 1 for item in frames.around)
    assert all(item.count("{text}") == item.count("{") == 1 for item in frames.after)
    assert len(set(frames.around + frames.after)) >= 8
