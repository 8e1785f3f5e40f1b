"""
What the questions of a benchmark rest on: recorded elements, guessed ones, or a judgement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from surefoot.core.question import Question

RECORDED: Final = "elements that were recorded with the picture"
GIVEN: Final = "a data set's own words, which nothing proves"
_TOLD: Final = "elements told by"
_SEEN: Final = "share of the scene seen"


def guess_facts(guessed_by: str, seen: float) -> dict[str, str]:
    """
    Return what a question says of guessed elements: whose they are, and how much they cover.

    >>> guess_facts("pixels@1", 0.834)
    {'elements told by': 'pixels@1', 'share of the scene seen': '83 %'}
    """
    return {_TOLD: guessed_by, _SEEN: f"{100 * seen:.0f} %"}


def proof_of(question: Question) -> str:
    """Say in words what a question rests on."""
    if question.instruction.kind == "given":
        # Whose options name what they were proven of stand on elements, not on a set's word.
        return RECORDED if question.facts.get("keys") else GIVEN
    if question.instruction.proof:
        return f"the word of the {question.instruction.proof}, which no resolver proves"
    guesser = question.facts.get(_TOLD, "")
    return f"elements guessed by {guesser}" if guesser else RECORDED


def guess_words(question: Question) -> str:
    """Say of a question on guessed elements that it is proven less; "" of any other."""
    guesser, seen = (question.facts.get(name, "") for name in (_TOLD, _SEEN))
    if not guesser:
        return ""
    return (
        f"The elements of this screen were not recorded: {guesser} guessed them, and they cover "
        f"{seen} of what is drawn among them. So what follows is a weaker proof."
    )


def count_proofs(questions: Iterable[Question]) -> dict[str, int]:
    """Count questions by what they rest on, the most frequent first."""
    return dict(Counter(map(proof_of, questions)).most_common())


def proof_words(counts: Mapping[str, int], what: str = "questions") -> str:
    """
    Say how many questions, or what they are called, rest on which proof.

    >>> proof_words({"elements guessed by pixels@1": 9, GIVEN: 1})
    "9 of 10 questions rest on elements guessed by pixels@1, 1 on a data set's own words, which \
nothing proves"
    >>> proof_words({RECORDED: 1200})
    'all 1,200 questions rest on elements that were recorded with the picture'
    """
    total = f"{sum(counts.values()):,} {what} rest"
    if len(counts) == 1:
        return f"all {total} on {next(iter(counts))}"
    (first, most), *others = counts.items()
    parts = [f"{most:,} of {total} on {first}", *(f"{n:,} on {name}" for name, n in others)]
    return ", ".join(parts)
