"""
Texts compared: BLEU as its paper defines it, and which text was meant for which field.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.forms.scoring.descriptions import nearest, overlap, sentence_bleu

# Papineni et al. (2002), section 2: two candidates and, of its three references, the first.
BETTER = (
    "It is a guide to action which ensures that the military always obeys the commands of the "
    "party"
)
WORSE = "It is to insure the troops forever hearing the activity guidebook that party direct"
REFERENCE = (
    "It is a guide to action that ensures that the military will forever heed Party commands"
)
words = st.lists(st.sampled_from(["the", "cat", "sat", "on", "a", "mat"]), min_size=4, max_size=9)


def grams(text: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    """Count the runs of so many words."""
    return Counter(tuple(text[at : at + order]) for at in range(len(text) - order + 1))


def clipped(said: Sequence[str], right: Sequence[str], order: int) -> tuple[int, int]:
    """Return how many runs of a text are in the other, each at most so often, and of how many."""
    own, other = grams(said, order), grams(right, order)
    return sum(min(count, other[gram]) for gram, count in own.items()), own.total()


def textbook(pairs: Sequence[tuple[str, str]]) -> float:
    """Compute the corpus BLEU of Papineni et al., equations 1 to 3, of words between spaces."""
    split = [(said.split(), right.split()) for said, right in pairs]
    logs = []
    for order in range(1, 5):
        hits, all_ = map(sum, zip(*(clipped(*pair, order) for pair in split), strict=True))
        if not hits:
            return 0.0
        logs.append(math.log(hits / all_))
    said, right = (sum(map(len, side)) for side in zip(*split, strict=True))
    brevity = min(1.0, math.exp(1 - right / said))
    return brevity * math.exp(sum(logs) / 4)


def test_the_textbook_has_the_papers_own_examples() -> None:
    """2 of 7 for "the the the", as its example 2 says, and the first candidate is far better."""
    assert clipped(["the"] * 7, ["the", "cat", "is", "on", "the", "mat"], 1) == (2, 7)
    better, worse = (overlap([(said, REFERENCE)]) for said in (BETTER, WORSE))
    assert better is not None
    assert worse is not None
    assert better.bleu == pytest.approx(100 * textbook([(BETTER, REFERENCE)]))
    assert better.bleu > 5 * worse.bleu


@given(pairs=st.lists(st.tuples(words, words), min_size=1, max_size=5))
def test_the_bleu_of_a_corpus_is_the_textbooks(pairs: list[tuple[list[str], list[str]]]) -> None:
    """Sacrebleu's number, from 0 to 100, is the slow one of all texts together."""
    texts = [(" ".join(said), " ".join(right)) for said, right in pairs]
    expected = textbook(texts)

    found = overlap(texts)

    assert found is not None
    if expected:  # where an order has no hit sacrebleu smooths, and the textbook says 0
        assert found.bleu == pytest.approx(100 * expected)


@given(said=words, right=words)
def test_the_bleu_of_a_text_is_from_0_to_1(said: list[str], right: list[str]) -> None:
    """It is the textbook's where every order has a hit, 1 for the same and 0 without a word."""
    texts = " ".join(said), " ".join(right)
    expected = textbook([texts])

    assert 0 <= sentence_bleu(*texts) <= 1
    if expected:
        assert sentence_bleu(*texts) == pytest.approx(expected)
    assert sentence_bleu(texts[0], texts[0]) == pytest.approx(1)
    assert sentence_bleu("", texts[0]) == sentence_bleu("zebra", texts[0]) == 0


def test_case_counts() -> None:
    """Letters are compared as they are written."""
    assert sentence_bleu("we build maps of towns", "we build maps of towns") == 1
    assert sentence_bleu("WE BUILD MAPS OF TOWNS", "we build maps of towns") == 0


@given(
    passages=st.lists(words.map(" ".join), max_size=4),
    right=st.lists(words.map(" ".join), max_size=3),
)
def test_passages_are_given_out_as_well_as_can_be(passages: list[str], right: list[str]) -> None:
    """None stands for two unless it was said twice; no way, of all tried, gives out better."""
    found = nearest(passages, right)

    assert Counter(one for one in found if one) <= Counter(passages)
    total = sum(sentence_bleu(*pair) for pair in zip(found, right, strict=True))
    offered = [*passages, *[""] * len(right)]
    best = max(
        sum(sentence_bleu(*pair) for pair in zip(chosen, right, strict=True))
        for chosen in itertools.permutations(offered, len(right))
    )
    assert total == pytest.approx(best)


def test_what_shares_no_word_is_not_said_of_a_field() -> None:
    """A name is no description, however few other texts there are; nor is nothing."""
    assert nearest(["Ann Lee"], ["we build maps"]) == ("",)
    assert nearest([], ["we build maps"]) == ("",)
    assert nearest(["Ann Lee"], []) == ()
