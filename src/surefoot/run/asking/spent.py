"""
What a run's answers took: seconds, tokens and money, as far as they are known.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from surefoot.benchmarks.crossing.budget import TOKENS, TOKENS_OF
from surefoot.core.errors import SurefootError
from surefoot.core.ledger import Ledger
from surefoot.core.question import Answer, Question
from surefoot.models.servers.prices import price_of
from surefoot.phrasing.words import cluster_words
from surefoot.run.asking.answers import answer_key
from surefoot.run.asking.runs import RunFolder
from surefoot.run.asking.traces import TRACE_KEYS

SHORTEST: Final = 0.005  # seconds that are worth a word


def seconds_of(run: Path) -> list[float]:
    """Return how long each answer of a run took; none where its ledger does not tell."""
    with contextlib.suppress(SurefootError), Ledger.read(run) as ledger:
        return sorted(ledger.all_seconds(besides=TRACE_KEYS))
    return []


def seconds_by_question(run: RunFolder, questions: Iterable[Question]) -> dict[str, float]:
    """
    Return how long a run's answers to some questions took, by the ids of the questions.

    Left out are those that its ledger does not tell, and what is too short to be worth a word.
    """
    taken: dict[str, float] = {}
    with contextlib.suppress(SurefootError), Ledger.read(run.folder) as ledger:
        for question in questions:
            seconds = ledger.seconds(answer_key(question, run.identity))
            if seconds and seconds >= SHORTEST:
                taken[question.id] = seconds
    return taken


def ahead_words(questions: Sequence[Question], model: str, identity: Mapping[str, object]) -> str:
    """
    Say before a model is asked what that comes to, as far as it is known.

    ``identity`` is the model's. Tokens are those of what is sent to a server, as most models
    count a picture of that size; replies are not among them.

    >>> ahead_words((), "ocr", {"backend": "ocr"})
    '0 questions on 0 pictures to ask ocr'
    """
    pictures = {image for question in questions for image in question.images if image}
    words = (
        f"{cluster_words(len(questions), 'questions')} on "
        f"{cluster_words(len(pictures), 'pictures')} to ask {model}"
    )
    if "base_url" not in identity:
        return words
    pixels = sum(entry.width * entry.height for item in questions for entry in item.screen_images)
    asks = identity.get("asks", 1)
    tokens = round(TOKENS * pixels / TOKENS_OF) * (asks if isinstance(asks, int) else 1)
    price = price_of(str(identity.get("backend", "")), str(identity.get("wrapped", model)))
    dollars = f" (${price.cost(tokens, 0):,.2f} at list prices)" if price else ""
    rough = round(tokens, 2 - len(str(tokens)))
    return f"{words}: about {rough:,} tokens to read{dollars}, and the replies"


def spent_words(answers: Sequence[Answer], seconds: Sequence[float]) -> str:
    """
    Say what answers took, "" where nothing is known of it.

    >>> spent_words((), [0.5, 0.7, 4.0])
    'seconds an answer: median 0.70, 95 % within 3.67'
    """
    parts = []
    if seconds and (slow := np.percentile(seconds, 95)) >= SHORTEST:
        median = np.median(seconds)
        parts.append(f"seconds an answer: median {median:.2f}, 95 % within {slow:.2f}")
    read, written = (
        sum(getattr(answer.usage, name) for answer in answers)
        for name in ("prompt_tokens", "completion_tokens")
    )
    if read or written:
        parts.append(f"{read:,} tokens read, {written:,} written")
    if cost := sum(answer.usage.cost for answer in answers):
        parts.append(f"${cost:.2f}")
    return "; ".join(parts)
