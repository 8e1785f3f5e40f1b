"""
Letters of options from the probabilities of a reply's tokens.

A reply to a question of several options holds one label, in JSON or alone. Where the server
tells what could have stood at each token, the token that is the label says how likely the
others were. A token counts for a label whatever blanks, brackets and quotes it has around it.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping, Sequence

import msgspec

from surefoot.core.question import Question

# How byte-pair and SentencePiece vocabularies spell a leading blank.
BLANKS = str.maketrans({"\u0120": " ", "\u2581": " "})


class TokenChoice(msgspec.Struct, frozen=True):
    """Hold a token of a reply and the probabilities, by token, of what could have stood there."""

    token: str
    probabilities: dict[str, float]


def asks_letter(question: Question) -> bool:
    """Tell whether a question is answered by an option's label at once, without reasoning."""
    return question.asks == "option" and not question.cell.reasoning


def label_probabilities(tokens: Sequence[TokenChoice], labels: Sequence[str]) -> dict[str, float]:
    """
    Return each label's probability at the first token that is a label, summed over its spellings.

    Empty where no token is one. What is told of no label is left out, so the sum may be below 1.

    >>> said = TokenChoice("(B", {"(B": 0.5, " B": 0.25, "A)": 0.125, "The": 0.0625})
    >>> label_probabilities([TokenChoice("{", {"{": 1.0}), said], "ABCD")
    {'A': 0.125, 'B': 0.75}
    """
    known = frozenset(labels)
    for choice in tokens:
        if bare_token(choice.token) in known:
            sums = {
                label: sum(
                    p for token, p in choice.probabilities.items() if bare_token(token) == label
                )
                for label in labels
            }
            # Servers round: three of them may come to a little over 1.
            return {label: min(1.0, total) for label, total in sums.items() if total > 0}
    return {}


def tokens_of(probabilities: Mapping[str, float]) -> tuple[TokenChoice, ...]:
    """Return the token that has these probabilities of labels, none where there are none."""
    if not probabilities:
        return ()
    likeliest = max(probabilities, key=lambda label: probabilities[label])
    return (TokenChoice(likeliest, dict(probabilities)),)


def read_tokens(logprobs: object) -> tuple[TokenChoice, ...]:
    """
    Read the ``logprobs`` of a chat completion's choice.

    None at all where anything in it is not as the protocol has it: a number that is no
    logarithm of a probability, or probabilities of one token that come to more than 1.
    """
    try:
        probabilities = msgspec.convert(logprobs, _LogProbs)
        return tuple(_choice(position) for position in probabilities.content or ())
    except (ValueError, OverflowError):  # msgspec's errors are ValueErrors
        return ()


class _Alternative(msgspec.Struct, frozen=True):
    token: str
    logprob: float


class _Position(_Alternative, frozen=True):
    top_logprobs: list[_Alternative] = []


class _LogProbs(msgspec.Struct, frozen=True):
    content: list[_Position] | None = None


def _choice(position: _Position) -> TokenChoice:
    found = {
        alternative.token: _probability(alternative.logprob)
        for alternative in (position, *position.top_logprobs)
    }
    if sum(found.values()) > 1 + 1e-3:
        raise ValueError("probabilities of more than 1")
    return TokenChoice(position.token, found)


def _probability(logprob: float) -> float:
    if math.isnan(logprob) or logprob > 0:
        raise ValueError("no logarithm of a probability")
    return math.exp(logprob)


def bare_token(token: str) -> str:
    """
    Return a token without what is no letter or digit around it, in its plain form.

    >>> bare_token("\u0120(B")
    'B'
    """
    plain = unicodedata.normalize("NFKC", token.translate(BLANKS))
    inside = [at for at, sign in enumerate(plain) if sign.isalnum()]
    return plain[inside[0] : inside[-1] + 1] if inside else ""
