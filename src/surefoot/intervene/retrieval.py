"""
Vectors from a memory: the mean difference of the nearest states, and what it is checked against.

Those nearest items have answers, too: what most of them have is a guess that needs no model.

A control has the same length as the vector that it stands for, so that only the direction
differs: drawn at random, or from the same memory with its pairs shuffled.
"""

from __future__ import annotations

from collections import Counter
from typing import Final, Literal, TypeAlias, get_args

import msgspec
import numpy as np
from numpy.typing import NDArray

from surefoot.core.errors import InvalidInputError
from surefoot.core.seeds import derive_seed
from surefoot.intervene.steering import SingleFloats

DirectionKind: TypeAlias = Literal["xli", "random", "shuffled"]
CONTROLS: Final[tuple[DirectionKind, ...]] = get_args(DirectionKind)[1:]


class LayerMemory(msgspec.Struct, frozen=True, eq=False):
    """
    Hold states of parallel items at one layer: ``keys`` in a language, and what leads to English.

    Both are (items, width), row by row of one item; ``answers`` are the items' right labels.
    """

    keys: SingleFloats
    differences: SingleFloats
    answers: tuple[str, ...] = ()

    @property
    def english(self) -> SingleFloats:
        """Return the English states."""
        return self.keys + self.differences


def nearest(keys: SingleFloats, states: SingleFloats, count: int) -> NDArray[np.intp]:
    """
    Return (states, count): the places of the keys of the highest cosine, the highest first.

    Of equal ones the earlier; of a smaller memory all.

    >>> keys = np.array([[1, 0], [0, 1], [1, 1]], np.float32)
    >>> nearest(keys, np.array([[2, 0.1]], np.float32), 2).tolist()
    [[0, 2]]
    """
    if count < 1 or not len(keys):
        raise InvalidInputError(
            "1 or more nearest states of a memory with some", found=f"{count} of {len(keys)}"
        )
    cosine = _units(states) @ _units(keys).T
    return np.argsort(-cosine, axis=1, kind="stable")[:, :count]


def vectors(
    memory: LayerMemory, states: SingleFloats, *, count: int, kind: DirectionKind, seed: int
) -> SingleFloats:
    """
    Return the vector for each state: (states, width).

    "xli" is the mean difference of the ``count`` nearest items. "random" is a direction drawn for
    the nearest item; "shuffled" the mean over the same items when each is paired with the
    English state of another one. A row depends on its own state and on nothing else of a batch.
    """
    places = nearest(memory.keys, states, count)
    true = memory.differences[places].mean(axis=1)
    if kind == "xli":
        return np.asarray(true, np.float32)
    if kind == "random":
        random = np.random.default_rng(derive_seed(seed, "random"))
        drawn = random.standard_normal(memory.keys.shape)
        other = drawn[places[:, 0]]
    else:
        order = _moved(len(memory.keys), seed)
        other = (memory.english[order] - memory.keys)[places].mean(axis=1)
    lengths = np.linalg.norm(true, axis=1, keepdims=True)
    return np.asarray(_units(other) * lengths, np.float32)


def voted(memory: LayerMemory, states: SingleFloats, count: int) -> list[str]:
    """
    Return for each state the label that most of its nearest items have, of several the nearest's.

    >>> keys = np.array([[1, 0], [0, 1], [1, 1]], np.float32)
    >>> memory = LayerMemory(keys, keys, ("A", "B", "B"))
    >>> voted(memory, np.array([[2, 0.1]], np.float32), 3)
    ['B']
    """
    found = nearest(memory.keys, states, count)
    counted = (Counter(memory.answers[place] for place in row) for row in found)
    return [counts.most_common(1)[0][0] for counts in counted]


def _units(rows: NDArray[np.floating]) -> NDArray[np.float64]:
    exact = np.asarray(rows, np.float64)
    lengths = np.linalg.norm(exact, axis=1, keepdims=True)
    return exact / np.where(lengths > 0, lengths, 1.0)


def _moved(count: int, seed: int) -> NDArray[np.intp]:
    """Return an order in which nothing stands where it stood, unless it is alone."""
    drawn = np.random.default_rng(derive_seed(seed, "shuffled")).permutation(count)
    order = np.empty(count, np.intp)
    order[drawn] = np.roll(drawn, 1)
    return order
