"""
Short answers in words: exact match and token F1, after the usual normalisation.

Normalisation and both scores are those that reading comprehension uses (SQuAD: Rajpurkar et
al., 2016, and 2018 for questions without an answer): lower case, no ASCII punctuation, no
English articles, spaces as one. One thing is ours: a text that nothing is left of, such as
"$" or "a", stands as it is, in lower case, so that "$" is not the same answer as "+".
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterable
from typing import Final

_ARTICLES: Final = re.compile(r"\b(?:a|an|the)\b")
_PUNCTUATION: Final = str.maketrans("", "", string.punctuation)


def tokens(text: str) -> tuple[str, ...]:
    """
    Return the words of a text, normalised.

    >>> tokens("The  U.S.  Open!"), tokens("+")
    (('us', 'open'), ('+',))
    """
    plain = text.lower()
    left = _ARTICLES.sub(" ", plain.translate(_PUNCTUATION)).split()
    return tuple(left or plain.split())


def exact_match(text: str, accepted: Iterable[str]) -> bool:
    """
    Tell whether a reply has the same normalised words as any accepted answer.

    >>> exact_match("at 4:30 PM.", ["4:30 pm", "At 4:30 PM"])
    True
    """
    words = tokens(text)
    return any(words == tokens(answer) for answer in accepted)


def token_f1(text: str, accepted: Iterable[str]) -> float:
    """
    Return the largest F1 of a reply's words against those of any accepted answer.

    Words count as often as they occur; without any accepted answer it is 0.

    >>> round(token_f1("New York City", ["York, New", "Boston"]), 3)
    0.8
    """
    words = Counter(tokens(text))
    return max((_f1(words, Counter(tokens(answer))) for answer in accepted), default=0.0)


def _f1(words: Counter[str], right: Counter[str]) -> float:
    total = words.total() + right.total()
    return 2 * (words & right).total() / total if total else 1.0
