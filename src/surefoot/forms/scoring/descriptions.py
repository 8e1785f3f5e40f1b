"""
Free text against free text: BLEU and chrF, as sacrebleu counts them.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

__all__ = ["Overlap", "overlap"]


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
