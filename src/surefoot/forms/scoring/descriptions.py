"""
Free text against free text: BLEU and chrF, as sacrebleu counts them.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec


class Overlap(msgspec.Struct, frozen=True):
    """
    Say how far texts agree, from 0 to 100, with the signatures of how it was counted.

    ``bleu`` is the corpus value, ``sentence_bleu`` the mean over texts.
    """

    bleu: float
    sentence_bleu: float
    chrf: float
    n: int
    bleu_signature: str
    chrf_signature: str


def overlap(pairs: Sequence[tuple[str, str]]) -> Overlap | None:
    """
    Compare pairs of (what was sent, what was right); None without any.

    >>> found = overlap([("the cat sat on the mat", "the cat sat on the mat")])
    >>> found is not None and round(found.bleu)
    100
    """
    if not pairs:
        return None
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF

    sent, right = zip(*pairs, strict=True)
    corpus, sentence, chrf = BLEU(), BLEU(effective_order=True), CHRF()
    return Overlap(
        bleu=corpus.corpus_score(sent, [right]).score,
        sentence_bleu=sum(sentence.sentence_score(a, [b]).score for a, b in pairs) / len(pairs),
        chrf=chrf.corpus_score(sent, [right]).score,
        n=len(pairs),
        bleu_signature=str(corpus.get_signature()),
        chrf_signature=str(chrf.get_signature()),
    )


def sentence_bleu(text: str, right: str) -> float:
    """
    Return the BLEU of one text against another, from 0 to 1, over the orders that it has.

    >>> sentence_bleu("the cat sat on the mat", "the cat sat on the mat")
    1.0
    """
    from sacrebleu.metrics.bleu import BLEU

    # What is the same has by rounding a hair more than 100.
    return min(1.0, BLEU(effective_order=True).sentence_score(text, [right]).score / 100)


def nearest(passages: Sequence[str], right: Sequence[str]) -> tuple[str, ...]:
    """
    Return for each right text the passage that comes nearest to it, no passage for two.

    What was said twice may stand for two. Of all ways to give the passages out this is one of
    the greatest sum of sentence BLEU; "" stands where none is left that has a word in common
    with the text.

    >>> nearest(["Ann Lee", "we build it", "a map of towns"], ["a map of all towns", "we build"])
    ('a map of towns', 'we build it')
    """
    found = [""] * len(right)
    if not (passages and right):
        return tuple(found)
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    close = np.array([[sentence_bleu(passage, text) for passage in passages] for text in right])
    for text, item in zip(*linear_sum_assignment(close, maximize=True), strict=True):
        if close[text, item] > 0:
            found[int(text)] = passages[int(item)]
    return tuple(found)
