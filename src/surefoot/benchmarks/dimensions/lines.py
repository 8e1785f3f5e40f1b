"""
A multiple-choice question as lines, each with its label: how it is handed to a model and read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from surefoot.core.question import Question

QUESTION: Final = "Q"
_LINE: Final = re.compile(
    r"^[ \t*_`#>-]*([A-Z])[*_`]*[ \t]*[:\uff1a][*_`]*[ \t]*(\S.*)$", re.MULTILINE
)


def question_lines(question: Question) -> dict[str, str]:
    """
    Return the question itself, under "Q", and its options by their labels, each on one line.

    The words of an option are among the question's facts.
    """
    text = question.instruction.text
    for label in reversed(question.options):
        text = text.removesuffix(f"\n{label}: {question.facts[label]}")
    texts = {QUESTION: text, **{label: question.facts[label] for label in question.options}}
    return {label: " ".join(words.split()) for label, words in texts.items()}


def joined(lines: Mapping[str, str] | Iterable[tuple[str, str]]) -> str:
    r"""
    Write lines with their labels.

    >>> joined({"Q": "What is it?", "A": "One"})
    'Q: What is it?\nA: One'
    """
    return "\n".join(f"{label}: {words}" for label, words in dict(lines).items())


def read_lines(reply: str, labels: Sequence[str]) -> dict[str, str] | str:
    r"""
    Return the lines of a reply by their labels, or what is wrong with it.

    Lines without a label are left alone; those with one are all of the labels, once and in
    their order.

    >>> read_lines("Q: What is it?\nA: One\n**B:** Two", "QAB")
    {'Q': 'What is it?', 'A': 'One', 'B': 'Two'}
    >>> read_lines("A: One", "QA")
    'lines A instead of Q, A'
    """
    found = _LINE.findall(reply)
    read = [label for label, _ in found]
    if read != list(labels):
        listing = ", ".join(read[:9]) or "none"
        return f"lines {listing} instead of {', '.join(labels)}"
    return {label: words.rstrip() for label, words in found}
