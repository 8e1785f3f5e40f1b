"""
Many texts searched as one: which of them hold some words.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from surefoot.score.stats.arrays import Bools

__all__ = ["MOST_SEARCHED", "SearchedTexts"]

MOST_SEARCHED: Final = 4000  # characters of one part; a longer one is searched so far
_BETWEEN: Final = "\x1f"


class SearchedTexts:
    """
    Hold texts of several parts, case folded, end to end.

    >>> SearchedTexts([("Click", "Save"), (), ("STRASSE",)]).holding("straße").tolist()
    [False, False, True]
    """

    def __init__(self, texts: Iterable[Iterable[str]]) -> None:
        lines = [_BETWEEN.join(map(_folded, parts)).encode(errors="replace") for parts in texts]
        lengths = np.fromiter((len(line) + 1 for line in lines), np.int64, len(lines))
        self._starts = np.cumsum(lengths) - lengths
        self._whole = b"\n".join([*lines, b""])

    def holding(self, words: str) -> Bools:
        """Tell for each text whether a part holds some words, as they stand but for their case."""
        wanted = _folded(words).encode(errors="replace")
        found = np.zeros(len(self._starts), dtype=np.bool_)
        places = []
        at = self._whole.find(wanted) if len(found) else -1
        while at >= 0:
            places.append(at)
            end = self._whole.find(b"\n", at)
            at = self._whole.find(wanted, end + 1) if 0 <= end < len(self._whole) - 1 else -1
        found[np.searchsorted(self._starts, places, side="right") - 1] = True
        return found


def _folded(text: str) -> str:
    return text[:MOST_SEARCHED].casefold().replace("\n", " ").replace(_BETWEEN, " ")
