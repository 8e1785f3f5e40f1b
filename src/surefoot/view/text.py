"""
Many texts searched as one: which of them hold a word, by an index of the words they have.
"""

from __future__ import annotations

import itertools
from array import array
from collections import defaultdict
from collections.abc import Iterable
from typing import Final

import numpy as np
from scipy.sparse import csr_array

from surefoot.score.stats.arrays import Bools, Ints

MOST_SEARCHED: Final = 4000  # characters of one part; a longer one is searched so far
_FEW: Final = 4096  # words whose texts are gathered one by one


class SearchedTexts:
    """
    Hold which texts have which words, case folded; a word is what stands between white space.

    What is searched has no white space either, so it stands in a text exactly where it stands
    in one of the text's words. Each word of all texts is kept once and searched once, and has
    the numbers of its texts.

    >>> SearchedTexts([("Click", "Save"), (), ("STRASSE",)]).holding("straße").tolist()
    [False, False, True]
    """

    def __init__(self, texts: Iterable[Iterable[str]]) -> None:
        numbers: defaultdict[str, int] = defaultdict(itertools.count().__next__)
        words, ends = array("i"), array("q", [0])
        for parts in texts:
            own = set[str]().union(*(part[:MOST_SEARCHED].casefold().split() for part in parts))
            words.extend(map(numbers.__getitem__, own))
            ends.append(len(words))
        spelt = [_encoded(word) for word in numbers]
        lengths = np.fromiter((len(word) + 1 for word in spelt), np.int64, len(spelt))
        self._starts = np.cumsum(lengths) - lengths
        self._letters = b"\n".join([*spelt, b""])
        by_text = csr_array(
            (np.ones(len(words), np.int8), np.asarray(words), np.asarray(ends)),
            shape=(len(ends) - 1, len(spelt)),
        )
        by_word = by_text.tocsc()
        self._texts, self._ends = by_word.indices, by_word.indptr
        self._count = len(ends) - 1

    def holding(self, word: str) -> Bools:
        """Tell for each text whether a part holds a word, or it in a longer one, in any case."""
        found = np.zeros(self._count, dtype=np.bool_)
        letters = _encoded(word.casefold())
        few = self._few_words_with(letters)
        if few is None:
            wanted = np.repeat(self._words_with(letters), np.diff(self._ends))
            found[self._texts[wanted]] = True
            return found
        for number in few.tolist():
            found[self._texts[self._ends[number] : self._ends[number + 1]]] = True
        return found

    def _few_words_with(self, letters: bytes) -> Ints | None:
        """Return the words that hold some letters, None where they are more than a few."""
        places: list[int] = []
        at = self._letters.find(letters)
        while 0 <= at < len(self._letters) - 1:
            if len(places) == _FEW:
                return None
            places.append(at)
            at = self._letters.find(letters, self._letters.find(b"\n", at))
        return np.searchsorted(self._starts, places, side="right") - 1

    def _words_with(self, letters: bytes) -> Bools:
        """Tell for each word whether it holds some letters."""
        spelt = np.frombuffer(self._letters, np.uint8)
        begins = np.ones(len(spelt), dtype=np.bool_)
        for offset, letter in enumerate(letters):
            begins[: len(spelt) - offset] &= spelt[offset:] == letter
        begins[len(spelt) - len(letters) + 1 :] = False
        return np.logical_or.reduceat(begins, self._starts)


def _encoded(text: str) -> bytes:
    return text.encode(errors="surrogatepass")
