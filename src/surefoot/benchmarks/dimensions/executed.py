"""
Which executed actions the answer of a question rests on.
"""

from __future__ import annotations

from itertools import pairwise

from surefoot.core.canonical import decode
from surefoot.core.question import Question


def executed(question: Question) -> tuple[tuple[str, str], ...]:
    """
    Return the ids of the screens before and after all actions that an answer rests on.

    Those are the steps of a sequence, and what every option about actions was executed in;
    nothing where an answer rests on one screen alone. Raises InvalidInputError for facts of
    another form.
    """
    if steps := question.facts.get("steps"):
        return tuple(decode(steps.encode(), list[tuple[str, str]], what="steps"))
    if steps := question.facts.get("ways"):
        ways = decode(steps.encode(), dict[str, list[str]], what="ways")
        return tuple(dict.fromkeys(step for way in ways.values() for step in pairwise(way)))
    return ()
