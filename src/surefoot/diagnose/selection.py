"""
Which of an element's failing instructions stands for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

Selection: TypeAlias = Literal["fewest", "first"]


def selected(loose: Mapping[str, int], select: Selection) -> str:
    """
    Return which question stands for an element, by the loose matches of each; "" of none.

    >>> found = {"b": 2, "c": 0, "a": 0}
    >>> selected(found, "fewest"), selected(found, "first")
    ('a', 'b')
    """
    if select == "first":
        return next(iter(loose), "")
    return min(loose, key=lambda question: (loose[question], question), default="")
