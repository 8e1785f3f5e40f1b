"""
Options by the probabilities of their letters, where the server told them.
"""

from __future__ import annotations

from typing import Final

from surefoot.core.question import Answer, Choice, Question
from surefoot.score.metric import Metric
from surefoot.score.stats.clusters import RATE

_REFERENCE: Final = (
    "after a reproduction of MPR-GUI-Bench (2025) that reads the first token; here it is the "
    "first that is a letter"
)


def _likeliest(question: Question, answer: Answer | None) -> str | None:
    """Return the most probable label, the first in order of equal ones, None if none is told."""
    if answer is None or not answer.probabilities:
        return None
    return max(question.options, key=lambda label: answer.probabilities.get(label, 0.0))


def _hit(question: Question, answer: Answer | None) -> float | None:
    label = _likeliest(question, answer)
    return None if label is None else float(label in question.answers)


def _agrees(question: Question, answer: Answer | None) -> float | None:
    label = _likeliest(question, answer)
    if label is None or answer is None:
        return None
    return float(answer.parsed == Choice(label))


LETTER_HIT: Final = Metric(
    name="letter_hit",
    version=1,
    title="accuracy by probabilities",
    summary="the share of answers whose most probable letter is right, where they are told",
    unit="share",
    higher_is_better=True,
    bounds=RATE,
    reference=_REFERENCE,
    measure=_hit,
)
LETTER_AGREEMENT: Final = Metric(
    name="letter_agreement",
    version=1,
    title="letter by text and by probabilities",
    summary="the share of answers whose text has the most probable letter, where they are told",
    unit="share",
    higher_is_better=True,
    bounds=RATE,
    reference=_REFERENCE,
    measure=_agrees,
)
