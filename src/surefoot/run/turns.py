"""
Groups that take turns, so that whoever takes the first few takes them from all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")


def in_turns(items: Iterable[T], group: Callable[[T], str]) -> list[T]:
    """
    Return the items so that groups take turns: the first of each, then the second.

    >>> in_turns(["a1", "a2", "a3", "b1"], lambda item: item[0])
    ['a1', 'b1', 'a2', 'a3']
    """
    seen: Counter[str] = Counter()
    turns: list[tuple[int, T]] = []
    for item in items:
        name = group(item)
        turns.append((seen[name], item))
        seen[name] += 1
    return [item for _, item in sorted(turns, key=lambda turn: turn[0])]
